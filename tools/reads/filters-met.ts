/** Filters of lists that the service may not know, or reads otherwise: its rows tell (src/contract/list-filters.ts). */

import type { ListKey } from '../../src/contract/answers.ts';
import { unmetFilters } from '../../src/contract/filter-match.ts';
import { listFilters } from '../../src/contract/list-filters.ts';
import type { Get } from '../../src/tool/reads.ts';
import { count, listed } from '../../src/words/summary.ts';

type Query = NonNullable<Get['query']>;

/**
 * The query as it is sent: without a false that the service would read as true, and each value of a list once, since some
 * lists refuse a code that is repeated.
 */
export function sentFilters(key: ListKey, query: Query): Query {
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
export function rowsMeeting<Row extends object>(
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
    unfiltered: `this installation may not know the filter ${listed(ignored)}: ${others} left out`,
  };
}
