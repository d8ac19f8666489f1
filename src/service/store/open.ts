/** Opens the embedded service's database and finds accounts in it. */
import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { OrganizationRecord } from '../../engine/records/index.ts';
import { accountOf } from './account.ts';
import { columns, decode, encode } from './columns.ts';
import { postgresUnavailable, StoreUnavailable, toStoreError } from './errors.ts';
import { libsqlDialect } from './libsql.ts';
import { openPool } from './postgres-pool.ts';
import { type Db, prepareSchema } from './schema.ts';
import type { AccountStore, Store } from './store.ts';
import { createTransactions, type Transactions } from './transactions.ts';

export interface StoreOptions {
  /** A SQLite file. Without it and without `databaseUrl`, data is kept in memory until the store is closed. */
  data?: string | undefined;
  /** `postgres://…`: a PostgreSQL database, which several instances may share. */
  databaseUrl?: string | undefined;
  /** Gets one sentence when PostgreSQL is lost, and one when it answers again. Default: stderr. */
  report?: ((sentence: string) => void) | undefined;
}

/** A store in which accounts can also be created. */
export interface OpenStore extends Store {
  readonly db: Db;
  /** All or nothing for all work inside, including the creation of accounts. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  account(organizationId: string): Promise<AccountStore | null>;
  /** The oldest account of the database; null when there is none. */
  firstAccount(): Promise<AccountStore | null>;
  addAccount(organization: OrganizationRecord, apiKey: string): Promise<AccountStore>;
  /** Deletes every account of the database with all its records and keys. */
  clear(): Promise<void>;
  /** Makes the key invalid. */
  removeKey(apiKey: string): Promise<void>;
}

/**
 * Opens the database, and makes its schema where it is empty.
 * Throws `StoreUnavailable` when a driver is missing, the file cannot be opened, the database is of another version or
 * PostgreSQL cannot be used (`passing` when that may end without a change), and `DiskFull` when there is no space.
 */
export async function openStore(options: StoreOptions = {}): Promise<OpenStore> {
  const dialect = options.databaseUrl ? 'postgres' : 'sqlite';
  const db: Db = new Kysely({
    dialect: options.databaseUrl
      ? new PostgresDialect({ pool: await openPool(options.databaseUrl, options.report ?? toStderr) })
      : await libsqlDialect(options.data ?? ':memory:'),
  });
  try {
    await prepareSchema(db, dialect);
  } catch (error) {
    await db.destroy().catch(() => {});
    throw dialect === 'postgres' ? openingError(error) : toStoreError(error);
  }
  const database = createTransactions(db);
  const toAccount = (row: OrganizationRecord | null) => row && accountOf(database, dialect, row);
  return {
    dialect,
    db,
    transaction: database.transaction,
    account: async id => toAccount(await organizationById(database, id)),
    accountOfKey: async apiKey => toAccount(await organizationOfKey(database, apiKey)),
    addAccount: async (organization, apiKey) => {
      const stored = await database.transaction(() => addOrganization(database, organization, apiKey));
      return accountOf(database, dialect, stored);
    },
    firstAccount: async () => toAccount(await firstOrganization(database)),
    clear: () => database.transaction(() => deleteEverything(database)),
    removeKey: async apiKey => {
      await database.write(db => db.deleteFrom('api_keys').where('key_hash', '=', hashOf(apiKey)).execute());
    },
    ping: () => isReachable(db),
    close: () => db.destroy(),
  };
}

function toStderr(sentence: string): void {
  console.error(`The billing service: ${sentence}`);
}

function openingError(error: unknown): unknown {
  const storeError = toStoreError(error);
  return storeError === error && !(error instanceof StoreUnavailable) ? postgresUnavailable(error) : storeError;
}

/**
 * Creates the account, or adds the API key to an existing account (same organization id). Returns the account as stored.
 * Only the SHA-256 of the key is stored. Throws `ValueTaken` when the key belongs to another account.
 */
export async function createAccount(
  store: OpenStore,
  { organization, apiKey }: { organization: OrganizationRecord; apiKey: string },
): Promise<AccountStore> {
  return store.addAccount(organization, apiKey);
}

async function addOrganization(
  database: Transactions,
  organization: OrganizationRecord,
  apiKey: string,
): Promise<OrganizationRecord> {
  const row = { organization_id: organization.id, ...encode('organizations', organization) };
  await database.write(db =>
    db
      .insertInto('organizations')
      .values(row)
      .onConflict(conflict => conflict.columns(['organization_id', 'id']).doNothing())
      .execute(),
  );
  const owner = await organizationOfKey(database, apiKey);
  if (owner?.id !== organization.id) {
    const key = { key_hash: hashOf(apiKey), organization_id: organization.id, created_at: organization.created_at };
    await database.write(db => db.insertInto('api_keys').values(key).execute());
  }
  return (await organizationById(database, organization.id)) ?? organization;
}

async function deleteEverything(database: Transactions): Promise<void> {
  for (const table of [...Object.keys(columns), 'api_keys']) await database.write(db => db.deleteFrom(table).execute());
}

function organizationById(database: Transactions, id: string): Promise<OrganizationRecord | null> {
  return database.read(async db => {
    const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
    return row ? decode('organizations', row) : null;
  });
}

function firstOrganization(database: Transactions): Promise<OrganizationRecord | null> {
  return database.read(async db => {
    const rows = db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id');
    const row = await rows.limit(1).executeTakeFirst();
    return row ? decode('organizations', row) : null;
  });
}

function organizationOfKey(database: Transactions, apiKey: string): Promise<OrganizationRecord | null> {
  return database.read(async db => {
    const row = await db
      .selectFrom('api_keys')
      .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
      .selectAll('organizations')
      .where('api_keys.key_hash', '=', hashOf(apiKey))
      .executeTakeFirst();
    return row ? decode('organizations', row) : null;
  });
}

async function isReachable(db: Db): Promise<boolean> {
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch {
    return false;
  }
}

function hashOf(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex');
}
