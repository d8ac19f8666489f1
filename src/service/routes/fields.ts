/** Reads single fields of a body: undefined when absent, null, or a value of the type. Notes other values as problems. */

import { isOneOf } from '../../contract/enums.ts';
import type { InstantText, Json, JsonObject } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { validation } from '../errors.ts';

export type Fields = ReturnType<typeof fieldsOf>;

/** Notes a problem. The problems of a field stay in order. */
type NoteProblem = (field: string, code: string) => void;

/** Notes the problem, by default `value_is_invalid`, and gives no value. */
type Wrong = (code?: string) => undefined;

/** Reads fields of `input`. Only `refuseProblems` throws. For a nested object, `noteIn` notes problems in the outer object. */
export function fieldsOf(input: JsonObject, noteIn?: NoteProblem) {
  const problems: { [field: string]: string[] } = {};
  const noteProblem: NoteProblem =
    noteIn ??
    ((field, code) => {
      problems[field] = [...(problems[field] ?? []), code];
    });
  /** The result of `read`. Null and undefined pass through. */
  const readField = <Value>(key: string, name: string, read: (value: Json, wrong: Wrong) => Value | undefined) => {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (value === undefined || value === null) return value;
    return read(value, (code = 'value_is_invalid') => {
      noteProblem(name, code);
      return undefined;
    });
  };
  return {
    text: (key: string, { max = Infinity, trimmed = false as boolean | undefined, field = key } = {}) =>
      readField(key, field, (value, wrong) => {
        if (typeof value !== 'string') return wrong();
        const text = trimmed ? value.trim() : value;
        return [...text].length > max ? wrong('value_is_too_long') : text;
      }),
    /** An integer within ±(2^53 − 1), also as decimal text. */
    integer: (key: string, { min = -Infinity, max = Infinity } = {}) =>
      readField(key, key, (value, wrong) => {
        const number = typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(value) : value;
        if (typeof number !== 'number' || !Number.isInteger(number)) return wrong();
        return Number.isSafeInteger(number) && number >= min && number <= max ? number : wrong('value_is_out_of_range');
      }),
    /** A non-negative decimal, also sent as a number. */
    decimal: (key: string, { max = Infinity } = {}) =>
      readField(key, key, (value, wrong) => {
        const text = typeof value === 'number' ? String(value) : value;
        if (isDecimalText(text) && Number(text) <= max) return text;
        return wrong(Number(text) < 0 ? 'value_is_out_of_range' : undefined);
      }),
    boolean: (key: string, { field = key } = {}) =>
      readField(key, field, (value, wrong) => {
        if (value === true || value === 'true') return true;
        if (value === '') return wrong('value_is_reserved');
        return value === false || value === 'false' ? false : wrong();
      }),
    texts: (key: string) =>
      readField(key, key, (value, wrong) => {
        if (!Array.isArray(value) || !value.every(item => typeof item === 'string')) return wrong();
        return [...new Set(value as string[])];
      }),
    /** One of the words; another text is noted with the code. */
    word: <Word extends string>(key: string, words: readonly Word[], code?: string) =>
      readField(key, key, (value, wrong) => {
        if (typeof value !== 'string') return wrong();
        return isOneOf(words, value) ? value : wrong(code);
      }),
    object: (key: string) => readField(key, key, (value, wrong) => (isJsonObject(value) ? value : wrong())),
    noteProblem,
    /** Throws 422 with every problem noted so far. */
    refuseProblems() {
      if (Object.keys(problems).length > 0) throw validation(problems);
    },
  };
}

const ISO_8601 =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * An ISO 8601 date or date-time as an instant, in UTC when it has no offset; `20270601`, lower case and blanks around it too. Null
 * for other values and invalid dates.
 */
export function parseInstant(value: unknown): InstantText | null {
  const parts = typeof value === 'string' ? ISO_8601.exec(value.trim()) : null;
  if (parts === null) return null;
  const [, year, , month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const asUtc = new Date(`${local}Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== `${local}Z`) return null;
  const instant = new Date(`${local}${offset.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2')}`);
  if (Number.isNaN(instant.getTime())) return null;
  // Years with more than four digits would break the text order of instants.
  return /^\d{4}-/.test(instant.toISOString()) ? instant.toISOString() : null;
}

/** True for a missing value, null, and text without any character other than whitespace. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** A non-negative decimal as text, short enough for quick arithmetic. */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 30 && /^\d+(\.\d+)?$/.test(value);
}

type Metadata = { [key: string]: string | null };

const MOST_KEYS = 50;
const LONGEST_KEY = 100;
const LONGEST_VALUE = 255;

/**
 * Reads metadata in object form, of wallets and credit notes (service-behaviour §3.1, §3.3): at most 50 keys with text or null.
 * Throws 422 on `metadata`.
 */
export function readMetadata(value: Json): Metadata {
  if (!isJsonObject(value)) throw validation({ metadata: ['value_is_invalid'] });
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== null && typeof entry !== 'string') throw validation({ metadata: ['value_is_invalid'] });
    if (key === '' || [...key].length > LONGEST_KEY || [...(entry ?? '')].length > LONGEST_VALUE) {
      throw validation({ metadata: [key === '' ? 'value_is_invalid' : 'value_is_too_long'] });
    }
  }
  checkCount(value as Metadata);
  return value as Metadata;
}

/** Throws 422 when the metadata has too many keys. */
export function checkCount(metadata: Metadata): void {
  if (Object.keys(metadata).length > MOST_KEYS) throw validation({ metadata: ['invalid_count'] });
}
