/** The pay-in-advance fee of one event (service-behaviour §10.3). */

import type Big from 'big.js';
import { priceCharge, storedPrice } from '../contract/pricing/models/index.ts';
import { type ModelCost, notNegative, perUnit } from '../contract/pricing/models/model.ts';
import { decimal, fromCents, isNumeric, toCents, ZERO } from '../contract/pricing/money.ts';
import { OutOfScope } from '../contract/pricing/out-of-scope.ts';
import type { Aggregate } from '../contract/pricing/types.ts';
import { proratedContribution, sumLevel } from './aggregation.ts';
import type { BillableMetricRecord, InstantText } from './records/index.ts';
import type { Bucket, UsageRow, UsageWindow } from './types.ts';
import { isAdded } from './unique-values.ts';

const ONE = decimal(1);

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
  /** T: all units up to and including the event. */
  total: Big;
  /** What the price is for: price(T) − price(T − contribution). */
  contribution: Big;
}

/**
 * price(all units up to and including the event) − price(units before it).
 * `bucket` is the event's bucket with the usage before it (`bucketOfEvent`), from a query made with `inAdvance`. Major units:
 * the amount is not rounded, the unit amount is the rounded amount ÷ shown units.
 */
export function payInAdvancePrice(
  metric: BillableMetricRecord,
  bucket: Bucket,
  event: AdvanceEvent,
  window: UsageWindow,
  currency: string,
): { units: Big; price: ModelCost } {
  const contribution = eventContribution(metric, bucket.usage, event);
  const amount = amountOfEvent(metric, bucket, contribution, event, window, currency);
  const rounded = fromCents(toCents(amount, currency), currency);
  return {
    units: contribution.units,
    price: { amount, unit_amount: perUnit(rounded, contribution.units), amount_details: {} },
  };
}

/** What an event adds (§10.3). Throws `OutOfScope` for metrics that cannot be paid in advance. */
export function eventContribution(metric: BillableMetricRecord, usage: UsageRow, event: AdvanceEvent): Contribution {
  switch (metric.aggregation_type) {
    case 'count_agg':
      return { units: ONE, total: decimal(usage.events_count + 1), contribution: ONE };
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

/** A value counts as far as the net change of the period, C, rises above its peak, M. */
function sumContribution(metric: BillableMetricRecord, usage: UsageRow, value: Big): Contribution {
  const total = sumLevel(metric, usage).plus(value);
  const above = decimal(usage.net).plus(value).minus(usage.peak);
  if (above.lte(ZERO)) return { units: notNegative(value), total, contribution: ZERO };
  return { units: above, total, contribution: above };
}

/** A value that is not present shows 1; it counts only if C rises above M with it. */
function uniqueContribution(metric: BillableMetricRecord, usage: UsageRow, event: AdvanceEvent): Contribution {
  const history = usage.values.find(({ value }) => value === event.value);
  const present = history !== undefined && isAdded(history, metric.recurring);
  const adds = event.operation_type === 'add';
  const change = present === adds ? 0 : adds ? 1 : -1;
  const rises = decimal(usage.net).plus(change).gt(usage.peak);
  return {
    units: decimal(Math.max(change, 0)),
    total: decimal(usage.unique_count + change),
    contribution: rises ? ONE : ZERO,
  };
}

function amountOfEvent(
  metric: BillableMetricRecord,
  bucket: Bucket,
  { total, contribution }: Contribution,
  event: AdvanceEvent,
  window: UsageWindow,
  currency: string,
): Big {
  const { charge, aggregate: usage } = bucket;
  if (charge.charge_model === 'dynamic') {
    // The event's own cents, also when it adds no units.
    const cents = decimal(event.precise_total_amount_cents ?? '0');
    return amountOfUnits(bucket, { ...usage, precise_total_amount_cents: cents }, ONE, currency);
  }
  if (charge.prorated) {
    return amountOfUnits(bucket, usage, proratedContribution(contribution, event.timestamp, window), currency);
  }
  const before = total.minus(contribution);
  const [withEvent, withoutEvent] =
    metric.aggregation_type === 'unique_count_agg'
      ? [usageOfValues(bucket, total), usageOfValues(bucket, before)]
      : [
          { ...usage, events_count: usage.events_count + 1, event_values: [...usage.event_values, contribution] },
          usage,
        ];
  return amountOfUnits(bucket, withEvent, total, currency).minus(amountOfUnits(bucket, withoutEvent, before, currency));
}

/** The usage of so many distinct values: a percentage counts values, not events (§8). */
function usageOfValues({ charge, aggregate: usage }: Bucket, values: Big): Aggregate {
  const count = Number(values.toFixed());
  const ones = charge.charge_model === 'percentage' ? new Array<Big>(count).fill(ONE) : [];
  return { ...usage, events_count: count, event_values: ones };
}

/**
 * The price of some units. 0 units cost 0, without the first tier's flat amount: that is charged with the event that brings
 * the first units. Units below 0 are not cut: at 1.00 a unit, after −3, an event of 5 costs 5.00.
 */
function amountOfUnits({ charge, properties }: Bucket, usage: Aggregate, units: Big, currency: string): Big {
  if (units.lte(ZERO)) return units.times(storedPrice(charge.charge_model, properties).first ?? ZERO);
  const aggregate = { ...usage, units, full_units: units, shown_units: units };
  return priceCharge({ ...charge, properties }, aggregate, currency).amount;
}
