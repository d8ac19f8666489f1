/** The columns of each table, declared only here: queries are built from them. */
import type { TableName, Tables } from '../records/index.ts';
import { type Bound, bound, boundJson } from './binding.ts';
import { UnstorableNumber } from './errors.ts';

/** `text`: ids, instants, dates, decimals. `int`: cents and counters. `flag`: booleans as 0 or 1. `json`: lists and objects. */
export type ColumnKind = 'text' | 'int' | 'flag' | 'json';

const layout = {
  organizations: {
    text: words('id created_at updated_at name slug_prefix hmac_key'),
  },
  billing_entities: {
    text: words(`
      id created_at updated_at address_line1 address_line2 city state country zipcode code name default_currency
      document_locale document_numbering document_number_prefix invoice_footer timezone
      subscription_invoice_issuing_date_anchor subscription_invoice_issuing_date_adjustment email phone legal_name
      legal_number tax_identification_number logo_url`),
    int: words('invoice_grace_period net_payment_term'),
    flag: words('finalize_zero_amount_invoice is_default eu_tax_management einvoicing'),
    json: words('email_settings tax_codes'),
  },
  taxes: {
    text: words('id created_at updated_at code name description rate'),
    flag: words('applied_to_organization'),
  },
  invoice_custom_sections: {
    text: words('id created_at updated_at code name description details display_name'),
    flag: words('applied_to_organization'),
  },
  customers: {
    text: words(`
      id created_at updated_at address_line1 address_line2 city state country zipcode external_id slug
      billing_entity_id name firstname lastname email phone url logo_url legal_name legal_number
      tax_identification_number account_type customer_type currency timezone finalize_zero_amount_invoice
      external_salesforce_id document_locale subscription_invoice_issuing_date_anchor
      subscription_invoice_issuing_date_adjustment payment_provider payment_provider_code provider_customer_id
      deleted_at`),
    int: words('sequential_id net_payment_term invoice_grace_period'),
    flag: words('skip_invoice_custom_sections provider_sync'),
    json: words(`
      shipping_address provider_payment_methods metadata tax_codes integration_customers
      invoice_custom_section_codes error_details`),
  },
  billable_metrics: {
    text: words(`
      id created_at updated_at code name description aggregation_type field_name expression rounding_function
      weighted_interval`),
    int: words('rounding_precision'),
    flag: words('recurring'),
    json: words('filters'),
  },
  add_ons: {
    text: words('id created_at updated_at code name invoice_display_name description amount_currency deleted_at'),
    int: words('amount_cents'),
    json: words('tax_codes'),
  },
  plans: {
    text: words(`
      id created_at updated_at code parent_id name invoice_display_name description interval amount_currency
      trial_period`),
    int: words('amount_cents'),
    flag: words('pay_in_advance bill_charges_monthly bill_fixed_charges_monthly pending_deletion'),
    json: words('charges fixed_charges minimum_commitment usage_thresholds entitlements tax_codes metadata'),
  },
  subscriptions: {
    text: words(`
      id created_at updated_at external_id customer_id plan_id billing_entity_id name status billing_time
      subscription_at started_at ending_at terminated_at canceled_at trial_ended_at activated_at
      previous_subscription_id next_plan_code downgrade_plan_date on_termination_credit_note on_termination_invoice
      cancellation_reason purchase_order_number`),
    flag: words('progressive_billing_disabled consolidate_invoice skip_invoice_custom_sections'),
    json: words('payment_method invoice_custom_section_codes activation_rules usage_thresholds fixed_charge_units'),
  },
  wallets: {
    text: words(`
      id created_at updated_at customer_id billing_entity_id code name status currency rate_amount credits_balance
      consumed_credits purchase_order_number expiration_at last_balance_sync_at last_consumed_credit_at
      terminated_at`),
    int: words('priority balance_cents paid_top_up_min_amount_cents paid_top_up_max_amount_cents'),
    flag: words('invoice_requires_successful_payment skip_invoice_custom_sections'),
    json: words(`
      fee_types billable_metric_codes recurring_transaction_rules payment_method invoice_custom_section_codes
      metadata`),
  },
  wallet_transactions: {
    text: words(`
      id created_at updated_at wallet_id invoice_id credit_note_id voided_invoice_id status source
      transaction_status transaction_type amount credit_amount remaining_credit_amount name settled_at failed_at
      purchase_order_number`),
    int: words('remaining_amount_cents priority'),
    flag: words('invoice_requires_successful_payment'),
    json: words('metadata payment_method invoice_custom_section_codes'),
  },
  coupons: {
    text: words(`
      id created_at updated_at code name coupon_type amount_currency percentage_rate frequency status expiration
      expiration_at description terminated_at`),
    int: words('amount_cents frequency_duration'),
    flag: words('reusable'),
    json: words('plan_codes billable_metric_codes'),
  },
  applied_coupons: {
    text: words(`
      id created_at updated_at coupon_id customer_id status amount_currency percentage_rate frequency terminated_at`),
    int: words('amount_cents amount_cents_remaining frequency_duration frequency_duration_remaining'),
  },
  invoices: {
    text: words(`
      id created_at updated_at customer_id billing_entity_id number issuing_date payment_due_date invoice_type
      status payment_status payment_dispute_lost_at currency taxes_rate file_url voided_at purchase_order_number`),
    int: words(`
      sequential_id net_payment_term fees_amount_cents coupons_amount_cents credit_notes_amount_cents
      sub_total_excluding_taxes_amount_cents taxes_amount_cents sub_total_including_taxes_amount_cents
      prepaid_credit_amount_cents prepaid_granted_credit_amount_cents prepaid_purchased_credit_amount_cents
      progressive_billing_credit_amount_cents total_amount_cents total_paid_amount_cents version_number`),
    flag: words('payment_overdue self_billed'),
    json: words(`
      metadata applied_taxes fees credits billing_periods subscription_ids applied_usage_thresholds
      invoice_custom_sections error_details`),
  },
  fees: {
    text: words(`
      id created_at invoice_id customer_id subscription_id external_subscription_id fee_type billable_metric_code
      payment_status amount_currency precise_coupons_amount_cents from_date to_date event_transaction_id succeeded_at
      failed_at refunded_at`),
    int: words('amount_cents taxes_amount_cents'),
  },
  credit_notes: {
    text: words(`
      id created_at updated_at invoice_id customer_id number issuing_date status reason description currency
      taxes_rate credit_status refund_status file_url purchase_order_number`),
    int: words(`
      sequential_id total_amount_cents taxes_amount_cents sub_total_excluding_taxes_amount_cents
      balance_amount_cents credit_amount_cents refund_amount_cents offset_amount_cents
      coupons_adjustment_amount_cents`),
    flag: words('self_billed'),
    json: words('items applied_taxes metadata error_details'),
  },
  payments: {
    text: words(`
      id created_at updated_at customer_id payable_id payable_type amount_currency status payment_status type
      reference payment_provider_code payment_provider_type provider_payment_id provider_customer_id
      payment_method_id`),
    int: words('amount_cents'),
    json: words('invoice_ids next_action'),
  },
  payment_requests: {
    text: words('id created_at updated_at customer_id amount_currency email payment_status'),
    int: words('amount_cents'),
    json: words('invoice_ids'),
  },
  alerts: {
    text: words(`
      id created_at updated_at code name alert_type direction subscription_id external_subscription_id wallet_id
      billable_metric_id previous_value last_processed_at deleted_at`),
    json: words('thresholds'),
  },
  webhook_endpoints: {
    text: words('id created_at updated_at webhook_url signature_algo name'),
    json: words('event_types'),
  },
  events: {
    text: words(`
      id transaction_id code timestamp external_subscription_id subscription_id customer_id
      precise_total_amount_cents created_at`),
    json: words('properties'),
  },
} as const satisfies Record<TableName, Partial<Record<ColumnKind, readonly string[]>>>;

