/**
 * The single fields of a tool's arguments, at any depth, with what their schemas say of them: how `BILLING_MAX_AMOUNT`
 * judges a number, how a receipt compares a value, which values are date-times, and in which form a value is listed.
 */
import * as z from 'zod';
import { kindOfPrice } from '../contract/charge-prices.ts';
import { ownValue } from '../lib/json.ts';
import { type AnyTool, definitionOf } from './define.ts';

/** What a number stands for. Money and credits are judged; whose they are, the tool says (`fieldClassesOf`). */
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

/** How a tool of these arguments is listed to callers who are bound to customers, where they may ask for fewer of its kinds. */
export const boundListings = z.registry<{ description: string; kinds: readonly string[] }, z.ZodObject>();

export interface ArgumentField extends Pick<FieldNotes, 'amount' | 'stored'> {
  /** `charges[].min_amount_cents`; `[]` stands for every entry of a list. */
  path: string;
  type: 'integer' | 'number' | 'decimal' | 'moment' | 'text' | 'anything' | 'rest';
}

/** Every field of a schema that has no inner fields. */
export function argumentFields(schema: z.core.$ZodType, path = ''): ArgumentField[] {
  const { type, format, innerType, shape, element, options, valueType } = definitionOf(schema);
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

function typeOf(schema: z.core.$ZodType, type: string, format: string | undefined): ArgumentField['type'] {
  if (type === 'number' || type === 'int' || type === 'bigint') return format === undefined ? 'number' : 'integer';
  if (type === 'unknown' || type === 'any') return 'anything';
  if (type !== 'string') return 'rest';
  return z.globalRegistry.get(schema)?.format === 'date-time' ? 'moment' : 'text';
}

/** How a value of a field is compared. */
export type FieldKind =
  /** As it stands: text, a switch, an integer. */
  | 'exact'
  /** Text that the service stores in capitals (service-behaviour §3.12; codes of currencies). */
  | 'capitals'
  /** A decimal number, as text or as a JSON number: `7.50` is 7.5 (§1.6). */
  | 'decimal'
  /** A date-time. The service writes it in UTC, and drops digits of its fraction (§1.6). */
  | 'moment'
  /** A charge's `properties`: decimals under the names of its price model, and texts. */
  | 'prices'
  /** An image that comes back as the address where it is stored. */
  | 'image';

export type FieldKinds = Readonly<Record<string, FieldKind>>;

/** What is computed once of the arguments of a tool. */
function once<Tool extends { input: object }, Made>(make: (tool: Tool) => Made): (tool: Tool) => Made {
  const all = new WeakMap<object, Made>();
  return tool => {
    const known = all.get(tool.input);
    if (known !== undefined) return known;
    const made = make(tool);
    all.set(tool.input, made);
    return made;
  };
}

/** The kinds of a write's fields by path in the request's record; `[]` stands for every entry of a list. */
export const fieldKindsOf = once(({ input }: Pick<AnyTool, 'input'>): FieldKinds => {
  const fields = argumentFields(input).map(field => [field.path, kindOf(field)] as const);
  return Object.fromEntries(fields.filter(([, kind]) => kind !== 'exact'));
});

function kindOf({ type, stored }: ArgumentField): FieldKind {
  if (stored !== undefined) return stored;
  if (type === 'decimal' || type === 'number') return 'decimal';
  return type === 'moment' ? 'moment' : type === 'anything' ? 'prices' : 'exact';
}

/** The kind of the field at a path; inside prices, it goes by the name of the price. */
export function kindAt(kinds: FieldKinds, path: string): FieldKind {
  const named = ownValue(kinds, path);
  if (named !== undefined) return named;
  const inside = Object.keys(kinds).some(outer => kinds[outer] === 'prices' && path.startsWith(`${outer}.`));
  const price = inside ? kindOfPrice(path.slice(path.lastIndexOf('.') + 1).replace(/\[\]$/, '')) : undefined;
  return price === undefined || price === 'label' ? 'exact' : 'decimal';
}

/*
 * The class of each number in every write: `BILLING_MAX_AMOUNT` uses it to judge money and credits, and questions use it to
 * count what a user has to read.
 */

/** The record that holds the currency and rate of a write's amounts. */
export type MoneyOwner = 'add_on' | 'wallet' | 'plan';

export type FieldClass =
  /** An integer in the minor unit of the owner's currency. */
  | { kind: 'money'; owner: MoneyOwner }
  /** A decimal number of the wallet's credits; multiplied by its rate it is money. */
  | { kind: 'credits'; owner: 'wallet' }
  /** A charge's `properties`: money, rates and counts, depending on its price model. */
  | { kind: 'prices'; owner: 'plan' }
  /** What a pricing unit of a charge costs: it changes the money of all its prices. */
  | { kind: 'rate'; owner: 'plan' }
  /** Not a number, but it changes the currency of the present amounts. */
  | { kind: 'currency'; owner: MoneyOwner }
  /** A limit that only sends a notice when it is reached; it spends nothing. */
  | { kind: 'threshold' }
  | { kind: 'count' }
  /** A priority or a number of days. */
  | { kind: 'other' };

/** Whose money and credits a write's arguments name, by the record that it answers. */
const owners: Readonly<Record<string, MoneyOwner>> = {
  add_on: 'add_on',
  wallet: 'wallet',
  subscription: 'plan',
};

type ClassifiedTool = Pick<AnyTool, 'name' | 'input' | 'result'>;

/** By path; `[]` stands for every entry of a list. */
export type FieldClasses = Readonly<Record<string, FieldClass>>;

/** The classes of a write's arguments. Throws for a number or a free-form value without one, and for money of no one. */
export const fieldClassesOf = once((tool: ClassifiedTool): FieldClasses => {
  const fields = argumentFields(tool.input).map(field => [field.path, classOf(tool, field)] as const);
  return Object.fromEntries(fields.flatMap(([path, kind]) => (kind === null ? [] : [[path, kind] as const])));
});

const numeric: readonly ArgumentField['type'][] = ['integer', 'number', 'decimal', 'anything'];

function classOf(tool: ClassifiedTool, { path, type, amount: kind }: ArgumentField): FieldClass | null {
  const name = `${path} of ${tool.name}`;
  if (kind === undefined) {
    if (numeric.includes(type)) throw new Error(`${name} is a number of no class`);
    return null;
  }
  if (kind === 'threshold' || kind === 'count' || kind === 'other') return { kind };
  const owner = owners[tool.result];
  if (owner === undefined) throw new Error(`${name} is money of no record`);
  return { kind, owner } as FieldClass;
}

/** A value whose money is in the currency of a record. */
export type OwnedValue = ClassifiedValue & { fieldClass: Extract<FieldClass, { owner: MoneyOwner }> };

/** One argument with its class and path, such as `plan_overrides.charges[0].min_amount_cents`. */
export interface ClassifiedValue {
  path: string;
  value: unknown;
  fieldClass: FieldClass;
}

/** The arguments of a write that have a class; absent ones and nulls are left out. */
export function classifiedIn(tool: ClassifiedTool, args: object): ClassifiedValue[] {
  const values = valuesIn(args, '', '', fieldClassesOf(tool));
  return [...values].map(({ path, value, known }) => ({ path, value, fieldClass: known }));
}

/** How many amounts, prices, rates and credits a write has, all of which the user who is asked must read. */
export function countAmounts(tool: ClassifiedTool, args: object): number {
  return classifiedIn(tool, args).reduce((sum, { value, fieldClass }) => {
    if (fieldClass.kind === 'prices') return sum + countPrices(value);
    return sum + (['money', 'credits', 'threshold'].includes(fieldClass.kind) ? 1 : 0);
  }, 0);
}

/** Each value whose pattern is among the known ones, with what is known of it. */
function* valuesIn<Known>(
  value: unknown,
  path: string,
  pattern: string,
  patterns: Readonly<Record<string, Known>>,
): Generator<{ path: string; value: unknown; known: Known }> {
  if (value === null || value === undefined) return;
  const known = ownValue(patterns, pattern);
  if (known !== undefined) yield { path, value, known };
  else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* valuesIn(entry, `${path}[${index}]`, `${pattern}[]`, patterns);
  } else if (typeof value === 'object') {
    const dot = path === '' ? '' : '.';
    for (const [key, entry] of Object.entries(value)) {
      yield* valuesIn(entry, `${path}${dot}${key}`, `${pattern}${dot}${key}`, patterns);
    }
  }
}

