/** Fees, and the taxes on them. */

import type { FeePaymentStatus, FeeType, ItemType } from '../../contract/enums.ts';
import type { PriceDetails } from '../../contract/pricing/types.ts';
import type { Fee, RecordIn } from '../../contract/shown.ts';
import { decimal, instant, int, oneOf, orNull, type RecordOf, table, text, type ValuesOf } from './table.ts';
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
