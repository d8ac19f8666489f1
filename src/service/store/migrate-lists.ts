/** The migration that lets the store list: derived texts, filled for the rows that exist, and the indexes of lists. */
import { type ColumnDataType, type Kysely, type Migration, sql } from 'kysely';
import type { TableName } from '../records/index.ts';
import { columns, decodeValue } from './columns.ts';
import { derivedText, derivedTexts } from './derived.ts';

const BATCH = 500;

/** `textType`: the type of text columns in the database. */
export function addLists(dialect: 'sqlite' | 'postgres', textType: ColumnDataType | ReturnType<typeof sql>): Migration {
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
        await deriveTexts(db, table as TableName, [...new Set(fields)]);
      }
      for (const statement of indexes(dialect)) await sql.raw(statement).execute(db);
    },
  };
}

/** Derives the texts of all rows of the table, in the order of the primary key. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function deriveTexts(db: Kysely<any>, table: TableName, fields: readonly string[]): Promise<void> {
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

/**
 * An index begins with the column by which its list is most often filtered, and goes on in the list's order. Its last
 * columns let a list page be found and counted in the index alone. They include searched texts only on SQLite: PostgreSQL
 * refuses long texts in an index, and reads the table instead.
 */
function indexes(dialect: 'sqlite' | 'postgres'): string[] {
  const onSqlite = (columns: string) => (dialect === 'sqlite' ? columns : '');
  const issued = 'issuing_date desc, created_at desc, id';
  const state = 'status, payment_status, payment_due_date, payment_dispute_lost_at';
  const started = 'subscription_at desc, created_at desc, id';
  return [
    'drop index if exists invoices_customer_id', // list_invoices_customer begins like it
    index('customers_created', `created_at desc, id, deleted_at${onSqlite(', search_text, legal_name_text')}`),
    index('invoices_issued', `${issued}, ${state}, customer_id${onSqlite(', number_text')}`),
    index('invoices_customer', `customer_id, ${issued}, ${state}`),
    index('invoices_status', `status, ${issued}`),
    index('invoices_payment', `payment_status, ${issued}, status, payment_due_date, payment_dispute_lost_at`),
    index('subscriptions_status', `status, ${started}, customer_id, plan_id`),
  ];
}

function index(name: string, columns: string): string {
  return `create index list_${name} on ${name.replace(/_.*/, '')} (organization_id, ${columns})`;
}
