/** Invoices; the totals are computed from the fees (§11). */
import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { inOrderOfUse } from '../../engine/coupons.ts';
import { INVOICE_VERSION, issuingSettings } from '../../engine/issuing.ts';
import type { AppliedTax, CouponRecord, CustomerRecord, FeeRecord, InvoiceRecord } from '../../engine/records/index.ts';
import { type Totals, totalsOf } from '../../engine/totals.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, type Entries, listOf, withIds } from './account-builder.ts';
import { billableFee, feeEntry, type Subject, subjectOf } from './fee-entries.ts';
import * as is from './values.ts';

const billingPeriod = z.strictObject({
  external_subscription_id: is.label,
  ...is.fields(is.instant, 'from', 'to'),
  charges_from: is.optional(is.instant, 'from'),
  charges_to: is.optional(is.instant, 'to'),
  fixed_charges_from: is.optional(is.instant, 'charges_from'),
  fixed_charges_to: is.optional(is.instant, 'charges_to'),
  invoicing_reason: z.enum(enums.invoicingReasons).default('subscription_periodic'),
});

/** Totals may be left out. Stated totals must equal those computed from the fees, coupons, taxes and credits. */
const totalFields = [
  ...(['fees_amount_cents', 'coupons_amount_cents', 'sub_total_excluding_taxes_amount_cents'] as const),
  ...(['taxes_amount_cents', 'sub_total_including_taxes_amount_cents'] as const),
  ...(['credit_notes_amount_cents', 'total_amount_cents'] as const),
] as const;

const invoiceEntry = z.strictObject({
  ...is.common,
  external_customer_id: is.referenceTo('customers'),
  billing_entity_code: is.optional(is.referenceTo('billing_entities'), 'the customer’s'),
  number: is.label,
  sequential_id: is.optional(is.positiveCents.nullable(), 'counts the customer’s invoices'),
  issuing_date: is.day,
  payment_due_date: is.optional(is.day, 'issuing_date and the net payment term'),
  invoice_type: z.enum(enums.invoiceTypes).default('subscription'),
  status: z.enum(enums.invoiceStatuses).default('finalized'),
  payment_status: z.enum(enums.invoicePaymentStatuses).default('pending'),
  payment_overdue: is.flag(false),
  ...is.fields(is.optionalInstant, 'payment_dispute_lost_at', 'voided_at'),
  currency: is.optional(is.currency, 'the customer’s'),
  fees: z.array(feeEntry).min(1),
  billing_periods: z.array(billingPeriod).default([]),
  coupons: z
    .array(
      z.strictObject({
        code: is.referenceTo('coupons'),
        amount_cents: is.positiveCents,
        applied_coupon: is
          .optional(is.count, 'the first with the code')
          .describe('position among the customer’s applied_coupons'),
      }),
    )
    .default([]),
  credit_notes: z.array(z.strictObject({ number: is.label, amount_cents: is.positiveCents })).default([]),
  ...is.fields(
    is.count.nullable().default(null),
    'prepaid_granted_credit_amount_cents',
    'prepaid_purchased_credit_amount_cents',
  ),
  ...is.fields(is.optional(is.cents, 'computed'), ...totalFields),
  ...is.fields(is.count.default(0), 'total_paid_amount_cents', 'prepaid_credit_amount_cents'),
  ...is.fields(is.text, 'file_url', 'purchase_order_number'),
  metadata: is.withUniqueKeys(is.keyValues(140)).default([]),
  invoice_custom_section_codes: is.codesOf('invoice_custom_sections'),
  error_details: is.errorDetails,
});

type InvoiceEntry = z.output<typeof invoiceEntry>;
export type InvoiceEntries = Entries<typeof invoiceEntry>;
type PeriodEntry = InvoiceEntry['billing_periods'][number];

