/**
 * What of a text no one may see. Text from records is data, and an assistant must not receive what a user cannot see: control,
 * bidirectional, invisible and tag characters are removed from names and descriptions. Identifiers and codes in a record are
 * never altered, because the next call has to send them back; sentences write their hidden characters as escapes. What must
 * never be logged is removed, too: keys, tokens, links to portals and documents; and what is too long is shortened: logos.
 */
import type { ServiceCode, ToolError } from '../definition/failure.ts';
import { Recent } from '../lib/collections.ts';
import type { JsonRecord } from '../lib/json.ts';
import { cutText } from '../lib/text.ts';

/** Code points that are hidden, as [first, last]. Tab and line feed are not among them. */
const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x0000, 0x0008], // controls, up to tab
  [0x000b, 0x001f], // controls after line feed
  [0x007f, 0x009f], // delete and the C1 controls
  [0x00ad, 0x00ad], // soft hyphen
  [0x034f, 0x034f], // combining grapheme joiner
  [0x061c, 0x061c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels, invisible
  [0x180b, 0x180f], // Mongolian variation selectors and separator
  [0x200b, 0x200f], // zero width, joiners, direction marks
  [0x2028, 0x202e], // line and paragraph separator, embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, isolates
  [0x3164, 0x3164], // Hangul filler
  [0xd800, 0xdfff], // halves of a surrogate pair (whole pairs do not match)
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // half-width Hangul filler
  [0xfff0, 0xfffb], // specials, interlinear annotation
  [0x1bca0, 0x1bca3], // shorthand format controls
  [0x1d173, 0x1d17a], // musical format controls
  [0xe0000, 0xe0fff], // tags and supplementary variation selectors
];

const hiddenClass = `[${hiddenRanges.map(([first, last]) => `${codePoint(first)}-${codePoint(last)}`).join('')}]`;
const hidden = new RegExp(hiddenClass, 'u');
const everyHidden = new RegExp(hiddenClass, 'gu');
const hiddenOrBreak = new RegExp(`${hiddenClass}|[\\t\\n]`, 'u');
/** ASCII and the typographic marks of summaries: the usual text, which this finds several times as fast. */
const ordinary = /^[\x20-\x7e\u2013\u2014\u2018-\u201d\u20ac]*$/;

const letterOrMark = /[\p{L}\p{M}]/u;
const pictograph = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u;
const emojiBase = /\p{Emoji}/u;

const NON_JOINER = 0x200c;
const JOINER = 0x200d;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;
const TEXT_STYLE = 0xfe0e;
const EMOJI_STYLE = 0xfe0f;

/** Removes hidden characters. Joiners between letters or emoji and the style selector of an emoji stay. */
export function cleanText(text: string): string {
  return hidden.test(text) ? replaceHidden(text, () => '') : text;
}

/**
 * Cleans every text of a record, at any depth, keys included. Values of identifiers and codes (`svc_id`, `external_id`,
 * `code`, `tax_codes`, …) stay unchanged, except inside `metadata`, where every name is the customer's. Returns the
 * same value when nothing had to change.
 */
export function cleanDeep<T>(value: T): T {
  return cleanValue(value, '', false) as T;
}

/**
 * A text for use in a sentence: on one line, hidden characters written as escapes (`\u{200B}`). For identifiers and
 * codes, because no character is lost; harmless on text from `cleanText`.
 */
export function escapeForSummary(text: string): string {
  if (ordinary.test(text) || !hiddenOrBreak.test(text)) return text;
  return replaceHidden(text, escapeOf).replace(/\t/g, '\\t').replace(/\n/g, '\\n');
}

/** True when no text of this JSON can hold a hidden character. A quick test: false means "not certain". */
export function isPlainJson(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes('\\') && !json.includes('\x7f');
}

/** Does the name of this field say that it is an identifier or a code? */
export function isIdentifierKey(key: string): boolean {
  return /(?:^|_)(?:ids?|codes?)$/.test(key);
}

