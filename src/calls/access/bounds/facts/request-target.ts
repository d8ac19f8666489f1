/** Reads a request's target back: the values of its path, and its query pair by pair. */
import type { UpstreamCall } from '../../../api/http/client.ts';

export interface QueryPair {
  name: string;
  value: string;
  /** As it stands in the target, percent-encoded. */
  raw: string;
}

/** The values of a path by their names in the table. */
export type PathValues = Record<string, string | undefined>;

/** A path of the table in segments: a value has a name, any other segment its text. */
type Pattern = readonly { name: string | null; text: string }[];

/**
 * Finds the table's entry for a request, by paths such as `GET /customers/{customer}`, whose first segment is no value.
 * Undefined where the table does not have the request's path.
 */
export function endpointMatcher<T>(
  table: Readonly<Record<string, T>>,
): (call: UpstreamCall) => [T, PathValues] | undefined {
  const patterns = new Map<string, [Pattern, T][]>();
  for (const [endpoint, entry] of Object.entries(table)) {
    const [method = '', path = ''] = endpoint.split(' ');
    const segments = segmentsOf(path);
    const parts = segments.map(text => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] ?? null }));
    const group = patterns.get(groupOf(method, segments)) ?? [];
    patterns.set(groupOf(method, segments), [...group, [parts, entry]]);
  }
  return call => {
    const [path = ''] = call.target.split('?', 1);
    const segments = segmentsOf(path);
    for (const [parts, entry] of patterns.get(groupOf(call.method, segments)) ?? []) {
      const values = valuesOf(parts, segments);
      if (values !== null) return [entry, values];
    }
    return undefined;
  };
}

/** The key of all paths that can fit the same request. */
function groupOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments.length} ${segments[0]}`;
}

/**
 * The values of a path of as many segments, where the pattern fits it; else null. A value that a proxy could read as
 * another path (with a slash, a percent sign, dots alone …) is undefined: what it leads to cannot be proved.
 */
function valuesOf(parts: Pattern, segments: readonly string[]): PathValues | null {
  const values: PathValues = {};
  for (const [index, { name, text }] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (name === null && segment !== text) return null;
    if (name !== null) values[name] = plainValue(segment);
  }
  return values;
}

/** The pairs of the query; null where it cannot be read for certain. */
export function queryOf({ target }: UpstreamCall): QueryPair[] | null {
  const start = target.indexOf('?');
  if (start < 0) return [];
  const pairs: QueryPair[] = [];
  for (const raw of target.slice(start + 1).split('&')) {
    const [name, value, ...more] = raw.split('=').map(decoded);
    if (name === undefined || value === undefined || more.length > 0) return null;
    pairs.push({ name, value, raw });
  }
  return pairs;
}

/** The only value under this name; undefined where there is none. Two values for one name decide nothing. */
export function valueIn(query: readonly QueryPair[], name: string): string | undefined {
  return query.find(pair => pair.name === name)?.value;
}

/** A target with this path and these pairs. */
export function targetOf(
  path: string,
  pairs: readonly (QueryPair | readonly [name: string, value: string | number])[],
): string {
  const texts = pairs.map(pair => ('raw' in pair ? pair.raw : `${pair[0]}=${encodeURIComponent(String(pair[1]))}`));
  return texts.length === 0 ? path : `${path}?${texts.join('&')}`;
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').split('/');
}

function plainValue(segment: string): string | undefined {
  // Most ids stand for themselves.
  if (/^[\w-]+$/.test(segment)) return segment;
  const value = decoded(segment);
  if (value === undefined || value === '' || /^\.+$/.test(value)) return undefined;
  return /[/\\%?#;\p{Cc}]/u.test(value) ? undefined : value;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return undefined;
  }
}
