/** The parts common to all fees (§4, §6): the complete record, from an unrounded amount in major units. */

import type Big from 'big.js';
import { minorUnits } from '../contract/currencies.ts';
import type { FeeType } from '../contract/enums.ts';
import { ALL_FILTER_VALUES } from '../contract/pricing/filters.ts';
import { notNegative } from '../contract/pricing/models/model.ts';
import { decimal, decimalText, toCents, UNIT_DIGITS, ZERO } from '../contract/pricing/money.ts';
import type {
  AddOnRecord,
  BillableMetricRecord,
  ChargeFilterRecord,
  CustomerRecord,
  DecimalText,
  FeeItem,
  FeeRecord,
  PlanRecord,
  SubscriptionRecord,
  TaxRecord,
} from './records/index.ts';

/** A fee with the data that coupons and taxes need. */
export interface BillableFee {
  record: FeeRecord;
  /** Code of the fee's plan, for plan-limited coupons. */
  plan_code: string | null;
  /** Code of a usage fee's metric, for metric-limited coupons and wallets. */
  metric_code: string | null;
  /** The taxes of the first level that has any (§11.2). */
  taxes: TaxRecord[];
}

/** The customer and subscription of a fee. An anonymous customer and a proposed subscription have null ids. */
export interface FeeOwner {
  customer: Pick<CustomerRecord, 'id' | 'external_id'> | null;
  subscription: Pick<SubscriptionRecord, 'id' | 'external_id' | 'name'> | null;
}

/** What a fee is made of. By default it has no dates, is in arrears, and is invoiced. */
export interface FeeValues
  extends Pick<FeeRecord, 'item'>,
    Partial<Pick<FeeRecord, 'charge_id' | 'charge_filter_id' | 'fixed_charge_id' | 'event_transaction_id'>>,
    Partial<Pick<FeeRecord, 'pay_in_advance' | 'invoiceable' | 'from_date' | 'to_date' | 'amount_details'>> {
  owner: FeeOwner;
  currency: string;
  /** Major units, not rounded. */
  amount: Big;
  /** If they are not the rounded amount. */
  amount_cents?: number;
  units: Big;
  /** Major units; amount ÷ units when absent. */
  unit_amount?: Big;
  /** The units when absent; only usage and fixed-charge fees have any (§4). */
  aggregated_units?: Big | null;
  /** 0 when absent; only usage fees have any (§4). */
  events_count?: number;
}

/**
 * A computed fee: `amount_cents` is the amount rounded to the currency's digits, in minor units; `precise_amount` stays
 * unrounded (§6). Coupons and taxes are zero until they are applied; ids that only stored fees have are null.
 */
export function newFee(values: FeeValues): FeeRecord {
  const { owner, currency, amount: signed, units, unit_amount, aggregated_units, ...fields } = values;
  const { type } = fields.item;
  const amount = notNegative(signed);
  const { amount_cents = toCents(amount, currency), events_count = 0 } = fields;
  const hasUnits = type === 'charge' || type === 'fixed_charge';
  return {
    ...newFields,
    applied_taxes: [],
    amount_details: {},
    ...fields,
    subscription_id: owner.subscription?.id || null,
    customer_id: owner.customer?.id || null,
    external_customer_id: owner.customer?.external_id || null,
    external_subscription_id: owner.subscription?.external_id || null,
    amount_cents,
    amount_currency: currency,
    precise_amount: decimalText(amount),
    total_amount_cents: amount_cents,
    precise_total_amount: decimalText(amount),
    sub_total_excluding_taxes_amount_cents: amount_cents,
    sub_total_excluding_taxes_precise_amount_cents: decimalText(decimal(amount_cents)),
    units: decimalText(units, UNIT_DIGITS),
    total_aggregated_units: hasUnits ? decimalText(aggregated_units ?? units) : null,
    precise_unit_amount: decimalText(unit_amount ?? (units.eq(0) ? ZERO : amount.div(units))),
    events_count: type === 'charge' ? events_count : null,
  };
}

const newFields = {
  id: null,
  invoice_id: null,
  charge_id: null,
  charge_filter_id: null,
  fixed_charge_id: null,
  true_up_fee_id: null,
  true_up_parent_fee_id: null,
  original_fee_id: null,
  event_transaction_id: null,
  created_at: null,
  succeeded_at: null,
  failed_at: null,
  refunded_at: null,
  description: null,
  taxes_amount_cents: 0,
  taxes_precise_amount: '0.0',
  taxes_rate: '0.0',
  precise_coupons_amount_cents: '0.0',
  pay_in_advance: false,
  invoiceable: true,
  self_billed: false,
  payment_status: 'pending',
  from_date: null,
  to_date: null,
  pricing_unit_details: null,
} as const;

