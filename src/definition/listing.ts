/**
 * A tool as `tools/list` shows it, computed once. Schemas are reduced to what a model needs: see `lean`. The output schema
 * comes from the contract and the default form.
 */
import * as z from 'zod';
import { appliedCoupon, coupon } from '../contract/coupon.ts';
import type { Holds } from '../contract/fields.ts';
import { reportRow } from '../contract/report-row.ts';
import { resourceSchemas } from '../contract/resources.ts';
import { tax } from '../contract/shared.ts';
import { usagePeriod } from '../contract/usage-period.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { type AnyTool, changesAccount, definitionOf, exportable, isList, isLookup, namesMore } from './define.ts';
import { clearable } from './host-arguments.ts';
import { detailNames, parseSelection } from './selection.ts';

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  /** The tool for the buttons of pages has none. */
  outputSchema?: { type: 'object'; [key: string]: unknown };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  _meta?: JsonRecord;
}

const cache = new WeakMap<object, { plain?: ListedTool; confirming?: ListedTool }>();

/** The entry of `tools/list`. `confirmation` adds the argument that mode `always` needs; entries are memoised. */
export function listTool(tool: AnyTool, { confirmation = false }: { confirmation?: boolean } = {}): ListedTool {
  const entry = cache.get(tool) ?? {};
  cache.set(tool, entry);
  const writes = changesAccount(tool.effect);
  const key = confirmation && writes ? 'confirming' : 'plain';
  const { name, title, description } = tool;
  entry[key] ??= {
    name,
    title,
    description,
    inputSchema: inputSchema(tool, key === 'confirming'),
    outputSchema: outputSchema(tool),
    // Always all four, because two default to true. Every tool works on one billing account, not in an open world. The protocol
    // would allow `destructiveHint: false` for what only adds; but hosts skip their question for it, and money may be at stake.
    annotations: {
      title,
      readOnlyHint: !writes,
      destructiveHint: writes,
      idempotentHint: !(writes && tool.endpoint.startsWith('POST ')),
      openWorldHint: false,
    },
  };
  return entry[key];
}

function inputSchema(tool: AnyTool, confirmation: boolean): ListedTool['inputSchema'] {
  const schema = lean(z.toJSONSchema(tool.input, { io: 'input' })) as ListedTool['inputSchema'];
  const properties = schema.properties as JsonRecord;
  const clear = clearable(tool);
  if (clear.length > 0)
    properties.clear = {
      type: 'array',
      items: { type: 'string', enum: clear },
      description: 'Arguments to set to null',
    };
  if (changesAccount(tool.effect))
    properties.dry_run = { type: 'boolean', description: 'Only show what it would change; default false' };
  if (confirmation) properties.confirmation = { type: 'string', description: 'Token that the first call returned' };
  if (tool.more !== undefined) {
    // A lookup's list names no field that it leaves out: the argument does, once for all answers.
    const description = namesMore(tool)
      ? 'Extra fields: names from more, comma-separated, or full'
      : `Extra fields, comma-separated: ${detailNames(tool).join(', ')}`;
    properties.detail = { type: 'string', description };
  }
  if (exportable(tool))
    properties.format = {
      type: 'string',
      enum: ['csv', 'csv_excel'],
      description: 'Return a CSV link instead of rows',
    };
  // A misspelled filter would list the whole account: a host that checks calls itself can refuse it first.
  schema.additionalProperties = false;
  return schema;
}

/**
 * Removes what zod adds and no one needs: `$schema`, patterns, lengths, safe-integer bounds, `propertyNames`, empty schemas, nulls.
 * A schema with `listed` in its meta is replaced by that, and one with `brief` loses its inner words; both keep
 * their own description.
 */