/** Identifiers and codes keep their hidden characters unless `identifiersToo`. */
function cleanValue(value: unknown, key: string, identifiersToo: boolean): unknown {
  if (typeof value === 'string') {
    return hidden.test(value) && (identifiersToo || !isIdentifierKey(key)) ? cleanText(value) : value;
  }
  if (value === null || typeof value !== 'object') return value;
  const identifiersBelow = identifiersToo || key === 'metadata';
  return Array.isArray(value)
    ? cleanArray(value, key, identifiersBelow)
    : cleanObject(value as JsonRecord, identifiersBelow);
}

function cleanArray(values: unknown[], key: string, identifiersToo: boolean): unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < values.length; index++) {
    const cleaned = cleanValue(values[index], key, identifiersToo);
    if (cleaned === values[index]) continue;
    copy ??= values.slice();
    copy[index] = cleaned;
  }
  return copy ?? values;
}

function cleanObject(record: JsonRecord, identifiersToo: boolean): JsonRecord {
  for (const key in record) {
    if (hidden.test(key) || cleanValue(record[key], key, identifiersToo) !== record[key])
      return cleanCopy(record, identifiersToo);
  }
  return record;
}

function cleanCopy(record: JsonRecord, identifiersToo: boolean): JsonRecord {
  const entries = Object.entries(record).map(([key, value]): [string, unknown] => [
    hidden.test(key) ? visibleKey(key, record) : key,
    cleanValue(value, key, identifiersToo),
  ]);
  // Object.fromEntries defines `__proto__` as an ordinary field; an assignment would change the prototype.
  return Object.fromEntries(entries);
}

/** The key without hidden characters; they are escaped instead where two keys would become the same. */
function visibleKey(key: string, record: JsonRecord): string {
  const cleaned = replaceHidden(key, () => '');
  const rivals = Object.keys(record).filter(other => cleanText(other) === cleaned);
  return rivals.length > 1 ? replaceHidden(key, escapeOf) : cleaned;
}

function replaceHidden(text: string, replacement: (code: number) => string): string {
  return text.replace(/\r\n/g, '\n').replace(everyHidden, (match, offset: number, whole: string) => {
    // biome-ignore lint/style/noNonNullAssertion: the pattern matches one character or more
    const code = match.codePointAt(0)!;
    if (code === 0x0d || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR) return '\n';
    return hasVisibleEffect(code, whole, offset, match.length) ? match : replacement(code);
  });
}

/** Joiners and style selectors stay where they change what a user sees. */
function hasVisibleEffect(code: number, text: string, offset: number, length: number): boolean {
  if (code === EMOJI_STYLE || code === TEXT_STYLE) return emojiBase.test(characterBefore(text, offset));
  if (code !== JOINER && code !== NON_JOINER) return false;
  const before = characterBefore(text, offset);
  const after = characterAt(text, offset + length);
  return joinable(before) && joinable(after);
}

function joinable(character: string): boolean {
  if (!letterOrMark.test(character)) return pictograph.test(character);
  // Variation selectors and fillers count as marks or letters although they are invisible.
  return !hidden.test(character) || character.codePointAt(0) === EMOJI_STYLE;
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, index: number): string {
  if (index === 0) return '';
  const low = text.charCodeAt(index - 1);
  const paired = low >= 0xdc00 && low <= 0xdfff && index > 1;
  return paired ? characterAt(text, index - 2) : text.charAt(index - 1);
}

function escapeOf(code: number): string {
  return `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
}

function codePoint(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

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
    message: escapeForSummary(cleanText(shorten(redactText(error.message, secrets)))),
    hint: escapeForSummary(cleanText(redactText(error.hint, secrets))),
    // Details are never sent back: their identifiers are cleaned, too.
    ...(error.details !== undefined && { details: cleanValue(redactDeep(error.details, secrets), '', true) }),
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

/** Other kinds of link (`javascript:`, `file:`) lead to no portal and no document. */
export function isWebAddress(link: unknown): boolean {
  return typeof link === 'string' && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
}

/** `hooks.example`: users, paths and queries of a webhook's address often hold a secret. Null for what is no address. */
export function hostOf(address: unknown): string | null {
  return isWebAddress(address) ? new URL(String(address)).host : null;
}
