/**
 * Records as CSV (RFC 4180): a row for each, under the interface's field names, ids first, amounts in minor and in major units.
 */
import Papa from 'papaparse';
import * as z from 'zod';
import { currencyDigits } from '../contract/currencies.ts';
import { fromCents } from '../contract/pricing/money.ts';
import { resourceSchemas } from '../contract/resources.ts';
import { parseSelection, pathsOf, type Selected } from '../definition/selection.ts';
import { fieldOf, isText as isFilledText, isObject } from '../lib/json.ts';
import { big } from './money.ts';

/** The names of the columns; the same whatever the records hold, so that a file of none has its header. */
export type Columns = readonly string[];

/** The fields of the selection, and those of the resource (in the plural) that hold one value or a list of texts. */
export function columnsOf(plural: string, selection: string): Columns {
  const { shape = {} } = resourceSchemas[plural.replace(/ies$/, 'y').replace(/s$/, '')] ?? {};
  const chosen = parseSelection(selection).flatMap(field => namesOf(field, inner(shape[field.name])));
  // A document shows what a mask hides: its link is in no file.
  const others = Object.keys(shape).filter(name => isPlain(inner(shape[name])) && !name.endsWith('_url'));
  const names = [...new Set([...chosen, ...others])];
  const isId = (name: string) => /(^|[._])ids?$/.test(name);
  const ordered = [...names.filter(isId), ...names.filter(name => !isId(name))];
  return ordered.flatMap(name => [
    name,
    ...(/_cents(_|$)/.test(name) ? [name.replace(/_cents(?=_|$)/, '_major')] : []),
  ]);
}

/** The records as CSV, with the header where this is the beginning of the file. */
export function csvOf(columns: Columns, records: readonly object[], header = true): string {
  const rows = records.map(record => columns.map(name => cellOf(record, name)));
  const lines = header ? [columns, ...rows] : rows;
  const safe = lines.map(line => line.map(cell => (typeof cell === 'string' ? inert(cell) : cell)));
  const text = Papa.unparse(safe as unknown[][], { newline: '\r\n', quotes: value => isText(value) });
  return text === '' ? '' : `${text}\r\n`;
}

/**
 * A sign that a spreadsheet would compute gets an apostrophe before it: at the beginning of a text, behind white space (which
 * it may trim, no-break spaces too), and behind what other programs divide a row at (a semicolon, a tab, a line end, a quote).
 * Wide signs are of East Asian keyboards. Decimals are texts in the interface.
 */
function inert(text: string): string {
  if (!isText(text)) return text;
  const safe = text.replace(/(^|[;\t\r\n"])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, "$1$2'");
  return /^[\t\r\n]/.test(safe) ? `'${safe}` : safe;
}

/** Every text is quoted, so that one with a semicolon stays one cell; numbers are not. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !/^-?\d+(\.\d+)?$/.test(value);
}

/** The price of a charge is no field, but told from several. */
function namesOf(field: Selected, described: z.core.$ZodType | undefined): string[] {
  if (field.name === 'price') return [];
  return field.fields !== null && described instanceof z.ZodObject ? pathsOf([field]) : [field.name];
}

function inner(field: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable ? inner(field.unwrap()) : field;
}

function isPlain(field: z.core.$ZodType | undefined): boolean {
  return field instanceof z.ZodArray ? inner(field.element) instanceof z.ZodString : !(field instanceof z.ZodObject);
}

/** `total_amount_major` is made of `total_amount_cents`. */
function cellOf(record: object, name: string): string | number | boolean | null {
  const path = name.split('.');
  if (!name.includes('_major')) return textOf(valueAt(record, path));
  const minor = path.map(part => part.replace('_major', '_cents'));
  const owner = valueAt(record, minor.slice(0, -1));
  const currency = currencyOf(owner, minor.at(-1) ?? '') ?? currencyOf(record, '');
  const amount = valueAt(record, minor);
  const cents = typeof amount === 'number' || typeof amount === 'string' ? big(amount) : null;
  if (cents === null || currency === null) return null;
  const major = fromCents(cents, currency);
  const exact = major.toFixed();
  const digits = currencyDigits(currency);
  return (exact.split('.')[1]?.length ?? 0) > digits ? exact : major.toFixed(digits);
}

/** The currency that the record itself says of an amount. */
function currencyOf(record: unknown, amount: string): string | null {
  if (!isObject(record)) return null;
  const names = [amount.replace(/_cents.*$/, '_currency'), 'currency', 'amount_currency'];
  return names.map(name => fieldOf(record, name)).find(isFilledText) ?? null;
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? fieldOf(value, name) : undefined), record);
}

/** A list of texts has semicolons; what has no other form is JSON. */
function textOf(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every(entry => typeof entry !== 'object')) return value.join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}
