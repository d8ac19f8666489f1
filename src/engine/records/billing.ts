/** What was billed: invoices, credit notes, payments. */
import type {
  CreditNoteReason,
  CreditNoteStatus,
  CreditStatus,
  CreditType,
  InvoicePaymentStatus,
  InvoiceStatus,
  InvoiceType,
  InvoicingReason,
  PayableType,
  PaymentStatus,
  PaymentType,
  RefundStatus,
} from '../../contract/enums.ts';
import type { EntryIn, Fields, Invoice, Payment, RecordIn } from '../../contract/shown.ts';
import type { ErrorDetail, MetadataEntry } from './account.ts';
import type { AppliedTax, FeeRecord } from './fee.ts';
import { day, decimal, flag, instant, int, json, oneOf, orNull, type RecordOf, row, table, text } from './table.ts';
import type { DecimalText, InstantText, JsonOf } from './values.ts';

export interface InvoiceCredit {
  id: string | null;
  amount_cents: number;
  amount_currency: string;
  before_taxes: boolean;
  item: { item_id: string | null; type: CreditType; code: string; name: string };
  /** The applied coupon that a coupon's credit used; absent where it is not known. */
  applied_coupon_id?: string;
  invoice: { id: string | null; payment_status: InvoicePaymentStatus } | null;
}

export interface BillingPeriod {
  subscription_id: string;
  external_subscription_id: string;
  plan_id: string;
  subscription_from_datetime: InstantText;
  subscription_to_datetime: InstantText;
  charges_from_datetime: InstantText;
  charges_to_datetime: InstantText;
  /** Absent where fixed charges have the period of the charges. */
  fixed_charges_from_datetime?: InstantText;
  fixed_charges_to_datetime?: InstantText;
  invoicing_reason: InvoicingReason;
}

/** A threshold that made an invoice; `svc_id` may be stored as `id`. */
export type AppliedThreshold = Omit<JsonOf<ShownThreshold>, 'usage_threshold'> & {
  usage_threshold?: JsonOf<RecordIn<ShownThreshold['usage_threshold']> & Fields<'id'>> | null;
};
type ShownThreshold = EntryIn<Invoice['applied_usage_thresholds']>;

export const invoices = table(
  {
    ...row,
    customer_id: text,
    billing_entity_id: text,
    payment_dispute_lost_at: orNull(instant),
    taxes_rate: decimal,
    prepaid_granted_credit_amount_cents: orNull(int),
    prepaid_purchased_credit_amount_cents: orNull(int),
    voided_at: orNull(instant),
    metadata: json<MetadataEntry[]>(),
    applied_taxes: json<AppliedTax[]>(),
    fees: json<FeeRecord[]>(),
    credits: json<InvoiceCredit[]>(),
    billing_periods: json<BillingPeriod[]>(),
    subscription_ids: json<string[]>(),
    applied_usage_thresholds: json<AppliedThreshold[]>(),
    invoice_custom_sections: json<AppliedSection[]>(),
    error_details: json<ErrorDetail[]>(),
  },
  {
    heading: {
      sequential_id: orNull(int),
      number: text,
      issuing_date: day,
      payment_due_date: day,
      net_payment_term: int,
      invoice_type: oneOf<InvoiceType>(),
      status: oneOf<InvoiceStatus>(),
      payment_status: oneOf<InvoicePaymentStatus>(),
      payment_overdue: flag,
    },
    details: {
      currency: text,
      version_number: int,
      self_billed: flag,
      purchase_order_number: orNull(text),
      file_url: orNull(text),
    },
    amounts: {
      fees_amount_cents: int,
      coupons_amount_cents: int,
      credit_notes_amount_cents: int,
      sub_total_excluding_taxes_amount_cents: int,
      taxes_amount_cents: int,
      sub_total_including_taxes_amount_cents: int,
      prepaid_credit_amount_cents: int,
    },
    totals: { progressive_billing_credit_amount_cents: int, total_amount_cents: int, total_paid_amount_cents: int },
  },
);
export interface InvoiceRecord extends RecordOf<typeof invoices> {}

export interface AppliedSection {
  id: string;
  code: string;
  details: string | null;
  display_name: string | null;
  created_at: InstantText;
}

export interface CreditNoteItem {
  id: string;
  amount_cents: number;
  precise_amount_cents: DecimalText;
  amount_currency: string;
  fee_id: string;
}

export const creditNotes = table(
  {
    ...row,
    invoice_id: text,
    customer_id: text,
    status: oneOf<CreditNoteStatus>(),
    total_amount_cents: int,
    taxes_amount_cents: int,
    taxes_rate: decimal,
    items: json<CreditNoteItem[]>(),
    applied_taxes: json<AppliedTax[]>(),
    metadata: orNull(json<{ [key: string]: string | null }>()),
    error_details: json<ErrorDetail[]>(),
  },
  {
    heading: { sequential_id: int, number: text },
    details: {
      issuing_date: day,
      credit_status: orNull(oneOf<CreditStatus>()),
      refund_status: orNull(oneOf<RefundStatus>()),
      reason: oneOf<CreditNoteReason>(),
      description: orNull(text),
      currency: text,
      self_billed: flag,
      purchase_order_number: orNull(text),
      file_url: orNull(text),
    },
    amounts: {
      sub_total_excluding_taxes_amount_cents: int,
      balance_amount_cents: int,
      credit_amount_cents: int,
      refund_amount_cents: int,
      offset_amount_cents: int,
      coupons_adjustment_amount_cents: int,
    },
  },
);
export interface CreditNoteRecord extends RecordOf<typeof creditNotes> {}

export const payments = table(
  { ...row, customer_id: text, invoice_ids: json<string[]>(), payable_id: text, reference: orNull(text) },
  {
    heading: {
      payable_type: oneOf<PayableType>(),
      amount_cents: int,
      amount_currency: text,
      status: text, // the provider's word for the state
      payment_status: oneOf<PaymentStatus>(),
      type: oneOf<PaymentType>(),
    },
    provider: { payment_provider_code: orNull(text), payment_provider_type: orNull(text) },
    details: {
      provider_payment_id: orNull(text),
      provider_customer_id: orNull(text),
      payment_method_id: orNull(text),
      next_action: json<JsonOf<RecordIn<Payment['next_action']>>>(),
    },
  },
);
export interface PaymentRecord extends RecordOf<typeof payments> {}

/** One request to pay several invoices of a customer together. */
export const paymentRequests = table(
  { ...row, customer_id: text, invoice_ids: json<string[]>() },
  {
    details: {
      email: orNull(text),
      amount_cents: int,
      amount_currency: text,
      payment_status: oneOf<InvoicePaymentStatus>(),
    },
  },
);
export interface PaymentRequestRecord extends RecordOf<typeof paymentRequests> {}
