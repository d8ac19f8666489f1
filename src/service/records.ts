/**
 * The records that the embedded billing service stores: one interface per table, in the interface's own names.
 * The engine computes from them, the store persists them, the routes turn them into answers.
 *
 * Conventions
 * - `id` is the record's UUID (answered as `svc_id`); `<resource>_id` links to another record's `id`.
 * - Instants are ISO 8601 UTC text with exactly three decimals (`2026-01-31T23:59:59.000Z`), so text order is time order.
 * - Dates are `YYYY-MM-DD`. Cents are integers in the minor unit. Decimals are text (`"12.5"`), never binary floats.
 * - Rates (`20` for 20 %) are decimal text too; answers show them as JSON numbers.
 */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
/** Decimal number as text. */
export type DecimalText = string;
/** ISO 8601 UTC with three decimals. */
export type InstantText = string;
/** `YYYY-MM-DD`. */
export type DateText = string;

interface Row {
  id: string;
  created_at: InstantText;
  updated_at: InstantText;
}

export interface Address {
  address_line1: string | null;
  address_line2: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
  zipcode: string | null;
}

export type IssuingDateAnchor = 'current_period_end' | 'next_period_start';
export type IssuingDateAdjustment = 'align_with_finalization_date' | 'keep_anchor';

/** The one account that a key belongs to. */
export interface OrganizationRecord extends Row {
  name: string;
  slug_prefix: string; // prefix of customer slugs, e.g. "ACM-1A2B"
  hmac_key: string;
}

export interface BillingEntityRecord extends Row, Address {
  code: string;
  name: string;
  default_currency: string;
  document_locale: string;
  document_numbering: 'per_customer' | 'per_billing_entity';
  document_number_prefix: string;
  finalize_zero_amount_invoice: boolean;
  invoice_grace_period: number;
  net_payment_term: number;
  invoice_footer: string | null;
  timezone: string;
  subscription_invoice_issuing_date_anchor: IssuingDateAnchor;
  subscription_invoice_issuing_date_adjustment: IssuingDateAdjustment;
  is_default: boolean;
  email: string | null;
  phone: string | null;
  legal_name: string | null;
  legal_number: string | null;
  tax_identification_number: string | null;
  email_settings: string[];
  eu_tax_management: boolean;
  einvoicing: boolean;
  logo_url: string | null;
  tax_codes: string[];
}

export interface TaxRecord extends Row {
  code: string;
  name: string;
  description: string | null;
  rate: DecimalText; // percent
  applied_to_organization: boolean;
}

export interface MetadataEntry {
  id: string;
  key: string;
  value: string;
  display_in_invoice?: boolean;
  created_at: InstantText;
}

export interface ErrorDetail {
  id: string;
  error_code: string;
  details: JsonObject;
}

export interface InvoiceCustomSectionRecord extends Row {
  code: string;
  name: string;
  description: string | null;
  details: string | null;
  display_name: string | null;
  applied_to_organization: boolean;
}

export interface CustomerRecord extends Row, Address {
  external_id: string;
  sequential_id: number;
  slug: string;
  billing_entity_id: string;
  name: string | null;
  firstname: string | null;
  lastname: string | null;
  email: string | null;
  phone: string | null;
  url: string | null;
  logo_url: string | null;
  legal_name: string | null;
  legal_number: string | null;
  tax_identification_number: string | null;
  account_type: string; // customer | partner
  customer_type: string | null; // company | individual
  currency: string | null;
  timezone: string | null;
  net_payment_term: number | null;
  finalize_zero_amount_invoice: string; // inherit | skip | finalize
  skip_invoice_custom_sections: boolean;
  external_salesforce_id: string | null;
  shipping_address: Address | null;
  invoice_grace_period: number | null;
  document_locale: string | null;
  subscription_invoice_issuing_date_anchor: IssuingDateAnchor | null;
  subscription_invoice_issuing_date_adjustment: IssuingDateAdjustment | null;
  payment_provider: string | null;
  payment_provider_code: string | null;
  provider_customer_id: string | null;
  provider_sync: boolean | null;
  provider_payment_methods: string[];
  metadata: MetadataEntry[];
  tax_codes: string[];
  integration_customers: JsonObject[];
  invoice_custom_section_codes: string[];
  error_details: ErrorDetail[];
  deleted_at: InstantText | null;
}

