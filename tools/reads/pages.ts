/** Lists of the billing API, page by page (docs/lookups.md §0): what was read, of how many, and how to go on. */

import type { ListKey, ListPage, RowOf } from '../../src/contract/answers.ts';
import type { Fields } from '../../src/contract/shown.ts';
import { isGiven } from '../../src/lib/json.ts';
import type { ToolError } from '../../src/tool/failure.ts';
import type { Get, ListWalk, Reads } from '../../src/tool/reads.ts';
import { defaultPageSize } from '../../src/words/paging.ts';
import { asInteger, asRecord, asRecords, asText, count, firstOf, quantity, say } from '../../src/words/summary.ts';
import { rowsMeeting, sentFilters } from './filters-met.ts';

export interface ListPageArgs {
  page?: number | undefined;
  per_page?: number | undefined;
  /** Read all list pages, from the first one on; or as this walk says. */
  all?: boolean | ListWalk | undefined;
  /** A walk with `all` stops early enough to leave the call so many reads for what follows; 4 unless told. */
  readsKept?: number;
}

export interface Rows<Row = object> {
  ok: true;
  /** Each record once. */
  rows: Row[];
  /** How many records the filters match; null where the service does not say, or its rows contradict what it says. */
  total: number | null;
  /** The next list page; null after the last one. */
  nextPage: number | null;
  /** The total may be up to 30 minutes old (docs/lookups.md §0), and is told as "about". */
  about?: boolean;
  /** `all` was asked for, and the walk ended before the last page. */
  stopped: boolean;
  /** Why rows may be missing or wrong: the list changed, the service ignores `page` or a filter, or it counts otherwise. */
  remark?: string | null;
  /** Of the remark, what it says of filters. */
  unfiltered?: string;
}

/** The GET of a list. */
export type ListGet<Key extends ListKey> = Get & { key: Key };

/** Lists whose `total_count` the service keeps, on pages that are not the last (docs/lookups.md §0). */
const keptTotals: ReadonlySet<string> = new Set(['invoices', 'fees']);

/** A walk through all list pages that nobody says more of: up to 1,000 records. */
const usualPages = 10;
const usuallyKept = 4;
/** Rows in each request of a walk. */
export const walkPageSize = 100;

/** A walk from this list page on; `after`: behind the row that a walk before it read last. */
export function walkFrom(from: number, pages = usualPages, after?: string): ListWalk {
  return { from, pages, next: null, ...(after !== undefined && { after }) };
}

/** Do the rows leave as a file? Then no answer holds them. */
export function leavesAsFile({ all }: ListPageArgs): boolean {
  return typeof all === 'object';
}

/** As `walkRows`, without rows that do not meet the filters of the query, which an older installation ignores. */
export async function readRows<Key extends ListKey>(
  reads: Reads,
  path: `/${string}`,
  get: ListGet<Key>,
  pages: ListPageArgs,
  isLast?: (row: RowOf<Key>) => boolean,
): Promise<Rows<RowOf<Key>> | { ok: false; error: ToolError }> {
  const { key, query = {} } = get;
  const list = await walkRows(reads, path, { ...get, query: sentFilters(key, query) }, pages, isLast);
  const meeting = list.ok ? rowsMeeting(list.rows, key, query) : null;
  if (!list.ok || meeting === null) return list;
  // How many there are is known only where all were read.
  const known = { ...list, ...meeting, total: isWhole(list) ? meeting.rows.length : null, about: false };
  return { ...known, remark: [list.remark, meeting.unfiltered].filter(isGiven).join('; ') || null };
}

/**
 * Reads one list page, or with `all` the pages of a walk, usually the first 10, up to 1,000 records. A row that
 * `isLast` ends the walk, because no wanted record follows it; the total is then unknown. If one request fails, there
 * are no rows at all.
 */
