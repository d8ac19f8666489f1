/** The records that the engine computes with, made of what the billing API shows. */

import type { AppliedCoupon, Coupon } from '../../src/contract/answers.ts';
import type { ChargeModel, FixedChargeModel } from '../../src/contract/enums.ts';
import { decimal } from '../../src/contract/pricing/money.ts';
import type * as shown from '../../src/contract/shown.ts';
import type { UsableCoupon } from '../../src/engine/coupons.ts';
import { newFee } from '../../src/engine/fees.ts';
import type * as records from '../../src/engine/records/index.ts';
import { billableMetrics, events, plans, subscriptions, taxes } from '../../src/engine/records/index.ts';
import type { Columns, ValuesOf } from '../../src/engine/records/table.ts';

/** Cents as a number. */
export function centsOf(value: shown.Cents | null | undefined): number {
  return Number(value ?? 0);
}

/** Decimal text: rates may be JSON numbers. */
export function decimalOf(value: shown.Decimal | null | undefined): string {
  return String(value ?? '0');
}

/** An instant as the engine compares it: UTC with three decimals. Null where there is none. */
export function instantOf(text: string | null | undefined): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** The end of a span. The API shows whole seconds, and the engine ends a day one millisecond before the next one. */
export function endOf(text: string | null | undefined): string | null {
  const at = instantOf(text);
  return at?.endsWith(':59.000Z') ? at.replace('.000Z', '.999Z') : at;
}

const empty = { text: '', int: 0, flag: false, json: [] };
const converted = { text: String, int: Number, flag: Boolean, json: (value: unknown) => value };

/** Columns that the API shows under the same names. What it leaves out is null where the column allows it, else empty. */
function shownAs<Fields extends Columns>(fields: Fields, record: object): ValuesOf<Fields> {
  const values = Object.entries(fields).map(([name, { kind, mayBeNull }]) => {
    const value = (record as shown.Free)[name] ?? (mayBeNull ? null : empty[kind]);
    return [name, value === null ? null : converted[kind](value)];
  });
  return Object.fromEntries(values) as ValuesOf<Fields>;
}

export function metricRecord(metric: shown.BillableMetric): records.BillableMetricRecord {
  return {
    ...times(metric),
    ...shownAs(billableMetrics.shown.details, metric),
    aggregation_type: (metric.aggregation_type ?? 'custom_agg') as records.BillableMetricRecord['aggregation_type'],
    filters: (metric.filters ?? []).map(({ key, values }) => ({ key: key ?? '', values: [...(values ?? [])] })),
  };
}

function times(record: { svc_id?: string | null | undefined; created_at?: string | null | undefined }) {
  const created_at = instantOf(record.created_at) ?? '';
  return { id: record.svc_id ?? '', created_at, updated_at: created_at };
}

export function codesOf(listed: shown.Listed<shown.Tax>): string[] {
  return (listed ?? []).flatMap(({ code }) => code ?? []);
}

/** All taxes that some records name, by code. */
export function taxRecords(lists: readonly shown.Listed<shown.Tax>[]): Map<string, records.TaxRecord> {
  const taxList = lists
    .flatMap(list => list ?? [])
    .map(tax => ({ ...shownAs(taxes.columns, tax), ...times(tax), rate: decimalOf(tax.rate) }));
  return new Map(taxList.map(tax => [tax.code, tax]));
}

/** What usage charges and fixed charges share. */
function pricedRecord(charge: shown.Charge | shown.FixedCharge) {
  return {
    id: charge.svc_id ?? '',
    code: charge.code ?? '',
    parent_id: charge.svc_parent_id ?? null,
    invoice_display_name: charge.invoice_display_name ?? null,
    pay_in_advance: charge.pay_in_advance ?? false,
    prorated: charge.prorated ?? false,
    properties: (charge.properties ?? {}) as records.ChargeRecord['properties'],
    tax_codes: codesOf(charge.taxes),
    created_at: instantOf(charge.created_at) ?? '',
  };
}

function chargeRecord(charge: shown.Charge): records.ChargeRecord {
  return {
    ...pricedRecord(charge),
    billable_metric_id: charge.billable_metric_code ?? '',
    charge_model: (charge.charge_model ?? 'custom') as ChargeModel,
    invoiceable: charge.invoiceable ?? true,
    regroup_paid_fees: null,
    min_amount_cents: centsOf(charge.min_amount_cents),
    filters: (charge.filters ?? []).map(filter => ({
      id: filter.svc_id ?? '',
      invoice_display_name: filter.invoice_display_name ?? null,
      properties: (filter.properties ?? {}) as records.ChargeRecord['properties'],
      values: (filter.values ?? {}) as { [key: string]: string[] },
    })),
  };
}

function fixedChargeRecord(charge: shown.FixedCharge): records.FixedChargeRecord {
  return {
    ...pricedRecord(charge),
    add_on_id: charge.add_on_code ?? '',
    charge_model: (charge.charge_model ?? 'standard') as FixedChargeModel,
    units: decimalOf(charge.units),
  };
}

