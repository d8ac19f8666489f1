/** What must never be written down: keys, tokens, portal links. And what is too long to be worth it: logos. */
import type { JsonRecord } from '../../tools/define.ts';
import type { ToolError } from '../call.ts';
import { cleanEvery, escapeForSummary } from '../present/clean.ts';

export const REDACTED = '[redacted]';
const LONGEST = 2000;

const secretName = /(?:^|_)(?:api_?key|secret|password|authorization|access_token|refresh_token|hmac_key|portal_url)$/i;
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const portalLink = /(\/customer-portal\/)[^\s"'<>)\\]+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi;

/** A text without bearer tokens, portal links, passwords in addresses, and the given secrets. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let safe = text
    .replace(bearer, `$1 ${REDACTED}`)
    .replace(portalLink, `$1${REDACTED}`)
    .replace(userInfo, `$1${REDACTED}@`);
  for (const secret of secrets) if (secret.length >= 6) safe = safe.replaceAll(secret, REDACTED);
  return safe;
}

/** The same for every text at any depth; fields named like a secret whole, logos and very long texts by their length. */
export function redactDeep(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string') return shorten(redactText(value, secrets));
  if (Array.isArray(value)) return value.map(entry => redactDeep(entry, secrets));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value as JsonRecord).map(([key, entry]) => [
      redactText(key, secrets),
      secretName.test(key) && entry !== null ? REDACTED : redactDeep(entry, secrets),
    ]),
  );
}

/**
 * An error as it may be shown, logged and counted. The service may echo anything, a key included, and a proxy may
 * answer in its place: a code that does not look like one is replaced by the status.
 */
export function safeError(error: ToolError, secrets: readonly string[] = []): ToolError {
  const code = redactText(error.code, secrets);
  return {
    ...error,
    code: /^[\w.:-]{1,80}$/.test(code) ? code : `http_${error.status ?? 'error'}`,
    message: escapeForSummary(cleanEvery(shorten(redactText(error.message, secrets)))),
    hint: escapeForSummary(cleanEvery(redactText(error.hint, secrets))),
    ...(error.details !== undefined && { details: cleanEvery(redactDeep(error.details, secrets)) }),
  };
}

/** Logos (data URIs) and texts beyond reason, told by their length. */
export function shorten(text: string): string {
  if (/^data:[^,]{0,100},/.test(text)) return `[${text.slice(5, text.search(/[;,]/))}, ${text.length} characters]`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… [${text.length} characters]` : text;
}
