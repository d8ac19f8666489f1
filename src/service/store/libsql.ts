/** SQLite through libsql, as a Kysely dialect: Kysely's own SQLite dialect, with what libsql needs around it. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { bound } from './binding.ts';
import { StoreUnavailable } from './errors.ts';

/** How long a statement waits for another process that writes to the same file. */
const BUSY_TIMEOUT_MS = 10_000;
const MAX_CACHED_STATEMENTS = 500;

/**
 * Opens a SQLite database in memory or in a file. One connection serves the whole process, and Kysely lets one user at it
 * at a time, so a read never sees another request's half-done transaction.
 * Throws `StoreUnavailable` when libsql is not installed or the file cannot be opened.
 */
export async function libsqlDialect(path: string): Promise<SqliteDialect> {
  const Database = await loadLibsql();
  try {
    const database = new Database(path);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (path !== ':memory:') await useWriteAheadLog(database);
    return new LibsqlDialect({ database: boundDatabase(database) }, () => database.inTransaction);
  } catch (error) {
    throw new StoreUnavailable(`The database file ${path} cannot be opened: ${(error as Error).message}`, error);
  }
}

interface LibsqlStatement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number; lastInsertRowid: number };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}
interface LibsqlDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): LibsqlStatement;
  exec(sql: string): void;
  close(): void;
}

async function loadLibsql(): Promise<new (path: string) => LibsqlDatabase> {
  try {
    return (await import('libsql')).default as unknown as new (
      path: string,
    ) => LibsqlDatabase;
  } catch (error) {
    throw new StoreUnavailable(
      'The embedded billing service needs the optional package "libsql", which is not installed here: run "npm install libsql", or give it a PostgreSQL database with --database-url.',
      error,
    );
  }
}

// Entering write-ahead mode takes an exclusive lock that does not wait for the busy timeout.
async function useWriteAheadLog(database: LibsqlDatabase): Promise<void> {
  const deadline = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.prepare('PRAGMA journal_mode = WAL').all([]);
      return;
    } catch (error) {
      const busy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
      if (!busy || Date.now() > deadline) throw error;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
}

/** The database as Kysely sees it: every parameter goes through `bound`, and statements are prepared once. */
function boundDatabase(database: LibsqlDatabase): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = cache.get(sql);
      if (known) return known;
      const statement = boundStatement(database.prepare(sql));
      // A statement prepared before a schema change would keep answering the old columns.
      if (cache.size >= MAX_CACHED_STATEMENTS || /^\s*(create|alter|drop)\b/i.test(sql)) cache.clear();
      else cache.set(sql, statement);
      return statement;
    },
  };
}

function boundStatement(statement: LibsqlStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: parameters => statement.all(parameters.map(bound)),
    run: parameters => statement.run(parameters.map(bound)),
    iterate: parameters => statement.iterate(parameters.map(bound)),
  };
}

class LibsqlDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #inTransaction: () => boolean;

  constructor(config: SqliteDialectConfig, inTransaction: () => boolean) {
    super(config);
    this.#config = config;
    this.#inTransaction = inTransaction;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#inTransaction);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

// A transaction that reads first and writes later would fail when another process wrote in between; taking the write lock
// at its start makes it wait instead.
class ImmediateDriver extends SqliteDriver {
  readonly #inTransaction: () => boolean;

  constructor(config: SqliteDialectConfig, inTransaction: () => boolean) {
    super(config);
    this.#inTransaction = inTransaction;
  }

  // On a full disk SQLite has undone it already, and a rollback would only hide why.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#inTransaction()) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

// Migrations then run inside one such transaction: of several processes that start together, one migrates and the others wait.
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
