/** Lists of the billing API, page by page (docs/lookups.md §0): what was read, of how many, and how to go on. */
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Get, Reads } from '../../src/tool/define.ts';
import type { ToolError } from '../../src/tool/failure.ts';
import { defaultPageSize } from '../../src/words/paging.ts';
import { asInteger, asRecord, asRecords, asText, count, quantity } from '../../src/words/summary.ts';

export interface PageArgs {
  page?: number | undefined;
  per_page?: number | undefined;
  /** Walk the pages, from the first one. */
  all?: boolean | undefined;
}

export interface Rows {
  ok: true;
  /** Each record once. */
  rows: JsonRecord[];
  /** How many records the filters match; null where the service does not say, or its rows contradict what it says. */
  total: number | null;
  /** The page to go on with; null after the last one. */
  nextPage: number | null;
  /** The total may be up to 30 minutes old (docs/lookups.md §0), and is told as "about". */
  about?: boolean;
  /** `all` was asked for, and the walk ended before the last page. */
  stopped: boolean;
  /** Why the rows may not be what was asked for: the list moved, pages have no effect, or the service counts otherwise. */
  remark?: string | null;
}

/** Lists whose `total_count` the service keeps, on pages that are not the last (docs/lookups.md §0). */
const keptTotals: ReadonlySet<string> = new Set(['invoices', 'fees']);

/** Of one walk through all pages. */
const mostRecords = 1000;
const mostRequests = 10;
/** Reads of a call that a walk leaves to what is read after it. */
const readsKept = 4;
/** Of each request of such a walk. */
const walkPageSize = 100;

/**
 * One page, or with `all` the pages from the first one, up to 1,000 records or 10 requests. No record that is wanted follows
 * a row that is `last`: the walk ends there, and nothing is known of the total. Fails as a whole.
 */
export async function readRows(
  reads: Reads,
  path: `/${string}`,
  { key, path: values, query }: Get,
  { page = 1, per_page = defaultPageSize, all = false }: PageArgs,
  last: (row: JsonRecord) => boolean = () => false,
): Promise<Rows | { ok: false; error: ToolError }> {
  const walk: Walk = { rows: [], seen: new Set(), repeats: 0, same: null, counted: [] };
  const { rows } = walk;
  const size = all ? walkPageSize : per_page;
  for (let at = all ? 1 : page, requests = 1; ; at += 1, requests += 1) {
    const answer = await reads.get(path, { key, path: values ?? {}, query: { ...query, page: at, per_page: size } });
    if (!answer.ok) return answer;
    const found = asRecords(answer.body[key]);
    const fresh = addOnce(walk, found, at);
    if (fresh.some(last))
      return { ok: true, rows, total: null, nextPage: null, stopped: false, remark: remarkOn(walk) };
    const meta = asRecord(answer.body.meta);
    const next = found.length === 0 ? null : asInteger(meta.next_page);
    const other = found.length === 0 ? null : otherPage(meta, at);
    const before = all ? 0 : ((other ?? page) - 1) * size;
    // Lists without `meta` come whole.
    const counted = answer.body.meta === undefined ? rows.length : asInteger(meta.total_count);
    const fits = counted !== null && isPossible(counted, before + rows.length, { whole: next === null, at: before });
    walk.counted.push(fits ? counted : null);
    const may = requests < mostRequests && rows.length < mostRecords && (reads.left?.() ?? mostRequests) > readsKept;
    if (all && next !== null && walk.same === null && other === null && may) continue;
    return {
      ok: true,
      rows,
      total: fits ? counted : null,
      nextPage: walk.same === null && other === null ? next : null,
      about: fits && next !== null && keptTotals.has(key),
      stopped: all && next !== null,
      remark: remarkOn(walk, { key, other, at, counts: counted !== null && !fits ? counted : null }),
    };
  }
}

/** What was read so far. */
interface Walk {
  rows: JsonRecord[];
  seen: Set<string>;
  /** Rows that came again. */
  repeats: number;
  /** The page that held nothing but records of the pages before it. */
  same: number | null;
  /** What the service counted on each page; null where its rows contradict it. */
  counted: (number | null)[];
}

/** What tells a record from others: its id; of a period of usage, which has none, its dates and invoice. */
function identityOf({ svc_id, from_datetime, to_datetime, svc_invoice_id = null }: JsonRecord): string | null {
  const dates = [from_datetime, to_datetime].map(asText);
  return asText(svc_id) ?? (dates.includes(null) ? null : JSON.stringify([...dates, svc_invoice_id]));
}

/** The records that are new. Those without an id cannot be told apart, and all count. */
function addOnce(walk: Walk, found: readonly JsonRecord[], page: number): JsonRecord[] {
  const known = walk.rows.length;
  const fresh = found.filter(row => {
    const id = identityOf(row);
    if (id === null) return true;
    const isNew = !walk.seen.has(id);
    walk.seen.add(id);
    return isNew;
  });
  walk.rows.push(...fresh);
  if (known > 0 && found.length > 0 && fresh.length === 0) walk.same = page;
  else walk.repeats += found.length - fresh.length;
  return fresh;
}