export const invoiceList = listOf(invoiceEntry, (builder: AccountBuilder) => entry => {
  for (const [i, period] of entry.billing_periods.entries()) checkPeriod(builder, period, i);
  for (const [i, { true_up_of: fee }] of entry.fees.entries())
    builder.check(fee === undefined || fee < entry.fees.length, ['fees', i, 'true_up_of'], 'is no fee');
  const periods = builder.parts(entry.billing_periods, (period, i) => billingPeriodOf(builder, period, i));
  builder.parts(entry.fees, ({ amount, unit_amount: ofUnit }, i) => {
    const isStated = (amount ?? ofUnit) !== undefined;
    builder.require(isStated, ['fees', i, 'amount'], 'is missing: state amount or unit_amount');
  });
  const subjects = builder.parts(entry.fees, (fee, i) => subjectOf(builder, fee, i));
  const customer = builder.get('customers', entry.external_customer_id);
  for (const [list, parts] of Object.entries({ billing_periods: periods, fees: subjects }))
    for (const [i, { subscription }] of parts.entries()) {
      const isCustomers = subscription === null || subscription.customer_id === customer.id;
      builder.check(isCustomers, [list, i, 'external_subscription_id'], 'belongs to another customer');
    }
  builder.requireParts();
  const record = invoiceOf(builder, entry, customer, subjects);
  const stored = periods.map(period => period.record);
  const ids = new Set([...stored, ...record.fees].map(each => each.subscription_id));
  const subscription_ids = [...ids].filter(id => id !== null);
  builder.add('invoices', entry.number, { ...record, billing_periods: stored, subscription_ids });
});

function invoiceOf(
  builder: AccountBuilder,
  entry: InvoiceEntry,
  customer: CustomerRecord,
  subjects: readonly Subject[],
): Omit<InvoiceRecord, 'billing_periods' | 'subscription_ids'> {
  const {
    external_customer_id: _customer,
    billing_entity_code: entityCode,
    coupons: _coupons,
    credit_notes: _notes,
    billing_periods: _periods,
    invoice_custom_section_codes: sectionCodes,
    ...fields
  } = entry;
  const { number } = entry;
  const issued = { created_at: `${entry.issuing_date}T00:00:00.000Z` };
  const base = builder.idAndTimes('invoice', number, { ...issued, ...entry });
  const currency = entry.currency ?? customer.currency;
  builder.require(!!currency, 'currency', 'is missing, and the customer has none');
  const totals = computedTotals(builder, entry, customer, currency, subjects);
  const customerEntity = builder.byId('billing_entities', customer.billing_entity_id);
  const entity = entityCode === undefined ? customerEntity : builder.get('billing_entities', entityCode);
  const { net_payment_term: term } = issuingSettings(customer, customerEntity);
  const due = Temporal.PlainDate.from(entry.issuing_date).add({ days: term }).toString();
  const isNumbered = (each: InvoiceRecord) => each.customer_id === customer.id && each.sequential_id !== null;
  const fees = storedFees(entry, base.id, base.created_at, totals);
  for (const [i, fee] of fees.entries()) builder.claimId('fees', String(fee.id), ['fees', i]);
  const {
    fees: _fees,
    credits,
    applied_taxes: taxes,
    paid_by_wallet: _paid,
    skipped_coupons: _skipped,
    ...amounts
  } = totals;
  const total = { ...amounts, total_amount_cents: amounts.total_amount_cents - entry.prepaid_credit_amount_cents };
  checkTotals(builder, entry, total);
  return {
    ...fields,
    ...base,
    ...total,
    prepaid_credit_amount_cents: entry.prepaid_credit_amount_cents,
    payment_due_date: entry.payment_due_date ?? due,
    net_payment_term: term,
    customer_id: customer.id,
    billing_entity_id: entity.id,
    sequential_id:
      entry.sequential_id ?? (entry.status === 'draft' ? null : builder.records.invoices.filter(isNumbered).length + 1),
    currency,
    progressive_billing_credit_amount_cents: 0,
    version_number: INVOICE_VERSION,
    self_billed: false,
    metadata: entry.metadata.map(pair => ({
      id: idOf('invoice_metadata', `${number} ${pair.key}`),
      ...pair,
      created_at: base.created_at,
    })),
    applied_taxes: taxes.map(tax => storedTax(tax, base.id, base.created_at)),
    fees,
    credits: credits.map((credit, i) => ({ ...credit, id: idOf('credit', `${number} ${i}`) })),
    applied_usage_thresholds: [],
    invoice_custom_sections: sectionCodes.map(code => {
      const { details, display_name } = builder.get('invoice_custom_sections', code);
      const id = idOf('applied_section', `${number} ${code}`);
      return { id, code, details, display_name, created_at: base.created_at };
    }),
    error_details: withIds(entry.error_details, 'invoice_error', number),
  };
}

