/** Turns entries of invoices into records; the totals are computed from the fees (§11). */
import { Temporal } from 'temporal-polyfill';
import { inOrderOfUse } from '../../engine/coupons.ts';
import { issuingSettings } from '../../engine/issuing.ts';
import type {
  AppliedCouponRecord,
  AppliedTax,
  BillingEntityRecord,
  CouponRecord,
  CustomerRecord,
  FeeRecord,
  InvoiceRecord,
} from '../../engine/records/index.ts';
import { type Totals, totalsOf } from '../../engine/totals.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, type Path, requireThat } from './account-builder.ts';
import { billableFee } from './build-fees.ts';
import { chargesPeriod, entryRules, type InvoiceEntry, totalRules } from './check-invoice.ts';
import type { AccountEntries } from './schema.ts';

/** The version of the invoice rules, the same as in previews (§12.7). */
const INVOICE_VERSION = 4;

export function buildInvoices(builder: AccountBuilder, entries: AccountEntries): void {
  builder.each('invoices', entries.invoices, (entry, path) => {
    const ownerAt = [...path, 'external_customer_id'];
    const [record] = builder.all(
      () => invoice(builder, entry, builder.need('customers', entry.external_customer_id, ownerAt), path),
      ...entryRules(builder, entry, path),
    );
    builder.add('invoices', entry.number, record, path);
  });
}

function invoice(builder: AccountBuilder, entry: InvoiceEntry, customer: CustomerRecord, path: Path): InvoiceRecord {
  const base = builder.idAndTimes('invoice', entry.number, {
    created_at: `${entry.issuing_date}T00:00:00.000Z`,
    ...entry,
  });
  const [{ currency, totals }, periods] = builder.all(
    () => computedTotals(builder, entry, customer, path),
    () => billingPeriods(builder, entry, customer, path),
  );
  const customerEntity = builder.byId('billing_entities', customer.billing_entity_id);
  const entity =
    entry.billing_entity_code === undefined ? customerEntity : builder.billingEntity(entry.billing_entity_code, path);
  const fees = storedFees(entry, base.id, base.created_at, totals);
  const total = {
    ...amountsOf(totals),
    total_amount_cents: totals.total_amount_cents - entry.prepaid_credit_amount_cents,
  };
  builder.all(
    () => builder.parts(fees, (fee, i) => builder.claimId('fees', String(fee.id), [...path, 'fees', i])),
    ...totalRules(entry, total, path),
  );
  return {
    ...base,
    ...total,
    ...statedFields(entry),
    ...dates(entry, customer, customerEntity),
    customer_id: customer.id,
    billing_entity_id: entity.id,
    sequential_id: entry.sequential_id ?? (entry.status === 'draft' ? null : sequence(builder, customer)),
    currency,
    progressive_billing_credit_amount_cents: 0,
    version_number: INVOICE_VERSION,
    self_billed: false,
    metadata: entry.metadata.map(pair => ({
      id: idOf('invoice_metadata', `${entry.number} ${pair.key}`),
      ...pair,
      created_at: base.created_at,
    })),
    applied_taxes: totals.applied_taxes.map(tax => storedTax(tax, base.id, base.created_at)),
    fees,
    credits: totals.credits.map((credit, i) => ({ ...credit, id: idOf('credit', `${entry.number} ${i}`) })),
    billing_periods: periods,
    subscription_ids: subscriptionsOf(periods, fees),
    applied_usage_thresholds: [],
    invoice_custom_sections: entry.invoice_custom_section_codes.map((code, i) => {
      const section = builder.need('invoice_custom_sections', code, [...path, 'invoice_custom_section_codes', i]);
      const { details, display_name } = section;
      const id = idOf('applied_section', `${entry.number} ${code}`);
      return { id, code, details, display_name, created_at: base.created_at };
    }),
    error_details: entry.error_details.map((detail, i) => ({
      id: idOf('invoice_error', `${entry.number} ${i}`),
      ...detail,
    })),
  };
}

function statedFields(entry: InvoiceEntry) {
  return {
    number: entry.number,
    invoice_type: entry.invoice_type,
    status: entry.status,
    payment_status: entry.payment_status,
    payment_overdue: entry.payment_overdue,
    payment_dispute_lost_at: entry.payment_dispute_lost_at,
    prepaid_credit_amount_cents: entry.prepaid_credit_amount_cents,
    prepaid_granted_credit_amount_cents: entry.prepaid_granted_credit_amount_cents,
    prepaid_purchased_credit_amount_cents: entry.prepaid_purchased_credit_amount_cents,
    total_paid_amount_cents: entry.total_paid_amount_cents,
    file_url: entry.file_url,
    voided_at: entry.voided_at,
    purchase_order_number: entry.purchase_order_number,
  };
}