async function walkRows<Key extends ListKey>(
  reads: Reads,
  path: `/${string}`,
  { key, path: values, query }: ListGet<Key>,
  { page = 1, per_page = defaultPageSize, all = false, readsKept = usuallyKept }: ListPageArgs,
  isLast: (row: RowOf<Key>) => boolean = () => false,
): Promise<Rows<RowOf<Key>> | { ok: false; error: ToolError }> {
  const walk: Walk<RowOf<Key>> = { rows: [], seen: new Set(), repeats: 0, repeatedPage: null, counted: [] };
  const { rows } = walk;
  const size = all ? walkPageSize : per_page;
  const way = all === true ? walkFrom(1) : all || walkFrom(page, 1);
  const readPage = (at: number) =>
    reads.get(path, { key, path: values ?? {}, query: { ...query, page: at, per_page: size } });
  const start = await startOf(way, async at => {
    const answer = await readPage(at);
    return answer.ok ? asRecords(answer.body[key]) : null;
  });
  for (let requestedPage = start.page, requests = 1; ; requestedPage += 1, requests += 1) {
    const answer = await readPage(requestedPage);
    if (!answer.ok) return answer;
    const whole = asRecords(answer.body[key]) as RowOf<Key>[];
    const pageRows = requestedPage === start.page ? whole.slice(start.skip) : whole;
    const lastRow = whole.at(-1);
    way.last = (lastRow && identityOf(lastRow)) ?? way.last;
    const fresh = addOnce(walk, pageRows, requestedPage);
    if (fresh.some(isLast))
      return { ok: true, rows, total: null, nextPage: null, stopped: false, remark: remarkOn(walk) };
    const meta = asRecord(answer.body.meta);
    const next = whole.length === 0 ? null : asInteger(meta.next_page);
    const answeredPage = whole.length === 0 ? null : otherPage(meta, requestedPage);
    const before = ((all ? start.page : (answeredPage ?? page)) - 1) * size + start.skip;
    // Lists without `meta` come whole.
    const counted = answer.body.meta === undefined ? rows.length : asInteger(meta.total_count);
    const isPlausible =
      counted !== null && isPossible(counted, before + rows.length, { whole: next === null, at: before });
    walk.counted.push(isPlausible ? counted : null);
    const mayGoOn = requests < way.pages && rows.length < way.pages * size && (reads.left?.() ?? way.pages) > readsKept;
    const follows = walk.repeatedPage === null && answeredPage === null ? next : null;
    if (all && follows !== null && mayGoOn) continue;
    way.next = follows;
    return {
      ok: true,
      rows,
      total: isPlausible ? counted : null,
      nextPage: follows,
      about: isPlausible && next !== null && keptTotals.has(key),
      stopped: all && next !== null,
      remark: remarkOn(walk, {
        key,
        requestedPage,
        answeredPage,
        otherCount: counted !== null && !isPlausible ? counted : null,
      }),
    };
  }
}

/** How many pages around its own are searched for the row that a walk continues from. */
const mostSearched = 6;

/**
 * Where a walk begins: behind the row that the walk before it read last. Records that came in or went since have moved that
 * row to another place.
 */
async function startOf(way: ListWalk, rowsOf: (page: number) => Promise<readonly object[] | null>) {
  const plain = { page: way.from, skip: 0 };
  if (way.after === undefined) return plain;
  const pages = [way.from - 1, way.from, way.from - 2, way.from + 1, way.from - 3, way.from + 2].filter(at => at >= 1);
  for (const page of pages.slice(0, mostSearched)) {
    const rows = await rowsOf(page);
    if (rows === null) return plain;
    const skip = rows.findIndex(row => identityOf(row) === way.after) + 1;
    if (skip === 0) continue;
    const by = (page - way.from) * walkPageSize + skip;
    if (by > 0)
      way.moved = `${count(by, 'record')} came in since the part before was read, and ${by === 1 ? 'is' : 'are'} in no part`;
    if (by < 0) way.moved = `${count(-by, 'record')} of earlier parts left the list since; no row is missing here`;
    return skip === walkPageSize ? { page: page + 1, skip: 0 } : { page, skip };
  }
  way.moved =
    'the list moved so far since the part before was read that rows may be missing or come twice: read it anew';
  return plain;
}

