/**
 * The default form of a record: the fields that its tool's selection keeps, in the selection's order, and the names of
 * what is left out. Writes JSON directly, because first making a copy of the record would double the cost.
 */
import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';
import type { AnyTool } from '../tool/define.ts';
import { parseSelection, pathsOf, type Selected, withNames } from '../tool/selection.ts';
import { priceLine } from './price.ts';
import { code } from './summary.ts';

export interface Form {
  kept: readonly Kept[];
  /** What the form leaves out, named where a record has it; fields of nested records by the name of these. */
  more: readonly (readonly [name: string, ...inner: string[]])[];
}

interface Kept {
  name: string;
  usual: string | null;
  nullable: boolean;
  /** `{"code":` for the first field of a record, `,"code":` for a later one. */
  first: string;
  next: string;
  /** The same with the opening quote of a text: `{"code":"`. */
  firstText: string;
  nextText: string;
  fields: readonly Kept[] | null;
}

type Formed = Pick<AnyTool, 'brief' | 'more'>;

const forms = new WeakMap<Formed, Form>();

/** The form of a tool's records, with the fields that `detail` names; made once where it names none. */
export function formOf(tool: Formed, detail: readonly string[] = []): Form {
  const known = detail.length === 0 ? forms.get(tool) : undefined;
  if (known) return known;
  const more = pathsOf(parseSelection(tool.more ?? '')).filter(path => !isNamed(path, detail));
  const form = {
    kept: compile(withNames(parseSelection(tool.brief), detail)),
    more: more.map(path => path.split('.') as [string, ...string[]]),
  };
  if (detail.length === 0) forms.set(tool, form);
  return form;
}

/** A record in its default form, as compact JSON. A value that is no record stays as it is. */
export function formJson({ kept }: Form, value: unknown): string {
  return isRecord(value) ? recordJson(kept, value, value) : JSON.stringify(value);
}

/** The names of what the form leaves out of these records and at least one of them has. */
export function leftOut({ more }: Form, records: readonly unknown[]): string[] {
  const names: string[] = [];
  for (const path of more) {
    const [name] = path;
    if (!names.includes(name) && records.some(record => has(record, path, 0))) names.push(name);
  }
  return names;
}

function isNamed(name: string, detail: readonly string[]): boolean {
  return detail.some(asked => name === asked || name.startsWith(`${asked}.`));
}

function compile(selection: readonly Selected[]): readonly Kept[] {
  return selection.map(({ name, usual, nullable, fields }) => {
    const first = `{"${name}":`;
    const next = `,"${name}":`;
    const inner = fields === null ? null : compile(fields);
    return { name, usual, nullable, first, next, firstText: `${first}"`, nextText: `${next}"`, fields: inner };
  });
}

/** Matches a text that JSON writes without escapes. */
const unescaped = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function recordJson(kept: readonly Kept[], record: JsonRecord, above: JsonRecord): string {
  let json = '';
  for (const field of kept) {
    const value = field.name === 'price' ? priceOf(record, above) : record[field.name];
    // Few string pieces: they are most of the garbage that a call leaves.
    if (typeof value === 'string' && unescaped.test(value)) {
      if (value === '' || isUsual(field, value, record)) continue;
      json += json === '' ? field.firstText : field.nextText;
      json += value;
      json += '"';
    } else {
      const shown = valueJson(field, value, record);
      if (shown === undefined) continue;
      json += json === '' ? field.first : field.next;
      json += shown;
    }
  }
  return json === '' ? '{}' : `${json}}`;
}

/** The value as JSON; undefined when it is left out. */
function valueJson(field: Kept, value: unknown, record: JsonRecord): string | undefined {
  if (value === null) return field.nullable ? 'null' : undefined;
  if (!isFilled(value) || isUsual(field, value, record)) return undefined;
  if (typeof value !== 'object' || field.fields === null) return JSON.stringify(value);
  if (Array.isArray(value)) return listJson(field.fields, value, record);
  const json = recordJson(field.fields, value as JsonRecord, record);
  return json === '{}' ? undefined : json;
}

function listJson(fields: readonly Kept[], entries: readonly unknown[], above: JsonRecord): string {
  let json = '[';
  for (const entry of entries) {
    if (json !== '[') json += ',';
    json += isRecord(entry) ? recordJson(fields, entry, above) : JSON.stringify(entry);
  }
  return `${json}]`;
}

/** A charge's price in one line; where that cannot be said, its model, with the price in its `properties`. */
function priceOf(charge: JsonRecord, plan: JsonRecord): string | null {
  return priceLine(charge, plan.amount_currency) ?? code(charge.charge_model);
}

function has(value: unknown, path: readonly string[], from: number): boolean {
  if (Array.isArray(value) && from < path.length) return value.some(entry => has(entry, path, from));
  const name = path[from];
  if (name === undefined) return isFilled(value) && !isNothing(value);
  return isRecord(value) && has(value[name], path, from + 1);
}

/** Neither null nor missing, nor an empty text, list or record. */
export function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  if (typeof value !== 'object') return true;
  for (const _ in value) return true;
  return false;
}

function isUsual({ usual }: Kept, value: unknown, record: JsonRecord): boolean {
  if (usual === null) return false;
  if (usual === '') return isNothing(value);
  if (usual.startsWith('=')) return isRewritten(value, record[usual.slice(1)]);
  return value === usual || (typeof value === 'number' && String(value) === usual);
}

/** `Priority support` is `priority_support`. */
function isRewritten(name: unknown, other: unknown): boolean {
  return typeof name === 'string' && typeof other === 'string' && bare(name) === bare(other);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, ' ');
}

/** 0, false, and `0.0`: amounts and counts that are sent as text. */
export function isNothing(value: unknown): boolean {
  return value === 0 || value === false || (typeof value === 'string' && /^0(\.0+)?$/.test(value));
}
