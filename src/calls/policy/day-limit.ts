/**
 * `BILLING_MAX_AMOUNT_PER_DAY`: what the writes of one caller may name in a day (UTC), all together. A write is counted once
 * its first line is on the audit log and before it is sent, and given back where it surely changed nothing.
 */
import Big from 'big.js';
import type { OwnError } from '../../tool/failure.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import type { WriteParts } from '../change/parts.ts';
import { inWords, sumOfAmounts } from './amounts.ts';
import { namesOf } from './audit-recorder.ts';
import { dayStoreError } from './refusals.ts';
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
  return before === null ? dayStoreError(write) : excess(write, amounts, before);
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
  if (sum === null) return dayStoreError(write);
  if (sum.taken) return () => days.release(caller, { day: sum.day, amounts }).catch(() => {});
  return excess(write, amounts, sum) ?? dayStoreError(write);
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

function asSums(amounts: ReadonlyMap<string, Big>): Sums {
  return Object.fromEntries([...amounts].map(([currency, amount]) => [currency, amount.toFixed()]));
}
