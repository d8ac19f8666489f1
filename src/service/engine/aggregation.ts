/** The value of a bucket's usage over its window (service-behaviour §8). */
import Big from 'big.js';
import type { BillableMetricRecord, ChargeRecord, JsonObject } from '../records/index.ts';
import { countDays, endOfLocalDay, localDate, startOfLocalDay } from './days.ts';
import { amountOrNull } from './models/properties.ts';
import { decimal, isNumeric, round, ZERO } from './money.ts';
import { OutOfScope } from './out-of-scope.ts';
import { proratedUniqueCount } from './prorated-unique.ts';
import type { Aggregate, UsageEvent, UsageRow, UsageWindow } from './types.ts';

const ONE = new Big(1);

/**
 * The usage of one bucket as units to price. `rounded` applies the metric's rounding, which pay-in-advance fees and
 * estimates never have. Proration rounds up at 5 decimals; the metric's rounding then applies to the shown units only.
 */
export function aggregateUsage(
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  properties: JsonObject,
  usage: UsageRow,
  window: UsageWindow,
  rounded: boolean,
): Aggregate {
  const level = levelOf(metric, usage, window);
  const full = rounded ? metricRounding(level, metric) : level;
  const units = charge.prorated ? proratedUnits(metric, usage, window) : full;
  return {
    units,
    full_units: full,
    shown_units: full,
    total_aggregated_units: currentLevel(metric, usage, level),
    events_count: usage.events_count,
    precise_total_amount_cents: decimal(usage.precise_total_amount_cents),
    event_values: charge.charge_model === 'percentage' ? eventValues(metric, properties, usage) : [],
    growth: growthOf(metric),
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

/** The weight `days` ÷ `of` (§8): days left in the window, the instant's day included, ÷ days of the whole period. */
export function weightOf(timestamp: string, window: UsageWindow): { days: number; of: number } {
  const day = startOfLocalDay(localDate(timestamp, window.timezone), window.timezone);
  return { days: Math.max(0, countDays(day, window.to, window.timezone)), of: window.period_days };
}

function levelOf(metric: BillableMetricRecord, usage: UsageRow, window: UsageWindow): Big {
  switch (metric.aggregation_type) {
    case 'count_agg':
      return decimal(usage.events_count);
    case 'sum_agg':
      return decimal(usage.sum).plus(metric.recurring ? usage.carried_sum : ZERO);
    case 'max_agg':
      return decimal(usage.max ?? '0');
    case 'latest_agg': {
      const latest = decimal(usage.latest?.value ?? '0');
      return latest.lt(ZERO) ? ZERO : latest;
    }
    case 'unique_count_agg':
      return decimal(usage.unique_count);
    case 'weighted_sum_agg':
      return weightedSum(metric, usage, window);
    case 'custom_agg':
      throw customAggregation(metric);
  }
}

/** Σ(running value × seconds it lasted) ÷ (period days × 86400), exact to the millisecond. */
function weightedSum(metric: BillableMetricRecord, usage: UsageRow, window: UsageWindow): Big {
  // The last millisecond of a day stands for the day's end.
  const isDayEnd = endOfLocalDay(localDate(window.to, window.timezone), window.timezone) === window.to;
  const end = Date.parse(window.to) + (isDayEnd ? 1 : 0);
  const level = decimal(usage.sum).plus(metric.recurring ? usage.carried_sum : ZERO);
  // Each value lasts from its event to the end: the sum over the whole window, less the time before each event.
  const area = level.times(end - Date.parse(window.from)).minus(usage.moment);
  return area.div(1000).div(window.period_days * 86_400);
}

function proratedUnits(metric: BillableMetricRecord, usage: UsageRow, window: UsageWindow): Big {
  if (metric.aggregation_type === 'unique_count_agg') return ceil5(proratedUniqueCount(usage, window));
  const whole = { days: countDays(window.from, window.to, window.timezone), of: window.period_days };
  const carriedDays = decimal(usage.carried_sum).times(Math.min(whole.days, whole.of));
  const perDay = new Map<string, Big>();
  for (const event of usage.events) {
    if (!isNumeric(event.value)) continue;
    const day = localDate(event.timestamp, window.timezone);
    perDay.set(day, (perDay.get(day) ?? ZERO).plus(event.value));
  }
  let unitDays = carriedDays;
  for (const [day, sum] of perDay) {
    const start = startOfLocalDay(day, window.timezone);
    unitDays = unitDays.plus(sum.times(weightOf(start, window).days));
  }
  return ceil5(unitDays.div(whole.of));
}

function ceil5(value: Big): Big {
  const down = value.round(5, Big.roundDown);
  return value.gt(down) ? down.plus('0.00001') : down;
}

function currentLevel(metric: BillableMetricRecord, usage: UsageRow, level: Big): Big | null {
  if (metric.aggregation_type === 'weighted_sum_agg') {
    return decimal(usage.sum).plus(metric.recurring ? usage.carried_sum : ZERO);
  }
  return metric.recurring ? level : null;
}

function growthOf(metric: BillableMetricRecord): Aggregate['growth'] {
  if (metric.aggregation_type === 'max_agg') return 'max';
  return metric.aggregation_type === 'count_agg' || metric.aggregation_type === 'unique_count_agg' ? 'one' : 'sum';
}

/** What each event adds, for percentage charges: its value, or 1 where events or new values are counted. */
function eventValues(metric: BillableMetricRecord, properties: JsonObject, usage: UsageRow): Big[] {
  if (metric.aggregation_type === 'count_agg') {
    const limits = ['per_transaction_min_amount', 'per_transaction_max_amount'];
    const perEvent = limits.some(key => amountOrNull(properties, key) !== null);
    return perEvent ? new Array<Big>(usage.events_count).fill(ONE) : [];
  }
  if (metric.aggregation_type === 'unique_count_agg') return newValues(usage);
  return usage.events.map(event => (isNumeric(event.value) ? new Big(event.value) : ZERO));
}

function newValues(usage: UsageRow): Big[] {
  const known = new Set<string | null>(usage.carried_values);
  return usage.events.map((event: UsageEvent) => {
    if (event.operation_type === 'remove' || known.has(event.value)) return ZERO;
    known.add(event.value);
    return ONE;
  });
}