/** What was read so far. */
interface Walk<Row> {
  rows: Row[];
  seen: Set<string>;
  /** Rows that came again. */
  repeats: number;
  /** The page that held nothing but records of the pages before it. */
  repeatedPage: number | null;
  /** What the service counted on each page; null where its rows contradict it. */
  counted: (number | null)[];
}

type Identity = Fields<'svc_id' | 'activity_id' | 'from_datetime' | 'to_datetime' | 'svc_invoice_id'>;

/** What identifies a record: its id. A period of usage has none: its dates and its invoice identify it. */
function identityOf(row: object): string | null {
  const { svc_id, activity_id, from_datetime, to_datetime, svc_invoice_id = null } = row as Identity;
  const dates = [from_datetime, to_datetime].map(asText);
  return (
    asText(svc_id) ?? asText(activity_id) ?? (dates.includes(null) ? null : JSON.stringify([...dates, svc_invoice_id]))
  );
}

/** Adds the rows that are new, and returns them. Rows without an id cannot be compared, and count as new. */
function addOnce<Row extends object>(walk: Walk<Row>, pageRows: readonly Row[], page: number): Row[] {
  const countBefore = walk.rows.length;
  const fresh = pageRows.filter(row => {
    const id = identityOf(row);
    if (id === null) return true;
    const isNew = !walk.seen.has(id);
    walk.seen.add(id);
    return isNew;
  });
  walk.rows.push(...fresh);
  if (countBefore > 0 && pageRows.length > 0 && fresh.length === 0) walk.repeatedPage = page;
  else walk.repeats += pageRows.length - fresh.length;
  return fresh;
}

/** The list page that the service answered in place of the requested one; null if it is that one, or not named. */
function otherPage({ current_page }: ListPage, requestedPage: number): number | null {
  const page = asInteger(current_page);
  return page === null || page < 1 || page === requestedPage ? null : page;
}

/**
 * Does the service's count agree with the rows read, to the end of the list or not? `at`: the rows before this page.
 */
function isPossible(counted: number, read: number, { whole, at }: { whole: boolean; at: number }): boolean {
  if (!whole) return counted > read;
  // A page beyond the last one is empty.
  return read > at || at === 0 ? counted === read : counted >= 0 && counted <= at;
}

function remarkOn(
  { repeats, repeatedPage, counted }: Walk<unknown>,
  lastAnswer: {
    key: string;
    requestedPage: number;
    answeredPage: number | null;
    otherCount: number | null;
  } | null = null,
): string | null {
  const [first = null] = counted;
  const end = counted.at(-1) ?? null;
  const recounted = first !== null && end !== null && first !== end && !keptTotals.has(lastAnswer?.key ?? '');
  const twice =
    repeats === 0 ? '' : `: ${count(repeats, 'record')} came twice and ${repeats === 1 ? 'is' : 'are'} counted once`;
  const parts = [
    counted.length < 2 && repeats > 0 && twice.slice(2),
    counted.length > 1 && (repeats > 0 || recounted) && `the list changed while it was read${twice}`,
    repeatedPage !== null && `page ${repeatedPage} held the same records again, so that what follows could not be read`,
    repeatedPage === null &&
      lastAnswer?.answeredPage != null &&
      `the service answered page ${lastAnswer.answeredPage} in place of page ${lastAnswer.requestedPage}`,
    lastAnswer?.otherCount != null && `the service counts ${quantity(lastAnswer.otherCount)}`,
  ].filter(part => typeof part === 'string');
  return parts.length === 0 ? null : parts.join('; ');
}

/** One page of the rows that the tool itself chose; with `all`, all of them. */
export function listPageOf<Row>(
  matching: readonly Row[],
  { page = 1, per_page = defaultPageSize, all = false }: ListPageArgs,
): Rows<Row> {
  const rows = all ? [...matching] : matching.slice((page - 1) * per_page, page * per_page);
  const nextPage = all || page * per_page >= matching.length ? null : page + 1;
  return { ok: true, rows, total: matching.length, nextPage, stopped: false };
}

