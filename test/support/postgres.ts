/** PostgreSQL for tests: one real server for all files of a run, with a database for whoever asks. */
import { inject } from 'vitest';

export interface FreshDatabases {
  /** The address of a new, empty database. */
  freshDatabase(): Promise<string>;
}

/**
 * For a test file, at its top level: `const postgres = await withPostgres()`. Null, with a loud message, where no server
 * can start; in CI that is a failure.
 */
export async function withPostgres(): Promise<FreshDatabases | null> {
  try {
    await ask('/start');
    return { freshDatabase: () => ask('/databases') };
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
