/** The value of a bucket's usage over its window (service-behaviour §8). */

import Big from 'big.js';
import { notNegative } from '../contract/pricing/models/model.ts';
import { isPerTransaction, termsOf } from '../contract/pricing/models/percentage.ts';
import { decimal, isNumeric, round, UNIT_DIGITS, ZERO } from '../contract/pricing/money.ts';
import { OutOfScope } from '../contract/pricing/out-of-scope.ts';
import type { Aggregate, PriceProperties } from '../contract/pricing/types.ts';
import { addDays, countDays, endOfLocalDay, localDate, startOfLocalDay } from './days.ts';
import { netAndPeak } from './peaks.ts';
import type { BillableMetricRecord, ChargeRecord, InstantText } from './records/index.ts';
import type { UsageEvent, UsageRow, UsageWindow } from './types.ts';

const ONE = new Big(1);
/** What usage is aggregated for: fees of an invoice, current usage (§10.1), or the fee of one more event (§10.3, §13). */
export type UsagePurpose = 'invoice' | 'current' | 'event';

/** Whether current usage of the charge is priced at the period's peak (§8). */
export function hasPeak(charge: ChargeRecord, metric: BillableMetricRecord): boolean {
  return charge.pay_in_advance && ['sum_agg', 'unique_count_agg'].includes(metric.aggregation_type);
}

/**
 * The usage of one bucket as units to price (§8): the metric's rounding applies to them and to the shown units, after
 * the 5 decimals of prorated ones, but never to the fee of one event. `grouped`: the bucket is one of several groups.
 */
export function aggregateUsage(
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  properties: PriceProperties,
  usage: UsageRow,
  window: UsageWindow,
  { purpose, grouped }: { purpose: UsagePurpose; grouped: boolean },
): Aggregate {
  const level = levelOf(metric, usage, window);
  const atPeak = purpose === 'current' && hasPeak(charge, metric);
  const unitsToPrice = pricedUnits(charge, metric, usage, window, level, atPeak);
  const count =
    metric.aggregation_type !== 'unique_count_agg'
      ? usage.events_count + usage.carried_events
      : wholeNumber(charge.prorated || (atPeak && !grouped) ? unitsToPrice : level);
  const roundByMetric = (value: Big) => (purpose === 'event' ? value : metricRounding(value, metric));
  const units = roundByMetric(unitsToPrice);
  const shownUnits = roundByMetric(atPeak ? notNegative(level) : level);
  return {
    units,
    full_units: charge.prorated ? shownUnits : units,
    shown_units: shownUnits,
    // A weighted sum's level, or its net change in the period when it is not recurring (§4).
    total_aggregated_units: metric.aggregation_type === 'weighted_sum_agg' ? sumLevel(metric, usage) : null,
    events_count: count,
    precise_total_amount_cents: decimal(usage.precise_total_amount_cents),
    event_values: charge.charge_model === 'percentage' ? eventValues(metric, properties, usage) : [],
    growth: charge.prorated ? 'none' : growthOf(metric),
  };
}

/** `rounding_function` at `rounding_precision` decimals: default 0, negative for tens and hundreds (§8). */
export function metricRounding(value: Big, metric: BillableMetricRecord): Big {
  const digits = metric.rounding_precision ?? 0;
  if (metric.rounding_function === null) return value;
  if (metric.rounding_function === 'round') return round(value, digits);
  const unit = digits >= 0 ? ONE.div(new Big(10).pow(digits)) : new Big(10).pow(-digits);
  const whole = value.div(unit).round(0, Big.roundDown);
  const rest = value.minus(whole.times(unit));
  const up = metric.rounding_function === 'ceil' && rest.gt(ZERO);
  const down = metric.rounding_function === 'floor' && rest.lt(ZERO);
  return whole.plus(up ? 1 : down ? -1 : 0).times(unit);
}

/** The refusal of a custom metric, which is never computed approximately (§16). */
export function customAggregation(metric: BillableMetricRecord): OutOfScope {
  const name = JSON.stringify(metric.code);
  return new OutOfScope(
    'custom_aggregation',
    `The metric ${name} is aggregated by the account’s own script (§8, §16).`,
  );
}

