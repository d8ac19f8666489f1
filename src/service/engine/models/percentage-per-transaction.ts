import type Big from 'big.js';
import { ZERO } from '../money.ts';
import type { Aggregate, Price } from '../types.ts';
import { least, notNegative } from './model.ts';
import { type PercentageTerms, percentagePrice } from './percentage-terms.ts';

/**
 * Percentage charges with a minimum or maximum per transaction: every event is priced by itself, in time order (§9).
 * A free amount is consumed value by value, and then free events have no further effect; the event that exhausts it is
 * priced for its remainder. A priced event costs value × rate ÷ 100 + fixed, held between minimum and maximum.
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

/** How many values from a place on are the same object: counted events are all the same 1, and are priced at once. */
function alikeFrom(values: readonly Big[], at: number): number {
  let end = at + 1;
  while (end < values.length && values[end] === values[at]) end += 1;
  return end - at;
}

/** Takes an event out of the free allowance; answers the units left to price, or null when the event is free. */
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
