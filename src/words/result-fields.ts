/** The fields of a result besides its summary: the record or list in its default form, or whole with `detail: "full"`. */

import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';
import { changesAccount, type Effect } from '../tool/effect.ts';
import { type Form, formJson, formOf, leftOut } from './default-fields.ts';
import { field } from './json-field.ts';
import { defaultPageSize } from './paging.ts';
import { asInteger, asText } from './summary.ts';
import { estimateTokens, fitList } from './token-limit.ts';

export interface ResultOptions {
  /** `full`: the whole body; else names of fields to add to the default form. */
  detail?: 'full' | readonly string[] | undefined;
  /** The limit from `BILLING_MAX_RESULT_TOKENS`. */
  maxTokens: number;
  /** The limit of a whole body; undefined: none, because no model reads it. */
  wholeTokens?: number | undefined;
  /** Of the call; the page that a list was asked for. */
  args?: JsonRecord | undefined;
}

export interface ResultFields {
  /** JSON of the fields, without the outer braces: `"add_on":{…}`, or `"plans":[…],"meta":{…}` for lists. */
  fields: string;
  /** What was left out and how to get it, for the end of the summary; null when nothing was. */
  note: string | null;
}

interface Answering {
  result: string;
  list?: boolean;
  brief: string;
  more?: string;
  detail?: boolean;
  effect?: Effect;
  /** The tool builds its answer from several requests; its own keys beside the list are meant to be read. */
  fanOut?: object | undefined;
  /** It makes its own reads, and its keys beside the list are meant to be read, too. */
  lookup?: unknown;
  input: { shape: object };
}

/** A record whose lists all have fewer entries than this is never too long. */
const FEW = 12;
/** For one item that is too long by itself: alone on its page it is shown whole. */
const wholeItem = 'per_page: 1, its page and detail: "full" for the whole';
const wholeAnswer = 'detail: "full" for all of them';

/**
 * `remedy`, which leads to the whole record, where that would not be cut too. Never for a write: a second call would
 * carry it out a second time.
 */
function unlessTooLong(remedy: string, { effect }: Answering, whole: unknown, wholeTokens: number): string | null {
  if (effect !== undefined && changesAccount(effect)) return null;
  return estimateTokens(whole) > wholeTokens ? null : remedy;
}

const smallerCall = 'fewer at a time';
const narrowerCall = 'narrower arguments';
/** `per_page` of a lookup is at most this. */
const largestPage = 100;

/** `record` is the unwrapped, cleaned body (for lists `{ <result>, meta }`). */
export function resultFieldsOf(
  tool: Answering,
  record: JsonRecord,
  { detail, maxTokens, wholeTokens = Number.POSITIVE_INFINITY, args = {} }: ResultOptions,
): ResultFields {
  const form = detail === 'full' ? null : formOf(tool, detail);
  if (tool.list) return listAnswer(tool, record, form, { maxTokens, wholeTokens, args });
  if (form === null) {
    const { kept, note } = shorten(JSON.stringify(record), wholeTokens, () => null);
    return { fields: field(tool.result, kept), note };
  }
  const short = formJson(form, record);
  const remedy = () => (tool.detail ? unlessTooLong(wholeAnswer, tool, record, wholeTokens) : null);
  const { kept, note } = shorten(short, maxTokens, remedy);
  return { fields: [field(tool.result, kept), ...moreField(form, [record])].join(','), note };
}

/** What the form leaves out, said once for all records. */
function moreField(form: Form, records: readonly unknown[]): string[] {
  const names = leftOut(form, records);
  return names.length === 0 ? [] : [field('more', JSON.stringify(names))];
}

/** `form` is null for the whole body. */
function listAnswer(
  tool: Answering,
  record: JsonRecord,
  form: Form | null,
  { maxTokens, wholeTokens, args }: { maxTokens: number; wholeTokens: number; args: JsonRecord },
): ResultFields {
  // The summary is ours; a field `summary` of the body must not replace it.
  const { [tool.result]: found, meta, summary: _, for_summary: __, for_page: ___, ...others } = record;
  const all = Array.isArray(found) ? found : [];
  const items = all.map(item => (form ? formJson(form, item) : JSON.stringify(item)));
  const paged = 'per_page' in tool.input.shape;
  const fitted = fitList<string>(items, paged || form ? maxTokens : wholeTokens, tool.result);
  const kept = fitted.items.length;
  const rest: string[] = [];
  if (meta !== undefined && (!form || hasPages(meta)))
    rest.push(field('meta', form ? pageJson(meta) : JSON.stringify(meta)));
  const ownKeys = tool.fanOut !== undefined || tool.lookup !== undefined;
  const next = tool.lookup && paged && kept < items.length ? nextPage(kept, args) : null;
  if (!form || ownKeys) {
    const hidden = new Set(form?.more.map(([name]) => name));
    const own = next === null ? others : { ...others, ...shownOf(others.shown, kept), ...next };
    for (const key of Object.keys(own)) if (!hidden.has(key)) rest.push(field(key, JSON.stringify(own[key])));
  }
  if (form) rest.push(...moreField(form, ownKeys ? [...all, others] : all));
  const [lone] = fitted.items;
  const alone = kept === 1 && lone !== undefined;
  // Lists of lookups have no `detail`.
  const remedy = () => (tool.lookup || !form ? null : unlessTooLong(wholeItem, tool, all[0], wholeTokens));
  const most = form ? maxTokens : wholeTokens;
  const { kept: short, note: cut } = alone ? shorten(lone, most, remedy) : { kept: null, note: null };
  const whole = tool.detail ? unlessTooLong(wholeAnswer, tool, all, wholeTokens) : smallerCall;
  const elsewhere = form ? whole : null;
  const missing = fitted.note === null ? null : missingNote(tool, items.length, kept, next, fitted.note, elsewhere);
  const shown = short === null ? fitted.items : [short];
  return {
    fields: [field(tool.result, `[${shown.join(',')}]`), ...rest].join(','),
    note: cut !== null && missing !== null ? `${cut} ${missing}` : (cut ?? missing),
  };
}

