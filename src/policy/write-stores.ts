/** What is kept about writes for a while: used confirmations, and how many writes a caller made in the last minute. */
import { randomUUID } from 'node:crypto';

/** `spent`: used up by this call; `used`: by an earlier one; `unknown`: this store cannot tell. */
export type Spending = 'spent' | 'used' | 'unknown';

/** Remembers what has been used once. */
export interface SpentTokens {
  /** Identifies this store; another store, or this one after it lost its memory, has another mark. */
  mark(): Promise<string>;
  /**
   * Stores for `ttlMs` milliseconds that `id` is used. Resolves to `spent` for exactly one call and to `used` for every
   * later one. If `mark` is of another store, stores nothing and resolves to `unknown`: the id may be used there.
   */
  spend(id: string, ttlMs: number, mark: string): Promise<Spending>;
}

/** Counts over a sliding window of one minute. */
interface WriteWindow {
  /** Milliseconds until a write is allowed, 0 when one is allowed now. Counts nothing. */
  wait(caller: string, limit: number): Promise<number>;
  /** Counts a write if one is allowed and returns 0; else returns the milliseconds until one is. */
  take(caller: string, limit: number): Promise<number>;
}

export interface WriteStores {
  spent: SpentTokens;
  window: WriteWindow;
}

export const WINDOW_MS = 60_000;
const MAX_CALLERS = 10_000;

/**
 * Both in this process: enough for one machine. Keeps `mostSpent` confirmations; when full, refuses and does not
 * forget. Confirmations expire by the time of day, as their tokens do; writes are counted by a monotonic clock.
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
    // There is none with a limit of 0.
    const first = times[times.length - limit];
    return first === undefined ? WINDOW_MS : first + WINDOW_MS - now();
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
