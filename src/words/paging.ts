/** List pages (service-behaviour §1.5). */
import type { ListPage } from '../contract/answers.ts';
import { isGiven } from '../lib/json.ts';
import { opt, quantity } from './summary.ts';

/** `per_page` of lookups where none is given. */
export const defaultPageSize = 20;

/**
 * `Page 1 of 4; call again with page: 2`; null when there is only one list page or no paging. A total that the rows
 * contradict is called the service's.
 */
export function pagingNote(meta: ListPage | null | undefined, rows: readonly unknown[]): string | null {
  const { current_page: current, total_pages: pages, next_page: next = null, total_count: all } = meta ?? {};
  if (!isGiven(current) || !isGiven(pages))
    return next === null ? null : `There are more; call again with page: ${next}`;
  const counts =
    !isGiven(all) || isPossibleTotal(all, rows.length, { current, next })
      ? null
      : `the service counts ${quantity(all)}`;
  if (pages <= 1 && current <= 1) return counts;
  if (current > pages) return pages === 0 ? null : `Page ${current} is past the last page, ${pages}`;
  const total = counts === null ? opt` (${quantity(all)} in all)` : `, though ${counts}`;
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
