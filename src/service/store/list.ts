/** Lists: the rows of a window, and how many there are in all. */
import { sql } from 'kysely';
import type { TableName } from '../../engine/records/index.ts';
import { columns, type StoredRow } from './columns.ts';
import { is, ofAccount, type Rows } from './conditions.ts';
import type { Db } from './schema.ts';
import type { ListQuery, Window } from './store.ts';

const IDS_PER_STATEMENT = 1000;

/** The window's rows as the database holds them, and the number of all rows. Without a window: all rows. */
export async function listRows<T extends TableName>(
  db: Db,
  rows: Rows<T>,
  { where, order }: Required<ListQuery<T>>,
  window?: Window,
): Promise<{ rows: StoredRow[]; total: number }> {
  const matching = db.selectFrom(rows.table as string).where(ofAccount(rows, where));
  const sorted = order.reduce(
    (query, [column, direction, nulls]) =>
      query.orderBy(sql`${sql.ref(column)} ${sql.raw(nulls ? `${direction} nulls ${nulls}` : direction)}`),
    matching,
  );
  // The id comes last, so that equal rows keep their order from one list page to the next.
  const ordered = sorted.orderBy('id');
  const count = async () => {
    const counted = await matching.select(({ fn }) => fn.countAll().as('total')).executeTakeFirst();
    return Number(counted?.total);
  };
  if (window === undefined) {
    const all = await ordered.select([...columns[rows.table].keys()]).execute();
    return { rows: all as StoredRow[], total: all.length };
  }
  const page = await ordered.select('id').limit(window.limit).offset(window.offset).execute();
  const shown = await rowsOfIds(
    db,
    rows,
    page.map(({ id }) => id),
  );
  // A list page that is not full is the last one. Else the database counts, with the index that suits this best.
  const isLast = page.length < window.limit && (page.length > 0 || window.offset === 0);
  return { rows: shown, total: isLast ? window.offset + page.length : await count() };
}

/** The rows with the ids, in their order. Sorting whole rows in the database would cost more. */
async function rowsOfIds<T extends TableName>(db: Db, rows: Rows<T>, ids: readonly string[]): Promise<StoredRow[]> {
  const rowsById = new Map<unknown, StoredRow>();
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
    const ofIds = is<TableName>({ id: ids.slice(at, at + IDS_PER_STATEMENT) });
    const query = db.selectFrom(rows.table as string).where(ofAccount(rows, ofIds));
    for (const row of await query.select([...columns[rows.table].keys()]).execute())
      rowsById.set(row.id, row as StoredRow);
  }
  return ids.map(id => rowsById.get(id)).filter(row => row !== undefined);
}
