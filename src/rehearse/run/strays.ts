/**
 * Finds through /proc the processes that an agent's command started and that have left its group, and ends them. On a system
 * without /proc it finds none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Every process that the command starts has it in its environment, unless it takes it out. */
export const markName = 'REHEARSAL_RUN';

export interface Origin {
  /** The command's own process, which leads its group and its session. */
  leader: number | undefined;
  mark: string;
}

/** Replaced in tests. */
export interface System {
  proc: string;
  kill(pid: number): void;
  /** A process that was killed needs a moment. */
  pause(): Promise<void>;
}

const system: System = { proc: '/proc', kill: pid => process.kill(pid, 'SIGKILL'), pause: () => sleep(20) };
const rounds = 50;

/** Ends them once. */
export function killStrays(origin: Origin, { proc, kill }: Omit<System, 'pause'> = system): Process[] {
  const strays = straysOf(origin, proc);
  for (const { pid } of strays) {
    try {
      kill(pid);
    } catch {
      // It has ended, or belongs to another user: the next look tells.
    }
  }
  return strays;
}

/** Ends them until none is left. Gives those that are still there after a second: `4711 (name)`. */
export async function endStrays(origin: Origin, on: System = system): Promise<string[]> {
  for (let round = 1; ; round++) {
    const strays = killStrays(origin, on);
    if (strays.length === 0 || round === rounds) return strays.map(({ pid, name }) => `${pid} (${name})`);
    await on.pause();
  }
}

interface Process {
  pid: number;
  name: string;
  parent: number;
  group: number;
  session: number;
}

/** In the group or the session of the command, with its mark, or started by one of these. */
function straysOf({ leader, mark }: Origin, proc: string): Process[] {
  const all = processes(proc);
  const strays = new Set(
    all.filter(
      ({ pid, group, session }) =>
        [pid, group, session].some(id => id === leader) || isMarked(join(proc, `${pid}`), mark),
    ),
  );
  // The loop also visits what it adds to the set: the children of children.
  for (const { pid } of strays) for (const each of all) if (each.parent === pid) strays.add(each);
  return [...strays];
}

/** All processes that run, without those that have ended and that their parent has not waited for. */
function processes(proc: string): Process[] {
  return read(() => readdirSync(proc), []).flatMap(entry => {
    if (!/^\d+$/.test(entry)) return [];
    const text = read(() => readFileSync(join(proc, entry, 'stat'), 'utf8'), '');
    // A name may hold anything, brackets and line ends too.
    const [, name, state, ...ids] = /^\d+ \(([\s\S]*)\) (\S) (\d+) (\d+) (\d+) /.exec(text) ?? [];
    if (name === undefined || state === 'Z' || state === 'X') return [];
    const [parent = 0, group = 0, session = 0] = ids.map(Number);
    return [{ pid: Number(entry), name, parent, group, session }];
  });
}

function isMarked(folder: string, mark: string): boolean {
  return read(() => readFileSync(join(folder, 'environ'), 'utf8'), '').includes(`${markName}=${mark}`);
}

/** A process may end while it is looked at, and those of others show little. */
function read<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
