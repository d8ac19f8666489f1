/** Brings the database's schema up to date at start. */
import { type ColumnDataType, type CreateTableBuilder, type Kysely, type Migration, Migrator, sql } from 'kysely';
import { isNumeric } from '../../contract/pricing/money.ts';
import type { TableName } from '../records/index.ts';
import { type ColumnKind, columns } from './columns.ts';
import { derivedEventColumns, MISSING_KEY, readsNumbers } from './events.ts';
import { idOf } from './ids.ts';
import { addDocuments, laterColumns, laterTables } from './migrate-documents.ts';
import { addLists } from './migrate-lists.ts';
import { randomSecret } from './secret.ts';

// biome-ignore lint/suspicious/noExplicitAny: tables are reached by name; columns.ts is what types them
export type Db = Kysely<any>;
export type DialectName = 'sqlite' | 'postgres';

/**
 * Applies the missing migrations in one transaction. When several instances start together, SQLite's write lock or
 * PostgreSQL's advisory lock lets one migrate; the others wait and then find nothing to do.
 */
export async function migrate(db: Db, dialect: DialectName): Promise<void> {
  const migrations = {
    '0001_records': createRecords(dialect),
    '0002_portal_secrets': replaceKnownSecrets,
    '0003_events_without_values': deriveWithoutValues,
    '0004_lists': addLists(dialect, textType(dialect)),
    '0005_documents': addDocuments(columnTypes(dialect)),
  };
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}

/**
 * The first schema, made from columns.ts. A column that is added after a release needs its own migration and must be
 * left out here.
 */
function createRecords(dialect: DialectName): Migration {
  const type = columnTypes(dialect);
  return {
    async up(db: Db) {
      for (const [table, kinds] of Object.entries(columns)) {
        if (laterTables.includes(table)) continue;
        const first = [...kinds].filter(([name]) => !laterColumns[table]?.includes(name));
        await createTable(db, table, new Map(first), type);
      }
      await db.schema
        .createTable('api_keys')
        .addColumn('key_hash', type('text') as ColumnDataType, column => column.primaryKey())
        .addColumn('organization_id', type('text') as ColumnDataType, column => column.notNull())
        .addColumn('created_at', type('text') as ColumnDataType, column => column.notNull())
        .execute();
      for (const statement of indexes) await sql.raw(statement).execute(db);
    },
  };
}

function columnTypes(dialect: DialectName) {
  return (kind: ColumnKind): ColumnDataType | ReturnType<typeof sql> => {
    if (kind === 'int') return 'bigint';
    return kind === 'flag' ? 'integer' : textType(dialect);
  };
}

/** Text is ordered by bytes on both databases, never by a locale. */
function textType(dialect: DialectName): ColumnDataType | ReturnType<typeof sql> {
  return dialect === 'postgres' ? sql`text collate "C"` : 'text';
}

/** Replaces portal secrets that can be guessed from the organization's id or read in the demo account's source. */
const replaceKnownSecrets: Migration = {
  async up(db: Db) {
    for (const { id, hmac_key } of await db.selectFrom('organizations').select(['id', 'hmac_key']).execute()) {
      const guessable = [null, '', 'demo-hmac-key-that-signs-nothing', idOf('hmac key', id)];
      if (!guessable.includes(hmac_key)) continue;
      await db.updateTable('organizations').set({ hmac_key: randomSecret() }).where('id', '=', id).execute();
    }
  },
};

/** Derives anew what `eventRow` stores of events without a value (for unique counts) or without a number (for sums etc.). */
const deriveWithoutValues: Migration = {
  async up(db: Db) {
    for (const { organization_id, code, aggregation_type } of await db
      .selectFrom('billable_metrics')
      .selectAll()
      .execute()) {
      const metric = { organization_id, code };
      if (aggregation_type === 'unique_count_agg') await setMissingKeys(db, metric);
      if (readsNumbers(aggregation_type)) await leaveOutNonNumeric(db, metric);
    }
  },
};

type MetricKey = { organization_id: string; code: string };

async function setMissingKeys(db: Db, { organization_id, code }: MetricKey): Promise<void> {
  await db
    .updateTable('events')
    .set({ value_key: MISSING_KEY })
    .where('organization_id', '=', organization_id)
    .where('code', '=', code)
    .where('value_text', 'is', null)
    .execute();
}

/** A statement reads events with a number or with `exact` 0. An event without a number had 0 if its amount was long. */
async function leaveOutNonNumeric(db: Db, { organization_id, code }: MetricKey): Promise<void> {
  const events = await db
    .selectFrom('events')
    .select(['id', 'value_text'])
    .where('organization_id', '=', organization_id)
    .where('code', '=', code)
    .where('exact', '=', 0)
    .where('value_int', 'is', null)
    .execute();
  for (const { id, value_text } of events) {
    if (isNumeric(value_text)) continue;
    await db
      .updateTable('events')
      .set({ exact: 1 })
      .where('organization_id', '=', organization_id)
      .where('id', '=', id)
      .execute();
  }
}

async function createTable(
  db: Db,
  table: string,
  kinds: Map<string, ColumnKind>,
  type: (kind: ColumnKind) => ColumnDataType | ReturnType<typeof sql>,
): Promise<void> {
  let builder: CreateTableBuilder<string, string> = db.schema
    .createTable(table)
    .addColumn('organization_id', type('text') as ColumnDataType, column => column.notNull());
  const derived = table === 'events' ? Object.entries(derivedEventColumns) : [];
  for (const [name, kind] of [...kinds, ...derived]) {
    const required = name === 'id' || name === 'created_at';
    builder = builder.addColumn(name, type(kind) as ColumnDataType, column => (required ? column.notNull() : column));
  }
  await builder.addPrimaryKeyConstraint(`${table}_key`, ['organization_id', 'id']).execute();
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
  index('invoices', 'customer_id'),
  index('credit_notes', 'customer_id'),
  index('credit_notes', 'invoice_id'),
  index('applied_coupons', 'customer_id'),
  index('payments', 'payable_id'),
];

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
