/** SQLite through libsql: Kysely's SQLite dialect, adapted to libsql. */
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  type SqliteDatabase,
  SqliteDialect,
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
  const { default: Database } = await import('libsql').catch((error: unknown) => {
    throw new StoreUnavailable(
      'The embedded billing service needs the optional package "libsql", which is not installed here: run "npm install libsql", or give it a PostgreSQL database with --data postgres://….',
      error,
    );
  });
  try {
    const database: LibsqlDatabase = new Database(path);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (path !== ':memory:') await useWriteAheadLog(database);
    return dialectOf(database);
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

interface LibsqlDatabase extends SqliteDatabase {
  readonly inTransaction: boolean;
  exec(sql: string): void;
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

function boundStatement(statement: SqliteStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: parameters => statement.all(parameters.map(bound)),
    run: parameters => statement.run(parameters.map(bound)),
    iterate: parameters => statement.iterate(parameters.map(bound)),
  };
}

/** Kysely's dialect, with transactions as libsql needs them. */
function dialectOf(database: LibsqlDatabase): SqliteDialect {
  const config = { database: boundDatabase(database) };
  class LibsqlDriver extends SqliteDriver {
    // A transaction that reads first and writes later fails when another process wrote in between. With the write lock
    // taken at the start, it waits instead.
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    }

    // On a full disk SQLite has already rolled back; a second rollback would fail and hide the reason.
    override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
      if (database.inTransaction) await super.rollbackTransaction(connection);
    }
  }
  return Object.assign(new SqliteDialect(config), { createDriver: () => new LibsqlDriver(config) });
}
