/** How entries of an account file refer to each other: by the keys of entries in other sections. */
import * as z from 'zod';

/** Where the entries of a section have such a key: the steps that lead to it; `*` leads to every member of a list. */
export interface Reference {
  section: string;
  steps: readonly string[];
}

export function referencesIn(schema: z.core.$ZodType, steps: readonly string[] = []): Reference[] {
  const section = z.globalRegistry.get(schema)?.refersTo;
  if (typeof section === 'string') return [{ section, steps }];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return referencesIn(schema.unwrap(), steps);
  if (schema instanceof z.ZodArray) return referencesIn(schema.element, [...steps, '*']);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => referencesIn(field, [...steps, name]));
}

/** The keys at the end of the steps, each with its place in the entry. */
export function keysAt(value: unknown, steps: readonly string[]): [at: (string | number)[], key: string][] {
  if (typeof value === 'string') return [[[], value]];
  const [step, ...others] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return [];
  const inner: [string | number, unknown][] =
    step === '*' ? [...(value as unknown[]).entries()] : [[step, (value as { [name: string]: unknown })[step]]];
  return inner.flatMap(([place, each]) =>
    keysAt(each, others).map(([at, key]): [(string | number)[], string] => [[place, ...at], key]),
  );
}

/** The key by which other entries refer to an entry; `*` for an entry that has none, which any key may mean. */
export function keyOf(entry: unknown): string {
  const { code, external_id: externalId, number } = Object(entry);
  const key = code ?? externalId ?? number;
  return typeof key === 'string' ? key : '*';
}
