/**
 * Building blocks of summaries and questions. A value that is missing gives null, and a sentence without a value is left
 * out, so that no summary ever reads `undefined`. The readers (`as…`) are for values that no contract describes.
 */

import type { Customer, Decimal, EntryIn, Listed, RecordIn } from '../contract/shown.ts';
import { grouped } from '../lib/collections.ts';
import { isObject, isText } from '../lib/json.ts';
import { allOf, cutText } from '../lib/text.ts';
import { big, formatMajor, formatMinor, formatMoney, formatNumber as quantity } from './money.ts';
import { cleanText, escapeForSummary } from './safe-text.ts';

export { formatDate as day, formatInstant as instant } from './dates.ts';
export { quantity };

const MAX_NAME = 80;
/** So much of a text may matter to a name: what cleans it need not read the rest. */
const longestRead = 2000;
const beginning = (text: string) => (text.length <= longestRead ? text : cutText(text, longestRead));

/** The field in which a record that was read before a write lists those of its fields that held hidden characters. */
export const alteredFields = 'altered_fields';

/** Does the record show this field without the hidden characters that are stored in it? */
export function isAltered(record: object, field: string): boolean {
  return (record as { [alteredFields]?: readonly string[] })[alteredFields]?.includes(field) ?? false;
}

/** The value as an object, as the contract types it; an empty one for anything else. */
export function asRecord<Value>(value: Value): RecordIn<Value> {
  return (isObject(value) ? value : {}) as RecordIn<Value>;
}

/** The objects of an array, as the contract types them; an empty list for anything else. */
export function asRecords<Value>(value: Value): EntryIn<Value>[] {
  return (Array.isArray(value) ? value.filter(isObject) : []) as EntryIn<Value>[];
}

/** The texts (and numbers, as text) of an array. */
export function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(asText).filter(entry => entry !== null) : [];
}

/** A text that is not empty, or a finite number as text; otherwise null. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/** A code, id or status, unchanged but for hidden characters, which are written as escapes. */
export function code(value: unknown): string | null {
  const text = asText(value);
  return text === null ? null : clip(escapeForSummary(beginning(text)), MAX_NAME);
}

/** A customer's name, else the legal name, else the user's. */
export function customerName({ name, legal_name, firstname, lastname }: Customer): string | null {
  return name || legal_name || [firstname, lastname].filter(isText).join(' ') || null;
}

/** A name in typographic quotes, which separate other people's text from ours: `“Setup fee”`. */
export function quoted(value: unknown): string | null {
  const raw = asText(value);
  const text = clip(
    cleanText(beginning(raw ?? ''))
      .replace(/\s+/g, ' ')
      .trim(),
    MAX_NAME,
  );
  return text === '' ? null : `“${text.replace(/[“”]/g, "'")}”`;
}

/** `“Setup fee” (setup)`; the name or the id alone where the other is missing, null where both are. */
export function named(name: unknown, id: unknown): string | null {
  const label = quoted(name);
  const key = code(id);
  if (label === null || key === null) return label ?? key;
  return asText(name) === asText(id) ? key : `${label} (${key})`;
}

/** Cents as money; null when there is no amount. Without a currency, says "minor units". */
export function money(cents: unknown, currency: unknown): string | null {
  if (typeof cents !== 'number' && typeof cents !== 'string') return null;
  const unit = code(currency);
  if (unit !== null) return formatMoney(cents, unit) || null;
  return say`${quantity(cents)} minor units`;
}

/** The same for an amount that may hold a fraction of a minor unit: thresholds and values of alerts. */
export function minorAmount(value: unknown, currency: unknown): string | null {
  const unit = code(currency);
  return unit === null ? say`${quantity(value)} minor units` : formatMinor(decimalOf(value), unit) || null;
}

/** A decimal text in major units as money, null when there is none. */
export function major(value: unknown, currency: unknown): string | null {
  return formatMajor(decimalOf(value), code(currency) ?? '') || null;
}

/** The decimal text of a number, without its exponent; other texts stay, and anything else is empty. */
function decimalOf(value: unknown): string {
  if (typeof value === 'number') return quantity(value)?.replaceAll(',', '') ?? '';
  return typeof value === 'string' ? value : '';
}