function lean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(lean);
  if (typeof node !== 'object' || node === null) return node;
  const source = node as JsonRecord;
  if (typeof source.listed === 'object')
    return { ...source.listed, ...(source.description !== undefined && { description: source.description }) };
  if (source.brief !== undefined) return briefForm(source);
  const filled = withoutNull(source);
  if (filled !== null) return lean(filled);
  const result: JsonRecord = {};
  for (const [key, value] of Object.entries(source)) {
    if (leftOut.has(key)) continue;
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) continue;
    if (key === 'additionalProperties' && value === false) continue;
    // Some hosts refuse the whole list for an object schema without a word about its fields.
    if (key === 'additionalProperties' && isRecord(value) && Object.keys(value).length === 0) result[key] = true;
    else if (key === 'anyOf') result[key] = (lean(value) as JsonRecord[]).map(withNulls);
    else if (key !== 'properties') result[key] = lean(value);
    else {
      // Their names are not schema keywords, even when they look like one.
      const fields = Object.entries(value as Record<string, JsonRecord>).filter(([, field]) => field.unlisted !== true);
      result[key] = Object.fromEntries(fields.map(([name, field]) => [name, lean(field)]));
    }
  }
  return result;
}

const leftOut = new Set(['$schema', 'pattern', 'propertyNames', 'quietNull', 'keptEmpty', 'minItems', 'maxItems']);

/** See `briefly` in free-form.ts. */
function briefForm({ brief, description, ...source }: JsonRecord): unknown {
  const form = withoutWords(lean(source)) as JsonRecord;
  const fields = Array.isArray(brief) ? (brief as string[]) : null;
  const object = (form.items ?? form) as JsonRecord;
  const { properties } = object as { properties: JsonRecord };
  if (fields !== null) object.properties = Object.fromEntries(fields.map(name => [name, properties[name]]));
  return description === undefined ? form : { ...form, description };
}

function withoutWords(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutWords);
  if (typeof node !== 'object' || node === null) return node;
  const { description: _, enum: __, properties, ...rest } = node as JsonRecord;
  const kept = Object.entries(rest).map(([key, value]) => [key, withoutWords(value)]);
  if (properties === undefined) return Object.fromEntries(kept);
  const fields = Object.entries(properties as JsonRecord).map(([name, field]) => [name, withoutWords(field)]);
  return { ...Object.fromEntries(kept), properties: Object.fromEntries(fields) };
}

/** A nullable schema without its null, which `clear` stands for. */
function withoutNull({ quietNull: _, anyOf, type, ...rest }: JsonRecord): JsonRecord | null {
  if (Array.isArray(type)) return { ...rest, type: type[0] };
  if (!Array.isArray(anyOf) || !anyOf.some(option => (option as JsonRecord).type === 'null')) return null;
  return { ...(anyOf as JsonRecord[])[0], ...rest };
}

/** Strict hosts convert an option of a union only where no field is optional: one that may be left out takes null. */
function withNulls(schema: JsonRecord): JsonRecord {
  const { items, properties, required = [] } = schema;
  if (items !== undefined) return { ...schema, items: withNulls(items as JsonRecord) };
  if (properties === undefined) return schema;
  const fields = Object.entries(properties as Record<string, JsonRecord>).map(([name, field]) => {
    const inner = withNulls(field);
    const isFixed = (required as string[]).includes(name) || inner.anyOf !== undefined;
    return [name, isFixed ? inner : { anyOf: [inner, { type: 'null' }] }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** How many fields of a record the schema names: with all of them, the list of tools would have 81 KB instead of 69. */
const mostNamed = 3;

/**
 * Which fields come first, and their types. Everything admits null and further fields, and only the summary is required,
 * because errors, prompts and dry runs have other keys.
 */
function outputSchema(tool: AnyTool): { type: 'object'; [key: string]: unknown } {
  const names = parseSelection(tool.brief).map(({ name }) => name);
  const first = names.toSorted((one, other) => rankOf(one, names) - rankOf(other, names)).slice(0, mostNamed);
  const record = {
    type: 'object',
    properties: Object.fromEntries(first.map(name => [name, schemaOf(tool.result, name)])),
  };
  const properties: Record<string, object> = {
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