export interface BillableMetricRecord extends Row {
  code: string;
  name: string;
  description: string | null;
  aggregation_type: string; // count_agg | sum_agg | max_agg | unique_count_agg | weighted_sum_agg | latest_agg | custom_agg
  field_name: string | null;
  expression: string | null;
  recurring: boolean;
  rounding_function: 'round' | 'ceil' | 'floor' | null;
  rounding_precision: number | null;
  weighted_interval: string | null;
  filters: { key: string; values: string[] }[];
}

export interface AddOnRecord extends Row {
  code: string;
  name: string;
  invoice_display_name: string | null;
  description: string | null;
  amount_cents: number;
  amount_currency: string;
  tax_codes: string[];
  deleted_at: InstantText | null;
}

export interface ChargeFilterRecord {
  id: string;
  invoice_display_name: string | null;
  properties: JsonObject;
  values: { [key: string]: string[] };
}

/** One usage charge of a plan. Stored inside its plan. */
export interface ChargeRecord {
  id: string;
  code: string;
  parent_id: string | null;
  billable_metric_id: string;
  charge_model: string;
  invoiceable: boolean;
  invoice_display_name: string | null;
  pay_in_advance: boolean;
  regroup_paid_fees: string | null;
  prorated: boolean;
  min_amount_cents: number;
  properties: JsonObject;
  filters: ChargeFilterRecord[];
  tax_codes: string[];
  created_at: InstantText;
}

/** One quantity of an add-on that a plan bills every period. Stored inside its plan. */
export interface FixedChargeRecord {
  id: string;
  code: string;
  parent_id: string | null;
  add_on_id: string;
  charge_model: string; // standard | graduated | volume
  invoice_display_name: string | null;
  pay_in_advance: boolean;
  prorated: boolean;
  properties: JsonObject;
  units: DecimalText;
  tax_codes: string[];
  created_at: InstantText;
}

export interface MinimumCommitment {
  id: string;
  amount_cents: number;
  invoice_display_name: string | null;
  tax_codes: string[];
  created_at: InstantText;
  updated_at: InstantText;
}

export interface UsageThreshold {
  id: string;
  threshold_display_name: string | null;
  amount_cents: number;
  recurring: boolean;
  created_at: InstantText;
  updated_at: InstantText;
}

export interface Entitlement {
  code: string;
  name: string;
  description: string | null;
  privileges: { code: string; name: string; value_type: string; config: JsonObject; value: Json }[];
}

export interface PlanRecord extends Row {
  code: string;
  parent_id: string | null; // set on the child copy that a subscription's plan override makes
  name: string;
  invoice_display_name: string | null;
  description: string | null;
  interval: string; // weekly | monthly | quarterly | semiannual | yearly
  amount_cents: number;
  amount_currency: string;
  trial_period: DecimalText; // days
  pay_in_advance: boolean;
  bill_charges_monthly: boolean | null;
  bill_fixed_charges_monthly: boolean | null;
  charges: ChargeRecord[];
  fixed_charges: FixedChargeRecord[];
  minimum_commitment: MinimumCommitment | null;
  usage_thresholds: UsageThreshold[];
  entitlements: Entitlement[];
  tax_codes: string[];
  metadata: { [key: string]: string | null } | null;
  pending_deletion: boolean;
}

export interface PaymentMethodLink {
  payment_method_type: string;
  payment_method_id: string | null;
}

export interface SubscriptionRecord extends Row {
  external_id: string;
  customer_id: string;
  plan_id: string;
  billing_entity_id: string | null;
  name: string | null;
  status: string; // pending | active | terminated | canceled | incomplete
  billing_time: 'calendar' | 'anniversary';
  subscription_at: InstantText;
  started_at: InstantText | null;
  ending_at: InstantText | null;
  terminated_at: InstantText | null;
  canceled_at: InstantText | null;
  trial_ended_at: InstantText | null;
  activated_at: InstantText | null;
  previous_subscription_id: string | null;
  next_plan_code: string | null; // a scheduled plan change
  downgrade_plan_date: DateText | null;
  on_termination_credit_note: string | null;
  on_termination_invoice: string;
  cancellation_reason: string | null;
  progressive_billing_disabled: boolean;
  consolidate_invoice: boolean | null;
  purchase_order_number: string | null;
  payment_method: PaymentMethodLink | null;
  skip_invoice_custom_sections: boolean;
  invoice_custom_section_codes: string[];
  activation_rules: JsonObject[];
  usage_thresholds: UsageThreshold[];
  /** Quantities that replace the plan's own, by fixed charge id. */
  fixed_charge_units: { [fixedChargeId: string]: DecimalText };
}