/** The days left in the window, the instant's day included; ÷ days of the whole period they are its weight (§8). */
function daysLeft(timestamp: string, window: UsageWindow): number {
  const day = startOfLocalDay(localDate(timestamp, window.timezone), window.timezone);
  return Math.max(0, countDays(day, window.to, window.timezone));
}

function levelOf(metric: BillableMetricRecord, usage: UsageRow, window: UsageWindow): Big {
  switch (metric.aggregation_type) {
    case 'count_agg':
      return decimal(usage.events_count);
    case 'sum_agg':
      return sumLevel(metric, usage);
    case 'max_agg':
      return decimal(usage.max ?? '0');
    case 'latest_agg':
      return notNegative(decimal(usage.latest?.value ?? '0'));
    case 'unique_count_agg':
      return decimal(usage.unique_count);
    case 'weighted_sum_agg':
      return weightedSum(metric, usage, window);
    case 'custom_agg':
      throw customAggregation(metric);
  }
}

/** Σ(running value × seconds it lasted) ÷ (period days × 86400), to the millisecond; rounded up at 20 decimals (§1.6). */
function weightedSum(metric: BillableMetricRecord, usage: UsageRow, window: UsageWindow): Big {
  // The last millisecond of a day stands for the day's end.
  const isDayEnd = endOfLocalDay(localDate(window.to, window.timezone), window.timezone) === window.to;
  const end = Date.parse(window.to) + (isDayEnd ? 1 : 0);
  const level = sumLevel(metric, usage);
  // Each value lasts from its event to the end: the sum over the whole window, less the time before each event.
  const area = level.times(end - Date.parse(window.from)).minus(usage.moment);
  return area
    .div(1000)
    .div(window.period_days * 86_400)
    .round(UNIT_DIGITS, Big.roundUp);
}

/** The units to price, before the metric's rounding. At the peak: current units − C + M, not below 0 (§8). */
function pricedUnits(
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  usage: UsageRow,
  window: UsageWindow,
  level: Big,
  atPeak: boolean,
): Big {
  if (charge.prorated)
    return atPeak ? proratedPeak(metric, usage, window, level) : proratedUnits(metric, usage, window);
  return atPeak ? notNegative(level.minus(usage.net).plus(usage.peak)) : level;
}

function proratedUnits(metric: BillableMetricRecord, usage: UsageRow, window: UsageWindow): Big {
  if (metric.aggregation_type === 'unique_count_agg') return ceilTo5Decimals(proratedUniqueCount(usage, window));
  const perDay = new Map<string, Big>();
  for (const event of usage.events) {
    if (!isNumeric(event.value)) continue;
    const day = localDate(event.timestamp, window.timezone);
    perDay.set(day, (perDay.get(day) ?? ZERO).plus(event.value));
  }
  // The day of an upgrade counts for new events only.
  const carriedDays = usageDays(window) - (window.upgraded ? 1 : 0);
  let units = decimal(usage.carried_sum).times(carriedDays).div(window.period_days);
  for (const [day, sum] of perDay) {
    const start = startOfLocalDay(day, window.timezone);
    // The share of the period is rounded before it is multiplied: 7 units × 1 of 28 days are 0.25001.
    units = units.plus(sum.times(round(decimal(daysLeft(start, window)).div(window.period_days), 20)));
  }
  return ceilTo5Decimals(units);
}

/** (current units − max(C, 0)) × usage days ÷ period days, and the prorated contributions of the events that raised M. */
function proratedPeak(metric: BillableMetricRecord, usage: UsageRow, window: UsageWindow, level: Big): Big {
  const carried = level.minus(notNegative(decimal(usage.net)));
  const kind = metric.aggregation_type === 'sum_agg' ? 'sum' : 'unique';
  const { contributions } = netAndPeak(kind, usage.events, usage.carried_values, usage.peaks_from);
  const units = contributions.reduce(
    (total, { amount, timestamp }) => total.plus(proratedContribution(amount, timestamp, window)),
    ceilTo5Decimals(carried.times(usageDays(window)).div(window.period_days)),
  );
  return notNegative(units);
}

