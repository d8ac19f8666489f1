/**
 * The migration that adds what lists of documents need: the table `fees`, payment requests, when coupons ended, and
 * indexes.
 */
import { type ColumnDataType, type Kysely, type Migration, sql } from 'kysely';
import type { CustomerRecord, InvoiceRecord, PaymentRecord, TableName } from '../records/index.ts';
import { columns, decode, encode } from './columns.ts';
import { listedFees } from './fees.ts';

// biome-ignore lint/suspicious/noExplicitAny: tables are reached by name; columns.ts is what types them
type Db = Kysely<any>;
type ColumnType = (kind: 'text' | 'int' | 'flag' | 'json') => ColumnDataType | ReturnType<typeof sql>;

/** Tables that came after the first schema, and columns that its tables got later: the first migration leaves them out. */
export const laterTables: readonly string[] = ['fees', 'payment_requests'];
export const laterColumns: { readonly [table: string]: readonly string[] } = {
  coupons: ['description', 'reusable', 'terminated_at'],
  applied_coupons: ['terminated_at'],
};

const BATCH = 500;

/** `type`: the column type of a kind in the database. */
export function addDocuments(type: ColumnType): Migration {
  return {
    async up(db: Db) {
      await addTable(db, 'payment_requests', type);
      await fillPaymentRequests(db);
      await addTable(db, 'fees', type);
      await fillFees(db);
      for (const [table, names] of Object.entries(laterColumns)) await addColumns(db, table, names, type);
      await db.updateTable('coupons').set({ reusable: 1 }).execute();
      for (const table of Object.keys(laterColumns)) {
        const setEnd = db.updateTable(table).set({ terminated_at: sql.ref('updated_at') });
        await setEnd.where('status', '=', 'terminated').execute();
      }
      for (const statement of indexes) await sql.raw(statement).execute(db);
    },
  };
}

async function addTable(db: Db, table: TableName, type: ColumnType): Promise<void> {
  let builder = db.schema
    .createTable(table)
    .addColumn('organization_id', type('text') as ColumnDataType, column => column.notNull());
  for (const [name, kind] of columns[table]) {
    const required = name === 'id' || name === 'created_at';
    builder = builder.addColumn(name, type(kind) as ColumnDataType, column => (required ? column.notNull() : column));
  }
  await builder.addPrimaryKeyConstraint(`${table}_key`, ['organization_id', 'id'] as never).execute();
}

async function addColumns(db: Db, table: string, names: readonly string[], type: ColumnType): Promise<void> {
  for (const name of names) {
    const kind = columns[table as TableName].get(name) ?? 'text';
    await db.schema
      .alterTable(table)
      .addColumn(name, type(kind) as ColumnDataType)
      .execute();
  }
}

/** Makes the payment requests that payments refer to, each with the amount and status of its first payment. */
async function fillPaymentRequests(db: Db): Promise<void> {
  const payments = db.selectFrom('payments').selectAll().where('payable_type', '=', 'PaymentRequest');
  const madeRequests = new Set<string>();
  for (const row of await payments.orderBy('organization_id').orderBy('created_at').orderBy('id').execute()) {
    const { organization_id } = row;
    const payment: PaymentRecord = decode('payments', row);
    if (madeRequests.has(`${organization_id} ${payment.payable_id}`)) continue;
    madeRequests.add(`${organization_id} ${payment.payable_id}`);
    const customer: Pick<CustomerRecord, 'email'> | undefined = await db
      .selectFrom('customers')
      .select('email')
      .where('organization_id', '=', organization_id)
      .where('id', '=', payment.customer_id)
      .executeTakeFirst();
    const request = encode('payment_requests', {
      id: payment.payable_id,
      created_at: payment.created_at,
      updated_at: payment.updated_at,
      customer_id: payment.customer_id,
      invoice_ids: payment.invoice_ids,
      amount_cents: payment.amount_cents,
      amount_currency: payment.amount_currency,
      email: customer?.email ?? null,
      payment_status: payment.payment_status === 'processing' ? 'pending' : payment.payment_status,
    });
    await db
      .insertInto('payment_requests')
      .values({ organization_id, ...request })
      .execute();
  }
}

/** Fills `fees` from all stored invoices, in the order of their primary key. */
async function fillFees(db: Db): Promise<void> {
  for (let last: Record<string, unknown> | undefined, more = true; more; ) {
    let query = db.selectFrom('invoices').select(['organization_id', 'id', 'fees']);
    if (last) query = query.where(sql`(organization_id, id)`, '>', sql`(${last.organization_id}, ${last.id})`);
    const rows = await query.orderBy('organization_id').orderBy('id').limit(BATCH).execute();
    for (const { organization_id, ...row } of rows) {
      const { id, fees }: InvoiceRecord = decode('invoices', row);
      const values = listedFees({ id, fees }).map(fee => ({ organization_id, ...encode('fees', fee) }));
      // Databases limit the parameters of a statement, and an invoice may have thousands of fees.
      for (let at = 0; at < values.length; at += BATCH) {
        const insert = db.insertInto('fees').values(values.slice(at, at + BATCH));
        // An older account may have two fees with one id.
        await insert.onConflict(conflict => conflict.doNothing()).execute();
      }
    }
    last = rows.at(-1);
    more = rows.length === BATCH;
  }
}

const indexes: readonly string[] = [
  'create index fees_of_invoice on fees (organization_id, invoice_id)',
  'create index fees_in_order on fees (organization_id, created_at, id)',
  'create index fees_of_customer on fees (organization_id, customer_id, created_at, id)',
  'create index fees_of_subscription on fees (organization_id, external_subscription_id, created_at, id)',
  'create index payment_requests_of_customer on payment_requests (organization_id, customer_id)',
  // A filter by customer also finds deleted ones, which the unique index leaves out.
  'create index list_customers_with_deleted on customers (organization_id, external_id)',
  'create index list_events on events (organization_id, timestamp, transaction_id)',
  'create index list_events_of_subscription on events (organization_id, external_subscription_id, timestamp)',
  'create index list_payments_of_customer on payments (organization_id, customer_id, created_at)',
];