/** The page to go on with after the first `kept` records of a page, so that none is passed over. */
interface NextPage {
  next_page: number;
  per_page: number;
}

function nextPage(kept: number, { page, per_page, all }: JsonRecord): NextPage {
  const before = all === true ? 0 : ((asInteger(page) ?? 1) - 1) * (asInteger(per_page) ?? defaultPageSize);
  const size = Math.min(kept, largestPage);
  return { next_page: Math.floor((before + kept) / size) + 1, per_page: size };
}

/** `20 of 134` with the number that is really shown. */
function shownOf(shown: unknown, kept: number): JsonRecord {
  return { shown: asText(shown)?.replace(/^\d+/, String(kept)) };
}

function missingNote(
  tool: Answering,
  all: number,
  kept: number,
  next: NextPage | null,
  usual: string,
  remedy: string | null,
): string {
  const missing = all - kept;
  if (next !== null)
    return `${missing} of these ${all} ${tool.result.replaceAll('_', ' ')} are left out to keep this short; go on with page: ${next.next_page}, per_page: ${next.per_page}.`;
  if ('per_page' in tool.input.shape) return usual;
  if (tool.lookup) return leftOutNote(missing, all, 'rows', narrowerCall);
  return leftOutNote(missing, all, tool.result, remedy);
}

const pages: Form = formOf({ brief: 'current_page next_page|null total_pages total_count' });

/** One page that holds everything needs no numbers. */
function hasPages(meta: unknown): boolean {
  return isRecord(meta) && (Number(meta.total_pages ?? 2) > 1 || Number(meta.current_page ?? 1) > 1);
}

function pageJson(meta: unknown): string {
  return formJson(pages, meta);
}

interface LongList {
  /** `['charges']`, or `['plan', 'charges']` in a nested record. */
  path: readonly string[];
  /** The last of them. */
  name: string;
  list: unknown[];
}

/** Cuts a record's longest lists until it fits. `remedy` says how to get what was left out; null where there is no way. */
function shorten(json: string, maxTokens: number, remedy: () => string | null): { kept: string; note: string | null } {
  let spent = estimateTokens(json);
  if (spent <= maxTokens) return { kept: json, note: null };
  const record = JSON.parse(json) as unknown;
  const lists = isRecord(record) ? longLists(record) : [];
  if (lists.length === 0) return { kept: json, note: null };
  let kept = record as JsonRecord;
  const notes: string[] = [];
  const sized = lists.map(long => ({ ...long, tokens: estimateTokens(long.list) })).sort((a, b) => b.tokens - a.tokens);
  for (const { path, name, list, tokens } of sized) {
    if (spent <= maxTokens) break;
    const fitted = fitList(list, Math.max(0, maxTokens - (spent - tokens)));
    kept = withList(kept, path, fitted.items);
    spent -= tokens - estimateTokens(fitted.items);
    if (fitted.leftOut > 0) notes.push(leftOutNote(fitted.leftOut, list.length, name, remedy()));
  }
  return { kept: JSON.stringify(kept), note: notes.length === 0 ? null : notes.join(' ') };
}

function longLists(record: JsonRecord, above: readonly string[] = []): LongList[] {
  const found: LongList[] = [];
  for (const key in record) {
    const value = record[key];
    if (Array.isArray(value)) {
      if (value.length > FEW) found.push({ path: [...above, key], name: key, list: value });
    } else if (above.length === 0 && isRecord(value)) found.push(...longLists(value, [key]));
  }
  return found;
}

function withList(record: JsonRecord, [key = '', ...rest]: readonly string[], items: readonly unknown[]): JsonRecord {
  return { ...record, [key]: rest.length === 0 ? items : withList(record[key] as JsonRecord, rest, items) };
}

function leftOutNote(leftOut: number, all: number, what: string, remedy: string | null): string {
  const how = remedy === null ? '' : `; call again with ${remedy}`;
  return `${leftOut} of ${all} ${what.replaceAll('_', ' ')} are left out to keep this short${how}.`;
}
