import Big from 'big.js';
import { decimal, decimalText, least, ZERO } from '../money.ts';
import type { Aggregate } from '../types.ts';
import { notNegative, type PriceModel, priceOf } from './model.ts';
import { amountPerTransaction } from './percentage-per-transaction.ts';
import { isPerTransaction, type PercentageTerms, termsOf } from './percentage-terms.ts';

/**
 * A percentage of the units plus a fixed amount per event, after free events or free units (§9). Limits per transaction
 * change the amount alone: the details show the difference as an adjustment.
 */
export const percentage: PriceModel = (properties, aggregate) => {
  const terms = termsOf(properties);
  const { units, events_count } = aggregate;
  const free = freeUsage(terms, aggregate);
  const freeUnits = least(free.freeUnits, notNegative(units));
  const freeEvents = Math.min(free.freeEvents, events_count);
  const paidUnits = notNegative(units.minus(freeUnits));
  const paidEvents = events_count - freeEvents;
  const perUnitTotal = paidUnits.times(terms.rate).div(100);
  const fixedTotal = units.eq(ZERO) ? ZERO : terms.fixed.times(paidEvents);
  const onTotals = perUnitTotal.plus(fixedTotal);
  const amount = isPerTransaction(terms) ? amountPerTransaction(terms, aggregate.event_values) : onTotals;
  return priceOf(amount, aggregate.full_units, {
    units: decimalText(units),
    free_units: decimalText(freeUnits),
    paid_units: decimalText(paidUnits),
    free_events: freeEvents,
    paid_events: paidEvents,
    rate: decimalText(terms.rate),
    per_unit_total_amount: decimalText(perUnitTotal),
    fixed_fee_unit_amount: decimalText(paidEvents > 0 ? terms.fixed : ZERO),
    fixed_fee_total_amount: decimalText(fixedTotal),
    min_max_adjustment_total_amount: decimalText(amount.minus(onTotals)),
  });
};

interface FreeUsage {
  freeUnits: Big;
  freeEvents: number;
}

/** Free units and events, from the running totals T1, T2, … that §9 keeps. */
function freeUsage(terms: PercentageTerms, aggregate: Aggregate): FreeUsage {
  if (terms.freeEvents === 0 && terms.freeAmount.lte(ZERO)) return { freeUnits: ZERO, freeEvents: 0 };
  if (aggregate.growth === 'none') return { freeUnits: ZERO, freeEvents: terms.freeEvents };
  if (aggregate.growth === 'one') return freeUsageOfCounts(terms, aggregate.units);
  const totals = runningTotals(terms, aggregate);
  const last = totals.at(-1) ?? ZERO;
  const below = totals.filter(total => total.lt(terms.freeAmount)).length;
  return { freeUnits: freeUnitsUpTo(terms, last), freeEvents: smallestNonZero(terms.freeEvents, below) };
}

/** For count and unique_count the running totals are 1 … u, so they need not be listed. */
function freeUsageOfCounts(terms: PercentageTerms, units: Big): FreeUsage {
  const last = notNegative(units).round(0, 0);
  const count = Number(last.toFixed());
  const belowAmount = Math.max(0, Number(terms.freeAmount.round(0, Big.roundUp).toFixed()) - 1);
  const freeEvents = smallestNonZero(terms.freeEvents, Math.min(count, belowAmount));
  if (terms.freeEvents > 0 && count > terms.freeEvents) return { freeUnits: decimal(terms.freeEvents), freeEvents };
  return { freeUnits: freeUnitsUpTo(terms, last), freeEvents };
}

/** With free events: the totals of the first ones. Else: the totals up to the first that exceeds the free amount. */
function runningTotals(terms: PercentageTerms, aggregate: Aggregate): Big[] {
  const totals: Big[] = [];
  let total = ZERO;
  for (const value of aggregate.event_values) {
    if (terms.freeEvents > 0 ? totals.length >= terms.freeEvents : total.gt(terms.freeAmount)) break;
    total = total.plus(value);
    totals.push(total);
  }
  return totals;
}

function freeUnitsUpTo(terms: PercentageTerms, last: Big): Big {
  if (last.lte(ZERO)) return ZERO;
  return terms.freeAmount.lte(ZERO) || last.lte(terms.freeAmount) ? last : terms.freeAmount;
}

function smallestNonZero(a: number, b: number): number {
  if (a === 0 || b === 0) return Math.max(a, b);
  return Math.min(a, b);
}
