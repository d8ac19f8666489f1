/** The plain fields that a resource's requests may send, for tables of tests: a new one is tested where the others are. */
import type * as z from 'zod';
import { type Unit, writableFields } from '../../src/contract/fields.ts';

/** The tool's fields, each with what `units` has for its unit: a random value, a sample. */
export function sentValues<Value>(resource: z.ZodObject, units: Readonly<Record<Unit, Value>>): Record<string, Value> {
  return Object.fromEntries(writableFields(resource).map(([name, { unit }]) => [name, units[unit]]));
}

/** What an answer must show of each: its unit within its bounds, and null only where null clears it. */
export function shownSchemas(resource: z.ZodObject, units: Readonly<Record<Unit, z.ZodType>>) {
  const fields = writableFields(resource).map(([name, { unit, change }]) => {
    const { least = -Infinity, most = Infinity, longest = Infinity, clears } = change;
    const fits = (value: unknown) =>
      typeof value === 'number' ? value >= least && value <= most : [...String(value)].length <= longest;
    const shown = units[unit].refine(fits);
    return [name, clears ? shown.nullable() : shown];
  });
  return Object.fromEntries(fields) as Record<string, z.ZodType>;
}
