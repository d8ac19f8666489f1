/**
 * Arguments that `tools/list` lists in another form: the strict mode of some hosts takes an object only where all its
 * names are listed, but free names cannot be listed, and what stands twice costs too many tokens. A call may send the
 * listed form or the plain object; both give the same request.
 */
import * as z from 'zod';
import { quotedValue } from '../lib/text.ts';

/**
 * Lists the types alone, without words and closed lists, because another argument has them; of an object only the fields
 * that `only` names. The others are accepted as well.
 */
export function briefly<T extends z.ZodType>(schema: T, only?: readonly string[]): T {
  return schema.meta({ brief: only ?? true });
}

/** Takes an argument without listing it: there is a better way to say it, which is listed. */
export function unlisted<T extends z.ZodType>(schema: T): T {
  return schema.meta({ unlisted: true });
}

/**
 * Lists an object or a list as JSON text: the price settings of a charge, whose names depend on its charge model, and its
 * filters, which are nested deeper than some hosts take. `check.ts` reads the text.
 */
export function asJsonText<T extends z.ZodType>(schema: T, description: string) {
  return schema.meta({ listed: { type: 'string', description: `JSON ${description}` } });
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
        const refuse = (message: string): void => context.addIssue({ code: 'custom', path: [index, 'key'], message });
        if (entry.key === '__proto__') refuse('is "__proto__", a name that is never accepted');
        else if (seen.has(entry.key))
          refuse(`is ${quotedValue(entry.key)}, which another pair also has: send each key once`);
        seen.add(entry.key);
      }
    })
    .transform((entries: readonly { key: string; value?: unknown }[]) =>
      Object.fromEntries(entries.map(entry => [entry.key, entry.value as z.output<Value>])),
    );
  const pair = { type: 'object', properties: { key: { type: 'string' }, value: listedValue } };
  return z.union([z.record(key, value), pairs]).meta({ listed: { type: 'array', items: pair } });
}
