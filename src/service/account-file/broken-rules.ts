/** The rules of plan data (§9) that entries of an account file break, as problems of the file. */
import * as z from 'zod';
import type { ChargeModel } from '../../contract/enums.ts';
import { type BrokenRule, propertiesByModel } from '../../engine/plan-rules.ts';
import { AccountFileError, type Path } from './account-builder.ts';
import { errorsOfIssue } from './words.ts';

/** Throws `AccountFileError` with a problem for each rule. `model`: the model of the charge that breaks them. */
export function requireNoBrokenRules(broken: readonly BrokenRule[], path: Path, model?: ChargeModel): void {
  const problems = broken.flatMap(rule => problemsOf(rule, path, model));
  const [first, ...others] = problems;
  if (first !== undefined) throw AccountFileError.ofAll([first, ...others]);
}

function problemsOf({ path, message, issue }: BrokenRule, at: Path, model: ChargeModel | undefined): readonly string[] {
  if (issue === undefined || model === undefined) return new AccountFileError([...at, ...path], message).problems;
  const schema = propertiesByModel[model];
  const knownProperties = () => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
  const toProperties = path.slice(0, path.length - issue.path.length);
  return errorsOfIssue(issue, knownProperties, [...at, ...toProperties]).flatMap(error => error.problems);
}
