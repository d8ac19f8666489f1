/** What was billed: fees and the taxes on them, invoices, credit notes, payments. */
import type {
  CreditNoteReason,
  CreditNoteStatus,
  CreditStatus,
  CreditType,
  FeePaymentStatus,
  FeeType,
  InvoicePaymentStatus,
  InvoiceStatus,
  InvoiceType,
  InvoicingReason,
  ItemType,
  PayableType,
  PaymentStatus,
  PaymentType,
  RefundStatus,
} from '../../contract/enums.ts';
import type { PriceDetails } from '../../contract/pricing/types.ts';
import type { EntryIn, Fee, Fields, Invoice, Payment, RecordIn } from '../../contract/shown.ts';
import type { ErrorDetail, InvoiceCustomSectionRecord, MetadataEntry } from './account.ts';
import {
  day,
  decimal,
  flag,
  instant,
  int,
  json,
  oneOf,
  orNull,
  type RecordOf,
  row,
  table,
  text,
  type ValuesOf,
} from './table.ts';
import type { DecimalText, InstantText, JsonOf } from './values.ts';

/** A tax as it was applied to a fee, an invoice or a credit note. */
export interface AppliedTax {
  id: string | null;
  tax_id: string;
  tax_name: string;
  tax_code: string;
  tax_description: string | null;
  tax_rate: DecimalText;
  amount_cents: number;
  amount_currency: string;
  /** Base of the line: `fees_amount_cents` on an invoice, `base_amount_cents` on a credit note; null on a fee. */
  base_amount_cents: number | null;
  created_at: InstantText | null;
}

export interface FeeItem {
  type: FeeType;
  code: string;
  name: string;
  description: string | null;
  invoice_display_name: string;
  filter_invoice_display_name: string | null;
  /** The display name is the fixed charge's own, not the add-on's. */
  has_own_name?: true;
  item_id: string | null; // null for a subscription that is only proposed (§12.7)
  item_type: ItemType;
  filters: { [key: string]: string[] } | null;
  grouped_by: { [key: string]: string | null };
}

export interface PresentationPart {
  presentation_by: { [key: string]: string | null };
  units: DecimalText;
}

/** The fields of a fee by which fees are filtered, sorted and added up. */
export const listedFeeFields = {
  customer_id: orNull(text),
  subscription_id: orNull(text),
  external_subscription_id: orNull(text),
  event_transaction_id: orNull(text),
  payment_status: oneOf<FeePaymentStatus>(),
  amount_currency: text,
  amount_cents: int,
  taxes_amount_cents: int,
  precise_coupons_amount_cents: decimal, // cents, 5 decimals
  from_date: orNull(instant),
  to_date: orNull(instant),
  succeeded_at: orNull(instant),
  failed_at: orNull(instant),
  refunded_at: orNull(instant),
};

/** A fee, stored with its invoice or computed. Every id is null on a fee that was only computed (§12.7, §13). */
export interface FeeRecord extends ValuesOf<typeof listedFeeFields> {
  id: string | null;
  invoice_id: string | null;
  charge_id: string | null;
  charge_filter_id: string | null;
  fixed_charge_id: string | null;
  true_up_fee_id: string | null;
  true_up_parent_fee_id: string | null;
  original_fee_id: string | null;
  external_customer_id: string | null;
  item: FeeItem;
  description: string | null;
  precise_amount: DecimalText; // major units
  taxes_precise_amount: DecimalText; // major units
  taxes_rate: DecimalText;
  total_amount_cents: number;
  precise_total_amount: DecimalText; // major units
  sub_total_excluding_taxes_amount_cents: number;
  sub_total_excluding_taxes_precise_amount_cents: DecimalText; // cents
  units: DecimalText;
  total_aggregated_units: DecimalText | null;
  precise_unit_amount: DecimalText; // major units
  events_count: number | null;
  pay_in_advance: boolean;
  invoiceable: boolean;
  self_billed: boolean;
  amount_details: PriceDetails;
  applied_taxes: AppliedTax[];
  pricing_unit_details: JsonOf<RecordIn<Fee['pricing_unit_details']>> | null;
  /** Its units divided for display; absent without `presentation_group_keys` (§8). */
  presentation_breakdowns?: PresentationPart[];
  created_at: InstantText | null;
}

/** What lists read of fees, which are themselves stored inside their invoices. The store writes it with every invoice. */
export const fees = table({
  id: text,
  created_at: instant,
  invoice_id: text,
  fee_type: oneOf<FeeType>(),
  /** The metric's code on a fee of type charge. */
  billable_metric_code: orNull(text),
  ...listedFeeFields,
});
export interface ListedFeeRecord extends RecordOf<typeof fees> {}

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

export type AppliedSection = Pick<
  InvoiceCustomSectionRecord,
  'id' | 'code' | 'details' | 'display_name' | 'created_at'
>;

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
