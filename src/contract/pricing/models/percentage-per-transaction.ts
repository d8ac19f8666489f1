import type Big from 'big.js';
import { least, ZERO } from '../money.ts';
import { notNegative } from './model.ts';
import type { PercentageTerms } from './percentage-terms.ts';

/**
 * Amount of a percentage charge with a minimum or maximum per transaction: each event is priced alone, in time order (§9).
 * A free amount is used up event by event, and free events then have no effect; the event that exceeds it is priced for
 * the rest. A priced event costs value × rate ÷ 100 + fixed, at least the minimum and at most the maximum.
 */
export function amountPerTransaction(terms: PercentageTerms, values: readonly Big[]): Big {
  const free = { events: terms.freeAmount.gt(ZERO) ? 0 : terms.freeEvents, amount: terms.freeAmount };
  let amount = ZERO;
  for (let at = 0, times = 1; at < values.length; at += times) {
    times = isUsedUp(free) ? alikeFrom(values, at) : 1;
    const priced = takeFree(free, notNegative(values[at] ?? ZERO));
    if (priced !== null) amount = amount.plus(priceOfTransaction(terms, priced).times(times));
  }
  return amount;
}

function priceOfTransaction({ rate, fixed, min, max }: PercentageTerms, value: Big): Big {
  const plain = value.times(rate).div(100).plus(fixed);
  if (min !== null && plain.lt(min)) return min;
  return max !== null && plain.gt(max) ? max : plain;
}

function isUsedUp(free: { events: number; amount: Big }): boolean {
  return free.events <= 0 && free.amount.lte(ZERO);
}

/** How many values from `at` on are the same object: counted events all share one 1 and are priced together. */
function alikeFrom(values: readonly Big[], at: number): number {
  let end = at + 1;
  while (end < values.length && values[end] === values[at]) end += 1;
  return end - at;
}

/** Subtracts an event from the free allowance; returns the units left to price, null when the event is free. */
function takeFree(free: { events: number; amount: Big }, value: Big): Big | null {
  if (free.events > 0) {
    free.events -= 1;
    return null;
  }
  if (free.amount.lte(ZERO)) return value;
  const taken = least(free.amount, value);
  free.amount = free.amount.minus(taken);
  const rest = value.minus(taken);
  return rest.lte(ZERO) ? null : rest;
}
