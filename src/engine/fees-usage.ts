/** Usage fees of a charge (§10.1) and the true-up of its minimum (§10.2), from aggregated usage. */

import { priceCharge } from '../contract/pricing/models/index.ts';
import { decimal, floatShare, fromCents, round } from '../contract/pricing/money.ts';
import { countDays } from './days.ts';
import { type FeeOwner, filterDisplayName, isEmptyUsageFee, metricItem, newFee, sumOfFees } from './fees.ts';
import { invoicePresentationKeys, partsBy } from './presentation.ts';
import type { BillableMetricRecord, ChargeRecord, FeeItem, FeeRecord } from './records/index.ts';
import type { Bucket, UsageWindow } from './types.ts';

/** A charge whose usage in a window is billed, and to whom. */
export interface BilledUsage {
  charge: ChargeRecord;
  metric: BillableMetricRecord;
  window: UsageWindow;
  currency: string;
  owner: FeeOwner;
}

/** One fee per bucket, that is, per filter and combination of grouping values (§8, §10.1). */
export function usageFees(usage: BilledUsage, buckets: readonly Bucket[]): FeeRecord[] {
  const { charge, metric, window, currency, owner } = usage;
  return buckets.map(bucket => {
    const { aggregate } = bucket;
    const price = priceCharge({ ...charge, properties: bucket.properties }, aggregate, currency);
    const fee = newFee({
      owner,
      item: bucketItem(charge, metric, bucket),
      currency,
      amount: price.amount,
      unit_amount: price.unit_amount,
      units: price.shown_units,
      aggregated_units: aggregate.total_aggregated_units,
      events_count: aggregate.events_count,
      pay_in_advance: charge.pay_in_advance,
      invoiceable: charge.invoiceable,
      from_date: window.from,
      to_date: window.to,
      amount_details: price.amount_details,
      charge_id: charge.id,
      charge_filter_id: bucket.filter?.id ?? null,
    });
    const { presentation_breakdowns: parts } = bucket;
    return parts === undefined ? fee : { ...fee, presentation_breakdowns: parts };
  });
}

/** The fees of a charge on an invoice: empty ones left out, the true-up added (§10.1, §10.2). */
export function invoicedUsageFees(usage: BilledUsage, buckets: readonly Bucket[]): FeeRecord[] {
  const fees = usageFees(usage, buckets).map(fee => withInvoiceParts(fee, usage.charge));
  const trueUp = trueUpFee(usage, fees);
  // The true-up belongs to the default bucket's fee, which is kept even if it is empty.
  const keptFees = fees.filter(fee => !isEmptyUsageFee(fee) || (trueUp !== null && isDefaultBucket(fee, fees)));
  return trueUp === null ? keptFees : [...keptFees, trueUp];
}

/**
 * The minimum of an arrears charge less its fees (§10.2); null when the fees reach it. Minimum, not rounded: min × days
 * ÷ period days, as a float (§6). The cents are rounded after the fees' cents are subtracted; the precise amount subtracts
 * their unrounded amounts. Details and groups are those of the default bucket's fee.
 */
function trueUpFee(usage: BilledUsage, fees: readonly FeeRecord[]): FeeRecord | null {
  const { charge, metric, window, currency, owner } = usage;
  if (charge.pay_in_advance || charge.min_amount_cents <= 0) return null;
  const minimum = floatShare(charge.min_amount_cents, window.period_days, minimumDays(window));
  const billed = sumOfFees(fees);
  if (minimum.lte(billed.cents)) return null;
  const parent = fees.find(fee => isDefaultBucket(fee, fees));
  return newFee({
    owner,
    item: { ...metricItem(metric, charge.invoice_display_name), grouped_by: parent?.item.grouped_by ?? {} },
    currency,
    amount: fromCents(minimum, currency).minus(billed.precise),
    amount_cents: Number(round(minimum.minus(billed.cents)).toFixed()),
    units: decimal(1),
    invoiceable: charge.invoiceable,
    from_date: window.from,
    to_date: window.to,
    amount_details: parent?.amount_details ?? {},
    charge_id: charge.id,
  });
}

/** Days of the actual usage bounds; the day of an upgrade belongs to the new plan (§10.2). */
function minimumDays({ from, to, timezone, upgraded }: UsageWindow): number {
  const days = countDays(from, to, timezone);
  return upgraded ? Math.max(days - 1, 0) : days;
}

function isDefaultBucket(fee: FeeRecord, all: readonly FeeRecord[]): boolean {
  return fee === all.find(candidate => candidate.charge_filter_id === null);
}

/** Of the parts for display, a fee of an invoice shows those by the keys that say so (§4). */
function withInvoiceParts(fee: FeeRecord, { properties }: ChargeRecord): FeeRecord {
  const { presentation_breakdowns: parts, ...rest } = fee;
  const shown = partsBy(invoicePresentationKeys(properties), parts ?? []);
  return shown.length === 0 ? rest : { ...rest, presentation_breakdowns: shown };
}

/** The metric's item, with the filter and the grouping values of the bucket. */
export function bucketItem(
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  bucket: Pick<Bucket, 'filter' | 'grouped_by'>,
): FeeItem {
  return {
    ...metricItem(metric, charge.invoice_display_name),
    filter_invoice_display_name: filterDisplayName(bucket.filter),
    filters: bucket.filter?.values ?? null,
    grouped_by: bucket.grouped_by,
  };
}
