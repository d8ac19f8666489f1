/** What was billed: fees and the taxes on them, invoices, credit notes, payments. */
import * as enums from '../../contract/enums.ts';
import type { PriceDetails } from '../../contract/pricing/types.ts';
import type { EntryIn, Fee, Fields, Invoice, Payment, RecordIn } from '../../contract/shown.ts';
import type { ErrorDetail, InvoiceCustomSectionRecord, MetadataEntry } from './account.ts';
import * as t from './table.ts';
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
  type: enums.FeeType;
  code: string;
  name: string;
  description: string | null;
  invoice_display_name: string;
  filter_invoice_display_name: string | null;
  /** The display name is the fixed charge's own, not the add-on's. */
  has_own_name?: true;
  item_id: string | null; // null for a subscription that is only proposed (§12.7)
  item_type: t.Word<typeof enums.itemTypes>;
  filters: { [key: string]: string[] } | null;
  grouped_by: { [key: string]: string | null };
}

export interface PresentationPart {
  presentation_by: { [key: string]: string | null };
  units: DecimalText;
}

/** The fields of a fee by which fees are filtered, sorted and added up. */
export const listedFeeFields = {
  customer_id: t.orNull(t.text),
  subscription_id: t.orNull(t.text),
  external_subscription_id: t.orNull(t.text),
  event_transaction_id: t.orNull(t.text),
  payment_status: t.oneOf(enums.feePaymentStatuses),
  amount_currency: t.text,
  amount_cents: t.int,
  taxes_amount_cents: t.int,
  precise_coupons_amount_cents: t.decimal, // cents, 5 decimals
  from_date: t.orNull(t.instant),
  to_date: t.orNull(t.instant),
  succeeded_at: t.orNull(t.instant),
  failed_at: t.orNull(t.instant),
  refunded_at: t.orNull(t.instant),
};

