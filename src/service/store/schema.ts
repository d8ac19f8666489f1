/** The database's schema: the first start makes it, and a database of another version is refused. */
import { type ColumnDataType, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { TableName } from '../../engine/records/index.ts';
import type { ColumnKind } from '../../engine/records/table.ts';
import { columns } from './columns.ts';
import { derivedColumns } from './derived.ts';
import { StoreUnavailable } from './errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: tables are reached by name; records/ is what types them
export type Db = Kysely<any>;
export type Schema = Db extends Kysely<infer Tables> ? Tables : never;
export type DialectName = 'sqlite' | 'postgres';
type Step = (db: Db, dialect: DialectName) => Promise<void>;

/** The version that the steps begin with. Databases of earlier ones lack the log of changes, and are refused. */
const FIRST = 2;

/**
 * The steps from one version of the schema to the next: the first one leads from version 2 to version 3. A release that
 * changes the schema below adds its step here, for the databases that exist.
 */
const stepsSoFar: readonly Step[] = [];

/** Any number that no other program takes for its own locks in the same database. */
const LOCK = 7_368_219_445;

/**
 * Makes the schema of an empty database, and brings that of an earlier version up to date, in one transaction. When several
 * instances start together, SQLite's write lock or PostgreSQL's advisory lock lets one do it; the others wait, and then have
 * nothing to do. Throws `StoreUnavailable` for a database of another version.
 */
export async function prepareSchema(db: Db, dialect: DialectName, steps = stepsSoFar): Promise<void> {
  const newest = FIRST + steps.length;
  await db.transaction().execute(async trx => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const version = await versionOf(trx, dialect);
    if (version === newest) return;
    if (version === null) {
      await createSchema(trx, dialect);
      await trx.schema.createTable('schema_version').addColumn('version', 'integer').execute();
      await trx.insertInto('schema_version').values({ version: newest }).execute();
      return;
    }
    if (version < FIRST || version > newest) throw otherVersion(version, newest);
    for (const step of steps.slice(version - FIRST)) await step(trx, dialect);
    await trx.updateTable('schema_version').set({ version: newest }).execute();
  });
}

