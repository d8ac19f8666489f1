import {
  type AppliedThreshold,
  type BillingPeriod,
  type InvoiceCredit,
  type InvoiceRecord,
  invoices,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import type { customerAnswer, customerListAnswer } from './customer.ts';
import { feeAnswer } from './fee.ts';
import { instant, preciseInstant } from './formats.ts';
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
    credits: invoice.credits.map(credit => {
      const answer = creditAnswer(credit, invoice);
      const description = descriptions.get(credit.item.item_id ?? '') ?? null;
      return { ...answer, item: { ...answer.item, description } };
    }),
  };
}

/** An invoice of a list (lookups §4). `customer`: as in a list of customers. */
export function invoiceListAnswer(
  invoice: InvoiceRecord,
  {
    customer,
    offsetCents,
    lists,
  }: { customer: ReturnType<typeof customerListAnswer>; offsetCents: number; lists: AccountLists },
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
      code: section.code,
      details: section.details,
      display_name: section.display_name,
      created_at: instant(section.created_at),
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
    created_at: instant(invoice.created_at),
    updated_at: instant(invoice.updated_at),
    voided_at: instant(invoice.voided_at),
  };
}

function appliedTaxes(invoice: InvoiceSource) {
  return invoice.applied_taxes.map(tax => ({
    ...appliedTaxAnswer(tax),
    svc_invoice_id: invoice.id,
    fees_amount_cents: tax.base_amount_cents ?? 0,
  }));
}

function amounts(invoice: InvoiceSource, offsetCents: number) {
  return {
    ...pick(invoice, invoices.shown.amounts),
    prepaid_granted_credit_amount_cents: grantedPart(invoice),
    prepaid_purchased_credit_amount_cents:
      invoice.prepaid_purchased_credit_amount_cents ?? invoice.prepaid_credit_amount_cents - grantedPart(invoice),
    ...pick(invoice, invoices.shown.totals),
    total_offsetted_credit_note_amount_cents: offsetCents,
    total_due_amount_cents: invoice.total_amount_cents - invoice.total_paid_amount_cents - offsetCents,
  };
}

/** Prepaid credits of unknown origin count as purchased, so that both parts always add up to the total. */
function grantedPart(invoice: InvoiceSource): number {
  const { prepaid_granted_credit_amount_cents: granted, prepaid_purchased_credit_amount_cents: purchased } = invoice;
  return granted ?? (purchased === null ? 0 : invoice.prepaid_credit_amount_cents - purchased);
}

/** A credit of an invoice. Its `invoice` is the one that its credit note credited, or else the invoice itself. */
export function creditAnswer(credit: InvoiceCredit, invoice: InvoiceSource) {
  return {
    svc_id: credit.id,
    amount_cents: credit.amount_cents,
    amount_currency: credit.amount_currency,
    before_taxes: credit.before_taxes,
    item: {
      svc_item_id: credit.item.item_id,
      type: credit.item.type,
      code: credit.item.code,
      name: credit.item.name,
      description: null as string | null,
    },
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
    subscription_from_datetime: instant(period.subscription_from_datetime),
    subscription_to_datetime: instant(period.subscription_to_datetime),
    charges_from_datetime: instant(period.charges_from_datetime),
    charges_to_datetime: instant(period.charges_to_datetime),
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
