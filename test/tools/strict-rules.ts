/**
 * What `@openai/agents` takes with `convertSchemasToStrict`, after `utils/strictToolSchema` of its core, version 0.20.0.
 * docs/clients.md has what the real one took: a test compares.
 */
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Schema } from './host-limits.ts';

/** Keywords whose nulls it cannot map, or whose schemas it does not enter. */
const refusedKeywords = `
  $dynamicRef $recursiveRef additionalItems allOf contains contentSchema dependencies dependentRequired dependentSchemas
  else if maxContains minContains not oneOf patternProperties prefixItems propertyNames then unevaluatedItems
  unevaluatedProperties
`
  .trim()
  .split(/\s+/);

/** Beside `anyOf` only these. */
const besideUnion = ['anyOf', 'title', 'description', 'default', 'examples', 'deprecated', '$comment'];

/** Why a schema is not converted, with its place; null where it is. */
export function notStrict(schema: Schema, place = 'arguments'): string | null {
  const refused = refusedKeywords.find(keyword => keyword in schema);
  if (refused !== undefined) return `${place} has ${refused}`;
  if ('$ref' in schema || '$id' in schema) return `${place} has a reference, which is not judged here`;
  const { type, properties, additionalProperties, items, anyOf } = schema;
  const open = additionalProperties !== false && (!hasNames(properties) || 'additionalProperties' in schema);
  if (type === 'object' && open) return `${place} is an object whose names are not all listed`;
  if (type === undefined && (properties !== undefined || additionalProperties !== undefined))
    return `${place} is an object without a type`;
  if (anyOf !== undefined) {
    if (anyOf.length === 0) return `${place} has an empty anyOf`;
    const beside = Object.keys(schema).find(keyword => !besideUnion.includes(keyword));
    if (beside !== undefined) return `${place} has ${beside} beside anyOf`;
    if (anyOf.some(needsNulls)) return `${place} has an optional argument inside anyOf`;
  }
  const inner: [string, Schema][] = [
    ...Object.entries(properties ?? {}).map(([name, field]): [string, Schema] => [`${place}.${name}`, field]),
    ...(items === undefined ? [] : [[`${place}[]`, items] as [string, Schema]]),
    ...(anyOf ?? []).map((option): [string, Schema] => [place, option]),
  ];
  return inner.map(([name, field]) => notStrict(field, name)).find(problem => problem !== null) ?? null;
}

/** Does it hold an optional argument that gets null as a way to leave it out? */
function needsNulls(schema: Schema): boolean {
  const { properties = {}, required = [], items, anyOf } = schema;
  const optional = Object.entries(properties).filter(([name]) => !(required as unknown[]).includes(name));
  return (
    optional.some(([, field]) => !takesNull(field)) ||
    [...Object.values(properties), ...(items ? [items] : []), ...(anyOf ?? [])].some(needsNulls)
  );
}

function takesNull({ type, enum: values, anyOf }: Schema): boolean {
  if (type !== undefined && type !== 'null') return false;
  if (values !== undefined && !values.includes(null)) return false;
  return anyOf === undefined || anyOf.some(takesNull);
}

function hasNames(properties: Schema['properties']): boolean {
  return Object.keys(properties ?? {}).length > 0;
}

/**
 * Arguments as a model in strict mode writes them: every listed argument is there, null for what is left out, and what is
 * listed as pairs or as JSON text is written so.
 */
export function asStrict(schema: Schema, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  const fitting = schema.anyOf?.find(option => option.type === kindOf(value)) ?? schema.anyOf?.[0] ?? schema;
  if (fitting.type === 'string') return typeof value === 'object' ? JSON.stringify(value) : value;
  if (isPairs(fitting) && !Array.isArray(value))
    return Object.entries(value).map(([key, entry]) => ({ key, value: entry }));
  if (Array.isArray(value)) return value.map(entry => asStrict(fitting.items ?? {}, entry));
  if (fitting.properties === undefined) return value;
  const given = value as JsonRecord;
  return Object.fromEntries(
    Object.entries(fitting.properties).map(([name, field]) => [name, asStrict(field, given[name])]),
  );
}

/** An object of free names as a list of `{key, value}`; where the interface has such a list, both are required. */
export function isPairs({ type, items }: Schema): boolean {
  const names = Object.keys(items?.properties ?? {}).join();
  return type === 'array' && names === 'key,value' && items?.required === undefined;
}

/** A text that holds an object, and says so. */
export function isJsonText({ type, enum: values, description }: Schema): boolean {
  return type === 'string' && values === undefined && String(description).includes('JSON ');
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}
