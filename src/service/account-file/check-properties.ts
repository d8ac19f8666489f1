import * as z from 'zod';
import type { ChargeModel } from '../../model/enums.ts';
import { propertiesByModel } from '../engine/plan-rules.ts';
import type { AccountBuilder, Path } from './account-builder.ts';
import { told } from './words.ts';

/** Tells every problem of a charge's properties; `plan-rules.ts` tells the first. */
export function checkProperties(builder: AccountBuilder, model: ChargeModel, properties: object, path: Path): void {
  const schema = propertiesByModel[model];
  const { error } = schema.safeParse(properties, { reportInput: true });
  const known = () => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
  const problems = error?.issues.flatMap(issue => told(issue, known, [...path, 'properties'])) ?? [];
  builder.parts(problems, problem => {
    throw problem;
  });
}