/** Coupons and credit notes take the amounts that the entry states. An amount above what is left to take is an error. */
function computedTotals(builder: AccountBuilder, entry: InvoiceEntry, customer: CustomerRecord, path: Path) {
  const currency = entry.currency ?? customer.currency;
  requireThat(!!currency, [...path, 'currency'], 'is missing, and the customer has none');
  const [fees, coupons] = builder.all(
    () => builder.parts(entry.fees, (fee, i) => billableFee(builder, fee, customer, currency, [...path, 'fees', i])),
    () => usedCoupons(builder, entry, customer, currency, path),
  );
  const totals = totalsOf({
    currency,
    fees,
    coupons: inOrderOfUse(coupons),
    creditNotes: entry.credit_notes.map(used => ({
      id: idOf('credit_note', used.number),
      number: used.number,
      balance_amount_cents: used.amount_cents,
      invoice: null,
    })),
    wallets: [],
  });
  const { coupons_amount_cents: couponCents, credit_notes_amount_cents: noteCents } = totals;
  const statedCouponCents = entry.coupons.reduce((sum, used) => sum + used.amount_cents, 0);
  const statedNoteCents = entry.credit_notes.reduce((sum, used) => sum + used.amount_cents, 0);
  const problem = `take ${statedCouponCents}, but the fees leave only ${couponCents} to take`;
  builder.all(
    () => requireThat(couponCents === statedCouponCents, [...path, 'coupons'], problem),
    () => requireThat(noteCents === statedNoteCents, [...path, 'credit_notes'], 'take more than the invoice comes to'),
  );
  return { currency, totals };
}

function usedCoupons(
  builder: AccountBuilder,
  entry: InvoiceEntry,
  customer: CustomerRecord,
  currency: string,
  path: Path,
) {
  return builder.parts(entry.coupons, (used, i) => {
    const coupon = builder.need('coupons', used.code, [...path, 'coupons', i, 'code']);
    const applied = appliedCoupon(builder, customer, coupon, used.applied_coupon, [...path, 'coupons', i]);
    return {
      coupon_id: coupon.id,
      ...(applied === undefined ? {} : { applied_coupon_id: applied.id }),
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
  customer: CustomerRecord,
  coupon: CouponRecord,
  position: number | undefined,
  path: Path,
): AppliedCouponRecord | undefined {
  if (position === undefined) {
    return builder.records.applied_coupons.find(
      each => each.customer_id === customer.id && each.coupon_id === coupon.id,
    );
  }
  const at = [...path, 'applied_coupon'];
  const applied = builder.need('applied_coupons', `${customer.external_id} ${position}`, at);
  requireThat(applied.coupon_id === coupon.id, at, `is not "${coupon.code}"`);
  return applied;
}

function amountsOf(totals: Totals) {
  return {
    fees_amount_cents: totals.fees_amount_cents,
    coupons_amount_cents: totals.coupons_amount_cents,
    sub_total_excluding_taxes_amount_cents: totals.sub_total_excluding_taxes_amount_cents,
    taxes_amount_cents: totals.taxes_amount_cents,
    taxes_rate: totals.taxes_rate,
    sub_total_including_taxes_amount_cents: totals.sub_total_including_taxes_amount_cents,
    credit_notes_amount_cents: totals.credit_notes_amount_cents,
  };
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

function billingPeriods(builder: AccountBuilder, entry: InvoiceEntry, customer: CustomerRecord, path: Path) {
  return builder.parts(entry.billing_periods, (period, i) => {
    const at = [...path, 'billing_periods', i];
    const subscription = builder.subscription(period.external_subscription_id, at);
    const hasSameCustomer = subscription.customer_id === customer.id;
    requireThat(hasSameCustomer, [...at, 'external_subscription_id'], 'belongs to another customer');
    const charges = chargesPeriod(period);
    return {
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
  });
}

function subscriptionsOf(periods: readonly { subscription_id: string }[], fees: readonly FeeRecord[]): string[] {
  const ids = [...periods.map(period => period.subscription_id), ...fees.map(fee => fee.subscription_id)];
  return [...new Set(ids)].filter(id => id !== null);
}

function dates(entry: InvoiceEntry, customer: CustomerRecord, entity: BillingEntityRecord) {
  const { net_payment_term: term } = issuingSettings(customer, entity);
  const due = Temporal.PlainDate.from(entry.issuing_date).add({ days: term }).toString();
  return {
    issuing_date: entry.issuing_date,
    payment_due_date: entry.payment_due_date ?? due,
    net_payment_term: term,
  };
}

function sequence(builder: AccountBuilder, customer: CustomerRecord): number {
  const earlier = builder.records.invoices.filter(
    each => each.customer_id === customer.id && each.sequential_id !== null,
  );
  return earlier.length + 1;
}
