/** Lists with a filter that the API lacks: the tool picks the records itself while it reads page after page. */
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Get, Reads } from '../../src/tool/define.ts';
import type { ToolError } from '../../src/tool/failure.ts';
import { type PageArgs, pageOf, readRows } from './pages.ts';

interface Cut {
  /** Whether the record is one of those that were asked for. */
  wanted(row: JsonRecord): boolean;
  /** Whether no record that was asked for can follow this one, in the order of the list. */
  last?(row: JsonRecord): boolean;
}

export interface CutRows {
  ok: true;
  /** All records that were asked for, as far as the list was read. */
  matching: JsonRecord[];
  /** The page of them that was asked for. */
  rows: JsonRecord[];
  nextPage: number | null;
  /** How many records of the list were looked at. */
  read: number;
  /** The reading ended before the end of the list. */
  stopped: boolean;
  /** As that of rows. */
  remark: string | null;
}

/** Reads a list from its first page on, as a walk through all pages does. Fails as a whole. */
export async function readCut(
  reads: Reads,
  path: `/${string}`,
  get: Get,
  pages: PageArgs,
  { wanted, last }: Cut,
): Promise<CutRows | { ok: false; error: ToolError }> {
  const found = await readRows(reads, path, get, { all: true }, last);
  if (!found.ok) return found;
  const matching = found.rows.filter(wanted);
  const { rows, nextPage } = pageOf(matching, pages);
  const { stopped, remark = null } = found;
  return { ok: true, matching, rows, nextPage, read: found.rows.length, stopped, remark };
}

/** As `shownFields`, of the records that were asked for; their number is unknown where the reading ended early. */
export function cutFields({ rows, matching, nextPage, stopped }: CutRows): JsonRecord {
  return {
    shown: `${rows.length} of ${stopped ? 'an unknown number' : matching.length}`,
    ...(nextPage !== null && { next_page: nextPage }),
  };
}