/** A quantity with endless digits as about two decimals, or six where it is below 1: `about 93.22`. */
export function roughly(value: Decimal | null | undefined): string | null {
  const exact = big(value);
  const rounded = exact?.round(exact.abs().lt(1) ? 6 : 2);
  if (!exact || !rounded || exact.round(6).eq(exact)) return quantity(value);
  return say`about ${quantity(rounded.toFixed())}`;
}

/** Whether a decimal text or number is negative, zero or positive; null for anything else. Not for sums. */
export function sign(value: unknown): -1 | 0 | 1 | null {
  if (typeof value === 'number') return Number.isFinite(value) ? (value > 0 ? 1 : value < 0 ? -1 : 0) : null;
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(value)) return null;
  const [digits = ''] = value.split('e');
  if (!/[1-9]/.test(digits)) return 0;
  return value.startsWith('-') ? -1 : 1;
}

/** `3 plans`, `1 plan`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${quantity(n)} ${n === 1 ? one : many}`;
}

/** The template's text when every value is there, else null: `` say`costs ${money(…)}` ``. */
export function say(parts: TemplateStringsArray, ...values: (string | null)[]): string | null {
  let text = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) return null;
    text += parts[i] + value;
  }
  return text + parts[values.length];
}

/** The same, but an empty text where a value is missing. */
export function opt(parts: TemplateStringsArray, ...values: (string | null)[]): string {
  return say(parts, ...values) ?? '';
}

/** The template's text, in which what is missing drops out: `` phrase`invoice ${id}${say` of ${who}`}` ``. */
export function phrase(parts: TemplateStringsArray, ...values: (string | number | false | null | undefined)[]): string {
  return parts.reduce((text, part, i) => `${text}${values[i - 1] === false ? '' : (values[i - 1] ?? '')}${part}`);
}

/** Joins sentences: leaves out null and empty ones; each starts with a capital and ends with a full stop. */
export function sentences(...parts: (string | null | false | undefined)[]): string {
  let text = '';
  for (const part of parts) {
    if (!part) continue;
    const first = part.charAt(0);
    const capital = first.toUpperCase();
    const sentence = first === capital ? part : capital + part.slice(1);
    text += `${text === '' ? '' : ' '}${sentence}${/[.!?]”?$/.test(part) ? '' : '.'}`;
  }
  return text;
}

/** `a, b and c`, without what is missing; null for an empty list. */
export function listed(items: readonly (string | null | false)[], max = 8): string | null {
  const texts = items.filter(item => typeof item === 'string');
  if (texts.length === 0) return null;
  return allOf(texts.length > max ? [...texts.slice(0, max), `${texts.length - max} more`] : texts);
}

/** The same of codes. */
export function listedCodes(codes: Listed<string>, max?: number): string | null {
  return listed(
    (codes ?? []).map(each => code(each) ?? ''),
    max,
  );
}

/** `2 active and 1 ended`, in the order of the first of each kind; null for an empty list. */
export function countedKinds(kinds: readonly string[]): string | null {
  return listed(grouped(kinds, kind => kind).map(group => `${quantity(group.length)} ${group[0]}`));
}

/** The parts that are there, `a; b`; null where none is. */
export function joined(parts: readonly (string | null | false)[], separator: string): string | null {
  return parts.filter(Boolean).join(separator) || null;
}

/** Records that the sentence of a list tells one by one. */
const mostTold = 3;

/** `a; b; c; and 4 more`, for texts that may hold commas. `all`: how many there are; null where that is not known. */
export function firstOf(texts: readonly string[], all: number | null = texts.length): string | null {
  const firstTexts = texts.slice(0, mostTold);
  const rest = Math.max(all ?? 0, texts.length) - firstTexts.length;
  const more = all === null ? '; and more' : rest > 0 ? `; and ${quantity(rest)} more` : '';
  return firstTexts.length === 0 ? null : `${firstTexts.join('; ')}${more}`;
}

/** One line of at most `max` characters. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${cutText(text, max - 1).trimEnd()}…`;
}