/** Counts money and rates, and whatever has a name that no price model knows. */
function countPrices(value: unknown, key?: string): number {
  if (value === null || value === undefined) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + countPrices(entry, key), 0);
  const kind = key === undefined ? undefined : kindOfPrice(key);
  if (kind === undefined && typeof value === 'object') {
    return Object.entries(value).reduce((sum, [name, entry]) => sum + countPrices(entry, name), 0);
  }
  return kind === 'count' || kind === 'label' ? 0 : 1;
}

/** In the order of the arguments. `argument`: `recurring_transaction_rules[0].started_at`. */
export function dateTimesIn(tool: AnyTool, args: object): { argument: string; value: string }[] {
  return [...valuesIn(args, '', '', fieldKindsOf(tool))].flatMap(({ path, value, known }) =>
    known === 'moment' && typeof value === 'string' ? [{ argument: path, value }] : [],
  );
}

/** Does a write name a number or a date-time? Only such values can be corrected. */
export function namesValues({ tool, args }: { tool: AnyTool; args: object }): boolean {
  return classifiedIn(tool, args).length > 0 || dateTimesIn(tool, args).length > 0;
}

/** A value as `tools/list` asks for it, which the schema accepts as a plain object as well. */
export function inListedForm(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const listed = z.globalRegistry.get(schema)?.listed as { type?: string } | undefined;
  if (listed?.type === 'string') return JSON.stringify(value);
  if (listed?.type === 'array' && !Array.isArray(value))
    return Object.entries(value).map(([key, entry]) => ({ key, value: entry as unknown }));
  const { innerType, shape, element } = definitionOf(schema);
  if (innerType) return inListedForm(innerType, value);
  if (Array.isArray(value)) return element ? value.map(entry => inListedForm(element, entry)) : value;
  if (shape === undefined) return value;
  const fields = Object.entries(value).map(([name, entry]) => {
    const field = ownValue(shape, name);
    return [name, field ? inListedForm(field, entry) : entry] as const;
  });
  return Object.fromEntries(fields);
}
