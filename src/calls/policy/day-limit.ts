/**
 * `BILLING_MAX_AMOUNT_PER_DAY`: what the writes of one caller may name in a day (UTC), all together. A write is counted once
 * its first line is on the audit log and before it is sent, and given back where it surely changed nothing.
 */
import Big from 'big.js';
import type { OwnError } from '../../tool/failure.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { inWords, sumOfAmounts } from './amounts.ts';
import { dayStoreError } from './refusals.ts';

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

/** Rejects where nobody knows what was counted. */
export interface DaySums {
  look(caller: string, now: Date): Promise<DaySum>;
  /** Counts the write where it fits, in one step for all who count. Gives the sum before it. */
  take(taking: Taking): Promise<DaySum & { taken: boolean }>;
  /** Takes the amounts off that day again. */
  release(caller: string, counted: DaySum): Promise<void>;
}

/** Gives the amounts back. Never rejects: else they stay counted. */
type Release = () => Promise<void>;

export interface DayLimit {
  /** Why the write's amounts cannot be judged; null where they can, or where no day's limit holds. */
  judge(call: WriteCall): OwnError | null;
  /** What the write counts; undefined where no day's limit holds, or where it names no amount. */
  counted(call: WriteCall): DaySum | undefined;
  /** Why the amounts of the write, or of all changes of a set, do not fit into the day; counts nothing. */
  check(call: WriteCall, changes: readonly WriteCall[]): Promise<OwnError | null>;
  /** Counts them; or why they do not fit. */
  take(call: WriteCall, id: string): Promise<Release | OwnError>;
}

/** `callerOf`: the caller as the audit log names it. */
export function createDayLimit(store: DaySums, callerOf: (call: WriteCall) => string): DayLimit {
  const counted = (call: WriteCall): DaySum | undefined => {
    const [limits] = call.access.dayAmounts;
    const sums = limits === undefined ? undefined : sumOfAmounts(call, limits);
    if (sums === undefined || 'code' in sums || sums.size === 0) return undefined;
    return { day: dayOf(call.now), amounts: asSums(sums) };
  };
  return {
    judge(call) {
      for (const limits of call.access.dayAmounts) {
        const sums = sumOfAmounts(call, limits);
        if ('code' in sums) return sums;
      }
      return null;
    },
    counted,
    async check(call, changes) {
      const writes = changes.map(counted).filter(write => write !== undefined);
      if (writes.length === 0) return null;
      const amounts = writes.reduce((sums, write) => added(sums, write.amounts), {} as Sums);
      const sum = await store.look(callerOf(call), call.now).catch(() => null);
      return sum === null ? dayStoreError(call) : excess(call, amounts, sum);
    },
    async take(call, id) {
      const write = counted(call);
      if (write === undefined) return async () => {};
      const caller = callerOf(call);
      const { day, amounts } = write;
      const fits = (before: Sums) => excess(call, amounts, { day, amounts: before }) === null;
      const sum = await store.take({ caller, id, amounts, now: call.now, fits }).catch(() => null);
      if (sum === null) return dayStoreError(call);
      if (sum.taken) return () => store.release(caller, { day: sum.day, amounts }).catch(() => {});
      return excess(call, amounts, sum) ?? dayStoreError(call);
    },
  };
}

/** The refusal of a write that does not fit; null where it does. */
function excess(call: WriteCall, amounts: Sums, { day, amounts: before }: DaySum): OwnError | null {
  for (const { largest, statedBy } of call.access.dayAmounts) {
    for (const [currency, amount] of Object.entries(amounts)) {
      const limit = new Big(largest.get(currency) ?? 0);
      const left = limit.minus(before[currency] ?? 0);
      if (left.gte(amount)) continue;
      const words = (value: Big) => inWords(value.lt(0) ? new Big(0) : value, currency);
      const next = `${dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + dayMs))}T00:00:00Z`;
      return {
        status: null,
        code: 'day_limit',
        message: `${call.tool.name} was refused before anything was sent: it names ${words(new Big(amount))}, and of the ${words(limit)} for a UTC day ${words(left)} is left (${statedBy}). The day begins anew at ${next.slice(0, 10)} 00:00 UTC.`,
        details: { currency, left: (left.lt(0) ? new Big(0) : left).toFixed(), begins_anew: next },
        hint: 'Do not split the amount. Tell the person what is left and when the day begins anew.',
        changed: false,
      };
    }
  }
  return null;
}

export const dayMs = 24 * 60 * 60_000;

/** The day in UTC: `2026-03-15`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function asSums(amounts: ReadonlyMap<string, Big>): Sums {
  return Object.fromEntries([...amounts].map(([currency, amount]) => [currency, amount.toFixed()]));
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
