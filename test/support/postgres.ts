/** PostgreSQL for tests: one real server for all files of a run, and separate servers for files that restart theirs. */
import { afterAll, inject } from 'vitest';
import { makeCluster, type TestCluster } from './postgres-server.ts';

export interface FreshDatabases {
  /** The address of a new, empty database. */
  freshDatabase(): Promise<string>;
}

/**
 * For a test file, at its top level: `const postgres = await withPostgres()`. Null, with a visible message, if no server can
 * start; in CI this is a failure.
 */
export function withPostgres(): Promise<FreshDatabases | null> {
  return orSkipped(async () => {
    await ask('/start');
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

async function ask(path: string): Promise<string> {
  const answer = await fetch(new URL(path, inject('postgres')), { method: 'POST' });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
