/** Error messages with a next step for an assistant (service-behaviour §1.2). Never with a key, a stack or HTML. */

import { readBack } from '../../../../tools/refusal-words.ts';
import { changesAccount } from '../../../definition/effect.ts';
import { type OwnError, type Refused, refuse, wordsOf } from '../../../definition/failure.ts';
import type { Changed } from '../../../definition/refusal-facts.ts';
import { afterReadingBack } from '../../../definition/refusals.ts';
import { cutText } from '../../../lib/cut-text.ts';
import { parseExactly } from '../../../lib/exact-json.ts';
import { membersOf, ownValue } from '../../../lib/json.ts';
import { redactText, type UncheckedError, withoutSecret } from '../../../words/redact.ts';
import type { CallFacts } from './call-facts.ts';
import { findHint, missingRecord, phrases, statusHint } from './hints.ts';
import { inUnits, type Pause, probeNote } from './limits.ts';
import type { Renaming } from './prefix.ts';
import type { ExchangeResult } from './wire/exchange.ts';

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
  return { error: success ? unreadable(call, safe) : refusal(call, safe, body?.json) };
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

function unreadable(call: CallFacts, answer: ReceivedAnswer): OwnError {
  return withoutRecord(call, answer.status, `${bodyWords(answer)} instead of a JSON record`);
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
    (json === undefined ? bodyWords(answer) : 'no reason that could be read');
  const changed = unlessReading(call, certainlyRefused(answer.status, code) ? false : 'unknown');
  // Malformed requests have their code in `error`.
  const codeInError = answer.status === 400 && body.code === undefined ? plainText(body.error) : undefined;
  const hint = findHint(call, answer.status, codeInError ?? code, details, answer.headers) ?? statusHint(answer.status);
  const missing = missingRecord(call, answer.status, code);
  const sentence =
    missing === null
      ? `the service answered ${answer.status} (${code}): ${reason}`
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
  if (isTls(code)) return 'tls_failed';
  return sent ? 'connection_lost' : 'connection_failed';
}

function isTls(code: string): boolean {
  return /CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|^EPROTO$/.test(code);
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
  return ownValue(readBack, tool) ?? 'look at the record first';
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
