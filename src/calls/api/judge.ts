/**
 * Does an answer hold what was asked for, and is it about the record that was asked for, or that this write makes? The ids in
 * path and body tell. Before this, `http/read-answer.ts` has judged status and JSON.
 */

import type { ApiRequest, Get } from '../../definition/api.ts';
import type { KnownRecord } from '../../definition/define.ts';
import { fieldOf, isObject, membersOf } from '../../lib/json.ts';
import { unwrap } from '../../words/present-record.ts';
import { asRecord, asRecords, code } from '../../words/summary.ts';
import { compileEndpoint, type Endpoint } from './http/request.ts';

/** The values that a field of the answer may have. */
type Expected = readonly (readonly [field: string, values: readonly unknown[]])[];

/** What an answer is judged by: the key of its record or list, and the endpoint that was asked. */
export interface Subject {
  key: string;
  list: boolean;
  endpoint: string;
  rejectReason?: ((record: object) => string | null) | undefined;
}

/** Why the answer to a tool's own request cannot be passed on, in words; null where it can. `seen`: see `otherThanWritten`. */
export function problemOfAnswer(
  subject: Subject,
  request: ApiRequest,
  seen: KnownRecord,
  body: unknown,
): string | null {
  if (!holdsAnswer(subject, body)) return withoutKey(subject.key);
  const record = unwrap(subject.key, body);
  return subject.rejectReason?.(record) ?? otherThanWritten(subject, request, seen, record);
}

/** The same for the answer to one GET of a lookup. */
export function problemOfRead(endpoint: string, get: Get, body: unknown): string | null {
  const record = membersOf<typeof get.key>(body)[get.key];
  if (typeof record !== 'object' || record === null) return withoutKey(get.key);
  // Null for the right record, and for one that shows no id.
  const further = Object.entries(get.is ?? {}).map(([field, value]) => [field, [value]] as const);
  return difference([...inPath(compileEndpoint(endpoint).ids, get.path), ...further], record);
}

function withoutKey(key: string): string {
  return `a body without ${key.replaceAll('_', ' ')}`;
}

/**
 * Does the body hold what the tool answers with: for lists the list, else a record that is not empty? Without this
 * check a wrong body would be taken for "there are no plans".
 */
function holdsAnswer({ key, list }: Subject, body: unknown): boolean {
  if (Array.isArray(body)) return list;
  const value = fieldOf(body as object, key);
  if (list) return Array.isArray(value);
  if (value !== undefined) return value !== null && typeof value === 'object' && !isEmpty(value);
  return !isEmpty(body as object);
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

/**
 * How the answer to a tool's own request differs from what was asked for; null where it does not. `seen`: the record that was
 * read before a write.
 */
function otherThanWritten(
  { key, list, endpoint }: Subject,
  { path: values, body }: ApiRequest,
  seen: KnownRecord,
  record: unknown,
) {
  const { method, ids } = compileEndpoint(endpoint);
  const sent = asRecord(body && fieldOf(body, key));
  const { code: sentCode } = membersOf<'code'>(sent);
  const expected = inPath(ids, values).map(
    // An answer that shows the earlier code is about the right record, too: the receipt says what was not applied.
    ([field, named]) => [field, field in sent ? [...named, fieldOf(sent, field)] : named] as const,
  );
  if (method !== 'POST') return difference(expected, record) ?? otherThanSeen(seen, record);
  const several = list ? asRecords(fieldOf(asRecord(body), key)) : null;
  const codes = several === null ? [sentCode] : several.map(each => membersOf<'code'>(each).code);
  const created = codes[0] === undefined ? [] : [['code', codes] as const];
  const records = several === null ? [record] : asRecords(fieldOf(asRecord(record), key));
  return records.map(each => difference([...expected, ...created], each)).find(each => each !== null) ?? null;
}

/** The same for a record that is read again: external ids and codes are used again, and only the service's own id is not. */
export function otherThanSeen(seen: KnownRecord, record: unknown) {
  const { svc_id } = membersOf<'svc_id'>(seen);
  return svc_id ? difference([['svc_id', [svc_id]]], record) : null;
}

/** What the ids of a path are called in the record that the path leads to. */
const idNames: Readonly<Record<string, string>> = { external_customer_id: 'external_id' };
/** What they are called in a record of another kind. */
const linkNames: Readonly<Record<string, string>> = {
  external_customer_id: 'external_customer_id',
  external_id: 'external_subscription_id',
  wallet_code: 'wallet_code',
};

function inPath(ids: Endpoint['ids'], values: ApiRequest['path']): Expected {
  const expected: [string, unknown[]][] = [];
  for (const { name, isLast } of ids) {
    const field = isLast ? (idNames[name] ?? name) : linkNames[name];
    if (field !== undefined && values?.[name] !== undefined) expected.push([field, [values[name]]]);
  }
  return expected;
}

function difference(expected: Expected, record: unknown): string | null {
  if (!isObject(record)) return null;
  for (const [field, values] of expected) {
    const shown = fieldOf(record, field);
    if (shown === undefined || shown === null || values.some(value => isSame(field, value, shown))) continue;
    const name = field.replaceAll('_', ' ').replace('svc', 'service');
    return `another record: its ${name} is ${code(shown) ?? 'no text'} instead of ${code(values.at(-1)) ?? 'none'}`;
  }
  return null;
}

/** UUIDs may be written in capitals; every other id is text as it stands. */
function isSame(field: string, expected: unknown, shown: unknown): boolean {
  const [left, right] = [String(expected), typeof shown === 'object' ? '' : String(shown)];
  return left === right || (field === 'svc_id' && left.toLowerCase() === right.toLowerCase());
}