/** Null for a database that has no tables of ours; 0 for one from before there were versions. */
async function versionOf(db: Db, dialect: DialectName): Promise<number | null> {
  const query =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = any(current_schemas(false))`;
  const names = (await query.execute(db)).rows.map(({ name }) => name);
  if (!names.includes('schema_version')) return names.includes('api_keys') ? 0 : null;
  return (await db.selectFrom('schema_version').select('version').executeTakeFirstOrThrow()).version;
}

function otherVersion(version: number, newest: number): StoreUnavailable {
  return new StoreUnavailable(
    `The database has version ${version} of its tables, and this program works with version ${newest}. Open it with the program that made it; or name a new file with --data, or an empty database with --database-url, and load the account there with --account.`,
  );
}

async function createSchema(db: Db, dialect: DialectName): Promise<void> {
  const text = columnType('text', dialect);
  for (const [table, kinds] of Object.entries(columns)) {
    let builder: CreateTableBuilder<string, string> = db.schema
      .createTable(table)
      .addColumn('organization_id', text, column => column.notNull());
    for (const [name, kind] of [...kinds, ...Object.entries(derivedColumns(table as TableName))]) {
      const required = name === 'id' || name === 'created_at';
      builder = builder.addColumn(name, columnType(kind, dialect), column => (required ? column.notNull() : column));
    }
    await builder.addPrimaryKeyConstraint(`${table}_key`, ['organization_id', 'id']).execute();
  }
  await db.schema
    .createTable('api_keys')
    .addColumn('key_hash', text, column => column.primaryKey())
    .addColumn('organization_id', text, column => column.notNull())
    .addColumn('created_at', text, column => column.notNull())
    .execute();
  for (const statement of [...indexes, ...listIndexes(dialect)]) await sql.raw(statement).execute(db);
}

/** Text is ordered by bytes on both databases, never by a locale. */
function columnType(kind: ColumnKind, dialect: DialectName): ColumnDataType {
  if (kind === 'int') return 'bigint';
  if (kind === 'flag') return 'integer';
  // Kysely takes any SQL as a type here, but its own types do not say so where the table is unknown.
  return dialect === 'postgres' ? (sql`text collate "C"` as unknown as ColumnDataType) : 'text';
}

/** Indexes for values that are unique within an account, and for frequent lookups. */
const indexes: readonly string[] = [
  unique('billing_entities', 'code'),
  unique('taxes', 'code'),
  unique('invoice_custom_sections', 'code'),
  unique('customers', 'external_id', 'deleted_at is null'),
  unique('billable_metrics', 'code'),
  unique('add_ons', 'code', 'deleted_at is null'),
  unique('plans', 'code', 'parent_id is null'),
  unique('coupons', 'code'),
  unique('wallets', 'customer_id, code', "status = 'active'"),
  unique('webhook_endpoints', 'webhook_url'),
  unique('alerts', 'external_subscription_id, code', 'deleted_at is null and wallet_id is null'),
  unique('alerts', 'wallet_id, code', 'deleted_at is null and wallet_id is not null'),
  unique('events', 'external_subscription_id, transaction_id'),
  index('events', 'transaction_id'),
  // Contains all columns that sums read, so that a period's events are summed from the index alone.
  `create index events_usage on events (organization_id, external_subscription_id, code, timestamp,
    value_int, value_frac_hi, value_frac_lo, exact)`,
  // Distinct values in order, with the columns that tell whether a value was removed again.
  `create index events_values on events (organization_id, external_subscription_id, code, value_key, timestamp,
    operation_type) where value_key is not null`,
  `create index events_removals on events (organization_id, external_subscription_id, code, timestamp)
    where operation_type = 'remove'`,
  index('subscriptions', 'external_id'),
  index('subscriptions', 'customer_id'),
  index('wallet_transactions', 'wallet_id'),
  index('credit_notes', 'customer_id'),
  index('credit_notes', 'invoice_id'),
  index('applied_coupons', 'customer_id'),
  index('payments', 'payable_id'),
  index('payments', 'customer_id, created_at'),
  index('payment_requests', 'customer_id'),
  index('activity_logs', 'logged_at, sequence'),
  index('activity_logs', 'external_customer_id, logged_at, sequence'),
  index('fees', 'invoice_id'),
  index('fees', 'created_at, id'),
  index('fees', 'customer_id, created_at, id'),
  index('fees', 'external_subscription_id, created_at, id'),
  // A filter by customer also finds deleted ones, which the unique index leaves out.
  index('customers', 'external_id'),
  index('events', 'timestamp, transaction_id'),
  index('events', 'external_subscription_id, timestamp'),
];

/**
 * An index begins with the column by which its list is most often filtered, and goes on in the list's order. Its last
 * columns let a list page be found and counted in the index alone. They include searched texts only on SQLite: PostgreSQL
 * refuses long texts in an index, and reads the table instead.
 */
function listIndexes(dialect: DialectName): string[] {
  const onSqlite = (columns: string) => (dialect === 'sqlite' ? columns : '');
  const list = (table: TableName, name: string, columns: string) =>
    `create index list_${table}_${name} on ${table} (organization_id, ${columns})`;
  const issued = 'issuing_date desc, created_at desc, id';
  const state = 'status, payment_status, payment_due_date, payment_dispute_lost_at';
  const started = 'subscription_at desc, created_at desc, id';
  return [
    list('customers', 'created', `created_at desc, id, deleted_at${onSqlite(', search_text, legal_name_text')}`),
    list('invoices', 'issued', `${issued}, ${state}, customer_id${onSqlite(', number_text')}`),
    list('invoices', 'customer', `customer_id, ${issued}, ${state}`),
    list('invoices', 'status', `status, ${issued}`),
    list('invoices', 'payment', `payment_status, ${issued}, status, payment_due_date, payment_dispute_lost_at`),
    list('subscriptions', 'status', `status, ${started}, customer_id, plan_id`),
  ];
}

function unique(table: TableName, names: string, condition?: string): string {
  const where = condition ? ` where ${condition}` : '';
  return `create unique index ${indexName(table, names)}_unique on ${table} (organization_id, ${names})${where}`;
}

function index(table: TableName, names: string): string {
  return `create index ${indexName(table, names)} on ${table} (organization_id, ${names})`;
}

function indexName(table: string, names: string): string {
  return `${table}_${names.replaceAll(', ', '_')}`;
}