/** Coupons and credit notes take the amounts that the entry states. An amount above what is left to take is an error. */
function computedTotals(
  builder: AccountBuilder,
  entry: InvoiceEntry,
  customer: CustomerRecord,
  currency: string,
  subjects: readonly Subject[],
): Totals {
  const totals = totalsOf({
    currency,
    // biome-ignore lint/style/noNonNullAssertion: there is a subject for each of the entry's fees
    fees: entry.fees.map((fee, i) => billableFee(builder, fee, subjects[i]!, customer, currency)),
    coupons: inOrderOfUse(usedCoupons(builder, entry, customer, currency)),
    creditNotes: entry.credit_notes.map(used => ({
      id: idOf('credit_note', used.number),
      number: used.number,
      balance_amount_cents: used.amount_cents,
      invoice: null,
    })),
    wallets: [],
  });
  const { coupons_amount_cents: couponCents, credit_notes_amount_cents: noteCents } = totals;
  const statedCents = (list: readonly { amount_cents: number }[]) =>
    list.reduce((sum, used) => sum + used.amount_cents, 0);
  const coupons = statedCents(entry.coupons);
  const problem = `take ${coupons}, but the fees leave only ${couponCents} to take`;
  builder.check(couponCents === coupons, 'coupons', problem);
  builder.check(noteCents === statedCents(entry.credit_notes), 'credit_notes', 'take more than the invoice comes to');
  return totals;
}

function usedCoupons(builder: AccountBuilder, entry: InvoiceEntry, customer: CustomerRecord, currency: string) {
  return entry.coupons.map((used, i) => {
    const coupon = builder.get('coupons', used.code);
    const applied = appliedCoupon(builder, customer, coupon, used.applied_coupon, i);
    return {
      coupon_id: coupon.id,
      ...(applied && { applied_coupon_id: applied.id }),
      code: coupon.code,
      name: coupon.name,
      coupon_type: 'fixed_amount' as const,
      amount_cents: used.amount_cents,
      amount_currency: currency,
      percentage_rate: null,
      metric_codes: coupon.billable_metric_codes,
      plan_codes: coupon.plan_codes,
      created_at: String(i).padStart(3, '0'),
    };
  });
}

/** The customer's applied coupon that an invoice used: the one that is stated, else the first of the coupon, if any. */
function appliedCoupon(
  builder: AccountBuilder,
  { id, external_id: externalId }: CustomerRecord,
  coupon: CouponRecord,
  position: number | undefined,
  i: number,
) {
  const isApplied = (each: { customer_id: string; coupon_id: string }) =>
    each.customer_id === id && each.coupon_id === coupon.id;
  if (position === undefined) return builder.records.applied_coupons.find(isApplied);
  const at = ['coupons', i, 'applied_coupon'];
  const stated = builder.find('applied_coupons', `${externalId} ${position}`);
  const applied = builder.present('customers', stated, at, `the customer has no applied coupon ${position}`);
  builder.check(isApplied(applied), at, `is not "${coupon.code}"`);
  return applied;
}

