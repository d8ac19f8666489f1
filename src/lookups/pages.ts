/** Lists of the billing API, page by page (docs/lookups.md §0): what was read, of how many, and how to go on. */
import type { JsonRecord } from '../lib/json.ts';
import { defaultPageSize } from '../present/paging.ts';
import { asInteger, asRecord, asRecords, count, quantity } from '../present/summary.ts';
import type { Get, Reads } from '../tool/define.ts';
import type { ToolError } from '../tool/failure.ts';

export interface PageArgs {
  page?: number | undefined;
  per_page?: number | undefined;
  /** Walk the pages, from the first one. */
  all?: boolean | undefined;
}

export interface Rows {
  ok: true;
  rows: JsonRecord[];
  /** How many records the filters match; null where the service does not say. */
  total: number | null;
  /** The page to go on with; null after the last one. */
  nextPage: number | null;
  /** The total may be up to 30 minutes old (docs/lookups.md §0), and is told as "about". */
  about?: boolean;
  /** `all` was asked for, and the walk ended before the last page. */
  stopped: boolean;
}

/** Lists whose `total_count` the service keeps, on pages that are not the last (docs/lookups.md §0). */
const keptTotals: ReadonlySet<string> = new Set(['invoices', 'fees']);

/** Of one walk through all pages. */
const mostRecords = 1000;
export const mostRequests = 10;
/** Of each request of such a walk. */
export const walkPageSize = 100;

/** One page, or with `all` the pages from the first one, up to 1,000 records or 10 requests. Fails as a whole. */
export async function readRows(
  reads: Reads,
  path: `/${string}`,
  { key, path: values, query }: Get,
  { page = 1, per_page = defaultPageSize, all = false }: PageArgs,
): Promise<Rows | { ok: false; error: ToolError }> {
  const rows: JsonRecord[] = [];
  const size = all ? walkPageSize : per_page;
  for (let at = all ? 1 : page, requests = 1; ; at += 1, requests += 1) {
    const answer = await reads.get(path, { key, path: values ?? {}, query: { ...query, page: at, per_page: size } });
    if (!answer.ok) return answer;
    const found = asRecords(answer.body[key]);
    rows.push(...found);
    const meta = asRecord(answer.body.meta);
    const next = found.length === 0 ? null : asInteger(meta.next_page);
    const goesOn = all && next !== null && requests < mostRequests && rows.length < mostRecords;
    if (goesOn) continue;
    // Lists without `meta` come whole.
    const total = answer.body.meta === undefined ? rows.length : asInteger(meta.total_count);
    const about = total !== null && next !== null && keptTotals.has(key);
    return { ok: true, rows, total, nextPage: next, about, stopped: all && next !== null };
  }
}

/** The note, with sums over what was read: `3 invoices: $412.00 in all`, or `134 invoices match; … These 20: $412.00 in all`. */
export function withMoney({ rows, nextPage, total }: Rows, note: string | null, money: string | null): string | null {
  if (note === null || money === null) return note;
  const whole = nextPage === null && rows.length >= (total ?? rows.length);
  return `${note}${whole ? ': ' : rows.length === 1 ? '. This one: ' : `. These ${quantity(rows.length)}: `}${money}`;
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
export function shownNote(
  { rows, total, nextPage, about, stopped }: Rows,
  one: string,
  many = `${one}s`,
): string | null {
  if (rows.length === 0 && (total ?? 0) === 0) return null;
  const all = total ?? rows.length;
  if (nextPage === null && rows.length >= all) return count(all, one, many);
  const matching =
    total === null ? `More ${many} match than were read` : `${about ? 'about ' : ''}${count(all, one, many)} match`;
  if (stopped)
    return `${matching}; only the first ${count(rows.length, 'record')} were read: narrow the filters, or go on page by page`;
  if (rows.length === 0) return `${matching}, but none on this page`;
  return `${matching}; ${rows.length} on this page${nextPage === null ? ', the last' : `, page: ${nextPage} has more`}`;
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
