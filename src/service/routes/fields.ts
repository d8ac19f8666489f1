/** Reads single fields of a body: undefined when absent, null, or a value of the type. Notes other values as problems. */

import type { InstantText, Json, JsonObject } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { validation } from '../errors.ts';

export interface Fields {
  has(key: string): boolean;
  text(
    key: string,
    limits?: { max?: number; trimmed?: boolean | undefined; field?: string },
  ): string | null | undefined;
  /** An integer within ±(2^53 − 1), also as decimal text. */
  integer(key: string, limits?: { min?: number; max?: number; field?: string }): number | null | undefined;
  boolean(key: string, limits?: { field?: string }): boolean | null | undefined;
  texts(key: string): string[] | null | undefined;
  object(key: string): JsonObject | null | undefined;
  /** Notes a problem. The problems of a field stay in order. */
  noteProblem(field: string, code: string): void;
  /** Throws 422 with every problem noted so far. */
  refuseProblems(): void;
}

/** Reads fields of `input`. Only `refuseProblems` throws. For a nested object, `noteIn` notes problems in the outer object. */
export function fieldsOf(input: JsonObject, noteIn?: Fields['noteProblem']): Fields {
  const problems: { [field: string]: string[] } = {};
  const noteProblem =
    noteIn ??
    ((field: string, code: string) => {
      problems[field] = [...(problems[field] ?? []), code];
    });
  /** The result of `read`. Null and undefined pass through; a value that `read` cannot read is noted as a problem. */
  const readField = <Value>(
    key: string,
    name: string,
    read: (value: Json) => Value | string[],
  ): Value | null | undefined => {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (value === undefined || value === null) return value;
    const result = read(value);
    if (!(result instanceof Problem)) return result as Value;
    noteProblem(name, result[0] ?? 'value_is_invalid');
    return undefined;
  };
  return {
    has: key => Object.hasOwn(input, key),
    text: (key, limits = {}) => readField(key, limits.field ?? key, value => readText(value, limits)),
    integer: (key, limits = {}) => readField(key, limits.field ?? key, value => readInteger(value, limits)),
    boolean: (key, limits = {}) => readField(key, limits.field ?? key, readBoolean),
    texts: key => readField(key, key, readTexts),
    object: key => readField(key, key, value => (isJsonObject(value) ? value : invalid())),
    noteProblem,
    refuseProblems() {
      if (Object.keys(problems).length > 0) throw validation(problems);
    },
  };
}

/** The error code for a value that could not be read. A class of its own, so that no value is mistaken for it. */
class Problem extends Array<string> {}

function invalid(code = 'value_is_invalid'): Problem {
  return Problem.of(code) as Problem;
}

function readText(
  value: Json,
  { max = Number.POSITIVE_INFINITY, trimmed = false as boolean | undefined },
): string | Problem {
  if (typeof value !== 'string') return invalid();
  const text = trimmed ? value.trim() : value;
  return [...text].length > max ? invalid('value_is_too_long') : text;
}

function readInteger(value: Json, { min = -Infinity, max = Infinity }): number | Problem {
  const number = typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return invalid();
  return Number.isSafeInteger(number) && number >= min && number <= max ? number : invalid('value_is_out_of_range');
}

function readBoolean(value: Json): boolean | Problem {
  if (value === true || value === 'true') return true;
  if (value === '') return invalid('value_is_reserved');
  return value === false || value === 'false' ? false : invalid();
}

function readTexts(value: Json): string[] | Problem {
  if (!Array.isArray(value)) return invalid();
  return value.every(item => typeof item === 'string') ? [...new Set(value as string[])] : invalid();
}

const ISO_8601 =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * An ISO 8601 date or date-time as an instant, in UTC when it has no offset; `20270601` and a blank for the `T` too. Null
 * for other values and invalid dates.
 */
export function parseInstant(value: unknown): InstantText | null {
  const parts = typeof value === 'string' ? ISO_8601.exec(value.trim()) : null;
  if (parts === null) return null;
  const [, year, , month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const asUtc = new Date(`${local}Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== `${local}Z`) return null;
  const zone = offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
  const instant = new Date(`${local}${zone}`);
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
