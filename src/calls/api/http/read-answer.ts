/**
 * Reads an answer of the service: its body, with the ids named as the interface names them; or an error with a next step for an
 * assistant (service-behaviour §1.2), never with a key, a stack or HTML.
 *
 * Other installations of the same API prefix their record-id fields with something else than `svc_`. These keys are renamed
 * both ways, but never the customer's own keys: metadata, event properties, grouping keys, filter values.
 */

import { readBack } from '../../../../tools/refused-arguments.ts';
import { fieldNames } from '../../../contract/field-names.ts';
import { customerKeys } from '../../../contract/shown.ts';
import { changesAccount } from '../../../definition/define.ts';
import { type OwnError, type Refused, refuse, type ToolError, wordsOf } from '../../../definition/failure.ts';
import { afterReadingBack, type Changed } from '../../../definition/refusals/refusal.ts';
import {
  fieldOf,
  isObject,
  isRecord,
  isText,
  type JsonRecord,
  membersOf,
  ownValue,
  parseExactly,
} from '../../../lib/json.ts';
import { cutText } from '../../../lib/text.ts';
import { redactText, type UncheckedError, withoutSecret } from '../../../words/safe-text.ts';
import { type CallFacts, findHint, missingRecord, phrases, statusHint, uuid } from './hints.ts';
import { inUnits, type Pause, probeNote } from './limits.ts';
import type { ExchangeResult } from './request.ts';

type ReceivedAnswer = Extract<ExchangeResult, { kind: 'answer' }>;
type FailedExchange = Extract<ExchangeResult, { kind: 'failed' }>;
type JudgedAnswer = { status: number; body: unknown } | { error: UncheckedError };

/** Turns an answer into a parsed body or an error. Neither holds the key, even when the answer repeats it. */
export function judgeAnswer(
  call: CallFacts,
  answer: ReceivedAnswer,
  renaming: Renaming | undefined,
  apiKey = '',
): JudgedAnswer {
  const parsed = parse(answer.text, apiKey);
  const body = renaming && parsed ? { json: renaming.incoming(parsed.json) } : parsed;
  const success = answer.status >= 200 && answer.status < 300;
  if (success && body && typeof body.json === 'object' && body.json !== null) {
    return { status: answer.status, body: body.json };
  }
  const type = redactText(String(answer.headers['content-type'] ?? ''), [apiKey]);
  const safe = { ...answer, headers: { ...answer.headers, 'content-type': type } };
  if (!success) return { error: refusal(call, safe, body?.json) };
  return { error: withoutRecord(call, answer.status, `${bodyWords(safe)} instead of a JSON record`) };
}

/** The header `X-Service-Notice` of an answer; undefined when there is none. Never with the key. */
export function noticeOf(headers: ReceivedAnswer['headers'], apiKey: string): string | undefined {
  const notice = headers['x-service-notice'];
  return typeof notice === 'string' && notice !== '' ? redactText(notice, [apiKey]) : undefined;
}

function parse(text: string, apiKey: string): { json: unknown } | undefined {
  try {
    return { json: withoutSecret(parseExactly(text), text, apiKey) };
  } catch {
    return undefined;
  }
}

/** A success whose body does not hold what the operation returns: nothing is read from it. */
export function withoutRecord(call: CallFacts, status: number, what: string): OwnError {
  return refuse('invalid_answer', { ...sent(call, 'unknown'), status, what });
}

function refusal(call: CallFacts, answer: ReceivedAnswer, json: unknown): UncheckedError {
  const body = membersOf<'error' | 'code' | 'error_details' | 'title' | 'detail'>(json);
  const code = plainText(body.code) ?? codeIn(body.error) ?? `http_${answer.status}`;
  const details = body.error_details;
  const phrased = details === undefined ? undefined : phrases(call, details);
  const reason =
    phrased ??
    plainText(body.error) ??
    problemIn(body) ??
    (json === undefined ? bodyWords(answer) : 'no readable reason');
  const changed = unlessReading(call, certainlyRefused(answer.status, code) ? false : 'unknown');
  // Malformed requests have their code in `error`.
  const codeInError = answer.status === 400 && body.code === undefined ? plainText(body.error) : undefined;
  const hint = findHint(call, answer.status, codeInError ?? code, details, answer.headers) ?? statusHint(answer.status);
  const missing = missingRecord(call, answer.status, code);
  const sentence =
    missing === null
      ? `the service returned ${answer.status} (${code}): ${reason}`
      : `${missing} (${code})${reason === 'Not Found' ? '' : `: ${reason}`}`;
  return {
    status: answer.status,
    code,
    message: `${call.tool}: ${sentence}`,
    ...(details !== undefined && { details }),
    hint: changed === 'unknown' ? afterReadingBack(readBackOf(call), hint) : hint,
    changed,
  };
}