/** The page that was answered in place of the one that was asked for; null where it is that one, or not told. */
function otherPage({ current_page }: JsonRecord, asked: number): number | null {
  const page = asInteger(current_page);
  return page === null || page < 1 || page === asked ? null : page;
}

/** Can there be so many records, where these were read, up to the last one or not? `at` is where the page begins. */
function isPossible(counted: number, read: number, { whole, at }: { whole: boolean; at: number }): boolean {
  if (!whole) return counted > read;
  // A page beyond the last one is empty.
  return read > at || at === 0 ? counted === read : counted >= 0 && counted <= at;
}

function remarkOn(
  { repeats, same, counted }: Walk,
  told: { key: string; other: number | null; at: number; counts: number | null } | null = null,
): string | null {
  const [first = null] = counted;
  const end = counted.at(-1) ?? null;
  const recounted = first !== null && end !== null && first !== end && !keptTotals.has(told?.key ?? '');
  const twice =
    repeats === 0 ? '' : `: ${count(repeats, 'record')} came twice and ${repeats === 1 ? 'is' : 'are'} counted once`;
  const parts = [
    counted.length < 2 && repeats > 0 && twice.slice(2),
    counted.length > 1 && (repeats > 0 || recounted) && `the list changed while it was read${twice}`,
    same !== null && `page ${same} held the same records again, so that what follows could not be read`,
    same === null && told?.other != null && `the service answered page ${told.other} in place of page ${told.at}`,
    told?.counts != null && `the service counts ${quantity(told.counts)}`,
  ].filter(part => typeof part === 'string');
  return parts.length === 0 ? null : parts.join('; ');
}

/** A page of what was chosen here; with `all` all of it. */
export function pageOf(
  matching: readonly JsonRecord[],
  { page = 1, per_page = defaultPageSize, all = false }: PageArgs,
): Rows {
  const rows = all ? [...matching] : matching.slice((page - 1) * per_page, page * per_page);
  const nextPage = all || page * per_page >= matching.length ? null : page + 1;
  return { ok: true, rows, total: matching.length, nextPage, stopped: false };
}

/** ` (the service counts 3)`, to stand behind a number of rows; empty where there is nothing to remark. */
export function remarked({ remark = null }: Pick<Rows, 'remark'>): string {
  return remark === null ? '' : ` (${remark})`;
}

/** The note, with sums over what was read: `3 invoices: $412.00 in all`, or `134 invoices match; … These 20: $412.00 in all`. */
export function withMoney(found: Rows, note: string | null, money: string | null): string | null {
  if (note === null || money === null) return note;
  const { rows } = found;
  return `${note}${isWhole(found) ? ': ' : rows.length === 1 ? '. This one: ' : `. These ${quantity(rows.length)}: `}${money}`;
}

/** Are these all records that the filters match, as far as can be told? */
export function isWhole({ rows, nextPage, total, stopped, remark = null }: Rows): boolean {
  return nextPage === null && !stopped && remark === null && rows.length >= (total ?? rows.length);
}

/**
 * What a list answers beside its rows: `shown: "20 of 134"`, and `next_page` where there is one, with `per_page` after a
 * walk through all pages. `kept` is the number of rows that are shown where the tool itself left some out.
 */
export function shownFields({ rows, total, nextPage, about, stopped }: Rows, kept = rows.length): JsonRecord {
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
export function shownNote(found: Rows, one: string, many = `${one}s`): string | null {
  const { rows, total, nextPage, about, stopped } = found;
  const said = remarked(found);
  if (rows.length === 0 && (total ?? 0) === 0 && said === '') return null;
  const all = total ?? rows.length;
  if (nextPage === null && !stopped && rows.length >= all) return `${count(all, one, many)}${said}`;
  const matching =
    total === null ? `More ${many} match than were read` : `${about ? 'about ' : ''}${count(all, one, many)} match`;
  if (stopped)
    return `${matching}; only the first ${count(rows.length, 'record')} were read${said}: narrow the filters${nextPage === null ? '' : ', or go on page by page'}`;
  if (rows.length === 0) return `${matching}, but none on this page${said}`;
  const end = said === '' ? ', the last' : '';
  return `${matching}; ${rows.length} on this page${nextPage === null ? end : `, page: ${nextPage} has more`}${said}`;
}

/** The list of a customer where one is given, so that an unknown id is an error; else that of the account. */
export function listPath(
  plural: string,
  external_customer_id: string | undefined,
): { path: `/${string}`; values: Record<string, string> } {
  return external_customer_id === undefined
    ? { path: `/${plural}`, values: {} }
    : { path: `/customers/{external_customer_id}/${plural}`, values: { external_customer_id } };
}
