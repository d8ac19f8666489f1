/**
 * The fields of a result besides its summary: the record or list in its default form, or whole for `detail: "full"`. Long lists
 * are kept under a token limit, estimated from their size, and a note says what was left out and how to get it.
 */

import {
  type AnyTool,
  changesAccount,
  type Effect,
  isList,
  isLookup,
  makesAnswer,
  namesMore,
} from '../definition/define.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { type Form, formOf, inForm, leftOut } from './default-fields.ts';
import { defaultPageSize } from './paging.ts';

export interface ResultOptions {
  /** `full`: the whole body; else names of fields to add to the default form. */
  detail?: 'full' | readonly string[] | undefined;
  /** The limit from `BILLING_MAX_RESULT_TOKENS`. */
  maxTokens: number;
  /** The limit of a whole body; undefined for a body that no model reads, which has none. */
  wholeTokens?: number | undefined;
  /** The arguments of the call, which say which list page it asked for. */
  args?: JsonRecord | undefined;
}

export interface ResultFields {
  /** `{ add_on }`, or `{ plans, meta }` for lists. */
  fields: object;
  /** What was left out and how to get it, for the end of the summary; null when nothing was left out. */
  note: string | null;
}

interface AnsweringTool {
  result: string;
  answer?: AnyTool['answer'];
  brief: string;
  more?: string;
  effect: Effect;
  input: { shape: object };
}

/** Only lists with more entries than this are shortened. */
const LONG_LIST = 12;
/** For one row that is too long by itself: alone on its list page it is shown whole. */
const wholeItem = 'per_page: 1, its page and detail: "full" for the whole record';
const wholeAnswer = 'detail: "full" for all of them';

/**
 * `remedy`, by which the next call gets the whole record; null where that would be too long as well. Null for a write:
 * a second call would carry it out a second time.
 */
function unlessTooLong(remedy: string, { effect }: AnsweringTool, whole: unknown, wholeTokens: number): string | null {
  if (changesAccount(effect)) return null;
  return estimateTokens(whole) > wholeTokens ? null : remedy;
}

/** `per_page` of a lookup is at most this. */
const largestPage = 100;

/** `record` is the unwrapped, cleaned body (for lists `{ <result>, meta }`). */
export function resultFieldsOf(
  tool: AnsweringTool,
  record: object,
  { detail, maxTokens, wholeTokens = Number.POSITIVE_INFINITY, args = {} }: ResultOptions,
): ResultFields {
  const form = detail === 'full' ? null : formOf(tool, detail);
  if (isList(tool)) return listAnswer(tool, record as JsonRecord, form, { maxTokens, wholeTokens, args });
  if (form === null) {
    const { kept, note } = shorten(makesAnswer(tool) ? shownOf(record as JsonRecord) : record, wholeTokens, () => null);
    return { fields: { [tool.result]: kept }, note };
  }
  const short = inForm(form, record);
  const remedy = () => (tool.more ? unlessTooLong(wholeAnswer, tool, record, wholeTokens) : null);
  const { kept, note } = shorten(short, maxTokens, remedy);
  return { fields: { [tool.result]: kept, ...moreField(form, [record]) }, note };
}

/** The record without what only its summary, its chat page or a file has. */
function shownOf({ for_summary: _, for_page: __, for_export: ___, ...shown }: JsonRecord): JsonRecord {
  return shown;
}

/** The field `more`: what the form leaves out, once for all records. */
function moreField(form: Form, records: readonly unknown[], rows = records): { more?: readonly string[] } {
  const more = leftOut(form, records, rows);
  return more.length === 0 ? {} : { more };
}

/** `form` is null for the whole body. */
function listAnswer(
  tool: AnsweringTool,
  record: JsonRecord,
  form: Form | null,
  { maxTokens, wholeTokens, args }: { maxTokens: number; wholeTokens: number; args: JsonRecord },
): ResultFields {
  // A field `summary` of the body must not replace our own summary.
  const { [tool.result]: value, meta, summary: _, ...others } = shownOf(record);
  const rows = Array.isArray(value) ? value : [];
  const shownRows = form ? rows.map(item => inForm(form, item)) : rows;
  const paged = 'per_page' in tool.input.shape;
  const fitted = fitList<unknown>(shownRows, paged || form ? maxTokens : wholeTokens, tool.result);
  const keptCount = fitted.items.length;
  const fieldsBeside: JsonRecord = {};
  if (meta !== undefined && (!form || hasPages(meta))) fieldsBeside.meta = form ? inForm(pageForm, meta) : meta;
  const hasOwnKeys = makesAnswer(tool);
  const next = isLookup(tool) && paged && keptCount < rows.length ? nextPage(keptCount, args) : null;
  if (!form || hasOwnKeys) {
    const hidden = new Set(form?.more.map(([name]) => name));
    const ownFields = next === null ? others : { ...others, ...shownWithCount(others.shown, keptCount), ...next };
    for (const key of Object.keys(ownFields)) if (!hidden.has(key)) fieldsBeside[key] = ownFields[key];
  }
  if (form && namesMore(tool))
    Object.assign(fieldsBeside, moreField(form, hasOwnKeys ? [...rows, others] : rows, rows));
  const [onlyItem] = fitted.items;
  const isAlone = keptCount === 1;
  // Lists of lookups have no `detail`.
  const remedyForItem = () => (isLookup(tool) || !form ? null : unlessTooLong(wholeItem, tool, rows[0], wholeTokens));
  const limit = form ? maxTokens : wholeTokens;
  const { kept: shortItem, note: cutNote } = isAlone
    ? shorten(onlyItem, limit, remedyForItem)
    : { kept: null, note: null };
  const wholeRemedy = tool.more ? unlessTooLong(wholeAnswer, tool, rows, wholeTokens) : 'fewer at a time';
  const remedyForRest = form ? wholeRemedy : null;
  const restNote =
    fitted.note === null ? null : missingNote(tool, rows.length, keptCount, next, fitted.note, remedyForRest);
  const shown = shortItem === null ? fitted.items : [shortItem];
  return {
    fields: { [tool.result]: shown, ...fieldsBeside },
    note: cutNote !== null && restNote !== null ? `${cutNote} ${restNote}` : (cutNote ?? restNote),
  };
}

