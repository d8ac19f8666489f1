/** What writes leave behind for a while: spent confirmations, and how many writes a caller made in the last minute. */
import { randomUUID } from 'node:crypto';

/** What became of a try to use something up: done by this call, done by an earlier one, or not for this store to say. */
export type Spending = 'spent' | 'used' | 'unknown';

/** Remembers what has been used once. */
export interface SpentTokens {
  /** Tells this store from every other one, and from itself before it lost what it remembered. */
  mark(): Promise<string>;
  /**
   * Notes `id` as used for `ttlMs`: `spent` for exactly one caller of this, `used` for every later one. `unknown`, with
   * nothing noted, where `mark` is not the store's: it cannot know what was used before it existed, or elsewhere.
   */
  spend(id: string, ttlMs: number, mark: string): Promise<Spending>;
}

/** Counts over a sliding window of one minute. */
interface WriteWindow {
  /** Milliseconds until a write is free, 0 when one is free now. Counts nothing. */
  wait(caller: string, limit: number): Promise<number>;
  /** Takes one place if there is one: 0, or the milliseconds until there is. */
  take(caller: string, limit: number): Promise<number>;
}

export interface WriteStores {
  spent: SpentTokens;
  window: WriteWindow;
}

export const WINDOW_MS = 60_000;
const MAX_CALLERS = 10_000;

/**
 * Both in this process: right for one machine. Keeps `mostSpent` confirmations; when full, it refuses rather than forgets.
 * Confirmations expire by the time of day, as what they confirm does; writes are counted by a clock that nobody sets.
 */
export function memoryStores(clock?: () => number, mostSpent = 100_000): WriteStores {
  return {
    spent: memorySpentTokens(clock ?? Date.now, mostSpent),
    window: memoryWriteWindow(clock ?? (() => performance.now())),
  };
}

function memorySpentTokens(now: () => number, most: number): SpentTokens {
  const expiries = new Map<string, number>();
  const own = randomUUID();
  return {
    mark: async () => own,
    async spend(id, ttlMs, mark) {
      if (mark !== own) return 'unknown';
      const at = now();
      if ((expiries.get(id) ?? 0) > at) return 'used';
      if (expiries.size >= most) dropExpired(expiries, at);
      if (expiries.size >= most) throw new Error('too many confirmations are outstanding');
      expiries.set(id, at + ttlMs);
      return 'spent';
    },
  };
}

function memoryWriteWindow(now: () => number): WriteWindow {
  const writes = new Map<string, number[]>();
  const recent = (caller: string): number[] => (writes.get(caller) ?? []).filter(time => time > now() - WINDOW_MS);
  const waitFor = (times: number[], limit: number): number => {
    if (times.length < limit) return 0;
    return limit === 0 ? WINDOW_MS : times[times.length - limit]! + WINDOW_MS - now();
  };
  return {
    wait: async (caller, limit) => waitFor(recent(caller), limit),
    async take(caller, limit) {
      const times = recent(caller);
      const wait = waitFor(times, limit);
      if (wait > 0) return wait;
      if (writes.size >= MAX_CALLERS && !writes.has(caller)) dropIdle(writes, now() - WINDOW_MS);
      writes.set(caller, [...times, now()]);
      return 0;
    },
  };
}

function dropExpired(expiries: Map<string, number>, at: number): void {
  for (const [id, expiry] of expiries) if (expiry <= at) expiries.delete(id);
}

function dropIdle(writes: Map<string, number[]>, before: number): void {
  for (const [caller, times] of writes) if ((times.at(-1) ?? 0) <= before) writes.delete(caller);
}
