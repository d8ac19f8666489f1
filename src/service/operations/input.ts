/** Reads a request: the wrapped object, ids, path and query values; refuses text that no database can store. */

import type { FastifyRequest } from 'fastify';
import type { Json, JsonObject } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { badRequest, missingParam, notFound, validation } from '../errors.ts';

/** More levels of nesting are refused as malformed. */
const DEEPEST = 100;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The object under the wrapper key. Throws 400 when it is missing, empty or not an object. */
export function wrappedObject(request: FastifyRequest, key: string): JsonObject {
  const value = bodyOf(request)[key];
  if (!isJsonObject(value) || Object.keys(value).length === 0) throw missingParam(key);
  return value;
}

/** The whole body as an object; `{}` when it is not one. */
export function bodyOf(request: FastifyRequest): JsonObject {
  const body = request.body as Json | undefined;
  return isJsonObject(body) ? body : {};
}

/** A path value by name. */
export function pathValue(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

/** The id in the path. Throws 404 `<resource>_not_found` when it is not a UUID (§1.7). */
export function pathId(request: FastifyRequest, resource: string): string {
  const id = pathValue(request, 'svc_id');
  if (!isUuid(id)) throw notFound(resource);
  return id.toLowerCase();
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** A single query value; the last one if the name is repeated. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/**
 * Refuses U+0000, which neither database can store, anywhere in the path, the query and the body: 422 `value_is_invalid`
 * on the value's field. Nesting deeper than `DEEPEST` and half a character (a lone surrogate) are malformed (400).
 */
export function refuseUnstorableText(request: FastifyRequest): void {
  refuseNul(request.params as Json);
  refuseNul(request.query as Json);
  if (request.body !== undefined) refuseNul(request.body as Json);
}

// A loop with its own stack: a body may be nested deeper than the call stack allows. A refusal names the field just below the
// wrapper, else the outermost.
function refuseNul(root: Json): void {
  const stack: { value: Json; depth: number; field: string }[] = [{ value: root, depth: 0, field: 'base' }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth, field } = next;
    if (typeof value === 'string') refuseBadText(value, field);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEEPEST) throw badRequest();
    for (const [key, inner] of Object.entries(value)) {
      refuseBadText(key, field);
      const innerField = depth < 2 && !Array.isArray(value) ? key : field;
      stack.push({ value: inner, depth: depth + 1, field: innerField });
    }
  }
}

function refuseBadText(text: string, field: string): void {
  if (text.includes('\0')) throw validation({ [field]: ['value_is_invalid'] });
  if (LONE_SURROGATE.test(text)) throw badRequest();
}