/** A plan with its own fixed charges, or those that were read next to it. Metrics and add-ons are linked by their codes. */
export function planRecord(
  plan: shown.Plan,
  fixedCharges: shown.Listed<shown.FixedCharge> = plan.fixed_charges,
): records.PlanRecord {
  const commitment = plan.minimum_commitment;
  return {
    ...shownAs(plans.columns, plan),
    ...times(plan),
    interval: (plan.interval ?? 'monthly') as records.PlanRecord['interval'],
    trial_period: decimalOf(plan.trial_period),
    charges: (plan.charges ?? []).map(chargeRecord),
    fixed_charges: (fixedCharges ?? []).map(fixedChargeRecord),
    minimum_commitment: commitment
      ? {
          ...times(commitment),
          amount_cents: centsOf(commitment.amount_cents),
          invoice_display_name: commitment.invoice_display_name ?? null,
          tax_codes: codesOf(commitment.taxes),
        }
      : null,
    tax_codes: codesOf(plan.taxes),
  };
}

export function subscriptionRecord(subscription: shown.Subscription): records.SubscriptionRecord {
  const { subscription_at, started_at } = subscription;
  return {
    ...shownAs(subscriptions.columns, subscription),
    ...times(subscription),
    customer_id: subscription.svc_customer_id ?? '',
    plan_id: subscription.plan_code ?? '',
    subscription_at: instantOf(subscription_at ?? started_at) ?? '',
    started_at: instantOf(started_at),
    ending_at: instantOf(subscription.ending_at),
    terminated_at: instantOf(subscription.terminated_at),
    fixed_charge_units: {},
    status: (subscription.status ?? 'active') as records.SubscriptionRecord['status'],
    billing_time: (subscription.billing_time ?? 'calendar') as records.SubscriptionRecord['billing_time'],
  };
}

export function eventRecord(event: shown.Event): records.EventRecord {
  return {
    ...shownAs(events.columns, event),
    id: event.svc_id ?? '',
    timestamp: instantOf(event.timestamp) ?? '',
    properties: (event.properties ?? {}) as records.EventRecord['properties'],
    created_at: instantOf(event.created_at) ?? '',
  };
}

/** A line as it was billed. Its taxes are made again by the engine. */
export function feeRecord(fee: shown.Fee): records.FeeRecord {
  const { item, svc_subscription_id: id } = fee;
  const record = newFee({
    owner: {
      customer: null,
      subscription: id ? { id, external_id: fee.external_subscription_id ?? '', name: null } : null,
    },
    item: {
      type: (item?.type ?? 'charge') as records.FeeRecord['item']['type'],
      code: item?.code ?? '',
      name: item?.name ?? '',
      description: null,
      invoice_display_name: item?.invoice_display_name ?? '',
      filter_invoice_display_name: item?.filter_invoice_display_name ?? null,
      item_id: item?.svc_item_id ?? null,
      item_type: (item?.item_type ?? 'AddOn') as records.FeeRecord['item']['item_type'],
      filters: null,
      grouped_by: (item?.grouped_by ?? {}) as records.FeeRecord['item']['grouped_by'],
    },
    currency: fee.amount_currency ?? '',
    amount: decimal(decimalOf(fee.precise_amount)),
    amount_cents: centsOf(fee.amount_cents),
    units: decimal(decimalOf(fee.units)),
    pay_in_advance: fee.pay_in_advance ?? false,
    from_date: instantOf(fee.from_date),
    to_date: endOf(fee.to_date),
    charge_filter_id: fee.svc_charge_filter_id ?? null,
    ...(fee.svc_charge_id && { charge_id: fee.svc_charge_id }),
    ...(fee.svc_fixed_charge_id && { fixed_charge_id: fee.svc_fixed_charge_id }),
  });
  return { ...record, id: fee.svc_id ?? null, created_at: instantOf(fee.created_at) };
}

/** A coupon of the customer, with the limits that the list of coupons has. `usedElsewhere`: cents that other invoices took. */
export function usableCoupon(applied: AppliedCoupon, coupon: Coupon | undefined, usedElsewhere: number): UsableCoupon {
  const isPercentage = applied.percentage_rate !== null && applied.percentage_rate !== undefined;
  const once = applied.frequency === 'once';
  return {
    coupon_id: applied.svc_coupon_id ?? null,
    applied_coupon_id: applied.svc_id ?? '',
    code: applied.coupon_code ?? '',
    name: applied.coupon_name ?? '',
    coupon_type: isPercentage ? 'percentage' : 'fixed_amount',
    amount_cents: centsOf(applied.amount_cents) - (once && !isPercentage ? usedElsewhere : 0),
    amount_currency: applied.amount_currency ?? null,
    percentage_rate: isPercentage ? decimalOf(applied.percentage_rate) : null,
    metric_codes: applied.billable_metric_codes ?? coupon?.billable_metric_codes ?? [],
    plan_codes: applied.plan_codes ?? coupon?.plan_codes ?? [],
    created_at: instantOf(applied.created_at) ?? '',
    once,
  };
}
