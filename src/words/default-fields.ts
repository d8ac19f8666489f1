/**
 * The default form of a record: the fields that its tool's selection keeps, in the selection's order, and the names of
 * those that it leaves out. Writes JSON directly: a copy of the record first would cost twice as much.
 */
import { fieldNames } from '../contract/field-names.ts';
import type { Charge, Plan } from '../contract/shown.ts';
import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';
import type { AnyTool } from '../tool/define.ts';
import { parseSelection, pathsOf, type Selected, withNames } from '../tool/selection.ts';
import { field } from './json-field.ts';
import { priceLine } from './price.ts';
import { code } from './summary.ts';

export interface Form {
  kept: readonly KeptField[];
  /**
   * The fields that the form leaves out, each as a path. Where a record has one, the result names the first part of its
   * path.
   */
  more: readonly (readonly [name: string, ...inner: string[]])[];
  /**
   * The names that the contract and the selections have; null where the tool shows no resource of the contract, and for rows
   * of a list without `detail`, whose record another tool shows.
   */
  known: ReadonlySet<string> | null;
  /** The tool has no `detail`: what nobody knows stays in the record. */
  showsUnknown: boolean;
}

interface KeptField {
  name: string;
  usual: string | null;
  nullable: boolean;
  /** `{"code":` for the first field of a record, `,"code":` for a later one. */
  first: string;
  next: string;
  /** The same with the opening quote of a text: `{"code":"`. */
  firstText: string;
  nextText: string;
  fields: readonly KeptField[] | null;
}

type FieldSelections = Pick<AnyTool, 'brief' | 'more'> & Partial<Pick<AnyTool, 'result' | 'list'>>;

const forms = new WeakMap<FieldSelections, Form>();

/** The form of a tool's records, with the fields that `detail` names. Without such names it is made once. */
export function formOf(tool: FieldSelections, detail: readonly string[] = []): Form {
  const known = detail.length === 0 ? forms.get(tool) : undefined;
  if (known) return known;
  const more = pathsOf(parseSelection(tool.more ?? '')).filter(path => !isNamed(path, detail));
  const form = {
    kept: compile(withNames(parseSelection(tool.brief), detail)),
    more: more.map(path => path.split('.') as [string, ...string[]]),
    known: detail.length === 0 ? knownNames(tool) : formOf(tool).known,
    showsUnknown: tool.more === undefined,
  };
  if (detail.length === 0) forms.set(tool, form);
  return form;
}

/** A record in its default form, as compact JSON. A value that is no record stays as it is. */
export function formJson(form: Form, value: unknown): string {
  if (!isRecord(value)) return JSON.stringify(value);
  const json = recordJson(form.kept, value, value);
  const unknown = form.showsUnknown ? unknownNames(form, value) : [];
  if (unknown.length === 0) return json;
  const shown = unknown.map(name => field(name, JSON.stringify(value[name])));
  return json === '{}' ? `{${shown.join(',')}}` : `${json.slice(0, -1)},${shown.join(',')}}`;
}

/**
 * The names of the fields that at least one of these records has and the form leaves out; of `rows`, which are records of the
 * contract, also those that the contract does not have.
 */
export function leftOut(form: Form, records: readonly unknown[], rows = records): string[] {
  const names = new Set<string>();
  for (const path of form.more) if (records.some(record => holdsValueAt(record, path, 0))) names.add(path[0]);
  if (!form.showsUnknown)
    for (const row of rows) if (isRecord(row)) for (const name of unknownNames(form, row)) names.add(name);
  return [...names];
}

/** No more of what nobody knows is named of one record. */
const mostUnknown = 20;

/** The filled fields of a newer interface, or of something else than the interface: those that look like its names. */
function unknownNames({ known }: Form, record: JsonRecord): string[] {
  const names: string[] = [];
  if (known === null) return names;
  for (const name in record) {
    if (known.has(name) || !isFilled(record[name]) || !/^[a-z]\w{0,60}$/.test(name)) continue;
    if (names.push(name) === mostUnknown) break;
  }
  return names;
}

