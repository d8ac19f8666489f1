/** Builds request targets. A value from a caller stays one path segment or one query value, whatever it contains. */
import type { ApiRequest } from '../../../definition/api.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A path value that cannot be sent; `message` names it and says why. */
export class PathValueError extends Error {
  readonly argument: string;
  constructor(argument: string, message: string) {
    super(message);
    this.argument = argument;
  }
}

export interface Endpoint {
  method: Method;
  /** Path below the base, e.g. `/customers/a%2Fb?page=2`. Throws PathValueError. */
  target(request: ApiRequest): string;
}

/** Parses `GET /customers/{external_customer_id}` once, so that a call only fills in values. */
export function compileEndpoint(endpoint: string): Endpoint {
  const blank = endpoint.indexOf(' ');
  const [start = '', ...rest] = endpoint.slice(blank + 1).split('{');
  const values = rest.map(part => {
    const [name = '', after = ''] = part.split('}');
    return { name, after };
  });
  return {
    method: endpoint.slice(0, blank) as Method,
    target: ({ path, query }) => {
      let target = start;
      for (const { name, after } of values) target += encodePathValue(name, path?.[name]) + after;
      return query === undefined ? target : target + queryString(query);
    },
  };
}

/**
 * Percent-encodes one path value (service-behaviour §1.7). Dots too, because the service reads a dot in some ids as a
 * format suffix. A value of dots only is refused: URL libraries and proxies resolve it even when it is encoded.
 */
function encodePathValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new PathValueError(name, `${name} must not be empty`);
  if (/^\.+$/.test(value)) throw new PathValueError(name, `${name} must not consist of dots alone`);
  if (value.length > 2000) throw new PathValueError(name, `${name} is longer than 2000 characters`);
  return encode(name, value).replace(/[.!'()*]/g, encodeCharacter);
}

function encode(name: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a surrogate pair cannot be encoded.
    throw new PathValueError(name, `${name} contains a broken character`);
  }
}

/** `?a=1&tags[]=x&tags[]=y&metadata[key]=z`; empty when nothing is set. */
export function queryString(query: NonNullable<ApiRequest['query']>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) {
      for (const item of value) pairs.push(`${encodeURIComponent(name)}[]=${encode(name, item)}`);
    } else if (typeof value === 'object') {
      for (const [key, item] of Object.entries(value))
        pairs.push(`${encode(name, `${name}[${key}]`)}=${encode(name, item)}`);
    } else pairs.push(`${encodeURIComponent(name)}=${encode(name, String(value))}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Splits a base URL into origin and path prefix. `/api/v1`, a sub-path and a trailing slash are optional. */
export function splitBaseUrl(baseUrl: string): { origin: string; prefix: string } {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, prefix: path.endsWith('/api/v1') ? path : `${path}/api/v1` };
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
