/**
 * What is kept about writes for a while: used confirmations, how many writes a caller made in the last minute, what
 * they named in the day, the questions on approval pages, and agreements after which nothing was sent yet.
 */
import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import type { EditableValue, PageLinks } from '../../../definition/asking.ts';
import { Kept } from '../../../lib/collections.ts';

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

/** By currency, decimals in major units. */
export type Sums = Readonly<Record<string, string>>;

/** What was counted in a day: `2026-03-15`. */
export interface DaySum {
  day: string;
  amounts: Sums;
}

/** A write that is counted; `id`: as on the audit log. */
interface Taking {
  caller: string;
  id: string;
  amounts: Sums;
  now: Date;
  /** Do its amounts fit, where this was counted before? */
  fits(before: Sums): boolean;
}

/** Rejects where no one knows what was counted. */
export interface DaySums {
  look(caller: string, now: Date): Promise<DaySum>;
  /** Counts the write where it fits, in one step for all who count. Gives the sum before it. */
  take(taking: Taking): Promise<DaySum & { taken: boolean }>;
  /** Takes the amounts off that day again. */
  release(caller: string, counted: DaySum): Promise<void>;
}

/** A question as its approval page shows it. */
export interface Approval {
  /** The label of the credential: only who signs in with it may see the question and decide. */
  caller: string;
  question: string;
  warnings: readonly string[];
  /** The account that the write is for. */
  account: string;
  mode?: 'live' | 'test';
  /** Milliseconds since the epoch. */
  expires: number;
  /** What the user has to type to approve it. */
  typed?: string;
  /** The values that the user can correct. */
  values?: readonly EditableValue[];
  /** The binding of the question, and what the audit log says when someone agrees to it; `by`: what that proves. */
  write: Record<'binding' | 'store' | 'tool' | 'caller' | 'target' | 'question', string> & { by: PageLinks['by'] };
  /**
   * Of a page that is reached by a link: the question's id; `page`: of the second look at corrected values, the page
   * whose link the user has.
   */
  link?: { question: string; page?: string };
}

/**
 * What was decided on an approval page. `closed`: no one can decide any more, because the client ended the question.
 * `edit:` with the page's fields as JSON: the user changed values, and is asked once more.
 */
export type PageDecision = 'approve' | 'decline' | 'closed' | `edit:${string}`;
/**
 * What came of a write that was approved; `sending`: no answer came yet; `refused`: nothing was sent; `partly`: of a
 * set, some changes were made; `moved:` with an id: values were changed, and the page shows the question of that id.
 */
export type Carried = WriteEnd | `moved:${string}`;
export type WriteEnd = 'sending' | 'done' | 'partly' | 'failed' | 'unknown' | 'refused';

/**
 * A question on an approval page as it stands; `decision` is absent while it is undecided, `carried` until its call
 * came back.
 */
export interface Standing {
  approval: Approval;
  decision?: PageDecision;
  carried?: Carried;
}

/** The questions on approval pages, and what was decided. Whoever has the link knows the id, which grants nothing. */
export interface Approvals {
  /** Stores the question for `ttlMs` milliseconds. Rejects when the store, or this caller's share of it, is full. */
  open(id: string, approval: Approval, ttlMs: number): Promise<void>;
  look(id: string): Promise<Standing | undefined>;
  /** Decides once: gives the first decision, also to every later call; undefined where there is no such question. */
  decide(id: string, decision: Exclude<PageDecision, 'closed'>): Promise<PageDecision | undefined>;
  /** No one can decide any more. What was decided stays so, and an approval that no call took up is `refused`. */
  close(id: string): Promise<void>;
  /** Stores what came of the write of an approval that a call took up; nothing where there is no such question. */
  carried(id: string, end: Carried): Promise<void>;
}

/** Someone agreed, and nothing was sent. */
export interface Agreement {
  /** When, in milliseconds since the epoch. */
  at: number;
  /** The question on an approval page, while a call may still take the approval up. */
  page?: { id: string; question: string; store: string; expires: number };
}

/** Agreements after which nothing was sent yet, by the binding of their question: told when the same is asked again. */
export interface Agreements {
  /** Best effort: a full store forgets the oldest. */
  keep(binding: string, agreement: Agreement, ttlMs: number): Promise<void>;
  find(binding: string): Promise<Agreement | undefined>;
  drop(binding: string): Promise<void>;
}

export interface WriteStores {
  spent: SpentTokens;
  window: WriteWindow;
  days: DaySums;
  approvals: Approvals;
  agreements: Agreements;
}

export const WINDOW_MS = 60_000;
/** Questions on approval pages at a time; each has at most a few thousand characters. As many agreements are kept. */
const MAX_APPROVALS = 10_000;

/**
 * All in this process: enough for one machine. Keeps `mostSpent` confirmations; when full, refuses and does not
 * forget. Of more than `mostCallers` callers, those who wrote in the last minute are kept. Confirmations expire by the
 * time of day, as their tokens do; writes are counted by a monotonic clock.
 */
