/** Invoices, and the coupons of customers with what invoices took from them. */
import {
  type AppliedCouponRecord,
  type AppliedThreshold,
  type BillingPeriod,
  type CouponRecord,
  type CustomerRecord,
  type InvoiceCredit,
  type InvoiceRecord,
  invoices,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import type { customerAnswer, customerListAnswer } from './account.ts';
import { couponTerms } from './catalogue.ts';
import { feeAnswer } from './fee.ts';
import { fields, instant, instants, preciseInstant } from './formats.ts';
import { appliedTaxAnswer, errorDetailAnswers, metadataEntryAnswer } from './shared.ts';
import type { subscriptionAnswer } from './subscription.ts';

/** A stored invoice, or a preview, which has no id (§12.7). */
export type InvoiceSource = Omit<InvoiceRecord, 'id'> & { id: string | null };

export interface InvoiceRelations {
  customer: ReturnType<typeof customerAnswer>;
  subscriptions: ReturnType<typeof subscriptionAnswer>[];
  /** Σ `offset_amount_cents` of the invoice's finalized credit notes; 0 when there are none. */
  offsetCents: number;
  lists: AccountLists;
}

/** An invoice with every field of the specification and the extras of §4. */
export function invoiceAnswer(invoice: InvoiceSource, relations: InvoiceRelations) {
  return {
    ...invoicePreviewAnswer(invoice, relations),
    metadata: invoice.metadata.map(metadataEntryAnswer),
    billing_periods: invoice.billing_periods.map(billingPeriod),
    error_details: errorDetailAnswers(invoice.error_details),
  };
}

/**
 * The single invoice (lookups §4), also with the periods of fixed charges and what each credit's item says of itself, by the
 * item's id.
 */
export function invoiceDetailAnswer(
  invoice: InvoiceRecord,
  relations: InvoiceRelations,
  descriptions: ReadonlyMap<string, string | null>,
) {
  return {
    ...invoiceAnswer(invoice, relations),
    billing_periods: invoice.billing_periods.map(period => ({
      ...billingPeriod(period),
      fixed_charges_from_datetime: instant(period.fixed_charges_from_datetime ?? period.charges_from_datetime),
      fixed_charges_to_datetime: instant(period.fixed_charges_to_datetime ?? period.charges_to_datetime),
    })),
    credits: invoice.credits.map(credit =>
      creditAnswer(credit, invoice, descriptions.get(credit.item.item_id ?? '') ?? null),
    ),
  };
}

/** An invoice of a list (lookups §4). `customer`: as in a list of customers. */
export function invoiceListAnswer(
  invoice: InvoiceRecord,
  customer: ReturnType<typeof customerListAnswer>,
  offsetCents: number,
  lists: AccountLists,
) {
  const { taxes, ...customerWithoutTaxes } = customer;
  return {
    ...heading(invoice, lists),
    ...amounts(invoice, offsetCents),
    customer: customerWithoutTaxes,
    metadata: invoice.metadata.map(metadataEntryAnswer),
    applied_taxes: appliedTaxes(invoice),
    ...(invoice.invoice_type === 'progressive_billing'
      ? { applied_usage_thresholds: invoice.applied_usage_thresholds.map(appliedThreshold) }
      : {}),
  };
}

/**
 * Is the payment late? It is from the day after the due date, in UTC (lookups §4); drafts, voided invoices and invoices with
 * a lost dispute are never overdue.
 */
export function isOverdue(invoice: InvoiceRecord, now: Date): boolean {
  const owed = invoice.status === 'finalized' && invoice.payment_status !== 'succeeded';
  return owed && invoice.payment_dispute_lost_at === null && invoice.payment_due_date < now.toISOString().slice(0, 10);
}

/** A previewed invoice: as `invoiceAnswer`, without billing periods, metadata and error details (§12.7). */
export function invoicePreviewAnswer(
  invoice: InvoiceSource,
  { customer, subscriptions, offsetCents, lists }: InvoiceRelations,
) {
  return {
    ...heading(invoice, lists),
    ...amounts(invoice, offsetCents),
    customer,
    subscriptions,
    fees: invoice.fees.map(feeAnswer),
    credits: invoice.credits.map(credit => creditAnswer(credit, invoice)),
    applied_taxes: appliedTaxes(invoice),
    applied_invoice_custom_sections: invoice.invoice_custom_sections.map(section => ({
      svc_id: section.id,
      svc_invoice_id: invoice.id,
      ...fields(section, 'code', 'details', 'display_name'),
      ...instants(section, 'created_at'),
    })),
    applied_usage_thresholds: invoice.applied_usage_thresholds.map(appliedThreshold),
  };
}

function heading(invoice: InvoiceSource, lists: AccountLists) {
  return {
    svc_id: invoice.id,
    billing_entity_code: lists.billingEntities.get(invoice.billing_entity_id)?.code ?? null,
    ...pick(invoice, invoices.shown.heading),
    payment_dispute_lost_at: preciseInstant(invoice.payment_dispute_lost_at),
    ...pick(invoice, invoices.shown.details),
    xml_url: null,
    web_url: null,
    ...instants(invoice, 'created_at', 'updated_at', 'voided_at'),
  };
}

function appliedTaxes(invoice: InvoiceSource) {
  return invoice.applied_taxes.map(tax => ({
    ...appliedTaxAnswer(tax),
    svc_invoice_id: invoice.id,
    fees_amount_cents: tax.base_amount_cents ?? 0,
  }));
}

/** Prepaid credits of unknown origin count as purchased, so that both parts always add up to the total. */
function amounts(invoice: InvoiceSource, offsetCents: number) {
  const { prepaid_credit_amount_cents: prepaid, prepaid_purchased_credit_amount_cents: purchased } = invoice;
  const granted = invoice.prepaid_granted_credit_amount_cents ?? (purchased === null ? 0 : prepaid - purchased);
  return {
    ...pick(invoice, invoices.shown.amounts),
    prepaid_granted_credit_amount_cents: granted,
    prepaid_purchased_credit_amount_cents: purchased ?? prepaid - granted,
    ...pick(invoice, invoices.shown.totals),
    total_offsetted_credit_note_amount_cents: offsetCents,
    total_due_amount_cents: invoice.total_amount_cents - invoice.total_paid_amount_cents - offsetCents,
  };
}

/** A credit of an invoice. Its `invoice` is the one that its credit note credited, or else the invoice itself. */
function creditAnswer(credit: InvoiceCredit, invoice: InvoiceSource, description: string | null = null) {
  return {
    svc_id: credit.id,
    ...fields(credit, 'amount_cents', 'amount_currency', 'before_taxes'),
    item: { svc_item_id: credit.item.item_id, ...fields(credit.item, 'type', 'code', 'name'), description },
    invoice: {
      svc_id: credit.invoice === null ? invoice.id : credit.invoice.id,
      payment_status: credit.invoice?.payment_status ?? invoice.payment_status,
    },
  };
}

function billingPeriod(period: BillingPeriod) {
  return {
    svc_subscription_id: period.subscription_id,
    external_subscription_id: period.external_subscription_id,
    svc_plan_id: period.plan_id,
    ...instants(period, 'subscription_from_datetime', 'subscription_to_datetime'),
    ...instants(period, 'charges_from_datetime', 'charges_to_datetime'),
    invoicing_reason: period.invoicing_reason,
  };
}

/** The answer for a stored applied threshold; `svc_id` may be stored as `id`. */
function appliedThreshold(entry: AppliedThreshold) {
  const threshold = entry.usage_threshold ?? {};
  return {
    lifetime_usage_amount_cents: entry.lifetime_usage_amount_cents ?? 0,
    created_at: instant(String(entry.created_at ?? '')),
    usage_threshold: {
      svc_id: threshold.svc_id ?? threshold.id ?? null,
      threshold_display_name: threshold.threshold_display_name ?? null,
      amount_cents: threshold.amount_cents ?? 0,
      recurring: threshold.recurring ?? false,
      created_at: instant(String(threshold.created_at ?? entry.created_at ?? '')),
      updated_at: instant(String(threshold.updated_at ?? entry.created_at ?? '')),
    },
  };
}

/** A coupon that a customer has, with the credits that invoices took from it (lookups §10). `invoices`: those with coupons. */
export function appliedCouponAnswer(
  applied: AppliedCouponRecord,
  coupon: CouponRecord,
  customer: CustomerRecord,
  invoices: readonly InvoiceRecord[],
) {
  // A credit that names no applied coupon is found by its coupon.
  const isFromIt = ({ item, applied_coupon_id: id }: InvoiceCredit) =>
    id === undefined ? item.type === 'coupon' && item.item_id === coupon.id : id === applied.id;
  const lasting = coupon.coupon_type === 'percentage' || applied.frequency !== 'once';
  return {
    svc_id: applied.id,
    svc_coupon_id: coupon.id,
    coupon_code: coupon.code,
    coupon_name: coupon.name,
    coupon_description: coupon.description,
    coupon_status: coupon.status,
    coupon_deleted_at: null,
    svc_customer_id: customer.id,
    external_customer_id: customer.external_id,
    status: applied.status,
    ...couponTerms(applied),
    amount_cents_remaining: lasting ? null : applied.amount_cents_remaining,
    frequency_duration_remaining: applied.frequency_duration_remaining,
    ...instants(coupon, 'expiration_at'),
    ...instants(applied, 'created_at', 'terminated_at'),
    credits: invoices.flatMap(invoice =>
      invoice.credits.filter(isFromIt).map(credit => creditAnswer(credit, invoice, coupon.description)),
    ),
  };
}
