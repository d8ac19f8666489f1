/**
 * `BILLING_MAX_AMOUNT_PER_DAY`: what the writes of one caller may name in a day (UTC), all together. A write is counted once
 * its first line is on the audit log and before it is sent, and given back where it surely changed nothing.
 */
import Big from 'big.js';
import { type OwnError, refuse } from '../../tool/failure.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import type { WriteParts } from '../change/parts.ts';
import { inWords, sumOfAmounts } from './amounts.ts';
import { namesOf } from './audit-recorder.ts';
import { added, type DaySum, dayMs, dayOf, type Sums } from './write-stores.ts';

/** Why the write's amounts cannot be judged; null where they can, or where no day's limit holds. */
export function unjudgedInDay(write: WriteCall): OwnError | null {
  for (const limits of write.access.dayAmounts) {
    const sums = sumOfAmounts(write, limits);
    if ('code' in sums) return sums;
  }
  return null;
}

/** What the write counts; undefined where no day's limit holds, or where it names no amount. */
export function countedInDay(write: WriteCall): DaySum | undefined {
  const [limits] = write.access.dayAmounts;
  const sums = limits === undefined ? undefined : sumOfAmounts(write, limits);
  if (sums === undefined || 'code' in sums || sums.size === 0) return undefined;
  return { day: dayOf(write.now), amounts: asSums(sums) };
}

/** Why the amounts of all changes together do not fit into the day; counts nothing. */
export async function dayExcess(
  parts: WriteParts,
  write: WriteCall,
  changes: readonly WriteCall[],
): Promise<OwnError | null> {
  const counted = changes.map(countedInDay).filter(sum => sum !== undefined);
  if (counted.length === 0) return null;
  const amounts = counted.reduce((sums, sum) => added(sums, sum.amounts), {} as Sums);
  const before = await parts.stores.days.look(namesOf(parts, write).caller, write.now).catch(() => null);
  return before === null ? unknownSum(write) : excess(write, amounts, before);
}

/** Gives the amounts back. Never rejects: else they stay counted. */
type Release = () => Promise<void>;

/** Counts the write's amounts; or why they do not fit. `id`: as on the audit log. */
export async function takeOfDay(parts: WriteParts, write: WriteCall, id: string): Promise<Release | OwnError> {
  const counted = countedInDay(write);
  if (counted === undefined) return async () => {};
  const { days } = parts.stores;
  const { caller } = namesOf(parts, write);
  const { day, amounts } = counted;
  const fits = (before: Sums) => excess(write, amounts, { day, amounts: before }) === null;
  const sum = await days.take({ caller, id, amounts, now: write.now, fits }).catch(() => null);
  if (sum === null) return unknownSum(write);
  if (sum.taken) return () => days.release(caller, { day: sum.day, amounts }).catch(() => {});
  return excess(write, amounts, sum) ?? unknownSum(write);
}

function unknownSum({ tool }: WriteCall): OwnError {
  return refuse('write_budget_unavailable', { case: 'day', tool: tool.name });
}

/** The refusal of a write that does not fit; null where it does. */
function excess(call: WriteCall, amounts: Sums, { day, amounts: before }: DaySum): OwnError | null {
  for (const { largest, statedBy } of call.access.dayAmounts) {
    for (const [currency, amount] of Object.entries(amounts)) {
      const limit = new Big(largest.get(currency) ?? 0);
      const rest = limit.minus(before[currency] ?? 0);
      if (rest.gte(amount)) continue;
      const left = rest.lt(0) ? new Big(0) : rest;
      return refuse('day_limit', {
        tool: call.tool.name,
        currency,
        statedBy,
        amount: inWords(new Big(amount), currency),
        limit: inWords(limit, currency),
        left: { words: inWords(left, currency), decimal: left.toFixed() },
        next: `${dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + dayMs))}T00:00:00Z`,
      });
    }
  }
  return null;
}

function asSums(amounts: ReadonlyMap<string, Big>): Sums {
  return Object.fromEntries([...amounts].map(([currency, amount]) => [currency, amount.toFixed()]));
}
