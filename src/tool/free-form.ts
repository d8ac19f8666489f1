/**
 * Objects that `tools/list` lists in another form: the strict mode of some hosts takes an object only where all its
 * names are listed, but free names cannot be listed, and many names cost too many tokens. A call may send the listed
 * form or the plain object; both give the same request.
 */
import * as z from 'zod';
import { quotedValue } from './quoted-value.ts';

const jsonText = { type: 'string' } as const;

/** Lists an object as JSON text, with its fields' names only. `check.ts` reads the text. */
export function briefly<T extends z.ZodObject>(schema: T, description = fieldNames(schema)) {
  return schema.meta({ listed: { ...jsonText, description: `JSON ${description}` } });
}

/** Lists the objects of an array as JSON texts, with their fields' names only. */
export function brieflyListed<T extends z.ZodObject>(schema: T, description = fieldNames(schema)) {
  return z.array(schema).meta({ listed: { type: 'array', items: jsonText, description: `JSON ${description}` } });
}

function fieldNames(schema: z.ZodObject): string {
  return `{${Object.keys(schema.shape).join(', ')}}`;
}

/**
 * An object of names that the caller chooses (metadata, the properties of an event), listed as a list of `{key,
 * value}`. Pairs become the object in their order; a key that comes twice is refused. `listedValue` is the schema of a
 * value.
 */
export function keyed<Value extends z.ZodType>(
  value: Value,
  { key = z.string(), listedValue = { type: 'string' } }: { key?: z.ZodString; listedValue?: object } = {},
) {
  const pairs = z
    .array(z.strictObject({ key, value }))
    .superRefine((entries, context) => {
      const seen = new Set<string>();
      for (const [index, entry] of entries.entries()) {
        const problem = keyProblem(entry.key, seen);
        if (problem !== null) context.addIssue({ code: 'custom', path: [index, 'key'], message: problem });
        seen.add(entry.key);
      }
    })
    .transform(objectOf<z.output<Value>>);
  const pair = { type: 'object', properties: { key: { type: 'string' }, value: listedValue } };
  return z.union([z.record(key, value), pairs]).meta({ listed: { type: 'array', items: pair } });
}

function objectOf<Value>(pairs: readonly { key: string; value?: unknown }[]): Record<string, Value> {
  return Object.fromEntries(pairs.map(pair => [pair.key, pair.value as Value]));
}

function keyProblem(key: string, seen: ReadonlySet<string>): string | null {
  if (key === '__proto__') return 'is "__proto__", a name that is not accepted anywhere';
  return seen.has(key) ? `is ${quotedValue(key)}, which another pair has too: send each key once` : null;
}
