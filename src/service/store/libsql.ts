/** SQLite through libsql: Kysely's SQLite dialect, adapted to libsql. */
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { fileReason } from '../../lib/system-errors.ts';
import { bound } from './binding.ts';
import { StoreUnavailable } from './errors.ts';

/** How long a statement waits for another process that writes to the same file. */
const BUSY_TIMEOUT_MS = 10_000;
const MAX_CACHED_STATEMENTS = 500;

/**
 * Opens a SQLite database in memory or in a file. The process has one connection. Kysely gives it to one user at a time,
 * so a read never sees the unfinished transaction of another request.
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
    throw new StoreUnavailable(
      `The database file ${resolve(path)} cannot be opened: ${openingReason(path, error)}.`,
      error,
    );
  }
}

/** libsql itself says no more than that it could not. */
function openingReason(path: string, error: unknown): string {
  const { message } = error as Error;
  if (/not a database/i.test(message)) return 'it is a file of another kind, not a SQLite database';
  try {
    const flags = constants.O_RDWR | (existsSync(path) ? 0 : constants.O_CREAT);
    closeSync(openSync(path, flags));
  } catch (refused) {
    return fileReason(refused);
  }
  return message;
}

interface LibsqlStatement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
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
    return (await import('libsql')).default;
  } catch (error) {
    throw new StoreUnavailable(
      'The embedded billing service needs the optional package "libsql", which is not installed here: run "npm install libsql", or give it a PostgreSQL database with --data postgres://….',
      error,
    );
  }
}

// The change to write-ahead mode needs an exclusive lock, which ignores the busy timeout. So it is retried here.
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
      const cached = cache.get(sql);
      if (cached) return cached;
      const statement = boundStatement(database.prepare(sql));
      // A statement that was prepared before a schema change would still return the old columns.
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
}

// A transaction that reads first and writes later fails when another process wrote in between. With the write lock taken
// at the start, it waits instead.
class ImmediateDriver extends SqliteDriver {
  readonly #inTransaction: () => boolean;

  constructor(config: SqliteDialectConfig, inTransaction: () => boolean) {
    super(config);
    this.#inTransaction = inTransaction;
  }

  // On a full disk SQLite has already rolled back; a second rollback would fail and hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#inTransaction()) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
