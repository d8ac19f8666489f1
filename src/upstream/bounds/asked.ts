/** What a request asks for, read back from its target: the values of its path, and its query pair by pair. */
import type { UpstreamCall } from '../client.ts';

export interface Pair {
  name: string;
  value: string;
  /** As it stands in the target, percent-encoded. */
  raw: string;
}

/** A pattern of the table, taken apart once. */
export interface Pattern {
  method: string;
  parts: readonly { name: string | null; text: string }[];
}

/** `GET /customers/{customer}` */
export function patternOf(endpoint: string): Pattern {
  const [method = '', path = ''] = endpoint.split(' ');
  const parts = segmentsOf(path).map(text => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] ?? null }));
  return { method, parts };
}

/**
 * The values of a path that this pattern fits; null where it fits not. A value that a proxy could read as another path
 * (with a slash, a percent sign, dots alone …) is undefined: what it leads to cannot be proved.
 */
export function valuesOf({ method, parts }: Pattern, call: UpstreamCall): Record<string, string | undefined> | null {
  const [path = ''] = call.target.split('?', 1);
  const segments = segmentsOf(path);
  if (method !== call.method || segments.length !== parts.length) return null;
  const values: Record<string, string | undefined> = {};
  for (const [index, { name, text }] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (name === null && segment !== text) return null;
    if (name !== null) values[name] = plainValue(segment);
  }
  return values;
}

/** The pairs of the query; null where it cannot be read for certain. */
export function queryOf({ target }: UpstreamCall): Pair[] | null {
  const start = target.indexOf('?');
  if (start < 0) return [];
  const pairs: Pair[] = [];
  for (const raw of target.slice(start + 1).split('&')) {
    const [name, value, ...more] = raw.split('=').map(decoded);
    if (name === undefined || value === undefined || more.length > 0) return null;
    pairs.push({ name, value, raw });
  }
  return pairs;
}

/** The only value under this name; undefined where there is none. Two values for one name decide nothing. */
export function valueIn(query: readonly Pair[], name: string): string | undefined {
  return query.find(pair => pair.name === name)?.value;
}

/** A target with this path and these pairs. */
export function targetOf(
  path: string,
  pairs: readonly (Pair | readonly [name: string, value: string | number])[],
): string {
  const texts = pairs.map(pair => ('raw' in pair ? pair.raw : `${pair[0]}=${encodeURIComponent(String(pair[1]))}`));
  return texts.length === 0 ? path : `${path}?${texts.join('&')}`;
}

/** One path value, encoded as requests of tools encode theirs (`upstream/path.ts`). */
export function segmentOf(value: string): string {
  return encodeURIComponent(value).replace(
    /[.!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').split('/');
}

function plainValue(segment: string): string | undefined {
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