/** Cents of a fee after coupons, with up to five decimals: the base of its taxes (§11.2). */
export function taxableCents(fee: FeeRecord): Big {
  return decimal(fee.amount_cents).minus(decimal(fee.precise_coupons_amount_cents));
}

/** The fee with the latest first day, or creation where it has no dates. */
export function latestFee(fees: readonly FeeRecord[]): FeeRecord | null {
  const startOf = (fee: FeeRecord) => fee.from_date ?? fee.created_at ?? '';
  return fees.reduce<FeeRecord | null>(
    (last, fee) => (last !== null && startOf(last) > startOf(fee) ? last : fee),
    null,
  );
}

/** The sum of fees: rounded ones in cents, and unrounded ones in major units. */
export interface FeesSum {
  cents: number;
  precise: Big;
}

export function sumOfFees(fees: readonly FeeRecord[]): FeesSum {
  return {
    cents: fees.reduce((total, fee) => total + fee.amount_cents, 0),
    precise: fees.reduce((total, fee) => total.plus(decimal(fee.precise_amount)), ZERO),
  };
}

/** Whether a usage fee has no units, no amount and no events; such fees are left off invoices (§10.1). */
export function isEmptyUsageFee(fee: FeeRecord): boolean {
  return fee.amount_cents === 0 && fee.events_count === 0 && decimal(fee.units).eq(0);
}

/** Item of a usage fee: the metric's code, name and description, with the charge's own display name (§4). */
export function metricItem(metric: BillableMetricRecord, displayName: string | null): FeeItem {
  return {
    ...plainItem('charge', metric, displayName),
    item_id: metric.id,
    item_type: 'BillableMetric',
  };
}

/** How a fee shows its filter: the filter's name, else its values in order; a key with all values shows the key (§4). */
export function filterDisplayName(filter: ChargeFilterRecord | null): string | null {
  if (filter === null) return null;
  const values = Object.entries(filter.values).flatMap(([key, listed]) =>
    listed.includes(ALL_FILTER_VALUES) ? [key] : listed,
  );
  return filter.invoice_display_name || values.join(', ');
}

/** Item of a fixed charge's fee: the add-on's values (§4). */
export function addOnItem(addOn: AddOnRecord, displayName: string | null): FeeItem {
  return {
    ...plainItem('fixed_charge', addOn, displayName || addOn.invoice_display_name),
    ...(displayName ? { has_own_name: true } : {}),
    item_id: addOn.id,
    item_type: 'AddOn',
  };
}

/** The item with the add-on's present name, description and display name, unless the fee has one of its own (§3.4). */
export function renewedAddOnItem(item: FeeItem, addOn: AddOnRecord): FeeItem {
  const { name, description } = addOn;
  const displayName = item.has_own_name ? item.invoice_display_name : addOn.invoice_display_name || name;
  return { ...item, name, description, invoice_display_name: displayName };
}

/** Item of a plan fee: the subscription's name, else the plan's; the subscription as its item (§2, §4). */
export function planItem(plan: PlanRecord, subscription: FeeOwner['subscription']): FeeItem {
  const item = plainItem('subscription', plan, subscription?.name || plan.invoice_display_name);
  return { ...item, item_id: subscription?.id || null, item_type: 'Subscription' };
}

/** Item of a commitment fee: its own display name, never the plan's (§4). */
export function commitmentItem(plan: PlanRecord, subscription: FeeOwner['subscription']): FeeItem {
  const invoice_display_name = plan.minimum_commitment?.invoice_display_name || 'Minimum commitment';
  return { ...planItem(plan, subscription), type: 'commitment', invoice_display_name };
}

function plainItem(
  type: FeeType,
  source: { code: string; name: string; description: string | null },
  displayName: string | null,
) {
  return {
    type,
    code: source.code,
    name: source.name,
    description: source.description,
    invoice_display_name: displayName || source.name,
    filter_invoice_display_name: null,
    filters: null,
    grouped_by: {},
  };
}

/** Unrounded cents as text in major units. */
export function majorText(cents: Big, currency: string, digits?: number): DecimalText {
  return decimalText(cents.div(minorUnits(currency)), digits);
}