/**
 * Did the service itself clearly refuse, so that nothing was done? Not certain for a provider's or a server's error.
 */
function certainlyRefused(status: number, code: string): boolean {
  if (storedNothing.has(code)) return true;
  if (status === 408 || status < 400 || status >= 500) return false;
  return !['too_many_provider_requests', 'provider_error', 'third_party_error'].includes(code);
}

/** The embedded service sends these only when its database has undone, or never begun, the write. */
const storedNothing = new Set(['database_unavailable', 'disk_full']);

/** The request got no complete answer. */
export function failureOf(call: CallFacts, failed: FailedExchange, timeoutMs: number): { error: OwnError } {
  return { error: wordsOf(refusedFor(sent(call, failed.sent ? 'unknown' : false), failed, timeoutMs)) };
}

function refusedFor(facts: ReturnType<typeof sent>, failed: FailedExchange, timeoutMs: number): Refused {
  if (failed.reason === 'cancelled') return { code: 'cancelled', facts: { case: 'sent', ...facts } };
  if (failed.reason === 'too_large') return { code: 'answer_too_large', facts };
  if (failed.reason === 'timeout') {
    const seconds = Math.round(timeoutMs / 100) / 10;
    return { code: 'timeout', facts: { case: 'sent', ...facts, seconds } };
  }
  return { code: codeOfFailure(failed), facts: { ...facts, failure: failed.code } };
}

function codeOfFailure({ code, sent }: FailedExchange) {
  if (code.startsWith('PROXY_')) return 'proxy_failed';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns_failed';
  if (/CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|^EPROTO$/.test(code)) return 'tls_failed';
  return sent ? 'connection_lost' : 'connection_failed';
}

/** Refused before it was sent: the service's limit makes it wait longer than the call may take. */
export function rateLimitedError({ tool }: CallFacts, { reason, ms, saidMs }: Pause): OwnError {
  return refuse('rate_limited', { tool, reason, wait: inUnits(ms), said: inUnits(saidMs), note: probeNote(saidMs) });
}

/** Of a request that was sent. */
function sent(call: CallFacts, changed: Changed) {
  return { tool: call.tool, changed: unlessReading(call, changed), readBack: readBackOf(call) };
}

function unlessReading(call: CallFacts, changed: Changed): Changed {
  return changesAccount(call.effect) ? changed : false;
}

function readBackOf({ tool }: CallFacts): string {
  return ownValue(readBack, tool) ?? 'read the record first';
}

/** The error as this tool says it: another may have made the read. */
export function saidBy(tool: string, error: ToolError): ToolError {
  return { ...error, message: error.message.replace(/^\w+:/, `${tool}:`) };
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? cutText(value.replace(/<[^>]*>/g, ' '), 300) : undefined;
}

/** A few refusals have their code where others have a sentence: `{"status":400,"error":"coupons_must_be_an_array"}`. */
function codeIn(error: unknown): string | undefined {
  return typeof error === 'string' && /^[a-z]+(_[a-z]+)+$/.test(error) ? error : undefined;
}

/** `application/problem+json` (RFC 9457), as gateways in front of the service answer: `Too many requests: wait a minute`. */
function problemIn({ title, detail }: { title?: unknown; detail?: unknown }): string | undefined {
  const parts = new Set([plainText(title), plainText(detail)].filter(part => part !== undefined));
  return parts.size === 0 ? undefined : [...parts].join(': ');
}

function bodyWords(answer: ReceivedAnswer): string {
  if (answer.text.trim() === '') return 'an empty body';
  const type = String(answer.headers['content-type'] ?? '').split(';')[0];
  if (/^\s*<(!doctype|html)/i.test(answer.text) || type === 'text/html') return 'an HTML page';
  return /json/.test(type ?? '') ? 'broken or unexpected JSON' : `text of type ${cutText(type || 'unknown', 40)}`;
}

const servicePrefix = 'svc_';

/** The prefix of record ids in the answers of an installation. */
export interface IdPrefix {
  readonly configured: string | undefined;
  /** The configured one, or that of the first answer that showed one. */
  shown: string | undefined;
  /** A sentence where the latest answer has another prefix than is configured, or than an answer had before; else null. */
  problem: string | null;
}

export interface Renaming {
  /** `acme_id` → `svc_id`, in answers. */
  incoming(body: unknown): unknown;
  /** `svc_id` → `acme_id`, in requests. */
  outgoing(body: unknown): unknown;
}

