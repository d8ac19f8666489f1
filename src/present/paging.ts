/** Pages of lists (service-behaviour §1.5). */
import { asInteger, asRecord } from './summary.ts';

/** `per_page` of lookups where none is given. */
export const defaultPageSize = 20;

/** `Page 1 of 4; call again with page: 2`; null when there is only one page or no paging. */
export function pagingNote(meta: unknown): string | null {
  const { current_page, total_pages, next_page, total_count } = asRecord(meta);
  const current = asInteger(current_page);
  const pages = asInteger(total_pages);
  const next = asInteger(next_page);
  if (current === null || pages === null) return next === null ? null : `More follow; call again with page: ${next}`;
  if (pages <= 1 && current <= 1) return null;
  if (current > pages) return pages === 0 ? null : `Page ${current} is past the last page, ${pages}`;
  const all = asInteger(total_count);
  const total = all === null ? '' : ` (${all} in all)`;
  return `Page ${current} of ${pages}${total}${next === null ? '; this is the last' : `; call again with page: ${next}`}`;
}
