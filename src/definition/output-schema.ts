/**
 * The output schema of a tool, from the contract and the default form: which fields come first, and their types. Everything
 * admits null and further fields, and only the summary is required, because errors, prompts and dry runs have other keys.
 */
import type * as z from 'zod';
import { appliedCoupon, coupon } from '../contract/coupon.ts';
import type { Holds } from '../contract/fields.ts';
import { reportRow } from '../contract/report-row.ts';
import { resourceSchemas } from '../contract/resources.ts';
import { tax } from '../contract/shared.ts';
import { usagePeriod } from '../contract/usage-period.ts';
import { type AnyTool, definitionOf, isList, isLookup, namesMore } from './define.ts';
import { parseSelection } from './selection.ts';

type Schemas = Record<string, object>;

/** How many fields of a record the schema names: with all of them, the list of tools would have 81 KB instead of 69. */
const mostNamed = 3;

export function outputSchema(tool: AnyTool): { type: 'object'; [key: string]: unknown } {
  const names = parseSelection(tool.brief).map(({ name }) => name);
  const first = names.toSorted((one, other) => rankOf(one, names) - rankOf(other, names)).slice(0, mostNamed);
  const record = {
    type: 'object',
    properties: Object.fromEntries(first.map(name => [name, schemaOf(tool.result, name)])),
  };
  const properties: Schemas = {
    summary: { type: 'string' },
    [tool.result]: isList(tool) ? { type: 'array', items: record } : record,
  };
  if (isLookup(tool) && 'page' in tool.input.shape) properties.next_page = nullable('integer');
  if (namesMore(tool)) properties.more = { type: 'array', items: { type: 'string' } };
  return { type: 'object', properties, required: ['summary'] };
}

/** What identifies the record comes first, then its main amount with the currency, then other amounts and its state. */
function rankOf(name: string, names: readonly string[]): number {
  if (names.indexOf(name) < 2) return 0;
  if (/currency$|^(total|amount|balance|plan)_\w*cents$/.test(name)) return 1;
  return /(_cents|status)$/.test(name) ? 2 : 3;
}

/** By result, the types of fields that the contract does not have, or has otherwise. */
const made: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  changes: { number: 'integer', tool: 'string', target: 'string', outcome: 'string' },
  customer: { portal_url: 'string' },
  overview: { usage_period: 'object', owed: 'array' },
  statement: { date: 'string', latest_date: 'string' },
  usage: { customer: 'object', external_customer_id: 'string' },
};

const others = { coupon, applied_coupon: appliedCoupon, tax, usage: usagePeriod, revenue: reportRow };
const contract: Readonly<Record<string, z.ZodObject>> = { ...resourceSchemas, ...others };

/** The fields of the record under this key; what is made of several records takes the types of all. */
function shapesFor(result: string): readonly z.ZodRawShape[] {
  const schema = contract[result] ?? contract[result.replace(/s$/, '')];
  return schema === undefined ? Object.values(contract).map(({ shape }) => shape) : [schema.shape];
}

function schemaOf(result: string, name: string): object {
  const type = made[result]?.[name];
  if (type !== undefined) return nullable(type);
  const types = shapesFor(result).flatMap(shape => (shape[name] === undefined ? [] : typesOf(shape[name])));
  return types.length > 0 ? nullable(...types) : name.endsWith('_cents') ? nullable(...held.cents) : {};
}

/** What a value of this kind may be (shown.ts). */
const held: Readonly<Record<Holds, readonly string[]>> = {
  decimal: ['string', 'number'],
  cents: ['integer', 'string'],
  instant: ['string'],
  day: ['string'],
  anything: [],
};

function typesOf(field: z.core.$ZodType): readonly string[] {
  const { holds } = field as { holds?: Holds };
  if (holds !== undefined) return held[holds];
  const { type, innerType, options } = definitionOf(field);
  if (innerType) return typesOf(innerType);
  if (options) return options.flatMap(typesOf);
  return type === 'record'
    ? ['object']
    : ['string', 'number', 'boolean', 'array', 'object'].filter(each => each === type);
}

function nullable(...types: readonly string[]): object {
  return { type: [...new Set(types), 'null'], ...(types.includes('array') && { items: {} }) };
}
