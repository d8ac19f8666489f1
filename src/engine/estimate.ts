/** Estimates the fees of one more event (§13): one per pay-in-advance charge of the metric, taxes included. */

import { type AdvanceEvent, payInAdvancePrice } from './advance.ts';
import { wholeUtcDays } from './days.ts';
import { type FeeOwner, newFee } from './fees.ts';
import { bucketItem } from './fees-usage.ts';
import { billable, type TaxSources } from './preview-fees.ts';
import type {
  BillableMetricRecord,
  ChargeRecord,
  EventProperties,
  FeeRecord,
  InstantText,
  PlanRecord,
} from './records/index.ts';
import { taxFee } from './taxes.ts';
import type { UsageAnswer, UsageQuery, UsageRow, UsageWindow } from './types.ts';
import { bucketOfEvent, usageQuery } from './usage.ts';

export interface EstimateInput {
  plan: PlanRecord;
  metric: BillableMetricRecord;
  owner: FeeOwner;
  external_subscription_id: string;
  /** The part of the current usage period in which the subscription runs. */
  window: UsageWindow;
  event: AdvanceEvent & { properties: EventProperties };
  now: InstantText;
}

/** The metric's pay-in-advance charges, which bill an event at once. */
export function instantCharges(plan: PlanRecord, metric: BillableMetricRecord): ChargeRecord[] {
  return plan.charges.filter(charge => charge.pay_in_advance && charge.billable_metric_id === metric.id);
}

/** The usage queries for the period's events so far. */
export function estimateQueries(input: EstimateInput): UsageQuery[] {
  const { plan, metric, window, event } = input;
  const soFar = { from: window.from, to: input.now };
  return instantCharges(plan, metric).map(charge =>
    usageQuery(charge, metric, input.external_subscription_id, soFar, { purpose: 'event', probe: event.value }),
  );
}

/** The fee of an event on a charge that bills it at once (§10.3), before taxes. `rows` are the usage before it. */
export function eventFee(
  { plan, metric, window, event, owner }: Omit<EstimateInput, 'external_subscription_id' | 'now'>,
  charge: ChargeRecord,
  rows: readonly UsageRow[],
  transactionId: string,
): FeeRecord {
  const bucket = bucketOfEvent(charge, metric, event.properties, rows, window);
  const { units, price } = payInAdvancePrice(metric, bucket, event, window, plan.amount_currency);
  return newFee({
    owner,
    item: bucketItem(charge, metric, bucket),
    currency: plan.amount_currency,
    amount: price.amount,
    unit_amount: price.unit_amount,
    units,
    events_count: 1,
    pay_in_advance: true,
    invoiceable: charge.invoiceable,
    ...(charge.invoiceable ? { from_date: window.from, to_date: window.to } : wholeUtcDays(window)),
    charge_id: charge.id,
    charge_filter_id: bucket.filter?.id ?? null,
    event_transaction_id: transactionId,
  });
}

/**
 * The fees, with taxes. Kinder than the service (§13): a graduated charge's first event includes the first tier's flat
 * amount, and free events count, as in the real fee. `transactionId` stands for the event, which is not stored.
 */
export function estimateFees(
  input: EstimateInput,
  usage: UsageAnswer,
  taxes: TaxSources,
  transactionId: string,
): FeeRecord[] {
  const { plan, metric } = input;
  return instantCharges(plan, metric).map(charge => {
    const fee = eventFee(input, charge, usage.get(charge.id) ?? [], transactionId);
    return taxFee(billable(fee, plan, charge.tax_codes, metric.code, taxes));
  });
}
