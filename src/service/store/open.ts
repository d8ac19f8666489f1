/** Opens the embedded service's database and finds accounts in it. */
import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { OrganizationRecord } from '../../engine/records/index.ts';
import { accountOf } from './account.ts';
import { columns, decode, encode, type StoredRow } from './columns.ts';
import { postgresUnavailable, StoreUnavailable, toStoreError } from './errors.ts';
import { libsqlDialect } from './libsql.ts';
import { openPool } from './postgres-pool.ts';
import { type Db, prepareSchema } from './schema.ts';
import type { AccountStore, Store } from './store.ts';
import { createTransactions } from './transactions.ts';
import type { Sql } from './usage-sql.ts';

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
  /**
   * Creates the account, or adds the API key to an existing account (same organization id). Gives the account as stored.
   * Only the SHA-256 of the key is stored. Throws `ValueTaken` when the key belongs to another account.
   */
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
  const organization = (which: Sql) =>
    database.read(async db => {
      const { rows } = await sql<StoredRow>`select * from organizations ${which}`.execute(db);
      return rows[0] === undefined ? null : decode('organizations', rows[0]);
    });
  const withId = (id: string) => organization(sql`where id = ${id}`);
  const ofKey = (apiKey: string) =>
    organization(sql`where id in (select organization_id from api_keys where key_hash = ${hashOf(apiKey)})`);
  const toAccount = (row: OrganizationRecord | null) => row && accountOf(database, dialect, row);
  return {
    dialect,
    db,
    transaction: database.transaction,
    account: async id => toAccount(await withId(id)),
    accountOfKey: async apiKey => toAccount(await ofKey(apiKey)),
    addAccount: (record, apiKey) =>
      database.transaction(async () => {
        const { id, created_at } = record;
        const row = { organization_id: id, ...encode('organizations', record) };
        const key = { key_hash: hashOf(apiKey), organization_id: id, created_at };
        await database.write(db =>
          db
            .insertInto('organizations')
            .values(row)
            .onConflict(on => on.columns(['organization_id', 'id']).doNothing())
            .execute(),
        );
        if ((await ofKey(apiKey))?.id !== id)
          await database.write(db => db.insertInto('api_keys').values(key).execute());
        return accountOf(database, dialect, (await withId(id)) ?? record);
      }),
    firstAccount: async () => toAccount(await organization(sql`order by created_at, id limit 1`)),
    clear: () =>
      database.transaction(async () => {
        for (const table of [...Object.keys(columns), 'api_keys'])
          await database.write(db => db.deleteFrom(table).execute());
      }),
    removeKey: async apiKey => {
      await database.write(db => db.deleteFrom('api_keys').where('key_hash', '=', hashOf(apiKey)).execute());
    },
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

function hashOf(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex');
}
