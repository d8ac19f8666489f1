/** Turns entries of invoices into records; the totals are computed from the fees (§11). */
import { Temporal } from 'temporal-polyfill';
import { inOrderOfUse } from '../engine/coupons.ts';
import { issuingSettings } from '../engine/issuing.ts';
import { type Totals, totalsOf } from '../engine/totals.ts';
import type {
  AppliedCouponRecord,
  AppliedTax,
  BillingEntityRecord,
  CouponRecord,
  CustomerRecord,
  FeeRecord,
  InvoiceRecord,
} from '../records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, type Path, requireThat } from './account-builder.ts';
import { billableFee } from './build-fees.ts';
import type { AccountEntries } from './schema.ts';
import { invoiceTotals } from './schema-documents.ts';

type InvoiceEntry = AccountEntries['invoices'][number];

/** The version of the invoice rules, the same as in previews (§12.7). */
const INVOICE_VERSION = 4;

export function buildInvoices(builder: AccountBuilder, entries: AccountEntries): void {
  builder.each('invoices', entries.invoices, (entry, path) => {
    const customer = builder.need('customers', entry.external_customer_id, [...path, 'external_customer_id']);
    builder.add('invoices', entry.number, invoice(builder, entry, customer, path), path);
  });
}

function invoice(builder: AccountBuilder, entry: InvoiceEntry, customer: CustomerRecord, path: Path): InvoiceRecord {
  const currency = entry.currency ?? customer.currency;
  requireThat(!!currency, [...path, 'currency'], 'is missing, and the customer has none');
  const base = builder.base('invoice', entry.number, { created_at: `${entry.issuing_date}T00:00:00.000Z`, ...entry });
  const totals = computedTotals(builder, entry, customer, currency, path);
  const ownEntity = builder.byId('billing_entities', customer.billing_entity_id);
  const entity = entry.billing_entity_code === undefined ? ownEntity : builder.entity(entry.billing_entity_code, path);
  const fees = storedFees(entry, base.id, base.created_at, totals, path);
  for (const [i, fee] of fees.entries()) builder.claimId('fees', String(fee.id), [...path, 'fees', i]);
  const rest = totals.total_amount_cents - entry.prepaid_credit_amount_cents;
  const total = { ...amountsOf(totals), total_amount_cents: rest };
  checkStatedTotals(entry, total, path);
  requireThat(rest >= 0, [...path, 'prepaid_credit_amount_cents'], 'is more than the invoice comes to');
  const paid = entry.total_paid_amount_cents;
  requireThat(paid <= rest, [...path, 'total_paid_amount_cents'], `is ${paid}, more than the total of ${rest}`);
  return {
    ...base,
    ...total,
    ...ownFields(entry),
    ...dates(entry, customer, ownEntity),
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
    ...periods(builder, entry, customer, fees, path),
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

function ownFields(entry: InvoiceEntry) {
  const { number, invoice_type, status, payment_status, payment_overdue, payment_dispute_lost_at } = entry;
  const { prepaid_credit_amount_cents, prepaid_granted_credit_amount_cents } = entry;
  const { prepaid_purchased_credit_amount_cents, total_paid_amount_cents, file_url, voided_at } = entry;
  return {
    ...{ number, invoice_type, status, payment_status, payment_overdue, payment_dispute_lost_at },
    ...{ prepaid_credit_amount_cents, prepaid_granted_credit_amount_cents, prepaid_purchased_credit_amount_cents },
    ...{ total_paid_amount_cents, file_url, voided_at, purchase_order_number: entry.purchase_order_number },
  };
}

/** Coupons and credit notes take the amounts that the entry states. An amount above what is left to take is an error. */
function computedTotals(
  builder: AccountBuilder,
  entry: InvoiceEntry,
  customer: CustomerRecord,
  currency: string,
  path: Path,
): Totals {
  const coupons = entry.coupons.map((used, i) => {
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
  const totals = totalsOf({
    currency,
    fees: builder.parts(entry.fees, (fee, i) => billableFee(builder, fee, customer, currency, [...path, 'fees', i])),
    coupons: inOrderOfUse(coupons),
    creditNotes: entry.credit_notes.map(used => ({
      id: idOf('credit_note', used.number),
      number: used.number,
      balance_amount_cents: used.amount_cents,
      invoice: null,
    })),
    wallets: [],
  });
  const taken = totals.coupons_amount_cents;
  const wanted = entry.coupons.reduce((sum, used) => sum + used.amount_cents, 0);
  requireThat(taken === wanted, [...path, 'coupons'], `take ${wanted}, but the fees leave only ${taken} to take`);
  const noted = entry.credit_notes.reduce((sum, used) => sum + used.amount_cents, 0);
  requireThat(
    noted === totals.credit_notes_amount_cents,
    [...path, 'credit_notes'],
    'take more than the invoice comes to',
  );
  return totals;
}

/** The applied coupon that an invoice used: the customer's stated one, else its first with the code, if it has one. */
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

function checkStatedTotals(entry: InvoiceEntry, computed: { [field: string]: unknown }, path: Path): void {
  for (const field of Object.keys(invoiceTotals) as (keyof typeof invoiceTotals)[]) {
    const agrees = entry[field] === undefined || entry[field] === computed[field];
    requireThat(agrees, [...path, field], `is ${entry[field]}, but the fees come to ${computed[field]}`);
  }
}

function storedFees(entry: InvoiceEntry, invoiceId: string, created: string, totals: Totals, path: Path): FeeRecord[] {
  const idOfFee = (i: number) => entry.fees[i]?.id ?? idOf('fee', `${entry.number} ${i}`);
  return totals.fees.map(({ record }, i) => {
    // biome-ignore lint/style/noNonNullAssertion: the totals have one fee for each of the entry's
    const fee = entry.fees[i]!;
    const status = fee.payment_status ?? entry.payment_status;
    const parent = fee.true_up_of;
    requireThat(parent === undefined || parent < entry.fees.length, [...path, 'fees', i, 'true_up_of'], 'is no fee');
    const trueUp = entry.fees.findIndex(other => other.true_up_of === i);
    return {
      ...record,
      id: idOfFee(i),
      invoice_id: invoiceId,
      true_up_fee_id: trueUp === -1 ? null : idOfFee(trueUp),
      true_up_parent_fee_id: parent === undefined ? null : idOfFee(parent),
      payment_status: status,
      created_at: created,
      succeeded_at: status === 'succeeded' ? created : null,
      failed_at: status === 'failed' ? created : null,
      refunded_at: status === 'refunded' ? created : null,
      applied_taxes: record.applied_taxes.map(tax => storedTax(tax, idOfFee(i), created)),
    };
  });
}

export function storedTax(tax: AppliedTax, ownerId: string, created: string): AppliedTax {
  return { ...tax, id: idOf('applied_tax', `${ownerId} ${tax.tax_code}`), created_at: created };
}

function periods(
  builder: AccountBuilder,
  entry: InvoiceEntry,
  customer: CustomerRecord,
  fees: readonly FeeRecord[],
  path: Path,
) {
  const list = entry.billing_periods.map((period, i) => {
    const at = [...path, 'billing_periods', i];
    const subscription = builder.subscription(period.external_subscription_id, at);
    const theirs = subscription.customer_id === customer.id;
    requireThat(theirs, [...at, 'external_subscription_id'], 'belongs to another customer');
    const charges = { from: period.charges_from ?? period.from, to: period.charges_to ?? period.to };
    requireThat(period.from <= period.to, [...at, 'to'], 'is before from');
    requireThat(charges.from <= charges.to, [...at, 'charges_to'], 'is before charges_from');
    return {
      subscription_id: subscription.id,
      external_subscription_id: subscription.external_id,
      plan_id: subscription.plan_id,
      subscription_from_datetime: period.from,
      subscription_to_datetime: period.to,
      charges_from_datetime: charges.from,
      charges_to_datetime: charges.to,
      invoicing_reason: period.invoicing_reason,
    };
  });
  const ids = [...list.map(period => period.subscription_id), ...fees.map(fee => fee.subscription_id)];
  return { billing_periods: list, subscription_ids: [...new Set(ids)].filter(id => id !== null) };
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