/** Units of one event × days left ÷ period days, rounded up at 5 decimals (§10.3). */
export function proratedContribution(units: Big, timestamp: InstantText, window: UsageWindow): Big {
  return ceilTo5Decimals(units.times(daysLeft(timestamp, window)).div(window.period_days));
}

/** Days of the window, at most those of the whole period. */
function usageDays(window: UsageWindow): number {
  return Math.min(countDays(window.from, window.to, window.timezone), window.period_days);
}

function ceilTo5Decimals(value: Big): Big {
  const down = value.round(5, Big.roundDown);
  return value.gt(down) ? down.plus('0.00001') : down;
}

/** The sum so far: of the period, and what a recurring metric carries into it. */
export function sumLevel(metric: BillableMetricRecord, usage: UsageRow): Big {
  return decimal(usage.sum).plus(metric.recurring ? usage.carried_sum : ZERO);
}

function growthOf(metric: BillableMetricRecord): Aggregate['growth'] {
  if (metric.aggregation_type === 'count_agg' || metric.aggregation_type === 'unique_count_agg') return 'one';
  return metric.aggregation_type === 'sum_agg' ? 'sum' : 'none';
}

/**
 * The value of each event, for percentage charges: 1, where the metric counts events or values; of a maximum's events,
 * only the first with the largest value has it, the others 0.
 */
function eventValues(metric: BillableMetricRecord, properties: PriceProperties, usage: UsageRow): Big[] {
  if (growthOf(metric) === 'one')
    return isPerTransaction(termsOf(properties)) ? new Array<Big>(usage.events_count).fill(ONE) : [];
  const events = [...usage.earlier_events, ...usage.events];
  const values = events.flatMap(event => (isNumeric(event.value) ? [new Big(event.value)] : []));
  if (metric.aggregation_type !== 'max_agg') return values;
  const largest = values.findIndex(value => value.eq(usage.max ?? 0));
  return values.map((value, i) => (i === largest ? value : ZERO));
}

function wholeNumber(units: Big): number {
  return Number(notNegative(units).round(0, Big.roundDown).toFixed());
}

/**
 * Σ over values of the days they were present ÷ period days, both end days included: a value carried through the whole
 * period weighs 1, a new one its days left; a removed one counts up to and including the day of its removal.
 * Not rounded.
 */
function proratedUniqueCount(usage: UsageRow, window: UsageWindow): Big {
  const histories = new Map<string | null, UsageEvent[]>(usage.carried_values.map(value => [value, []]));
  for (const event of usage.events) {
    const known = histories.get(event.value);
    if (known) known.push(event);
    else histories.set(event.value, [event]);
  }
  const carried = new Set(usage.carried_values);
  let days = 0;
  for (const [value, events] of histories) days += daysAdded(events, carried.has(value), window);
  return decimal(days).div(window.period_days);
}

function daysAdded(events: readonly UsageEvent[], carried: boolean, window: UsageWindow): number {
  const { timezone } = window;
  let since: string | null = carried ? localDate(window.from, timezone) : null;
  let counted: string | null = null; // the last day that has been counted
  let days = 0;
  for (const event of events) {
    const day = localDate(event.timestamp, timezone);
    if (event.operation_type === 'add') since ??= day;
    else if (since !== null) {
      days += daysOfSpan(firstUncountedDay(since, counted), endOfLocalDay(day, timezone), window);
      counted = day;
      since = null;
    }
  }
  return since === null ? days : days + daysOfSpan(firstUncountedDay(since, counted), window.to, window);
}

/** The first day that is still to count: a value that is added again on the day of its removal had that day counted. */
function firstUncountedDay(since: string, counted: string | null): string {
  return counted !== null && since <= counted ? addDays(counted, 1) : since;
}

function daysOfSpan(firstDay: string, to: string, window: UsageWindow): number {
  const from = startOfLocalDay(firstDay, window.timezone);
  const end = to < window.to ? to : window.to;
  return from > end ? 0 : Math.min(window.period_days, countDays(from, end, window.timezone));
}
