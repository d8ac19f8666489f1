/** The migration that lets the store list: derived texts, filled for the rows that exist, and the indexes of lists. */
import { type ColumnDataType, type Kysely, type Migration, sql } from 'kysely';
import type { TableName } from '../records/index.ts';
import { columns, decodeValue } from './columns.ts';
import { derivedText, derivedTexts } from './derived.ts';

const BATCH = 500;

/** `textType`: the type of text columns in the database. */
export function addLists(textType: ColumnDataType | ReturnType<typeof sql>): Migration {
  return {
    // biome-ignore lint/suspicious/noExplicitAny: tables are reached by name; columns.ts is what types them
    async up(db: Kysely<any>) {
      for (const [table, derivations] of Object.entries(derivedText)) {
        for (const name of Object.keys(derivations)) {
          await db.schema
            .alterTable(table)
            .addColumn(name, textType as ColumnDataType)
            .execute();
        }
        const fields = Object.values(derivations).flatMap(({ from }) => from);
        await fill(db, table as TableName, [...new Set(fields)]);
      }
      for (const statement of indexes) await sql.raw(statement).execute(db);
    },
  };
}

/** Derives the texts of all rows of the table, in the order of the primary key. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function fill(db: Kysely<any>, table: TableName, fields: readonly string[]): Promise<void> {
  const key = ['organization_id', 'id'] as const;
  for (let last: Record<string, unknown> | undefined, more = true; more; ) {
    let query = db.selectFrom(table).select([...key, ...fields]);
    if (last) query = query.where(sql`(organization_id, id)`, '>', sql`(${last.organization_id}, ${last.id})`);
    const rows: Record<string, unknown>[] = await query.orderBy('organization_id').orderBy('id').limit(BATCH).execute();
    for (const row of rows) {
      const values = fields.map(name => [name, decodeValue(columns[table].get(name) ?? 'text', row[name])]);
      await db
        .updateTable(table)
        .set(derivedTexts(table, Object.fromEntries(values)))
        .where('organization_id', '=', row.organization_id)
        .where('id', '=', row.id)
        .execute();
    }
    last = rows.at(-1);
    more = rows.length === BATCH;
  }
}

const indexes: readonly string[] = [];
