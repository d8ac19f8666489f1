/** Complete records for the billing tests, from the few fields that a case is about. Ids are the codes. */

import { decimal, fromCents } from '../../src/contract/pricing/money.ts';
import { newFee, planItem } from '../../src/engine/fees.ts';
import {
  type AddOnRecord,
  type AppliedCouponRecord,
  addOns,
  appliedCoupons,
  type BillableMetricRecord,
  type BillingEntityRecord,
  billableMetrics,
  billingEntities,
  type ChargeRecord,
  type CouponRecord,
  type CreditNoteRecord,
  type CustomerRecord,
  coupons,
  creditNotes,
  customers,
  type EventRecord,
  type FeeRecord,
  type FixedChargeRecord,
  type InvoiceRecord,
  invoices,
  type PlanRecord,
  plans,
  type SubscriptionRecord,
  subscriptions,
  type TaxRecord,
  type WalletRecord,
  wallets,
} from '../../src/engine/records/index.ts';
import type { Columns, ValuesOf } from '../../src/engine/records/table.ts';

export const T0 = '2020-01-01T00:00:00.000Z';
const row = { created_at: T0, updated_at: T0 };
const empty = { text: '', int: 0, flag: false, json: [] };

/** What a case is not about: null where a column may be, else empty, 0 or false. */
export function blank<Fields extends Columns>(columns: Fields): ValuesOf<Fields> {
  const values = Object.entries(columns).map(([name, { kind, mayBeNull }]) => [name, mayBeNull ? null : empty[kind]]);
  return { ...Object.fromEntries(values), ...row };
}

export function entityRecord(fields: Partial<BillingEntityRecord> = {}): BillingEntityRecord {
  return {
    ...blank(billingEntities.columns),
    id: 'entity',
    code: 'main',
    name: 'Main',
    default_currency: 'EUR',
    document_locale: 'en',
    document_numbering: 'per_customer',
    document_number_prefix: 'MAI-0001',
    finalize_zero_amount_invoice: true,
    timezone: 'UTC',
    subscription_invoice_issuing_date_anchor: 'next_period_start',
    subscription_invoice_issuing_date_adjustment: 'align_with_finalization_date',
    is_default: true,
    ...fields,
  };
}

export function taxRecord(code: string, rate: string): TaxRecord {
  return { id: code, ...row, code, name: code, description: null, rate, applied_to_organization: false };
}

export function customerRecord(fields: Partial<CustomerRecord> = {}): CustomerRecord {
  return {
    ...blank(customers.columns),
    id: 'customer',
    external_id: 'acme',
    sequential_id: 1,
    slug: 'ACM-001',
    billing_entity_id: 'entity',
    name: 'Acme',
    account_type: 'customer',
    currency: 'EUR',
    finalize_zero_amount_invoice: 'inherit',
    ...fields,
  };
}

export function metricRecord(code: string, fields: Partial<BillableMetricRecord> = {}): BillableMetricRecord {
  return {
    ...blank(billableMetrics.columns),
    id: code,
    code,
    name: `Metric ${code}`,
    aggregation_type: 'sum_agg',
    field_name: 'value',
    ...fields,
  };
}

/** A standard charge of 1.00 per unit on a metric, in arrears. */
export function chargeRecord(metric: string, fields: Partial<ChargeRecord> = {}): ChargeRecord {
  return {
    id: `charge-${metric}`,
    code: `charge-${metric}`,
    parent_id: null,
    billable_metric_id: metric,
    charge_model: 'standard',
    invoiceable: true,
    invoice_display_name: null,
    pay_in_advance: false,
    regroup_paid_fees: null,
    prorated: false,
    min_amount_cents: 0,
    properties: { amount: '1' },
    filters: [],
    tax_codes: [],
    created_at: T0,
    ...fields,
  };
}

export function addOnRecord(code: string, fields: Partial<AddOnRecord> = {}): AddOnRecord {
  return {
    ...blank(addOns.columns),
    id: code,
    code,
    name: `Add-on ${code}`,
    amount_cents: 100,
    amount_currency: 'EUR',
    ...fields,
  };
}

/** Two units of an add-on at 10.00 each, in arrears. */
export function fixedChargeRecord(addOn: string, fields: Partial<FixedChargeRecord> = {}): FixedChargeRecord {
  return {
    id: `fixed-${addOn}`,
    code: `fixed-${addOn}`,
    parent_id: null,
    add_on_id: addOn,
    charge_model: 'standard',
    invoice_display_name: null,
    pay_in_advance: false,
    prorated: false,
    properties: { amount: '10' },
    units: '2',
    tax_codes: [],
    created_at: T0,
    ...fields,
  };
}

/** Monthly, in arrears, in EUR. */
export function planRecord(fields: Partial<PlanRecord> = {}): PlanRecord {
  const code = fields.code ?? 'plan';
  return {
    ...blank(plans.columns),
    id: code,
    code,
    name: `Plan ${code}`,
    interval: 'monthly',
    amount_cents: 10_000,
    amount_currency: 'EUR',
    trial_period: '0',
    ...fields,
  };
}

