import Big from 'big.js';
import { big, unsigned } from '../../../lib/decimals.ts';
import { allOf } from '../../../lib/text.ts';
import { decimal, decimalText, least, ZERO } from '../money.ts';
import type { Aggregate, PriceProperties, PriceWords } from '../types.ts';
import { costOf, type Model, type ModelCost, notNegative, type Price } from './model.ts';
import { type Properties, storedProperties } from './properties.ts';

/** The terms of a percentage charge (§9). */
export interface PercentageTerms {
  rate: Big;
  fixed: Big;
  freeEvents: number; // free_units_per_events
  freeAmount: Big; // free_units_per_total_aggregation
  min: Big | null;
  max: Big | null;
}

/** A percentage of the units plus a fixed amount per event, after free events or free units (§9). */
export const percentage: Model = {
  parse(properties) {
    const terms = readTerms(properties);
    const isByEvent = terms.freeEvents > 0 || terms.freeAmount.gt(ZERO) || isPerTransaction(terms);
    return {
      cost: usage => percentageCost(terms, usage),
      line: words => lineOf(terms, words),
      // Free events, free units and limits are counted event by event.
      isByEvent,
      ...(!isByEvent && { first: terms.rate.div(100) }),
      course: { ends: [terms.freeAmount] },
      usageOf: (units, events) => usageOf(terms, units, events),
    };
  },
  /** `1.5% of 100 (after 20 free) + 2 events × $1.50` */
  explain(details, { money, number }) {
    const [paid, rate] = [details.paid_units, details.rate].map(unsigned);
    if (!paid || !rate) return null;
    const fixed = unsigned(details.fixed_fee_total_amount) ?? ZERO;
    const [events, each] = [details.paid_events, details.fixed_fee_unit_amount].map(unsigned);
    const [free, change] = [unsigned(details.free_units), big(details.min_max_adjustment_total_amount) ?? ZERO];
    const parts = [`${number(rate)}% of ${number(paid)}`];
    if (free?.gt(ZERO)) parts.push(` (after ${number(free)} free)`);
    if (fixed.gt(ZERO)) {
      if (!events || !each?.times(events).eq(fixed)) return null;
      parts.push(` + ${number(events)} events × ${money(each)}`);
    }
    if (!change.eq(ZERO)) parts.push(`, adjusted by ${money(change)} to the limits per transaction`);
    return { text: parts.join(''), total: paid.times(rate).div(100).plus(fixed).plus(change) };
  },
  terms: ({ rate, fixed_fee_unit_amount, free_units, free_events, min_max_adjustment_total_amount }) =>
    rate === undefined ? [] : [[rate, fixed_fee_unit_amount, free_units, free_events, min_max_adjustment_total_amount]],
};

export function termsOf(properties: PriceProperties): PercentageTerms {
  return readTerms(storedProperties(properties));
}

function readTerms({ needed, optional, orNull }: Properties): PercentageTerms {
  return {
    rate: needed('rate'),
    fixed: optional('fixed_amount'),
    freeEvents: Number(optional('free_units_per_events').toFixed()),
    freeAmount: optional('free_units_per_total_aggregation'),
    min: orNull('per_transaction_min_amount'),
    max: orNull('per_transaction_max_amount'),
  };
}

/** Whether each event is priced by itself, because a transaction has a least or a largest amount. */
export function isPerTransaction({ min, max }: PercentageTerms): boolean {
  return min !== null || max !== null;
}

/** `1% + $0.30 an event, after 3 free events and 500 free, at least $0.50 and at most $20.00 an event` */
function lineOf(terms: PercentageTerms, { money, number }: PriceWords): string {
  const { rate, fixed, freeEvents: events, freeAmount, min, max } = terms;
  const free = [
    ...(events > 0 ? [`${number(decimal(events))} free ${events === 1 ? 'event' : 'events'}`] : []),
    ...(freeAmount.gt(ZERO) ? [`${number(freeAmount)} free`] : []),
  ];
  const limits = [...(min ? [`at least ${money(min)}`] : []), ...(max ? [`at most ${money(max)}`] : [])];
  return [
    `${number(rate)}%${fixed.gt(ZERO) ? ` + ${money(fixed)} an event` : ''}`,
    ...(free.length === 0 ? [] : [`after ${allOf(free)}`]),
    ...(limits.length === 0 ? [] : [`${allOf(limits)} an event`]),
  ].join(', ');
}

/** Limits per transaction change the amount alone: the details show the difference as an adjustment. */
function percentageCost(terms: PercentageTerms, aggregate: Aggregate): ModelCost {
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
  return costOf(amount, aggregate.full_units, {
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
}

/**
 * The usage of events that are known by number only; or why that does not decide its price: limits of each transaction,
 * and free allowances that the first events use up.
 */
function usageOf(terms: PercentageTerms, units: Big, events: number | null): ReturnType<NonNullable<Price['usageOf']>> {
  const { rate, fixed, freeEvents, freeAmount } = terms;
  const asOne = { units, events_count: 1, event_values: [units], growth: 'sum' as const };
  if (units.lte(0) || events === 1) return asOne;
  if (isPerTransaction(terms)) return 'limits of each transaction';
  if (fixed.eq(0) && freeEvents === 0) return asOne;
  if (events === null) return 'say how many events';
  const limited = freeAmount.gt(0);
  const withinEvents = freeEvents === 0 || events <= freeEvents;
  const allFree = limited ? units.lt(freeAmount) : freeEvents > 0;
  if (withinEvents && allFree) return asOne;
  if (withinEvents && limited && fixed.eq(0)) return asOne;
  if (!limited && (freeEvents === 0 || rate.eq(0))) return { ...asOne, events_count: events };
  return 'its free events need each event';
}

/** Free units and events, from the running totals T1, T2, … that §9 keeps. */
function freeUsage(terms: PercentageTerms, aggregate: Aggregate): { freeUnits: Big; freeEvents: number } {
  if (terms.freeEvents === 0 && terms.freeAmount.lte(ZERO)) return { freeUnits: ZERO, freeEvents: 0 };
  if (aggregate.growth === 'none') return { freeUnits: ZERO, freeEvents: terms.freeEvents };
  if (aggregate.growth === 'one') return freeUsageOfCounts(terms, aggregate.units);
  const totals = runningTotals(terms, aggregate);
  const last = totals.at(-1) ?? ZERO;
  const below = totals.filter(total => total.lt(terms.freeAmount)).length;
  return { freeUnits: freeUnitsUpTo(terms, last), freeEvents: smallestNonZero(terms.freeEvents, below) };
}

/** For count and unique_count the running totals are 1 … u, so they need not be listed. */
function freeUsageOfCounts(terms: PercentageTerms, units: Big): ReturnType<typeof freeUsage> {
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

/**
 * Amount of a percentage charge with a minimum or maximum per transaction: each event is priced alone, in time order (§9).
 * A free amount is used up event by event, and free events then have no effect; the event that exceeds it is priced for
 * the rest. A priced event costs value × rate ÷ 100 + fixed, at least the minimum and at most the maximum.
 */
function amountPerTransaction(terms: PercentageTerms, values: readonly Big[]): Big {
  const free = { events: terms.freeAmount.gt(ZERO) ? 0 : terms.freeEvents, amount: terms.freeAmount };
  let amount = ZERO;
  for (let at = 0, times = 1; at < values.length; at += times) {
    const isUsedUp = free.events <= 0 && free.amount.lte(ZERO);
    times = isUsedUp ? alikeFrom(values, at) : 1;
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
