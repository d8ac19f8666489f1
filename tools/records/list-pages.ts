/** Lists of the billing API, page by page (docs/lookups.md §0): what was read, of how many, and how to go on. */

import type { ListKey, RowOf } from '../../src/contract/answers.ts';
import { type Api, type Get, isWhole, type ListPageArgs, type Rows, walkPageSize } from '../../src/definition/api.ts';
import { defaultPageSize } from '../../src/words/paging.ts';
import { count, firstOf, phrase, quantity, say } from '../../src/words/summary.ts';

/** One page of the rows that the tool itself chose; with `all`, all of them. */
export function listPageOf<Row>(
  matching: readonly Row[],
  { page = 1, per_page = defaultPageSize, all = false }: ListPageArgs,
): Rows<Row> {
  const rows = all ? [...matching] : matching.slice((page - 1) * per_page, page * per_page);
  const nextPage = all || page * per_page >= matching.length ? null : page + 1;
  return { ok: true, rows, total: matching.length, nextPage, stopped: false };
}

/** One page of the rows that the tool chose; without a total if the list was not read to its end. */
export function chosenPage<Row>(list: Rows, matching: readonly Row[], pages: ListPageArgs): Rows<Row> {
  return { ...listPageOf(matching, pages), ...(list.stopped && { total: null }) };
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

/**
 * What a list answers next to its rows: `shown: "20 of 134"`, and `next_page` where there is one, with `per_page` after a
 * walk through all pages. `kept` is the number of rows that are shown where the tool itself left some out.
 */
export function shownFields({ rows, total, nextPage, about, stopped }: Rows, kept = rows.length) {
  return {
    shown: phrase`${kept} of ${about ? 'about ' : null}${total ?? 'an unknown number'}`,
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
    total === null
      ? `More ${many} match than were read`
      : phrase`${about ? 'about ' : null}${count(all, one, many)} match`;
  if (stopped)
    return phrase`${matching}; only the first ${count(rows.length, 'record')} were read${remarkText}: narrow the filters${nextPage === null ? null : ', or continue page by page'}`;
  if (rows.length === 0) return `${matching}, but none on this page${remarkText}`;
  const end = remarkText === '' ? ', the last' : '';
  return `${matching}; ${rows.length} on this page${nextPage === null ? end : `, more on page ${nextPage}`}${remarkText}`;
}

/** Of a list that may hide what is not proved to be the bound customer's: the same whether or not something was hidden. */
export const ownRecordsOnly = 'Only records that name this customer are shown';

/** A list of the customer, or of the account. */
export function readList<Key extends ListKey>(
  api: Api,
  key: Key,
  external_customer_id: string | undefined,
  query: Get['query'],
  pages: ListPageArgs,
  isLast?: (row: RowOf<Key>) => boolean,
) {
  const { path, values } = listPath(key, external_customer_id);
  return api.list(path, { key, path: values, query }, pages, isLast);
}

/** The path of a customer's list, which refuses an unknown id; without a customer, that of the account's list. */
function listPath(
  plural: string,
  external_customer_id: string | undefined,
): { path: `/${string}`; values: Record<string, string> } {
  return external_customer_id === undefined
    ? { path: `/${plural}`, values: {} }
    : { path: `/customers/{external_customer_id}/${plural}`, values: { external_customer_id } };
}