/** What a lookup is asked for, as its schema has checked it. */
interface PageArguments {
  page?: number;
  per_page?: number;
  all?: boolean;
}

/** The list page that goes on after the first `keptCount` rows of this one, so that no row is skipped. */
interface NextPage {
  next_page: number;
  per_page: number;
}

function nextPage(keptCount: number, { page = 1, per_page = defaultPageSize, all }: PageArguments): NextPage {
  const before = all === true ? 0 : (page - 1) * per_page;
  const size = Math.min(keptCount, largestPage);
  return { next_page: Math.floor((before + keptCount) / size) + 1, per_page: size };
}

/** `20 of 134` with the number of rows that are left after shortening. */
function shownWithCount(shown: unknown, keptCount: number): JsonRecord {
  return typeof shown === 'string' ? { shown: shown.replace(/^\d+/, String(keptCount)) } : {};
}

function missingNote(
  tool: AnsweringTool,
  all: number,
  keptCount: number,
  next: NextPage | null,
  usualNote: string,
  remedy: string | null,
): string {
  const missing = all - keptCount;
  if (next !== null)
    return `${missing} of these ${all} ${tool.result.replaceAll('_', ' ')} are left out to keep this short; continue with page: ${next.next_page}, per_page: ${next.per_page}.`;
  if ('per_page' in tool.input.shape) return usualNote;
  if (isLookup(tool)) return leftOutNote(missing, all, 'rows', 'narrower arguments');
  return leftOutNote(missing, all, tool.result, remedy);
}

const pageForm: Form = formOf({ brief: 'current_page next_page|null total_pages total_count' });

/** A list on one page needs no page numbers. */
function hasPages(meta: unknown): boolean {
  return isRecord(meta) && (Number(meta.total_pages ?? 2) > 1 || Number(meta.current_page ?? 1) > 1);
}

interface LongList {
  /** `['charges']`, or `['plan', 'charges']` in a nested record. */
  path: readonly string[];
  /** The last name of the path. */
  name: string;
  list: unknown[];
}

/** Cuts a record's longest lists until it fits. `remedy` says how to get the rest; null where there is no way. */
function shorten(
  record: unknown,
  maxTokens: number,
  remedy: () => string | null,
): { kept: unknown; note: string | null } {
  const lists = isRecord(record) ? longLists(record) : [];
  let spent = lists.length === 0 ? 0 : estimateTokens(record);
  if (!isRecord(record) || spent <= maxTokens) return { kept: record, note: null };
  let kept = record;
  const notes: string[] = [];
  const sized = lists.map(long => ({ ...long, tokens: estimateTokens(long.list) })).sort((a, b) => b.tokens - a.tokens);
  for (const { path, name, list, tokens } of sized) {
    if (spent <= maxTokens) break;
    const fitted = fitList(list, Math.max(0, maxTokens - (spent - tokens)));
    kept = withList(kept, path, fitted.items);
    spent -= tokens - estimateTokens(fitted.items);
    if (fitted.leftOut > 0) notes.push(leftOutNote(fitted.leftOut, list.length, name, remedy()));
  }
  return { kept, note: notes.length === 0 ? null : notes.join(' ') };
}

function longLists(record: JsonRecord, above: readonly string[] = []): LongList[] {
  const lists: LongList[] = [];
  for (const key in record) {
    const value = record[key];
    if (Array.isArray(value)) {
      if (value.length > LONG_LIST) lists.push({ path: [...above, key], name: key, list: value });
    } else if (above.length === 0 && isRecord(value)) lists.push(...longLists(value, [key]));
  }
  return lists;
}

function withList(record: JsonRecord, [key = '', ...rest]: readonly string[], items: readonly unknown[]): JsonRecord {
  return { ...record, [key]: rest.length === 0 ? items : withList(record[key] as JsonRecord, rest, items) };
}

function leftOutNote(leftOut: number, all: number, what: string, remedy: string | null): string {
  const how = remedy === null ? '' : `; call again with ${remedy}`;
  return `${leftOut} of ${all} ${what.replaceAll('_', ' ')} are left out to keep this short${how}.`;
}

/** JSON of billing records has 3 to 3.6 bytes per token (o200k); JSON of nothing but ids has fewer. */
const BYTES_PER_TOKEN = 2.9;

export interface Fitted<T> {
  items: readonly T[];
  /** Number of items at the end that did not fit. */
  leftOut: number;
  /** A sentence for the summary, null when everything fits. */
  note: string | null;
}

/** A cheap, slightly high estimate of what a value costs as compact JSON. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The first items that stay within `maxTokens`, at least one. The note names a size of list pages that each fit. */
export function fitList<T>(items: readonly T[], maxTokens: number, what = 'items'): Fitted<T> {
  let spent = 0;
  let kept = 0;
  for (const item of items) {
    spent += estimateTokens(item) + 1;
    if (spent > maxTokens && kept > 0) break;
    kept++;
  }
  const leftOut = items.length - kept;
  if (leftOut === 0) return { items, leftOut, note: null };
  const note = `${leftOut} of ${items.length} ${what} are left out to keep this short; call again with per_page: ${kept}, one page at a time, for all of them.`;
  return { items: items.slice(0, kept), leftOut, note };
}