export function commitmentOf(amountCents: number, taxCodes: string[] = []) {
  return { id: 'commitment', amount_cents: amountCents, invoice_display_name: null, tax_codes: taxCodes, ...row };
}

/** Active since its `subscription_at`. */
export function subscriptionRecord(fields: Partial<SubscriptionRecord> = {}): SubscriptionRecord {
  const startsAt = fields.subscription_at ?? '2026-01-01T00:00:00.000Z';
  return {
    ...blank(subscriptions.columns),
    id: 'subscription',
    consolidate_invoice: true,
    external_id: 'sub',
    customer_id: 'customer',
    plan_id: 'plan',
    status: 'active',
    billing_time: 'calendar',
    subscription_at: startsAt,
    started_at: startsAt,
    activated_at: startsAt,
    on_termination_invoice: 'generate',
    fixed_charge_units: {},
    ...fields,
  };
}

export function eventRecord(n: number, fields: Partial<EventRecord> & Pick<EventRecord, 'timestamp'>): EventRecord {
  return {
    id: `event-${n}`,
    transaction_id: `event-${n}`,
    code: 'units',
    external_subscription_id: 'sub',
    subscription_id: 'subscription',
    customer_id: 'customer',
    properties: { value: 1 },
    precise_total_amount_cents: null,
    created_at: T0,
    ...fields,
  };
}

export function walletRecord(code: string, fields: Partial<WalletRecord> = {}): WalletRecord {
  return {
    ...blank(wallets.columns),
    id: code,
    customer_id: 'customer',
    code,
    status: 'active',
    currency: 'EUR',
    rate_amount: '1',
    priority: 50,
    credits_balance: '10',
    balance_cents: 1000,
    consumed_credits: '0',
    ...fields,
  };
}

/** A fixed coupon of 10.00 EUR, used once. */
export function couponRecord(code: string, fields: Partial<CouponRecord> = {}): CouponRecord {
  return {
    ...blank(coupons.columns),
    id: code,
    code,
    name: `Coupon ${code}`,
    reusable: true,
    coupon_type: 'fixed_amount',
    amount_cents: 1000,
    amount_currency: 'EUR',
    frequency: 'once',
    status: 'active',
    expiration: 'no_expiration',
    ...fields,
  };
}

export function appliedCouponRecord(
  coupon: CouponRecord,
  fields: Partial<AppliedCouponRecord> = {},
): AppliedCouponRecord {
  return {
    ...blank(appliedCoupons.columns),
    id: `applied-${coupon.code}`,
    coupon_id: coupon.id,
    customer_id: 'customer',
    status: 'active',
    amount_cents: coupon.amount_cents,
    amount_currency: coupon.amount_currency,
    percentage_rate: coupon.percentage_rate,
    frequency: coupon.frequency,
    frequency_duration: coupon.frequency_duration,
    frequency_duration_remaining: coupon.frequency_duration,
    ...fields,
  };
}

/** A finalized credit note with a balance in cents, on the invoice `invoice`. */
export function creditNoteRecord(
  id: string,
  balance: number,
  fields: Partial<CreditNoteRecord> = {},
): CreditNoteRecord {
  return {
    ...blank(creditNotes.columns),
    id,
    invoice_id: 'invoice',
    customer_id: 'customer',
    sequential_id: 1,
    number: `INV-${id}`,
    issuing_date: '2020-01-01',
    status: 'finalized',
    reason: 'other',
    currency: 'EUR',
    total_amount_cents: balance,
    taxes_rate: '0',
    sub_total_excluding_taxes_amount_cents: balance,
    balance_amount_cents: balance,
    credit_amount_cents: balance,
    credit_status: 'available',
    ...fields,
  };
}

/** A plan fee as a stored invoice holds it. */
export function storedFee(cents: number, fields: Partial<FeeRecord> = {}): FeeRecord {
  const plan = planRecord();
  const fee = newFee({
    owner: { customer: customerRecord(), subscription: subscriptionRecord() },
    item: planItem(plan, subscriptionRecord()),
    currency: 'EUR',
    amount: fromCents(cents, 'EUR'),
    units: decimal(1),
    pay_in_advance: true,
  });
  return { ...fee, id: 'fee', invoice_id: 'invoice', ...fields };
}

export function invoiceRecord(fees: FeeRecord[], fields: Partial<InvoiceRecord> = {}): InvoiceRecord {
  const total = fees.reduce((sum, fee) => sum + fee.amount_cents, 0);
  return {
    ...blank(invoices.columns),
    id: 'invoice',
    customer_id: 'customer',
    billing_entity_id: 'entity',
    number: 'MAI-001-001',
    sequential_id: 1,
    issuing_date: '2026-03-01',
    payment_due_date: '2026-03-01',
    invoice_type: 'subscription',
    status: 'finalized',
    payment_status: 'succeeded',
    currency: 'EUR',
    fees_amount_cents: total,
    sub_total_excluding_taxes_amount_cents: total,
    taxes_rate: '0',
    sub_total_including_taxes_amount_cents: total,
    total_amount_cents: total,
    version_number: 4,
    fees,
    subscription_ids: ['subscription'],
    ...fields,
  };
}
