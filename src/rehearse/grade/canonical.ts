/** One text for each stored value, so that equal values have equal texts, however they were written. */
import { isObject } from '../../lib/json.ts';
import { decimalText } from '../../words/money.ts';

/** When a record was last written says nothing about what is in it. */
const IGNORED: readonly string[] = ['updated_at'];

const DECIMAL = /^-?\d{1,60}(\.\d{1,60})?$/;
const DECIMAL_NAME = /amount|credits|balance|units|rate$|value$|^trial_period$/;
const DECIMAL_PARENTS: readonly string[] = ['properties', 'fixed_charge_units'];
const PLAIN_TEXT_PARENTS: readonly string[] = ['metadata', 'transaction_metadata', 'events'];

export interface Reading {
  /** Replaces texts, of values and of names: ids that are not comparable. Default: as they are. */
  text?(text: string): string;
  /** Leaves out what is below this path. */
  skips?(path: readonly string[]): boolean;
}

/**
 * The text of a value at a path (table, field, …; the places in lists are no part of it). Lists are sets here: in no list of
 * the store does the order say what the entries do not. Decimals that differ only in zeros (`"10"`, `"10.00"`) are equal.
 */
export function canonical(value: unknown, path: readonly string[], reading: Reading = {}): string {
  if (Array.isArray(value))
    return `[${value
      .map(entry => canonical(entry, path, reading))
      .sort()
      .join()}]`;
  if (isObject(value)) {
    const fields = comparedFields(value, path, reading).map(
      ([name, entry]) => `${JSON.stringify(textOf(name, reading))}:${canonical(entry, [...path, name], reading)}`,
    );
    return `{${fields.sort().join()}}`;
  }
  return JSON.stringify(typeof value === 'string' ? textOf(plainText(value, path), reading) : (value ?? null));
}

/** The fields of an object that are compared. */
export function comparedFields(value: object, path: readonly string[], reading: Reading = {}): [string, unknown][] {
  return Object.entries(value).filter(([name]) => !IGNORED.includes(name) && reading.skips?.([...path, name]) !== true);
}

function textOf(text: string, { text: replaced }: Reading): string {
  return replaced?.(text) ?? text;
}

function plainText(text: string, path: readonly string[]): string {
  return isDecimalField(path) && DECIMAL.test(text) ? decimalText(text) : text;
}

function isDecimalField(path: readonly string[]): boolean {
  if (path.some(name => PLAIN_TEXT_PARENTS.includes(name))) return false;
  return path.some(name => DECIMAL_PARENTS.includes(name)) || DECIMAL_NAME.test(path.at(-1) ?? '');
}
