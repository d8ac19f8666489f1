/** Reading single fields of a body: each is absent (undefined), null, or a value of its type; anything else is collected as a problem. */
import { validation } from '../errors.ts';
import type { InstantText, Json, JsonObject } from '../records/index.ts';
import { isJsonObject } from '../records/values.ts';

export interface Fields {
  has(key: string): boolean;
  text(key: string, limits?: { max?: number; field?: string }): string | null | undefined;
  /** An integer in ±(2^53 − 1); decimal text of one is read too. */
  integer(key: string, limits?: { min?: number; field?: string }): number | null | undefined;
  boolean(key: string, limits?: { field?: string }): boolean | null | undefined;
  texts(key: string): string[] | null | undefined;
  object(key: string): JsonObject | null | undefined;
  /** Notes a problem; the first of each field is kept first. */
  problem(field: string, code: string): void;
  /** Throws 422 with every problem noted so far. */
  check(): void;
}

/** Reads fields of `input`. Nothing is thrown before `check`. A nested object notes its problems with the outer one (`noteIn`). */
export function fieldsOf(input: JsonObject, noteIn?: Fields['problem']): Fields {
  const problems: { [field: string]: string[] } = {};
  const problem =
    noteIn ??
    ((field: string, code: string) => {
      problems[field] = [...(problems[field] ?? []), code];
    });
  /** The value as `read` gives it; null and absent pass through, and what `read` cannot read is a problem. */
  const field = <Value>(
    key: string,
    name: string,
    read: (value: Json) => Value | string[],
  ): Value | null | undefined => {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (value === undefined || value === null) return value;
    const result = read(value);
    if (!(result instanceof Problem)) return result as Value;
    problem(name, result[0] ?? 'value_is_invalid');
    return undefined;
  };
  return {
    has: key => Object.hasOwn(input, key),
    text: (key, limits = {}) => field(key, limits.field ?? key, value => readText(value, limits.max)),
    integer: (key, limits = {}) => field(key, limits.field ?? key, value => readInteger(value, limits.min)),
    boolean: (key, limits = {}) => field(key, limits.field ?? key, readBoolean),
    texts: key => field(key, key, readTexts),
    object: key => field(key, key, value => (isJsonObject(value) ? value : invalid())),
    problem,
    check() {
      if (Object.keys(problems).length > 0) throw validation(problems);
    },
  };
}

/** The code of a value that could not be read. A list, so that it is never mistaken for a value. */
class Problem extends Array<string> {}

function invalid(code = 'value_is_invalid'): Problem {
  return Problem.of(code) as Problem;
}

function readText(value: Json, max = Number.POSITIVE_INFINITY): string | Problem {
  if (typeof value !== 'string') return invalid();
  return [...value].length > max ? invalid('value_is_too_long') : value;
}

function readInteger(value: Json, min = Number.NEGATIVE_INFINITY): number | Problem {
  const number = typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return invalid();
  return Number.isSafeInteger(number) && number >= min ? number : invalid('value_is_out_of_range');
}

function readBoolean(value: Json): boolean | Problem {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : invalid();
}

function readTexts(value: Json): string[] | Problem {
  if (!Array.isArray(value)) return invalid();
  return value.every(item => typeof item === 'string') ? [...new Set(value as string[])] : invalid();
}

const ISO_8601 = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** An ISO 8601 date or date-time as an instant; without an offset it is UTC. Null when it is none, or no date that exists. */
export function parseInstant(value: unknown): InstantText | null {
  const parts = typeof value === 'string' ? ISO_8601.exec(value.trim()) : null;
  if (parts === null) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const asUtc = new Date(`${local}Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== `${local}Z`) return null;
  const zone = offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
  const instant = new Date(`${local}${zone}`);
  if (Number.isNaN(instant.getTime())) return null;
  // Years beyond four digits would break the order of instants as text.
  return /^\d{4}-/.test(instant.toISOString()) ? instant.toISOString() : null;
}

/** Text that is only blanks counts as none. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** A non-negative decimal as text, of a length that computes quickly. */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 30 && /^\d+(\.\d+)?$/.test(value);
}
