import { mapEntries } from './collections.ts';

/** A JSON object whose fields are not checked yet. */
export type JsonRecord = Record<string, unknown>;

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
/** A JSON object of such values. */
export type JsonObject = { [key: string]: Json };
/** An object of a described form, as JSON holds it: each field may be absent. */
export type JsonOf<Described> = { -readonly [Field in keyof Described]?: Json };
/** A decimal number as text. */
export type DecimalText = string;

/** Is the value a JSON object, neither null nor an array? */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that no contract describes, as an object; an empty one for anything else. */
export function anyRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The objects of such an array; an empty list for anything else. */
export function anyRecords(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The same as isRecord for a value whose fields have types: they stay what they are. */
export function isObject(value: unknown): value is object {
  return isRecord(value);
}

/** The members of these names, each of which may be anything; none where the value is no object. */
export function membersOf<Name extends string>(value: unknown): { readonly [Member in Name]?: unknown } {
  return isRecord(value) ? (value as { readonly [Member in Name]?: unknown }) : {};
}

/** The field of an object by a name that is data. */
export function fieldOf(value: object, name: string): unknown {
  return (value as JsonRecord)[name];
}

/** The same for a value that is known to be JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** The value with each text that is the JSON of an object or list as that object or list, at any depth. */
export function withJsonTexts(value: unknown): unknown {
  return mapTexts(value, jsonIn);
}

/** Changes every text at any depth, but no key. */
export function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map(entry => mapTexts(entry, change));
  if (!isRecord(value)) return value;
  return mapEntries(value, inner => mapTexts(inner, change));
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return withJsonTexts(JSON.parse(text));
  } catch {
    // It is no JSON, or nested too deep.
    return text;
  }
}

/** Undefined for what is no JSON. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value that a table itself has under a word from outside: `constructor` finds nothing. */
export function ownValue<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** Is the value neither null nor undefined? */
export function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined;
}

/** Is the value a text that is not empty? */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A number that may be beyond 2^53, outside or inside a string. */
const maybeLarge = /[:[,\s]-?(?:\d{16}|\d+(?:\.\d+)?[eE]\+?\d)/;
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * Reads JSON without rounding: a number that JavaScript cannot hold comes as the text of its digits. Throws like `JSON.parse`.
 * A total of 9007199254740993 is `"9007199254740993"`, never its neighbor.
 */
export function parseExactly(text: string): unknown {
  if (!maybeLarge.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(token, each => (isHeld(each) ? each : `"${each}"`)));
}

function isHeld(each: string): boolean {
  return each.startsWith('"') || Math.abs(Number(each)) <= Number.MAX_SAFE_INTEGER;
}
