/** What was billed: fees, invoices, credit notes, payments. */
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
import type { ErrorDetail, MetadataEntry } from './account.ts';
import type { DateText, DecimalText, InstantText, JsonObject, Row } from './values.ts';

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
  item_id: string | null; // null for a subscription that is only proposed (§12.7)
  item_type: ItemType;
  filters: { [key: string]: string[] } | null;
  grouped_by: { [key: string]: string | null };
}

/** A fee, stored with its invoice or computed. Every id is null on a fee that was only computed (§12.7, §13). */
export interface FeeRecord {
  id: string | null;
  invoice_id: string | null;
  charge_id: string | null;
  charge_filter_id: string | null;
  fixed_charge_id: string | null;
  true_up_fee_id: string | null;
  true_up_parent_fee_id: string | null;
  original_fee_id: string | null;
  subscription_id: string | null;
  customer_id: string | null;
  external_customer_id: string | null;
  external_subscription_id: string | null;
  event_transaction_id: string | null;
  item: FeeItem;
  description: string | null;
  amount_cents: number;
  amount_currency: string;
  precise_amount: DecimalText; // major units
  taxes_amount_cents: number;
  taxes_precise_amount: DecimalText; // major units
  taxes_rate: DecimalText;
  total_amount_cents: number;
  precise_total_amount: DecimalText; // major units
  sub_total_excluding_taxes_amount_cents: number;
  sub_total_excluding_taxes_precise_amount_cents: DecimalText; // cents
  precise_coupons_amount_cents: DecimalText; // cents, 5 decimals
  units: DecimalText;
  total_aggregated_units: DecimalText | null;
  precise_unit_amount: DecimalText; // major units
  events_count: number | null;
  pay_in_advance: boolean;
  invoiceable: boolean;
  self_billed: boolean;
  payment_status: FeePaymentStatus;
  from_date: InstantText | null;
  to_date: InstantText | null;
  amount_details: JsonObject;
  applied_taxes: AppliedTax[];
  pricing_unit_details: JsonObject | null;
  created_at: InstantText | null;
  succeeded_at: InstantText | null;
  failed_at: InstantText | null;
  refunded_at: InstantText | null;
}

/**
 * The fields by which fees are filtered, sorted and added up; the fee itself is stored inside its invoice. The store writes
 * these records with every invoice.
 */
export interface ListedFeeRecord {
  id: string;
  created_at: InstantText;
  invoice_id: string;
  customer_id: string | null;
  subscription_id: string | null;
  external_subscription_id: string | null;
  fee_type: FeeType;
  /** The metric's code on a fee of type charge. */
  billable_metric_code: string | null;
  payment_status: FeePaymentStatus;
  amount_currency: string;
  amount_cents: number;
  taxes_amount_cents: number;
  precise_coupons_amount_cents: DecimalText; // cents, 5 decimals
  from_date: InstantText | null;
  to_date: InstantText | null;
  event_transaction_id: string | null;
  succeeded_at: InstantText | null;
  failed_at: InstantText | null;
  refunded_at: InstantText | null;
}

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
  invoicing_reason: InvoicingReason;
}

export interface InvoiceRecord extends Row {
  customer_id: string;
  billing_entity_id: string;
  number: string;
  sequential_id: number | null;
  issuing_date: DateText;
  payment_due_date: DateText;
  net_payment_term: number;
  invoice_type: InvoiceType;
  status: InvoiceStatus;
  payment_status: InvoicePaymentStatus;
  payment_overdue: boolean;
  payment_dispute_lost_at: InstantText | null;
  currency: string;
  fees_amount_cents: number;
  coupons_amount_cents: number;
  credit_notes_amount_cents: number;
  sub_total_excluding_taxes_amount_cents: number;
  taxes_amount_cents: number;
  taxes_rate: DecimalText;
  sub_total_including_taxes_amount_cents: number;
  prepaid_credit_amount_cents: number;
  prepaid_granted_credit_amount_cents: number | null;
  prepaid_purchased_credit_amount_cents: number | null;
  progressive_billing_credit_amount_cents: number;
  total_amount_cents: number;
  total_paid_amount_cents: number;
  version_number: number;
  self_billed: boolean;
  file_url: string | null;
  voided_at: InstantText | null;
  purchase_order_number: string | null;
  metadata: MetadataEntry[];
  applied_taxes: AppliedTax[];
  fees: FeeRecord[];
  credits: InvoiceCredit[];
  billing_periods: BillingPeriod[];
  subscription_ids: string[];
  applied_usage_thresholds: JsonObject[];
  invoice_custom_sections: {
    id: string;
    code: string;
    details: string | null;
    display_name: string | null;
    created_at: InstantText;
  }[];
  error_details: ErrorDetail[];
}

interface CreditNoteItem {
  id: string;
  amount_cents: number;
  precise_amount_cents: DecimalText;
  amount_currency: string;
  fee_id: string;
}

export interface CreditNoteRecord extends Row {
  invoice_id: string;
  customer_id: string;
  sequential_id: number;
  number: string;
  issuing_date: DateText;
  status: CreditNoteStatus;
  reason: CreditNoteReason;
  description: string | null;
  currency: string;
  total_amount_cents: number;
  taxes_amount_cents: number;
  taxes_rate: DecimalText;
  sub_total_excluding_taxes_amount_cents: number;
  balance_amount_cents: number;
  credit_amount_cents: number;
  refund_amount_cents: number;
  offset_amount_cents: number;
  coupons_adjustment_amount_cents: number;
  credit_status: CreditStatus | null;
  refund_status: RefundStatus | null;
  file_url: string | null;
  self_billed: boolean;
  purchase_order_number: string | null;
  items: CreditNoteItem[];
  applied_taxes: AppliedTax[];
  metadata: { [key: string]: string | null } | null;
  error_details: ErrorDetail[];
}

export interface PaymentRecord extends Row {
  customer_id: string;
  invoice_ids: string[];
  payable_id: string;
  payable_type: PayableType;
  amount_cents: number;
  amount_currency: string;
  /** The provider's word for the state. */
  status: string;
  payment_status: PaymentStatus;
  type: PaymentType;
  reference: string | null;
  payment_provider_code: string | null;
  payment_provider_type: string | null;
  provider_payment_id: string | null;
  provider_customer_id: string | null;
  payment_method_id: string | null;
  next_action: JsonObject;
}

/** One request to pay several invoices of a customer together. */
export interface PaymentRequestRecord extends Row {
  customer_id: string;
  invoice_ids: string[];
  amount_cents: number;
  amount_currency: string;
  email: string | null;
  payment_status: InvoicePaymentStatus;
}
