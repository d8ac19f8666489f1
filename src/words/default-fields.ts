/**
 * The default form of a record: the fields that its tool's selection keeps, in the selection's order, and the names of
 * those that it leaves out.
 */
import { fieldNames } from '../contract/field-names.ts';
import type { Charge, Plan } from '../contract/shown.ts';
import { type AnyTool, isList } from '../definition/define.ts';
import { parseSelection, pathsOf, type Selected, withNames } from '../definition/selection.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { priceLine } from './price.ts';
import { code } from './summary.ts';

export interface Form {
  kept: readonly Selected[];
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
  /** The tool has no `detail`: what no one knows stays in the record. */
  showsUnknown: boolean;
}

type FieldSelections = Pick<AnyTool, 'brief' | 'more'> & Partial<Pick<AnyTool, 'result' | 'answer'>>;

const forms = new WeakMap<FieldSelections, Form>();

/** The form of a tool's records, with the fields that `detail` names. Without such names it is made once. */
export function formOf(tool: FieldSelections, detail: readonly string[] = []): Form {
  const known = detail.length === 0 ? forms.get(tool) : undefined;
  if (known) return known;
  const isNamed = (path: string) => detail.some(named => path === named || path.startsWith(`${named}.`));
  const more = pathsOf(parseSelection(tool.more ?? '')).filter(path => !isNamed(path));
  const form = {
    kept: withNames(parseSelection(tool.brief), detail),
    more: more.map(path => path.split('.') as [string, ...string[]]),
    known: detail.length === 0 ? knownNames(tool) : formOf(tool).known,
    showsUnknown: tool.more === undefined,
  };
  if (detail.length === 0) forms.set(tool, form);
  return form;
}

/** A record in its default form. A value that is no record stays as it is. */
export function inForm(form: Form, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const shown = recordInForm(form.kept, value, value);
  if (form.showsUnknown) for (const name of unknownNames(form, value)) shown[name] = value[name];
  return shown;
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

/** No more of what no one knows is named of one record. */
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

function knownNames({ brief, more, result = '', answer }: FieldSelections): ReadonlySet<string> | null {
  if (isList({ answer }) && more === undefined) return null;
  const resource = resourceFields(result);
  if (resource === undefined) return null;
  return new Set([...resource, ...parseSelection(`${brief} ${more ?? ''}`).map(({ name }) => name)]);
}

/** The contract's fields of a record, by the key of an answer that holds one or a list; undefined for any other key. */
export function resourceFields(key: string): readonly string[] | undefined {
  return fieldNames[key] ?? fieldNames[key.replace(/ies$/, 'y').replace(/s$/, '')];
}

function recordInForm(kept: readonly Selected[], record: JsonRecord, parent: JsonRecord): JsonRecord {
  const shown: JsonRecord = {};
  for (const field of kept) {
    const value = valueInForm(field, field.name === 'price' ? priceOf(record, parent) : record[field.name], record);
    if (value !== undefined) shown[field.name] = value;
  }
  return shown;
}

/** Undefined when the value is left out. */
function valueInForm(field: Selected, value: unknown, record: JsonRecord): unknown {
  const { fields, nullable } = field;
  if (value === null) return nullable || field.asked ? null : undefined;
  if (!isFilled(value)) return field.asked ? value : undefined;
  if (isUsual(field, value, record)) return undefined;
  if (fields === null) return value;
  if (Array.isArray(value)) return value.map(entry => (isRecord(entry) ? recordInForm(fields, entry, record) : entry));
  if (!isRecord(value)) return value;
  const shown = recordInForm(fields, value, record);
  return isFilled(shown) ? shown : undefined;
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
  if (Array.isArray(value)) return value.length > 0;
  for (const _ in value) return true;
  return false;
}

function isUsual({ usual }: Selected, value: unknown, record: JsonRecord): boolean {
  if (usual === null) return false;
  if (usual === '') return isNothing(value);
  // `Priority support` says the same as `priority_support`.
  if (usual.startsWith('=')) return bare(value) !== null && bare(value) === bare(record[usual.slice(1)]);
  return value === usual || (typeof value === 'number' && String(value) === usual);
}

function bare(value: unknown): string | null {
  return typeof value === 'string' ? value.toLowerCase().replace(/[\s_-]+/g, ' ') : null;
}

/** 0 or false, or `0.0`, because some amounts and counts are sent as text. */
export function isNothing(value: unknown): boolean {
  return value === 0 || value === false || (typeof value === 'string' && /^0(\.0+)?$/.test(value));
}
