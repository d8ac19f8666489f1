/**
 * What a test file leaves on the machine: processes that it started and that still run, ports that it listens on, files in
 * its folder for temporary files. Processes and ports are only seen where there is a `/proc`.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const shared = tmpdir();
/** Ended processes and closed sockets may be on their way out. */
const tries = 200;

/** Called before a test file. Gives what looks when it has ended: says what is left, and removes files and processes. */
export function watchForLeftovers(): () => Promise<string[]> {
  const folder = mkdtempSync(join(shared, 't-'));
  // PostgreSQL runs as another user where tests run as root.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  // Every process that inherits the environment can be found by it, even when the one that started it has ended.
  process.env.TEST_FOLDER = folder;
  const [known, knownSockets] = [new Set(processIds()), new Set(sockets())];
  const left = () => {
    const started = processes(folder, known);
    const open = ports(sockets().filter(socket => !knownSockets.has(socket)));
    return { started, told: [...started.map(([id, command]) => `process ${id}: ${command}`), ...open] };
  };
  return async () => {
    let found = left();
    for (let count = 0; found.told.length > 0 && count < tries; count++) {
      await setTimeout(50);
      found = left();
    }
    for (const [id] of found.started) process.kill(id, 'SIGKILL');
    const files = readdirSync(folder).map(name => `file ${name} in the folder for temporary files`);
    rmSync(folder, { recursive: true, force: true });
    process.env.TMPDIR = shared;
    return [...found.told, ...files];
  };
}

/** Running descendants of this process, and those that inherited its folder; not the known, which are older. */
function processes(folder: string, known: ReadonlySet<number>): (readonly [id: number, command: string])[] {
  const parents = new Map<number, number>();
  for (const id of processIds()) {
    // The name, in brackets, may hold blanks.
    const [state, parent] = read(`/proc/${id}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    if (state && state !== 'Z') parents.set(id, Number(parent));
  }
  const ours = (id: number | undefined): boolean =>
    id !== undefined && (parents.get(id) === process.pid || ours(parents.get(id)));
  const inherited = (id: number) => read(`/proc/${id}/environ`).split('\0').includes(`TEST_FOLDER=${folder}`);
  const found = [...parents.keys()].filter(id => !known.has(id) && (ours(id) || inherited(id)));
  return found.map(id => [id, read(`/proc/${id}/cmdline`).replaceAll('\0', ' ').trim()]);
}

/** The sockets of this process. */
function sockets(): string[] {
  const open = list('/proc/self/fd').map(fd => orEmpty(() => readlinkSync(`/proc/self/fd/${fd}`), ''));
  return open.flatMap(target => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** The ports on which some of them listen. After many requests, the tables are long and slow to read. */
function ports(some: readonly string[]): string[] {
  const tables = some.length === 0 ? [] : ['tcp', 'tcp6'];
  const rows = tables.flatMap(table => read(`/proc/self/net/${table}`).trim().split('\n').slice(1));
  return rows.flatMap(row => {
    const [, local, , state, , , , , , inode] = row.trim().split(/\s+/);
    const listens = state === '0A' && inode !== undefined && some.includes(inode);
    return listens ? `port ${Number.parseInt(local?.split(':').at(-1) ?? '', 16)}` : [];
  });
}

function processIds(): number[] {
  return list('/proc').flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []));
}

const list = (folder: string) => orEmpty(() => readdirSync(folder), []);
const read = (file: string) => orEmpty(() => readFileSync(file, 'utf8'), '');

/** What cannot be read, because it is not there or no longer, is empty. */
function orEmpty<T>(look: () => T, empty: T): T {
  try {
    return look();
  } catch {
    return empty;
  }
}
