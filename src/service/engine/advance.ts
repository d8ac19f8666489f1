/** The pay-in-advance fee of one event (service-behaviour §10.3). */
import type Big from 'big.js';
import type { BillableMetricRecord, InstantText } from '../records/index.ts';
import { weightOf } from './aggregation.ts';
import { priceCharge } from './models/index.ts';
import { perUnit } from './models/model.ts';
import { decimal, isNumeric, ZERO } from './money.ts';
import { OutOfScope } from './out-of-scope.ts';
import type { Aggregate, Bucket, Price, UsageRow, UsageWindow } from './types.ts';
import { isAdded } from './unique-values.ts';

/** The event that is charged. `value` is the metric's field as text; null when the event has none. */
export interface AdvanceEvent {
  timestamp: InstantText;
  value: string | null;
  operation_type: 'add' | 'remove';
  precise_total_amount_cents: string | null;
}

/** What one event adds to the usage before it. */
export interface Contribution {
  /** Units that the fee shows. */
  units: Big;
  /** Units that are priced: without the event, and with it. */
  before: Big;
  after: Big;
  /** The metric's level after the event; null for metrics that are not recurring. */
  total_aggregated_units: Big | null;
}

export interface AdvancePrice {
  units: Big;
  total_aggregated_units: Big | null;
  /** Major units, not rounded; no details. */
  price: Price;
}

/**
 * price(all units up to and including the event) − price(units before it).
 * `bucket` is the event's bucket with the usage before it (`bucketOfEvent`), from a query made with `inAdvance`.
 */
export function payInAdvancePrice(
  metric: BillableMetricRecord,
  bucket: Bucket,
  event: AdvanceEvent,
  window: UsageWindow,
  currency: string,
): AdvancePrice {
  const contribution = eventContribution(metric, bucket.usage, event);
  const amount = amountOf(bucket, contribution, event, window, currency);
  const price = { amount, unit_amount: perUnit(amount, contribution.units), amount_details: {} };
  return { units: contribution.units, total_aggregated_units: contribution.total_aggregated_units, price };
}

/** What an event adds (§10.3). Throws `OutOfScope` for metrics that cannot be paid in advance. */
export function eventContribution(metric: BillableMetricRecord, usage: UsageRow, event: AdvanceEvent): Contribution {
  switch (metric.aggregation_type) {
    case 'count_agg': {
      const before = decimal(usage.events_count);
      return { units: decimal(1), before, after: before.plus(1), total_aggregated_units: null };
    }
    case 'sum_agg':
      return sumContribution(metric, usage, isNumeric(event.value) ? decimal(event.value) : ZERO);
    case 'unique_count_agg':
      return uniqueContribution(metric, usage, event);
    case 'max_agg':
    case 'latest_agg':
    case 'weighted_sum_agg':
    case 'custom_agg':
      throw new OutOfScope(
        'unknown_aggregation',
        `Metrics of type ${metric.aggregation_type} have no pay-in-advance fees (§9, §16).`,
      );
  }
}

/** A value is charged only above the highest earlier sum of the period. Before the first event that sum is 0. */
function sumContribution(metric: BillableMetricRecord, usage: UsageRow, value: Big): Contribution {
  const sum = decimal(usage.sum).plus(metric.recurring ? usage.carried_sum : ZERO);
  const highest = sum.minus(usage.net).plus(usage.peak);
  const reached = sum.plus(value);
  const level = metric.recurring ? reached : null;
  if (reached.lte(highest)) {
    const shown = value.gt(ZERO) ? value : ZERO;
    return { units: shown, before: highest, after: highest, total_aggregated_units: level };
  }
  return { units: reached.minus(highest), before: highest, after: reached, total_aggregated_units: level };
}

/** A new value adds 1, a known one or a removal 0. A value removed in this period and added again shows 1, costs 0. */
function uniqueContribution(metric: BillableMetricRecord, usage: UsageRow, event: AdvanceEvent): Contribution {
  const known = decimal(usage.unique_count).minus(usage.net).plus(usage.peak);
  const history = usage.values.find(({ value }) => value === event.value);
  const adds = event.operation_type === 'add' && !(history && isAdded(history, metric.recurring));
  const isNew = adds && decimal(usage.net).gte(usage.peak);
  const isBack = adds && !isNew;
  const removes = event.operation_type === 'remove' && history !== undefined && isAdded(history, metric.recurring);
  const level = decimal(usage.unique_count).plus(isNew || isBack ? 1 : removes ? -1 : 0);
  return {
    units: isNew || isBack ? decimal(1) : ZERO,
    before: known,
    after: isNew ? known.plus(1) : known,
    total_aggregated_units: metric.recurring ? level : null,
  };
}

function amountOf(
  bucket: Bucket,
  { before, after }: Contribution,
  event: AdvanceEvent,
  window: UsageWindow,
  currency: string,
): Big {
  const { charge, aggregate: usage } = bucket;
  if (charge.charge_model === 'dynamic') {
    // The event's own cents, also when it adds no units.
    const own = {
      ...usage,
      units: decimal(1),
      precise_total_amount_cents: decimal(event.precise_total_amount_cents ?? '0'),
    };
    return priced(bucket, own, decimal(1), currency);
  }
  const added = after.minus(before);
  if (charge.prorated) {
    const { days, of } = weightOf(event.timestamp, window);
    return priced(bucket, usage, added.times(days).div(of), currency);
  }
  const withEvent = {
    ...usage,
    events_count: usage.events_count + 1,
    event_values: [...usage.event_values, added],
  };
  return priced(bucket, withEvent, after, currency).minus(priced(bucket, usage, before, currency));
}

/** Here 0 units cost 0, without the first tier's flat amount: the event with the first units is charged that. */
function priced({ charge, properties }: Bucket, usage: Aggregate, units: Big, currency: string): Big {
  if (units.lte(ZERO)) return ZERO;
  const aggregate = { ...usage, units, full_units: units };
  return priceCharge({ ...charge, properties }, aggregate, currency).amount;
}