/** A fee, stored with its invoice or computed. Every id is null on a fee that was only computed (§12.7, §13). */
export interface FeeRecord extends t.ValuesOf<typeof listedFeeFields> {
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
export const fees = t.table({
  id: t.text,
  created_at: t.instant,
  invoice_id: t.text,
  fee_type: t.oneOf(enums.feeTypes),
  /** The metric's code on a fee of type charge. */
  billable_metric_code: t.orNull(t.text),
  ...listedFeeFields,
});
export interface ListedFeeRecord extends t.RecordOf<typeof fees> {}

export interface InvoiceCredit {
  id: string | null;
  amount_cents: number;
  amount_currency: string;
  before_taxes: boolean;
  item: { item_id: string | null; type: t.Word<typeof enums.creditTypes>; code: string; name: string };
  /** The applied coupon that a coupon's credit used; absent where it is not known. */
  applied_coupon_id?: string;
  invoice: { id: string | null; payment_status: enums.InvoicePaymentStatus } | null;
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
  invoicing_reason: enums.InvoicingReason;
}

/** A threshold that made an invoice; `svc_id` may be stored as `id`. */
export type AppliedThreshold = Omit<JsonOf<ShownThreshold>, 'usage_threshold'> & {
  usage_threshold?: JsonOf<RecordIn<ShownThreshold['usage_threshold']> & Fields<'id'>> | null;
};
type ShownThreshold = EntryIn<Invoice['applied_usage_thresholds']>;

export const invoices = t.table(
  {
    ...t.row,
    customer_id: t.text,
    billing_entity_id: t.text,
    payment_dispute_lost_at: t.orNull(t.instant),
    taxes_rate: t.decimal,
    prepaid_granted_credit_amount_cents: t.orNull(t.int),
    prepaid_purchased_credit_amount_cents: t.orNull(t.int),
    voided_at: t.orNull(t.instant),
    metadata: t.json<MetadataEntry[]>(),
    applied_taxes: t.json<AppliedTax[]>(),
    fees: t.json<FeeRecord[]>(),
    credits: t.json<InvoiceCredit[]>(),
    billing_periods: t.json<BillingPeriod[]>(),
    subscription_ids: t.json<string[]>(),
    applied_usage_thresholds: t.json<AppliedThreshold[]>(),
    invoice_custom_sections: t.json<AppliedSection[]>(),
    error_details: t.json<ErrorDetail[]>(),
  },
  {
    heading: {
      sequential_id: t.orNull(t.int),
      number: t.text,
      issuing_date: t.day,
      payment_due_date: t.day,
      net_payment_term: t.int,
      invoice_type: t.oneOf(enums.invoiceTypes),
      status: t.oneOf(enums.invoiceStatuses),
      payment_status: t.oneOf(enums.invoicePaymentStatuses),
      payment_overdue: t.flag,
    },
    details: {
      currency: t.text,
      version_number: t.int,
      self_billed: t.flag,
      purchase_order_number: t.orNull(t.text),
      file_url: t.orNull(t.text),
    },
    amounts: {
      fees_amount_cents: t.int,
      coupons_amount_cents: t.int,
      credit_notes_amount_cents: t.int,
      sub_total_excluding_taxes_amount_cents: t.int,
      taxes_amount_cents: t.int,
      sub_total_including_taxes_amount_cents: t.int,
      prepaid_credit_amount_cents: t.int,
    },
    totals: {
      progressive_billing_credit_amount_cents: t.int,
      total_amount_cents: t.int,
      total_paid_amount_cents: t.int,
    },
  },
);
export interface InvoiceRecord extends t.RecordOf<typeof invoices> {}

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

export const creditNotes = t.table(
  {
    ...t.row,
    invoice_id: t.text,
    customer_id: t.text,
    status: t.oneOf(enums.creditNoteStatuses),
    total_amount_cents: t.int,
    taxes_amount_cents: t.int,
    taxes_rate: t.decimal,
    items: t.json<CreditNoteItem[]>(),
    applied_taxes: t.json<AppliedTax[]>(),
    metadata: t.orNull(t.json<{ [key: string]: string | null }>()),
    error_details: t.json<ErrorDetail[]>(),
  },
  {
    heading: { sequential_id: t.int, number: t.text },
    details: {
      issuing_date: t.day,
      credit_status: t.orNull(t.oneOf(enums.creditStatuses)),
      refund_status: t.orNull(t.oneOf(enums.refundStatuses)),
      reason: t.oneOf(enums.creditNoteReasons),
      description: t.orNull(t.text),
      currency: t.text,
      self_billed: t.flag,
      purchase_order_number: t.orNull(t.text),
      file_url: t.orNull(t.text),
    },
    amounts: {
      sub_total_excluding_taxes_amount_cents: t.int,
      balance_amount_cents: t.int,
      credit_amount_cents: t.int,
      refund_amount_cents: t.int,
      offset_amount_cents: t.int,
      coupons_adjustment_amount_cents: t.int,
    },
  },
);
export interface CreditNoteRecord extends t.RecordOf<typeof creditNotes> {}

export const payments = t.table(
  { ...t.row, customer_id: t.text, invoice_ids: t.json<string[]>(), payable_id: t.text, reference: t.orNull(t.text) },
  {
    heading: {
      payable_type: t.oneOf(enums.payableTypes),
      amount_cents: t.int,
      amount_currency: t.text,
      status: t.text, // the provider's word for the state
      payment_status: t.oneOf(enums.paymentStatuses),
      type: t.oneOf(enums.paymentTypes),
    },
    provider: { payment_provider_code: t.orNull(t.text), payment_provider_type: t.orNull(t.text) },
    details: {
      provider_payment_id: t.orNull(t.text),
      provider_customer_id: t.orNull(t.text),
      payment_method_id: t.orNull(t.text),
      next_action: t.json<JsonOf<RecordIn<Payment['next_action']>>>(),
    },
  },
);
export interface PaymentRecord extends t.RecordOf<typeof payments> {}

/** One request to pay several invoices of a customer together. */
export const paymentRequests = t.table(
  { ...t.row, customer_id: t.text, invoice_ids: t.json<string[]>() },
  {
    details: {
      email: t.orNull(t.text),
      amount_cents: t.int,
      amount_currency: t.text,
      payment_status: t.oneOf(enums.invoicePaymentStatuses),
    },
  },
);
export interface PaymentRequestRecord extends t.RecordOf<typeof paymentRequests> {}