function knownNames({ brief, more, result = '', list }: FieldSelections): ReadonlySet<string> | null {
  if (list && more === undefined) return null;
  const resource = resourceFields(result);
  if (resource === undefined) return null;
  return new Set([...resource, ...parseSelection(`${brief} ${more ?? ''}`).map(({ name }) => name)]);
}

/** The contract's fields of a record, by the key of an answer that holds one or a list; undefined for any other key. */
export function resourceFields(key: string): readonly string[] | undefined {
  return fieldNames[key] ?? fieldNames[key.replace(/ies$/, 'y').replace(/s$/, '')];
}

function isNamed(name: string, detail: readonly string[]): boolean {
  return detail.some(path => name === path || name.startsWith(`${path}.`));
}

function compile(selection: readonly Selected[]): readonly KeptField[] {
  return selection.map(({ name, usual, nullable, fields }) => {
    const first = `{"${name}":`;
    const next = `,"${name}":`;
    const inner = fields === null ? null : compile(fields);
    return { name, usual, nullable, first, next, firstText: `${first}"`, nextText: `${next}"`, fields: inner };
  });
}

/** Matches a text that JSON writes without escapes. */
const unescaped = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function recordJson(kept: readonly KeptField[], record: JsonRecord, parent: JsonRecord): string {
  let json = '';
  for (const field of kept) {
    const value = field.name === 'price' ? priceOf(record, parent) : record[field.name];
    // Joined from few pieces: the strings are most of the garbage that a call leaves.
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
function valueJson(field: KeptField, value: unknown, record: JsonRecord): string | undefined {
  if (value === null) return field.nullable ? 'null' : undefined;
  if (!isFilled(value) || isUsual(field, value, record)) return undefined;
  if (typeof value !== 'object' || field.fields === null) return JSON.stringify(value);
  if (Array.isArray(value)) return listJson(field.fields, value, record);
  const json = recordJson(field.fields, value as JsonRecord, record);
  return json === '{}' ? undefined : json;
}

function listJson(fields: readonly KeptField[], entries: readonly unknown[], parent: JsonRecord): string {
  let json = '[';
  for (const entry of entries) {
    if (json !== '[') json += ',';
    json += isRecord(entry) ? recordJson(fields, entry, parent) : JSON.stringify(entry);
  }
  return `${json}]`;
}

/** A charge's price in one line, else the name of its model: then the price is in its `properties`. */
function priceOf(charge: Charge, plan: Plan): string | null {
  return priceLine(charge, plan.amount_currency) ?? code(charge.charge_model);
}

function holdsValueAt(value: unknown, path: readonly string[], from: number): boolean {
  if (Array.isArray(value) && from < path.length) return value.some(entry => holdsValueAt(entry, path, from));
  const name = path[from];
  if (name === undefined) return isFilled(value) && !isNothing(value);
  return isRecord(value) && holdsValueAt(value[name], path, from + 1);
}

/** Neither null nor missing, nor an empty text, list or record. */
export function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  if (typeof value !== 'object') return true;
  for (const _ in value) return true;
  return false;
}

function isUsual({ usual }: KeptField, value: unknown, record: JsonRecord): boolean {
  if (usual === null) return false;
  if (usual === '') return isNothing(value);
  if (usual.startsWith('=')) return isRewritten(value, record[usual.slice(1)]);
  return value === usual || (typeof value === 'number' && String(value) === usual);
}

/** `Priority support` says the same as `priority_support`. */
function isRewritten(name: unknown, other: unknown): boolean {
  return typeof name === 'string' && typeof other === 'string' && bare(name) === bare(other);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, ' ');
}

/** 0 or false, or `0.0`, because some amounts and counts are sent as text. */
export function isNothing(value: unknown): boolean {
  return value === 0 || value === false || (typeof value === 'string' && /^0(\.0+)?$/.test(value));
}