type Layout = typeof layout;
type Listed<T extends TableName> = Layout[T][keyof Layout[T]] extends readonly (infer Name)[] ? Name : never;
// When a field of a record is missing in the layout above, the last of these lines is a type error that names the field.
type Forgotten = { [T in TableName]: Exclude<keyof Tables[T], Listed<T>> }[TableName];
type Nothing<T extends never> = T;
/** @public A type error when the layout is not complete. */
export type CompleteLayout = Nothing<Forgotten>;

/** The columns of every table, in the order in which they are created. */
export const columns = Object.fromEntries(
  Object.entries(layout).map(([table, kinds]) => [table, new Map(kindByColumn(kinds))]),
) as Record<TableName, Map<string, ColumnKind>>;

/** A record, or some of its fields, as column values. Throws TypeError for a field that the table does not have. */
export function encode(table: TableName, fields: object): Record<string, Bound> {
  const row: Record<string, Bound> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) row[name] = encodeValue(table, name, value);
  }
  return row;
}

/** One column's value. Throws `UnstorableText`, `UnstorableNumber`, and TypeError for a column that does not exist. */
export function encodeValue(table: TableName, name: string, value: unknown): Bound {
  const kind = columns[table].get(name);
  if (!kind) throw new TypeError(`The table ${table} has no column ${name}.`);
  if (value === null) return null;
  if (kind === 'json') return boundJson(value);
  if (kind === 'flag' && typeof value !== 'boolean') throw new TypeError(`${table}.${name} must be true or false.`);
  if (kind === 'text' && typeof value !== 'string') throw new TypeError(`${table}.${name} must be text.`);
  if (kind === 'int' && !Number.isSafeInteger(value)) throw new UnstorableNumber(name);
  return bound(value);
}

/** The record of a database row. */
export function decode<T extends TableName>(table: T, row: Record<string, unknown>): Tables[T] {
  const record: Record<string, unknown> = {};
  for (const [name, kind] of columns[table]) record[name] = decodeValue(kind, row[name]);
  return record as Tables[T] & Record<string, unknown>;
}

/** The record's value for the stored value of a column. */
function decodeValue(kind: ColumnKind, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  if (kind === 'json') return JSON.parse(stored as string);
  return kind === 'flag' ? stored === 1 : stored;
}

function kindByColumn(kinds: Partial<Record<ColumnKind, readonly string[]>>): [string, ColumnKind][] {
  return Object.entries(kinds).flatMap(([kind, names]) => names.map(name => [name, kind as ColumnKind] as const)) as [
    string,
    ColumnKind,
  ][];
}

type Split<Text extends string, Mark extends string> = Text extends `${infer First}${Mark}${infer Rest}`
  ? First | Split<Rest, Mark>
  : Text;
type Words<Text extends string> = Exclude<Split<Split<Text, '\n'>, ' '>, ''>;

function words<const Text extends string>(text: Text): readonly Words<Text>[] {
  return text.trim().split(/\s+/) as Words<Text>[];
}
