/** A tool as `tools/list` shows it, computed once. Schemas are reduced to what a model needs: see `lean`. */

import * as z from 'zod';
import type { JsonRecord } from '../lib/json.ts';
import type { AnyTool } from './define.ts';
import { changesAccount } from './effect.ts';
import { clearable } from './null-arguments.ts';

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
    properties.clear = { type: 'array', items: { type: 'string', enum: clear }, description: 'Sets these to null' };
  if (changesAccount(tool.effect)) properties.dry_run = { type: 'boolean' };
  if (changesAccount(tool.effect) && confirmation)
    properties.confirmation = { type: 'string', description: 'Token from the first call' };
  if (tool.more !== undefined) properties.detail = { type: 'string', description: 'full, or names in more' };
  // Only at the top level, though nested objects are checked just as strictly.
  return { ...schema, additionalProperties: false };
}

/**
 * Only the top level, with nothing required: dry runs, questions and errors answer with other keys, and some clients
 * validate even those against this schema.
 */
function outputSchema(tool: AnyTool): NonNullable<ListedTool['outputSchema']> {
  const properties: JsonRecord = { summary: { type: 'string' } };
  properties[tool.result] = tool.list ? { type: 'array', items: {} } : { type: 'object', additionalProperties: true };
  if (tool.more !== undefined) properties.more = { type: 'array', items: { type: 'string' } };
  return { type: 'object', properties };
}

/** Always all four, because two default to true. Every tool works on one billing account, not in an open world. */
function annotations(tool: AnyTool): ListedTool['annotations'] {
  const writes = changesAccount(tool.effect);
  const creates = tool.endpoint.startsWith('POST ');
  return {
    title: tool.title,
    readOnlyHint: !writes,
    destructiveHint: writes && !creates,
    idempotentHint: !(writes && creates),
    openWorldHint: false,
  };
}

/**
 * Removes what zod adds and nobody needs: `$schema`, safe-integer bounds, `propertyNames`, empty schemas, quiet nulls.
 * A schema with `listed` in its meta is replaced by that, with its own description.
 */
function lean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(lean);
  if (typeof node !== 'object' || node === null) return node;
  const source = node as JsonRecord;
  if (typeof source.listed === 'object')
    return { ...source.listed, ...(source.description !== undefined && { description: source.description }) };
  const nullable = nullableForm(source);
  if (nullable !== null) return lean(nullable);
  const result: JsonRecord = {};
  for (const [key, value] of Object.entries(source)) {
    if (key === '$schema' || key === 'propertyNames' || key === 'quietNull') continue;
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) continue;
    if (key === 'additionalProperties' && value === false) continue;
    // Some hosts refuse the whole list for an object schema without a word about its fields.
    if (key === 'additionalProperties' && isEmpty(value)) result[key] = true;
    else result[key] = key === 'properties' ? mapValues(value as JsonRecord) : lean(value);
  }
  return result;
}

/** A nullable schema as `anyOf` with null, the form most hosts support, or without null where it is a quiet one. */
function nullableForm(source: JsonRecord): JsonRecord | null {
  const { quietNull, anyOf, type, description, ...rest } = source;
  const scalar = Array.isArray(type) && type.includes('null');
  if (!scalar && quietNull !== true) return null;
  const texts = description === undefined ? {} : { description };
  const inner = scalar ? { ...rest, type: type[0] } : { ...(anyOf as JsonRecord[])[0], ...rest };
  return quietNull === true ? { ...inner, ...texts } : { anyOf: [inner, { type: 'null' }], ...texts };
}

/** Property names are not schema keywords, even when they look like one. */
function mapValues(properties: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, lean(schema)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