function storedFees(entry: InvoiceEntry, invoiceId: string, created: string, totals: Totals): FeeRecord[] {
  const idOfFee = (i: number) => entry.fees[i]?.id ?? idOf('fee', `${entry.number} ${i}`);
  return totals.fees.map(({ record }, i) => {
    // biome-ignore lint/style/noNonNullAssertion: the totals have one fee for each of the entry's
    const fee = entry.fees[i]!;
    // An add-on's fee without a span is of the moment of its invoice (§4).
    const moment = fee.type === 'add_on' ? created : null;
    const status = fee.payment_status ?? entry.payment_status;
    const parent = fee.true_up_of;
    const trueUp = entry.fees.findIndex(other => other.true_up_of === i);
    return {
      ...record,
      id: idOfFee(i),
      invoice_id: invoiceId,
      true_up_fee_id: trueUp === -1 ? null : idOfFee(trueUp),
      true_up_parent_fee_id: parent === undefined ? null : idOfFee(parent),
      payment_status: status,
      from_date: record.from_date ?? moment,
      to_date: record.to_date ?? moment,
      created_at: created,
      // A status that follows from the invoice has no time (§3.6).
      succeeded_at: fee.payment_status === 'succeeded' ? created : null,
      failed_at: fee.payment_status === 'failed' ? created : null,
      refunded_at: fee.payment_status === 'refunded' ? created : null,
      applied_taxes: record.applied_taxes.map(tax => storedTax(tax, idOfFee(i), created)),
    };
  });
}

export function storedTax(tax: AppliedTax, ownerId: string, created: string): AppliedTax {
  return { ...tax, id: idOf('applied_tax', `${ownerId} ${tax.tax_code}`), created_at: created };
}

function billingPeriodOf(builder: AccountBuilder, period: PeriodEntry, position: number) {
  const subscription = builder.subscription(period.external_subscription_id, ['billing_periods', position]);
  const charges = chargesPeriod(period);
  const record = {
    subscription_id: subscription.id,
    external_subscription_id: subscription.external_id,
    plan_id: subscription.plan_id,
    subscription_from_datetime: period.from,
    subscription_to_datetime: period.to,
    charges_from_datetime: charges.from,
    charges_to_datetime: charges.to,
    ...(period.fixed_charges_from && { fixed_charges_from_datetime: period.fixed_charges_from }),
    ...(period.fixed_charges_to && { fixed_charges_to_datetime: period.fixed_charges_to }),
    invoicing_reason: period.invoicing_reason,
  };
  return { subscription, record };
}

function checkPeriod(builder: AccountBuilder, period: PeriodEntry, position: number): void {
  const charges = chargesPeriod(period);
  const at = ['billing_periods', position];
  const isForward = period.from <= period.to;
  builder.check(isForward, [...at, 'to'], 'is before from');
  // If no charges period is stated, it is the period above, whose problem is reported already.
  const isStated = period.charges_from !== undefined || period.charges_to !== undefined;
  const isReported = !isForward && !isStated;
  builder.check(charges.from <= charges.to || isReported, [...at, 'charges_to'], 'is before charges_from');
}

/** The period whose usage is billed. */
function chargesPeriod({ from, to, charges_from = from, charges_to = to }: PeriodEntry): { from: string; to: string } {
  return { from: charges_from, to: charges_to };
}

/** Stated sums must equal the computed ones. The computed total is after prepaid credits. */
function checkTotals(
  builder: AccountBuilder,
  entry: InvoiceEntry,
  computed: { [Field in (typeof totalFields)[number]]: number },
): void {
  for (const field of totalFields) {
    const agrees = entry[field] === undefined || entry[field] === computed[field];
    builder.check(agrees, field, `is ${entry[field]}, but the fees come to ${computed[field]}`);
  }
  const { total_amount_cents: total } = computed;
  const paid = entry.total_paid_amount_cents;
  builder.check(total >= 0, 'prepaid_credit_amount_cents', 'is more than the invoice comes to');
  builder.check(total < 0 || paid <= total, 'total_paid_amount_cents', `is ${paid}, more than the total of ${total}`);
}