/** What a usage event looks like once taken in. `value` is the metric's field as text; numeric when it reads as a number. */
export interface EventRecord {
  id: string;
  transaction_id: string;
  code: string;
  timestamp: InstantText;
  external_subscription_id: string;
  subscription_id: string | null;
  customer_id: string | null;
  properties: JsonObject;
  precise_total_amount_cents: DecimalText | null;
  created_at: InstantText;
}

export interface WalletRuleRecord {
  id: string;
  trigger: string;
  method: string;
  interval: string | null;
  status: string;
  threshold_credits: DecimalText | null;
  paid_credits: DecimalText;
  granted_credits: DecimalText;
  target_ongoing_balance: DecimalText | null;
  grants_target_top_up: boolean;
  started_at: InstantText | null;
  expiration_at: InstantText | null;
  invoice_requires_successful_payment: boolean;
  ignore_paid_top_up_limits: boolean;
  transaction_name: string | null;
  transaction_metadata: { key: string; value: string }[];
  purchase_order_number: string | null;
  payment_method: PaymentMethodLink | null;
  skip_invoice_custom_sections: boolean;
  invoice_custom_section_codes: string[];
  created_at: InstantText;
}

export interface WalletRecord extends Row {
  customer_id: string;
  billing_entity_id: string | null;
  code: string;
  name: string | null;
  status: 'active' | 'terminated';
  currency: string;
  rate_amount: DecimalText;
  priority: number;
  credits_balance: DecimalText;
  balance_cents: number;
  consumed_credits: DecimalText;
  ongoing_balance_cents: number;
  ongoing_usage_balance_cents: number;
  credits_ongoing_balance: DecimalText;
  credits_ongoing_usage_balance: DecimalText;
  invoice_requires_successful_payment: boolean;
  paid_top_up_min_amount_cents: number | null;
  paid_top_up_max_amount_cents: number | null;
  purchase_order_number: string | null;
  fee_types: string[];
  billable_metric_codes: string[];
  recurring_transaction_rules: WalletRuleRecord[];
  payment_method: PaymentMethodLink | null;
  skip_invoice_custom_sections: boolean;
  invoice_custom_section_codes: string[];
  metadata: { [key: string]: string | null } | null;
  expiration_at: InstantText | null;
  last_balance_sync_at: InstantText | null;
  last_consumed_credit_at: InstantText | null;
  terminated_at: InstantText | null;
}

export interface WalletTransactionRecord extends Row {
  wallet_id: string;
  invoice_id: string | null;
  credit_note_id: string | null;
  voided_invoice_id: string | null;
  status: string;
  source: string;
  transaction_status: string;
  transaction_type: string;
  amount: DecimalText;
  credit_amount: DecimalText;
  remaining_amount_cents: number | null;
  remaining_credit_amount: DecimalText | null;
  invoice_requires_successful_payment: boolean;
  metadata: { key: string; value: string }[];
  priority: number;
  name: string | null;
  settled_at: InstantText | null;
  failed_at: InstantText | null;
  payment_method: PaymentMethodLink | null;
  purchase_order_number: string | null;
  invoice_custom_section_codes: string[];
}

export interface CouponRecord extends Row {
  code: string;
  name: string;
  coupon_type: 'fixed_amount' | 'percentage';
  amount_cents: number | null;
  amount_currency: string | null;
  percentage_rate: DecimalText | null;
  frequency: 'once' | 'recurring' | 'forever';
  frequency_duration: number | null;
  plan_codes: string[]; // limited to these plans; empty = not limited
  billable_metric_codes: string[]; // limited to these metrics; empty = not limited
  status: string; // active | terminated
  expiration: string; // no_expiration | time_limit
  expiration_at: InstantText | null;
}

