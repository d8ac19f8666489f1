/** The databases of tests: what a run compares, and separate servers for files that restart theirs. */
import { afterAll } from 'vitest';
import { whole } from './extent.ts';
import { makeCluster, type TestCluster } from './postgres-server.ts';
import { ask } from './services.ts';

export interface FreshDatabases {
  /** The address of a new, empty database. */
  freshDatabase(): Promise<string>;
}

export interface RunDatabase {
  name: 'SQLite' | 'PostgreSQL';
  /** Tests are skipped, loudly, where no PostgreSQL can start. */
  missing: boolean;
  /** The address of a new, empty database; undefined for one in memory. */
  fresh(): Promise<string | undefined>;
}

/**
 * For a file `x.databases.test.ts`, at its top level: `const database = await withDatabase()`. SQLite with `npm test`,
 * PostgreSQL with `npm run test:more`.
 */
export async function withDatabase(): Promise<RunDatabase> {
  if (!whole) return { name: 'SQLite', missing: false, fresh: async () => undefined };
  const postgres = await withPostgres();
  return { name: 'PostgreSQL', missing: !postgres, fresh: async () => postgres?.freshDatabase() };
}

/**
 * For a file `x.more.test.ts`, at its top level: `const postgres = await withPostgres()`. Null, with a visible message, if no
 * server can start; in CI this is a failure.
 */
export function withPostgres(): Promise<FreshDatabases | null> {
  return orSkipped(async () => {
    await ask('/databases', 'HEAD');
    return { freshDatabase: () => ask('/databases') };
  });
}

/** The same with a separate server that can be restarted; it is stopped after the file. */
export function withCluster(): Promise<TestCluster | null> {
  return orSkipped(async () => {
    const cluster = await makeCluster();
    afterAll(() => cluster.stop());
    return cluster;
  });
}

async function orSkipped<T>(start: () => Promise<T>): Promise<T | null> {
  try {
    return await start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the server ended at its start';
    if (process.env.CI) throw new Error(`PostgreSQL cannot be started: ${reason}`, { cause: error });
    console.error(`\n!!! POSTGRESQL TESTS ARE SKIPPED: no server can be started here (${reason})\n`);
    return null;
  }
}
