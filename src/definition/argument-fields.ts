/**
 * The single fields of a tool's arguments, at any depth, with what their schemas say of them: how `BILLING_MAX_AMOUNT`
 * judges a number, and how a receipt compares a value.
 */
import * as z from 'zod';
import type { Api, ReadAnswer } from './api.ts';

/** What a number stands for. Money and credits are judged; whose they are, the tool says (field-classes.ts). */
type AmountKind = 'money' | 'credits' | 'prices' | 'rate' | 'currency' | 'threshold' | 'count' | 'other';

/** What a schema does not say by its type. It stays with a schema that is refined, described or made optional. */
interface FieldNotes {
  /** Of every number, and of texts that change what a number is worth. */
  amount?: AmountKind;
  /** A text that is a decimal number. */
  decimal?: true;
  /** In capitals (service-behaviour §3.12; codes of currencies), or as the address where an image is. */
  stored?: 'capitals' | 'image';
  /** Of an argument that changes nothing by itself, as the ids in the path do: a call with only these is refused. */
  changes?: false;
  /** The closed list of a text's values, where the JSON schema leaves it out. */
  words?: readonly string[];
}

export const fieldNotes = z.registry<FieldNotes>();

/**
 * What is read of the record right before and right after a write with this argument, to tell its effect: `aroundBefore` and
 * `aroundAfter` of the summary's `beside`. Null where there is nothing to read.
 */
interface EffectRead {
  read(api: Api, known: object): Promise<ReadAnswer> | null;
}

/** No registry of the schema library: its types change those of functions. */
const effectReads = new WeakMap<z.ZodType, EffectRead>();

/** The argument itself, with its read. */
export function withEffectRead<Field extends z.ZodType>(field: Field, read: EffectRead): Field {
  effectReads.set(field, read);
  return field;
}

/** How the effect of these arguments is read; undefined where none of them has such a read. */
export function effectReadOf(input: z.ZodObject<Record<string, z.ZodType>>, args: object): EffectRead | undefined {
  return Object.entries(args)
    .flatMap(([name, value]) => (value === undefined ? [] : (input.shape[name] ?? [])))
    .map(field => effectReads.get(field))
    .find(read => read !== undefined);
}

/** How a tool of these arguments is listed to callers who are bound to customers, where they may ask for fewer of its kinds. */
export const boundListings = z.registry<{ description: string; kinds: readonly string[] }, z.ZodObject>();

export interface ArgumentField extends Pick<FieldNotes, 'amount' | 'stored'> {
  /** `charges[].min_amount_cents`; `[]` stands for every entry of a list. */
  path: string;
  type: 'integer' | 'number' | 'decimal' | 'moment' | 'text' | 'anything' | 'rest';
}

/** Every field of a schema that has no inner fields. */
export function argumentFields(schema: z.core.$ZodType, path = ''): ArgumentField[] {
  const { type, format, innerType, shape, element, options, valueType } = schema._zod.def as Definition;
  if (innerType) return argumentFields(innerType, path);
  if (shape)
    return Object.entries(shape).flatMap(([key, field]) => argumentFields(field, path === '' ? key : `${path}.${key}`));
  if (element) return argumentFields(element, `${path}[]`);
  const { decimal, words: _, changes: __, ...notes } = fieldNotes.get(schema) ?? {};
  if (options) {
    const fields = options.flatMap(option => argumentFields(option, path));
    const field = fields.find(({ type: each }) => each === 'number' || each === 'integer') ?? fields[0];
    return field === undefined ? [] : [{ ...field, ...notes }];
  }
  if (valueType) {
    const values = argumentFields(valueType, path);
    return values.map(value => (value.type === 'anything' ? { path, type: 'anything', ...notes } : value));
  }
  return [{ path, type: decimal ? 'decimal' : typeOf(schema, type, format), ...notes }];
}

interface Definition {
  type: string;
  format?: string;
  innerType?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  valueType?: z.core.$ZodType;
}

function typeOf(schema: z.core.$ZodType, type: string, format: string | undefined): ArgumentField['type'] {
  if (type === 'number' || type === 'int' || type === 'bigint') return format === undefined ? 'number' : 'integer';
  if (type === 'unknown' || type === 'any') return 'anything';
  if (type !== 'string') return 'rest';
  return z.globalRegistry.get(schema)?.format === 'date-time' ? 'moment' : 'text';
}
