/** List pages (service-behaviour §1.5). */
import type { ListPage } from '../contract/answers.ts';
import type { Odd } from '../contract/shown.ts';
import { asInteger, asRecord, quantity, say } from './summary.ts';

/** `per_page` of lookups where none is given. */
export const defaultPageSize = 20;

/**
 * `Page 1 of 4; call again with page: 2`; null when there is only one list page or no paging. A total that the rows
 * contradict is called the service's.
 */
export function pagingNote(meta: ListPage | Odd, rows: readonly unknown[]): string | null {
  const { current_page, total_pages, next_page, total_count } = asRecord(meta);
  const current = asInteger(current_page);
  const pages = asInteger(total_pages);
  const next = asInteger(next_page);
  if (current === null || pages === null) return next === null ? null : `More follow; call again with page: ${next}`;
  const all = asInteger(total_count);
  const counts =
    all === null || isPossibleTotal(all, rows.length, { current, next }) ? null : `the service counts ${quantity(all)}`;
  if (pages <= 1 && current <= 1) return counts;
  if (current > pages) return pages === 0 ? null : `Page ${current} is past the last page, ${pages}`;
  const total = counts === null ? (say` (${quantity(all)} in all)` ?? '') : `, though ${counts}`;
  return `Page ${current} of ${pages}${total}${next === null ? '; this is the last' : `; call again with page: ${next}`}`;
}

/** For a later list page it is not known how many rows are before it. */
function isPossibleTotal(
  all: number,
  rows: number,
  { current, next }: { current: number; next: number | null },
): boolean {
  if (current > 1) return all >= rows;
  return next === null ? all === rows : all > rows;
}