export interface AppliedCouponRecord extends Row {
  coupon_id: string;
  customer_id: string;
  status: string; // active | terminated
  amount_cents: number | null; // copied from the coupon, may differ
  amount_cents_remaining: number | null; // fixed once: what is not used up yet
  amount_currency: string | null;
  percentage_rate: DecimalText | null;
  frequency: 'once' | 'recurring' | 'forever';
  frequency_duration: number | null;
  frequency_duration_remaining: number | null;
}

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
  type: string; // charge | add_on | subscription | credit | commitment | fixed_charge | product
  code: string;
  name: string;
  description: string | null;
  invoice_display_name: string;
  filter_invoice_display_name: string | null;
  item_id: string | null; // null for a subscription that is only proposed (§12.7)
  item_type: string; // BillableMetric | AddOn | WalletTransaction | Subscription
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
  events_count: number;
  pay_in_advance: boolean;
  invoiceable: boolean;
  self_billed: boolean;
  payment_status: string;
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

export interface InvoiceCredit {
  id: string | null;
  amount_cents: number;
  amount_currency: string;
  before_taxes: boolean;
  item: { item_id: string | null; type: string; code: string; name: string };
  invoice: { id: string | null; payment_status: string } | null;
}

export interface BillingPeriod {
  subscription_id: string;
  external_subscription_id: string;
  plan_id: string;
  subscription_from_datetime: InstantText;
  subscription_to_datetime: InstantText;
  charges_from_datetime: InstantText;
  charges_to_datetime: InstantText;
  invoicing_reason: string;
}

export interface InvoiceRecord extends Row {
  customer_id: string;
  billing_entity_id: string;
  number: string;
  sequential_id: number | null;
  issuing_date: DateText;
  payment_due_date: DateText;
  net_payment_term: number;
  invoice_type: string;
  status: string;
  payment_status: string;
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

export interface CreditNoteItem {
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
  status: string; // finalized | draft
  reason: string;
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
  credit_status: string | null;
  refund_status: string | null;
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
  payable_type: 'Invoice' | 'PaymentRequest';
  amount_cents: number;
  amount_currency: string;
  status: string;
  payment_status: string;
  type: 'manual' | 'provider';
  reference: string | null;
  payment_provider_code: string | null;
  payment_provider_type: string | null;
  provider_payment_id: string | null;
  provider_customer_id: string | null;
  payment_method_id: string | null;
  next_action: JsonObject;
}

export interface AlertThreshold {
  code: string | null;
  value: DecimalText;
  recurring: boolean;
}

export interface AlertRecord extends Row {
  code: string;
  name: string | null;
  alert_type: string;
  direction: 'increasing' | 'decreasing';
  subscription_id: string | null;
  /** The subscription's external id (alerts follow it over plan changes); null on wallet alerts. */
  external_subscription_id: string | null;
  wallet_id: string | null;
  billable_metric_id: string | null;
  previous_value: DecimalText;
  last_processed_at: InstantText | null;
  thresholds: AlertThreshold[];
  deleted_at: InstantText | null;
}

export interface WebhookEndpointRecord extends Row {
  webhook_url: string;
  signature_algo: 'jwt' | 'hmac';
  name: string | null;
  event_types: string[] | null;
}

/** Every stored table, by name. Events are apart: there are many of them, and they are aggregated in the database. */
export interface Tables {
  organizations: OrganizationRecord;
  billing_entities: BillingEntityRecord;
  taxes: TaxRecord;
  invoice_custom_sections: InvoiceCustomSectionRecord;
  customers: CustomerRecord;
  billable_metrics: BillableMetricRecord;
  add_ons: AddOnRecord;
  plans: PlanRecord;
  subscriptions: SubscriptionRecord;
  wallets: WalletRecord;
  wallet_transactions: WalletTransactionRecord;
  coupons: CouponRecord;
  applied_coupons: AppliedCouponRecord;
  invoices: InvoiceRecord;
  credit_notes: CreditNoteRecord;
  payments: PaymentRecord;
  alerts: AlertRecord;
  webhook_endpoints: WebhookEndpointRecord;
  events: EventRecord;
}
export type TableName = keyof Tables;