/** Learns the prefix from answers. */
export function createRenaming(known: IdPrefix): Renaming {
  return {
    incoming(body) {
      const prefix = known.shown !== undefined && hasOwnId(body, `${known.shown}id`) ? known.shown : prefixIn(body);
      known.shown ??= prefix ?? undefined;
      if (prefix !== null) known.problem = prefix === known.shown ? null : otherPrefix(prefix, known);
      return renamed(body, known.shown, servicePrefix);
    },
    outgoing: body => renamed(body, servicePrefix, known.shown),
  };
}

function otherPrefix(other: string, { configured, shown }: IdPrefix): string {
  const earlier = configured === undefined ? 'earlier ones begin with' : 'BILLING_ID_PREFIX is';
  return `IDs in this answer begin with ${other}, but ${earlier} ${shown}, so some IDs are hidden. Tell the user that the operator must set BILLING_ID_PREFIX=${other} or remove it.`;
}

/** Does a record of the body have this ID of its own? Most answers do, and need no closer look. */
function hasOwnId(body: unknown, key: string): boolean {
  if (!isObject(body)) return false;
  for (const name in body) {
    const value = fieldOf(body, name);
    const record = Array.isArray(value) ? value[0] : value;
    if (isObject(record) && Object.hasOwn(record, key)) return true;
  }
  return false;
}

/** Keys of the contract, and the words that its other keys begin with: none of these is an installation's prefix. */
const contractNames = new Set(Object.values(fieldNames).flat());
const contractWords = new Set(
  [...contractNames].flatMap(name =>
    name.startsWith(servicePrefix) || !name.includes('_') ? [] : [name.split('_')[0]],
  ),
);

/**
 * `acme_`, as the first record shows it: a key such as `acme_id` or `acme_customer_id` with a UUID, next to fields of the
 * contract. Null where no record does. Of each list, the first record is looked at.
 */
export function prefixIn(body: unknown): string | null {
  if (Array.isArray(body)) return prefixIn(body[0]);
  if (!isObject(body)) return null;
  const entries = Object.entries(body);
  const prefixes = entries.map(([key, value]) => prefixOf(key, value)).filter(prefix => prefix !== null);
  const prefix = prefixes.includes(servicePrefix) ? servicePrefix : prefixes[0];
  if (prefix !== undefined && entries.some(([key]) => isNamedBy(key, prefix))) return prefix;
  for (const [key, value] of entries) {
    const inner =
      typeof value !== 'object' || customerKeys.has(key) || key === 'integration_customers' ? null : prefixIn(value);
    if (inner !== null) return inner;
  }
  return null;
}

function prefixOf(key: string, value: unknown): string | null {
  if (!key.endsWith('id')) return null;
  const [, prefix, rest] = /^([a-z][a-z\d]*_)((?:\w+_)?id)$/.exec(key) ?? [];
  if (prefix === undefined || !isText(value) || !uuid.test(value) || contractWords.has(prefix.slice(0, -1)))
    return null;
  return contractNames.has(servicePrefix + rest) ? prefix : null;
}

/** Is it another field of the contract, with or without this prefix? */
function isNamedBy(key: string, prefix: string): boolean {
  return contractNames.has(key) || (key.startsWith(prefix) && key !== `${prefix}id`);
}

function renamed(value: unknown, from: string | undefined, to: string | undefined): unknown {
  return from === undefined || to === undefined || from === to ? value : rename(value, from, to);
}

function rename(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map(item => rename(item, from, to));
  if (!isRecord(value)) return value;
  return withRenamedKeys(value, from, to, (inner, key) =>
    customerKeys.has(key) ? renameEntries(key, inner, from, to) : rename(inner, from, to),
  );
}

/** Entries of metadata in list form are records of the service (`svc_id`, key, value): their own keys are renamed. */
function renameEntries(key: string, value: unknown, from: string, to: string): unknown {
  if (key !== 'metadata' || !Array.isArray(value)) return value;
  return value.map(entry => (isRecord(entry) ? withRenamedKeys(entry, from, to, inner => inner) : entry));
}

function withRenamedKeys(
  record: JsonRecord,
  from: string,
  to: string,
  made: (inner: unknown, key: string) => unknown,
): JsonRecord {
  const renamed: JsonRecord = {};
  for (const [key, inner] of Object.entries(record))
    define(renamed, key.startsWith(from) ? to + key.slice(from.length) : key, made(inner, key));
  return renamed;
}

/** A plain assignment would run the setter of `__proto__`. */
function define(target: JsonRecord, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}