export function memoryStores(clock?: () => number, mostSpent = 100_000, mostCallers = 10_000): WriteStores {
  return {
    spent: memorySpentTokens(clock ?? Date.now, mostSpent),
    window: memoryWriteWindow(clock ?? (() => performance.now()), mostCallers),
    days: memoryDays(mostCallers),
    approvals: memoryApprovals(clock ?? Date.now),
    agreements: memoryAgreements(clock ?? Date.now),
  };
}

function memoryApprovals(now: () => number): Approvals {
  const kept = new Map<string, Standing & { until: number }>();
  const present = (id: string) => {
    const entry = kept.get(id);
    return entry !== undefined && entry.until > now() ? entry : undefined;
  };
  const heldBy = (caller: string) => [...kept.values()].filter(({ approval }) => approval.caller === caller).length;
  return {
    async open(id, approval, ttlMs) {
      const at = now();
      for (const [old, { until }] of kept) {
        // The map is in the order of their ends, unless the clock was set back.
        if (until > at) break;
        kept.delete(old);
      }
      const { caller } = approval;
      const left = MAX_APPROVALS - kept.size;
      // A caller that has at least as many as are left gets no more, so that no caller takes all (sessions do the same).
      const held = left > MAX_APPROVALS / 2 ? 0 : heldBy(caller);
      if (left <= 0 || (held > 0 && held >= left)) throw new Error('too many prompts are open');
      kept.set(id, { approval, until: at + ttlMs });
    },
    async look(id) {
      const entry = present(id);
      if (entry === undefined) return undefined;
      // A copy: what is decided later does not change it.
      const { until: _, ...standing } = entry;
      return standing;
    },
    async decide(id, decision) {
      const entry = present(id);
      if (entry === undefined) return undefined;
      entry.decision ??= decision;
      return entry.decision;
    },
    async close(id) {
      const entry = present(id);
      if (entry === undefined) return;
      entry.decision ??= 'closed';
      if (entry.decision === 'approve') entry.carried ??= 'refused';
    },
    async carried(id, end) {
      const entry = present(id);
      if (entry !== undefined) entry.carried = end;
    },
  };
}

function memoryAgreements(now: () => number): Agreements {
  const kept = new Kept<Agreement>(MAX_APPROVALS, now);
  return {
    keep: async (binding, agreement, ttlMs) => kept.set(binding, agreement, ttlMs),
    find: async binding => kept.get(binding),
    drop: async binding => kept.delete(binding),
  };
}

function memorySpentTokens(now: () => number, most: number): SpentTokens {
  const expiries = new Map<string, number>();
  const storeMark = randomUUID();
  return {
    mark: async () => storeMark,
    async spend(id, ttlMs, mark) {
      if (mark !== storeMark) return 'unknown';
      const at = now();
      if ((expiries.get(id) ?? 0) > at) return 'used';
      if (expiries.size >= most) for (const [old, expiry] of expiries) if (expiry <= at) expiries.delete(old);
      if (expiries.size >= most) throw new Error('too many confirmations are outstanding');
      expiries.set(id, at + ttlMs);
      return 'spent';
    },
  };
}

function memoryWriteWindow(now: () => number, most: number): WriteWindow {
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
      if (writes.size >= most && !writes.has(caller)) {
        const before = now() - WINDOW_MS;
        for (const [other, last] of writes) if ((last.at(-1) ?? 0) <= before) writes.delete(other);
      }
      writes.set(caller, [...times, now()]);
      return 0;
    },
  };
}

/** The sums by day and caller: after a clock jumped ahead and back, the day still has what was counted. */
function memoryDays(most: number): DaySums {
  const sums = new Map<string, DaySum>();
  const keyOf = (caller: string, day: string) => `${day} ${caller}`;
  const sumOf = (caller: string, day: string): DaySum => sums.get(keyOf(caller, day)) ?? { day, amounts: {} };
  return {
    look: async (caller, now) => sumOf(caller, dayOf(now)),
    async take({ caller, amounts, now, fits }) {
      const sum = sumOf(caller, dayOf(now));
      const taken = fits(sum.amounts);
      if (sums.size >= most) for (const [key, { day }] of sums) if (day < sum.day) sums.delete(key);
      if (taken) sums.set(keyOf(caller, sum.day), { day: sum.day, amounts: added(sum.amounts, amounts) });
      return { ...sum, taken };
    },
    async release(caller, { day, amounts }) {
      const sum = sums.get(keyOf(caller, day));
      if (sum) sums.set(keyOf(caller, day), { day, amounts: added(sum.amounts, amounts, -1) });
    },
  };
}

export const dayMs = 24 * 60 * 60_000;

/** The day in UTC: `2026-03-15`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Both sums together; `sign` -1 takes the second off the first. */
export function added(sums: Sums, more: Sums, sign: 1 | -1 = 1): Sums {
  const all = Object.keys({ ...sums, ...more });
  return Object.fromEntries(
    all.map(currency => {
      const sum = new Big(more[currency] ?? 0).times(sign).plus(sums[currency] ?? 0);
      return [currency, (sum.lt(0) ? new Big(0) : sum).toFixed()];
    }),
  );
}
