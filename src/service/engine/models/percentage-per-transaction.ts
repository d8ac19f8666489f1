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
  for (const raw of aggregate.event_values) {
    const value = notNegative(raw);
    const priced = takeFree(free, value);
    if (priced === null) continue;
    const plain = priced.times(rate).plus(terms.fixed);
    paidUnits = paidUnits.plus(priced);
    paidEvents += 1;
    if (terms.min !== null && plain.lt(terms.min)) adjustment = adjustment.plus(terms.min.minus(plain));
    else if (terms.max !== null && plain.gt(terms.max)) adjustment = adjustment.plus(terms.max.minus(plain));
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
