/** A tool as `tools/list` shows it, computed once. Schemas are reduced to what a model needs: see `lean`. */

import * as z from 'zod';
import type { JsonRecord } from '../lib/json.ts';
import { type AnyTool, changesAccount, exportable, namesMore } from './define.ts';
import { clearable } from './host-arguments.ts';
import { outputSchema } from './output-schema.ts';
import { detailNames } from './selection.ts';

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
  const key = confirmation && changesAccount(tool.effect) ? 'confirming' : 'plain';
  const listed = entry[key] ?? build(tool, key === 'confirming');
  entry[key] = listed;
  return listed;
}

function build(tool: AnyTool, confirmation: boolean): ListedTool {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool, confirmation),
    outputSchema: outputSchema(tool),
    annotations: annotations(tool),
  };
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
  if (changesAccount(tool.effect) && confirmation)
    properties.confirmation = { type: 'string', description: 'Token that the first call returned' };
  if (tool.more !== undefined) properties.detail = { type: 'string', description: detailWords(tool) };
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

/** A lookup's list names no field that it leaves out: the argument does, once for all answers. */
function detailWords(tool: AnyTool): string {
  return namesMore(tool)
    ? 'Extra fields: names from more, comma-separated, or full'
    : `Extra fields, comma-separated: ${detailNames(tool).join(', ')}`;
}

/**
 * Always all four, because two default to true. Every tool works on one billing account, not in an open world. The protocol
 * would allow `destructiveHint: false` for what only adds; but hosts skip their question for it, and money may be at stake.
 */
function annotations(tool: AnyTool): ListedTool['annotations'] {
  const writes = changesAccount(tool.effect);
  const creates = tool.endpoint.startsWith('POST ');
  return {
    title: tool.title,
    readOnlyHint: !writes,
    destructiveHint: writes,
    idempotentHint: !(writes && creates),
    openWorldHint: false,
  };
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
    if (key === 'additionalProperties' && isEmpty(value)) result[key] = true;
    else if (key === 'anyOf') result[key] = (lean(value) as JsonRecord[]).map(withNulls);
    else result[key] = key === 'properties' ? mapValues(value as JsonRecord) : lean(value);
  }
  return result;
}

const leftOut = new Set(['$schema', 'pattern', 'propertyNames', 'quietNull', 'keptEmpty', 'minItems', 'maxItems']);

/** See `briefly` in free-form.ts. */
function briefForm({ brief, description, ...source }: JsonRecord): unknown {
  const form = withoutWords(lean(source)) as JsonRecord;
  const fields = Array.isArray(brief) ? (brief as string[]) : null;
  const object = (form.items ?? form) as JsonRecord;
  if (fields !== null) object.properties = pick(object.properties as JsonRecord, fields);
  return description === undefined ? form : { ...form, description };
}

function pick(properties: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(names.map(name => [name, properties[name]]));
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

/** Property names are not schema keywords, even when they look like one. */
function mapValues(properties: JsonRecord): JsonRecord {
  const fields = Object.entries(properties).filter(([, schema]) => (schema as JsonRecord).unlisted !== true);
  return Object.fromEntries(fields.map(([name, schema]) => [name, lean(schema)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
