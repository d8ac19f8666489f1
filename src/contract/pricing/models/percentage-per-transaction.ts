import type Big from 'big.js';
import { least, ZERO } from '../money.ts';
import type { Aggregate, Price } from '../types.ts';
import { notNegative } from './model.ts';
import { type PercentageTerms, percentagePrice } from './percentage-terms.ts';

/**
 * Percentage charges with a minimum or maximum per transaction: each event is priced alone, in time order (§9).
 * A free amount is used up event by event, and free events then have no effect; the event that exceeds it is priced for
 * the rest. A priced event costs value × rate ÷ 100 + fixed, at least the minimum and at most the maximum.
 */
export function perTransaction(terms: PercentageTerms, aggregate: Aggregate): Price {
  const free = { events: terms.freeAmount.gt(ZERO) ? 0 : terms.freeEvents, amount: terms.freeAmount };
  const rate = terms.rate.div(100);
  let paidUnits = ZERO;
  let paidEvents = 0;
  let adjustment = ZERO;
  for (let at = 0, times = 1; at < aggregate.event_values.length; at += times) {
    times = isUsedUp(free) ? alikeFrom(aggregate.event_values, at) : 1;
    const value = notNegative(aggregate.event_values[at] ?? ZERO);
    const priced = takeFree(free, value);
    if (priced === null) continue;
    const plain = priced.times(rate).plus(terms.fixed);
    paidUnits = paidUnits.plus(priced.times(times));
    paidEvents += times;
    if (terms.min !== null && plain.lt(terms.min)) adjustment = adjustment.plus(terms.min.minus(plain).times(times));
    else if (terms.max !== null && plain.gt(terms.max))
      adjustment = adjustment.plus(terms.max.minus(plain).times(times));
  }
  const units = notNegative(aggregate.units);
  const parts = {
    units,
    freeUnits: notNegative(units.minus(paidUnits)),
    paidUnits,
    freeEvents: aggregate.event_values.length - paidEvents,
    paidEvents,
    perUnitTotal: paidUnits.times(rate),
    fixedTotal: terms.fixed.times(paidEvents),
    adjustment,
  };
  return percentagePrice(terms, parts, aggregate.full_units);
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
