/** Lists with a filter that the API lacks: the tool picks the records while it reads one list page after another. */

import type { ListKey, RowOf } from '../../src/contract/answers.ts';
import type { Api, ListGet, ListPageArgs } from '../../src/definition/api.ts';
import type { ToolError } from '../../src/definition/failure.ts';
import { listPageOf } from './list-pages.ts';

interface RowFilter<Row> {
  /** Whether the record is one of those that were asked for. */
  wanted(row: Row): boolean;
  /** Whether no record that was asked for can follow this one, in the order of the list. */
  last?(row: Row): boolean;
}

export interface FilteredRows<Row = object> {
  ok: true;
  /** All records that were asked for, as far as the list was read. */
  matching: Row[];
  /** The requested list page of them. */
  rows: Row[];
  nextPage: number | null;
  /** How many records of the list were looked at. */
  read: number;
  /** The reading ended before the end of the list. */
  stopped: boolean;
  /** As `remark` of `Rows`. */
  remark: string | null;
}

/** Walks through all pages of a list and keeps the wanted records. If one request fails, there are no rows at all. */
export async function readFiltered<Key extends ListKey>(
  api: Api,
  path: `/${string}`,
  get: ListGet<Key>,
  pages: ListPageArgs,
  { wanted, last }: RowFilter<RowOf<Key>>,
): Promise<FilteredRows<RowOf<Key>> | { ok: false; error: ToolError }> {
  const list = await api.list(path, get, { all: pages.all || true }, last);
  if (!list.ok) return list;
  const matching = list.rows.filter(wanted);
  const { rows, nextPage } = listPageOf(matching, pages);
  const { stopped, remark = null } = list;
  return { ok: true, matching, rows, nextPage, read: list.rows.length, stopped, remark };
}

/** As `shownFields`, of the records that were asked for; their number is unknown where the reading ended early. */
export function filteredFields({ rows, matching, nextPage, stopped }: FilteredRows): object {
  return {
    shown: `${rows.length} of ${stopped ? 'an unknown number' : matching.length}`,
    ...(nextPage !== null && { next_page: nextPage }),
  };
}
