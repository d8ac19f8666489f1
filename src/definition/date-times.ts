/** The date-times among the arguments of a call, wherever the schema says that there is one. */

import * as z from 'zod';
import { fieldOf } from '../lib/json.ts';
import type { AnyTool } from './define.ts';
import { definitionOf, unwrapped } from './null-arguments.ts';

export interface DateTimeArgument {
  /** `recurring_transaction_rules[0].started_at` */
  argument: string;
  value: string;
}

/** In the order of the arguments. */
export function dateTimesIn({ input }: AnyTool, args: object): DateTimeArgument[] {
  return [...walk(input, args, '')];
}

function* walk(schema: z.core.$ZodType, value: unknown, argument: string): Generator<DateTimeArgument> {
  if (typeof value === 'string') {
    if (isDateTime(schema)) yield { argument, value };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { shape, element } = unwrapped(schema);
  if (Array.isArray(value)) {
    if (element === undefined) return;
    for (const [index, entry] of value.entries()) yield* walk(element, entry, `${argument}[${index}]`);
    return;
  }
  for (const [name, field] of Object.entries(shape ?? {}))
    yield* walk(field, fieldOf(value, name), argument === '' ? name : `${argument}.${name}`);
}

function isDateTime(schema: z.core.$ZodType): boolean {
  const { innerType } = definitionOf(schema);
  if (z.globalRegistry.get(schema)?.format === 'date-time') return true;
  return innerType !== undefined && isDateTime(innerType);
}
