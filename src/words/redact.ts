/** Removes what must never be logged: keys, tokens, links to portals and documents. Shortens what is too long: logos. */

import type { ServiceCode, ToolError } from '../definition/failure.ts';
import { cutText } from '../lib/cut-text.ts';
import { Recent } from '../lib/recent-cache.ts';
import { cleanEvery, cleanText, escapeForSummary, isPlainJson } from './hidden-characters.ts';

const REDACTED = '[redacted]';
const LONGEST = 2000;

const secretName =
  /(?:^|_)(?:api_?key|secret|password|authorization|access_token|refresh_token|hmac_key|portal_url|file_url|xml_url|web_url)$/i;
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const portalLink = /(\/customer-portal\/)[^\s"'<>)\\]+/gi;
/** Links of documents stand in records alone. */
const documentLink = /(\\*"(?:file|xml|web)_url\\*"\s*:\s*\\*")(?!\\*")[^"\\]+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi;

/** A text without bearer tokens, links to portals and documents, passwords in addresses, and the given secrets. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let safe = text
    .replace(bearer, `$1 ${REDACTED}`)
    .replace(portalLink, `$1${REDACTED}`)
    .replace(documentLink, `$1${REDACTED}`)
    .replace(userInfo, `$1${REDACTED}@`);
  for (const secret of secrets) safe = hideSecret(safe, secret);
  return safe;
}

/**
 * `value`, parsed from `json`, without the secret in any text or name at any depth, however `json` escapes it. Returns
 * the same value when it holds none.
 */
export function withoutSecret<T>(value: T, json: string, secret: string): T {
  return isSecret(secret) && (holds(json, secret) || mayHoldHidden(json))
    ? (hideSecretDeep(value, secret) as T)
    : value;
}

/** May texts hold hidden characters? These may divide a secret, whose parts are joined when they are removed. */
function mayHoldHidden(json: string): boolean {
  return !isPlainJson(json) && (/\\u(?!00[2-7])/i.test(json) || cleanText(json) !== json);
}

function hideSecretDeep(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return hideSecret(value, secret);
  if (Array.isArray(value)) return value.map(entry => hideSecretDeep(entry, secret));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, entry]) => [hideSecret(key, secret), hideSecretDeep(entry, secret)]);
  return Object.fromEntries(entries);
}

function hideSecret(text: string, secret: string): string {
  if (!isSecret(secret)) return text;
  const visible = cleanText(text);
  const whole = visible !== text && holds(visible, secret) ? visible : text;
  return holds(whole, secret) ? whole.replace(writtenForms(secret), REDACTED) : text;
}

function holds(text: string, secret: string): boolean {
  return (
    text.includes(secret) || ((text.includes('\\') || text.includes('%')) && text.search(writtenForms(secret)) >= 0)
  );
}

/** A shorter one occurs in many texts by chance. */
function isSecret(text: string): boolean {
  return text.length >= 6;
}

const patterns = new Recent<RegExp>(1000);

/**
 * Finds a secret as JSON or an address may write it: each character plain, behind backslashes, as `\\u002F` or as
 * `%2F`, also where JSON stands inside JSON. The limit on backslashes keeps the search linear.
 */
function writtenForms(secret: string): RegExp {
  return patterns.of(secret, () => {
    const characters = Array.from(secret, character => {
      const code = character.charCodeAt(0).toString(16);
      const digits = (length: number) =>
        code.padStart(length, '0').replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
      return `\\\\{0,16}(?:${character.replace(/[^\w]/g, '\\$&')}|(?<=\\\\)u${digits(4)}|%${digits(2)})`;
    });
    return new RegExp(characters.join(''), 'g');
  });
}

/** Redacts every text at any depth. Fields named like a secret are redacted whole; `shorten` applies to the rest. */
export function redactDeep(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string') return shorten(redactText(value, secrets));
  if (Array.isArray(value)) return value.map(entry => redactDeep(entry, secrets));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      redactText(key, secrets),
      secretName.test(key) && entry !== null ? REDACTED : redactDeep(entry, secrets),
    ]),
  );
}

/** An error whose code is still as the service gave it. */
export interface UncheckedError extends Omit<ToolError, 'code'> {
  code: string;
}

/**
 * An error that is safe to show, log and count. The service may repeat anything, a key included, and a proxy may answer
 * in its place: a code that does not look like one is replaced by the status.
 */
export function safeError(error: UncheckedError, secrets: readonly string[] = []): ToolError {
  const code = redactText(error.code, secrets);
  return {
    ...error,
    code: isServiceCode(code) ? code : `http_${error.status ?? 'error'}`,
    message: escapeForSummary(cleanEvery(shorten(redactText(error.message, secrets)))),
    hint: escapeForSummary(cleanEvery(redactText(error.hint, secrets))),
    ...(error.details !== undefined && { details: cleanEvery(redactDeep(error.details, secrets)) }),
  };
}

function isServiceCode(code: string): code is ServiceCode {
  return /^[\w.:-]{1,80}$/.test(code);
}

/** Replaces a logo (data URI) by its length, and cuts a very long text. */
export function shorten(text: string): string {
  if (/^data:[^,]{0,100},/.test(text)) return `[${text.slice(5, text.search(/[;,]/))}, ${text.length} characters]`;
  return text.length > LONGEST ? `${cutText(text, LONGEST)}… [${text.length} characters]` : text;
}