/** ` (the service counts 3)`, to put behind a number of rows; empty without a remark. */
export function remarked({ remark = null }: Pick<Rows, 'remark'>): string {
  return remark === null ? '' : ` (${remark})`;
}

/** The note, with sums over what was read: `3 invoices: $412.00 in all`, or `134 invoices match; … These 20: $412.00 in all`. */
export function withMoney(list: Rows, note: string | null, money: string | null): string | null {
  if (note === null || money === null) return note;
  const { rows } = list;
  return `${note}${isWhole(list) ? ': ' : rows.length === 1 ? '. This one: ' : `. These ${quantity(rows.length)}: `}${money}`;
}

/** Of a longer list, the rows alone tell each record. */
const mostTold = 10;

/** `Newest: …; …; and 4 more`, the first rows of a short list one by one; the only one alone; of a later page `On this page: …`. */
export function newestNote(lines: readonly string[], list: Pick<Rows, 'total'>, page = 1): string | null {
  if (lines.length > mostTold) return null;
  if (lines.length === 1 && list.total === 1) return lines[0] ?? null;
  return page === 1 ? say`Newest: ${firstOf(lines, list.total)}` : say`On this page: ${firstOf(lines)}`;
}

/** Are these all records that the filters match, as far as can be told? */
export function isWhole({ rows, nextPage, total, stopped, remark = null }: Rows): boolean {
  return nextPage === null && !stopped && remark === null && rows.length >= (total ?? rows.length);
}

interface ShownFields {
  readonly shown: string;
  readonly next_page?: number;
  readonly per_page?: number;
}

/**
 * What a list answers beside its rows: `shown: "20 of 134"`, and `next_page` where there is one, with `per_page` after a
 * walk through all pages. `kept` is the number of rows that are shown where the tool itself left some out.
 */
export function shownFields({ rows, total, nextPage, about, stopped }: Rows, kept = rows.length): ShownFields {
  return {
    shown: `${kept} of ${about ? 'about ' : ''}${total ?? 'an unknown number'}`,
    ...(nextPage !== null && { next_page: nextPage }),
    ...(nextPage !== null && stopped && { per_page: walkPageSize }),
  };
}

/**
 * `134 invoices match; 20 on this page, page: 2 has more`; for one page alone `3 invoices`; null for none. Does not say how
 * many are shown: a long page is cut later.
 */
export function shownNote(list: Rows, one: string, many = `${one}s`): string | null {
  const { rows, total, nextPage, about, stopped } = list;
  const remarkText = remarked(list);
  if (rows.length === 0 && (total ?? 0) === 0 && remarkText === '') return null;
  const all = total ?? rows.length;
  if (nextPage === null && !stopped && rows.length >= all) return `${count(all, one, many)}${remarkText}`;
  const matching =
    total === null ? `More ${many} match than were read` : `${about ? 'about ' : ''}${count(all, one, many)} match`;
  if (stopped)
    return `${matching}; only the first ${count(rows.length, 'record')} were read${remarkText}: narrow the filters${nextPage === null ? '' : ', or go on page by page'}`;
  if (rows.length === 0) return `${matching}, but none on this page${remarkText}`;
  const end = remarkText === '' ? ', the last' : '';
  return `${matching}; ${rows.length} on this page${nextPage === null ? end : `, page: ${nextPage} has more`}${remarkText}`;
}

/** Of a list that may hide what is not proved to be the bound customer's: the same whether or not something was hidden. */
export const ownRecordsOnly = 'Only records that name this customer are shown';

/** The path of a customer's list, which refuses an unknown id; without a customer, that of the account's list. */
export function listPath(
  plural: string,
  external_customer_id: string | undefined,
): { path: `/${string}`; values: Record<string, string> } {
  return external_customer_id === undefined
    ? { path: `/${plural}`, values: {} }
    : { path: `/customers/{external_customer_id}/${plural}`, values: { external_customer_id } };
}
