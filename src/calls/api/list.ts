/**
 * Lists of the billing API, page by page (docs/lookups.md §0), and filters that the service may not know, or reads otherwise:
 * its rows tell (src/contract/list-filters.ts).
 */
import type { ListKey, ListPage, RowOf, Usage } from '../../contract/answers.ts';
import { unmetFilters } from '../../contract/filter-match.ts';
import { listFilters } from '../../contract/list-filters.ts';
import type { ActivityLog } from '../../contract/shown.ts';
import {
  type Api,
  type Get,
  isWhole,
  type ListGet,
  type ListPageArgs,
  type ListWalk,
  type NoAnswer,
  type Rows,
  walkFrom,
  walkPageSize,
} from '../../definition/api.ts';
import { isGiven } from '../../lib/json.ts';
import { defaultPageSize } from '../../words/paging.ts';
import { count, listed, quantity } from '../../words/summary.ts';

/** Lists whose `total_count` the service keeps, on pages that are not the last (docs/lookups.md §0). */
const keptTotals: ReadonlySet<string> = new Set(['invoices', 'fees']);

const usuallyKept = 4;

/** What the rows of a list come from. */
type Source = Pick<Api, 'get' | 'left'>;

/** As `walkRows`, without rows that do not meet the filters of the query, which an older installation ignores. */
export async function listRows<Key extends ListKey>(
  source: Source,
  path: `/${string}`,
  get: ListGet<Key>,
  pages: ListPageArgs,
  isLast?: (row: RowOf<Key>) => boolean,
): Promise<Rows<RowOf<Key>> | NoAnswer> {
  const { key, query = {} } = get;
  const list = await walkRows(source, path, { ...get, query: sentFilters(key, query) }, pages, isLast);
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
  source: Source,
  path: `/${string}`,
  { key, path: values, query }: ListGet<Key>,
  { page = 1, per_page = defaultPageSize, all = false, readsKept = usuallyKept }: ListPageArgs,
  isLast: (row: RowOf<Key>) => boolean = () => false,
): Promise<Rows<RowOf<Key>> | NoAnswer> {
  const walk: Walk<RowOf<Key>> = { rows: [], seen: new Set(), repeats: 0, repeatedPage: null, counted: [] };
  const { rows } = walk;
  const size = all ? walkPageSize : per_page;
  const way = all === true ? walkFrom(1) : all || walkFrom(page, 1);
  const readPage = (at: number) =>
    source.get(path, { key, path: values ?? {}, query: { ...query, page: at, per_page: size } });
  const start = await startOf(way, async at => {
    const answer = await readPage(at);
    return answer.ok ? (answer.body[key] ?? []) : null;
  });
  for (let requestedPage = start.page, requests = 1; ; requestedPage += 1, requests += 1) {
    const answer = await readPage(requestedPage);
    if (!answer.ok) return answer;
    const whole = (answer.body[key] ?? []) as readonly RowOf<Key>[];
    const pageRows = requestedPage === start.page ? whole.slice(start.skip) : whole;
    const lastRow = whole.at(-1);
    way.last = (lastRow && identityOf(lastRow)) ?? way.last;
    const fresh = addOnce(walk, pageRows, requestedPage);
    if (fresh.some(isLast))
      return { ok: true, rows, total: null, nextPage: null, stopped: false, remark: remarkOn(walk) };
    const meta: ListPage = answer.body.meta ?? {};
    const next = whole.length === 0 ? null : (meta.next_page ?? null);
    const { current_page: shownPage } = meta;
    // The list page that the service answered instead of the requested one.
    const isOther = whole.length > 0 && isGiven(shownPage) && shownPage >= 1 && shownPage !== requestedPage;
    const answeredPage = isOther ? shownPage : null;
    const before = ((all ? start.page : (answeredPage ?? page)) - 1) * size + start.skip;
    // Lists without `meta` come whole.
    const counted = answer.body.meta === undefined ? rows.length : (meta.total_count ?? null);
    const isPlausible =
      counted !== null && isPossible(counted, before + rows.length, { whole: next === null, at: before });
    walk.counted.push(isPlausible ? counted : null);
    const mayGoOn = requests < way.pages && rows.length < way.pages * size && source.left() > readsKept;
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
      way.moved = `${count(by, 'record')} arrived after the previous part was read and ${by === 1 ? 'is' : 'are'} in no part`;
    if (by < 0) way.moved = `${count(-by, 'record')} of earlier parts left the list since then; no row is missing here`;
    return skip === walkPageSize ? { page: page + 1, skip: 0 } : { page, skip };
  }
  way.moved = 'the list changed so much since the previous part that rows may be missing or repeated: read it again';
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

type Identity = Pick<Usage, 'from_datetime' | 'to_datetime' | 'svc_invoice_id'> &
  Pick<ActivityLog, 'activity_id'> & { readonly svc_id?: string | null | undefined };

/** What identifies a record: its id. A period of usage has none: its dates and its invoice identify it. */
function identityOf(row: object): string | null {
  const { svc_id, activity_id, from_datetime: from, to_datetime: to, svc_invoice_id = null } = row as Identity;
  return svc_id || activity_id || (from && to ? JSON.stringify([from, to, svc_invoice_id]) : null);
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
    repeats === 0
      ? ''
      : `: ${count(repeats, 'record')} appeared twice and ${repeats === 1 ? 'is' : 'are'} counted once`;
  const parts = [
    counted.length < 2 && repeats > 0 && twice.slice(2),
    counted.length > 1 && (repeats > 0 || recounted) && `the list changed during the read${twice}`,
    repeatedPage !== null && `page ${repeatedPage} had the same records again, so the rest could not be read`,
    repeatedPage === null &&
      lastAnswer?.answeredPage != null &&
      `the service returned page ${lastAnswer.answeredPage} instead of page ${lastAnswer.requestedPage}`,
    lastAnswer?.otherCount != null && `the service counts ${quantity(lastAnswer.otherCount)}`,
  ].filter(part => typeof part === 'string');
  return parts.length === 0 ? null : parts.join('; ');
}

type Query = NonNullable<Get['query']>;

/**
 * The query as it is sent: without a false that the service would read as true, and each value of a list once, since some
 * lists refuse a code that is repeated.
 */
function sentFilters(key: ListKey, query: Query): Query {
  const unsent = unsentFilters(key, query);
  const sent = Object.entries(query).map(([name, value]) => {
    if (unsent.includes(name)) return [name, undefined];
    return [name, Array.isArray(value) ? [...new Set(value)] : value];
  });
  return Object.fromEntries(sent);
}

function unsentFilters(key: ListKey, query: Query): string[] {
  const filters = listFilters[key] ?? {};
  return Object.keys(filters).filter(name => filters[name]?.onlyTrue && query[name] === false);
}

/**
 * The rows that meet the filters, and what is to be said where others came that the service should have left out;
 * null where the list is as the service answered it.
 */
function rowsMeeting<Row extends object>(
  rows: readonly Row[],
  key: ListKey,
  query: Query,
): { rows: Row[]; unfiltered?: string } | null {
  const unsent = unsentFilters(key, query);
  const unmet = rows.map(row => unmetFilters(listFilters[key] ?? {}, query, row));
  const meeting = rows.filter((_, index) => unmet[index]?.length === 0);
  if (meeting.length === rows.length && unsent.length === 0) return null;
  const ignored = [...new Set(unmet.flat())].filter(name => !unsent.includes(name));
  if (ignored.length === 0) return { rows: meeting };
  const others = count(rows.length - meeting.length, 'other record is', 'other records are');
  return {
    rows: meeting,
    unfiltered: `this installation may not support the filter ${listed(ignored)}: ${others} left out`,
  };
}
