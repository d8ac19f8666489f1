/** Subscriptions, usage events, wallets and alerts; also webhook endpoints. */
import type {
  AlertDirection,
  AlertType,
  BillingTime,
  CancellationReason,
  FeeType,
  Interval,
  LifeStatus,
  PaymentMethodType,
  SignatureAlgorithm,
  SubscriptionStatus,
  TerminationCreditNote,
  TerminationInvoice,
  TopUpMethod,
  TopUpTrigger,
  TransactionStatus,
  TransactionType,
  WalletTransactionSource,
  WalletTransactionStatus,
} from '../../contract/enums.ts';
import type { UsageThreshold } from './catalogue.ts';
import type { DateText, DecimalText, InstantText, JsonObject, Row } from './values.ts';

export interface PaymentMethodLink {
  payment_method_type: PaymentMethodType;
  payment_method_id: string | null;
}

export interface SubscriptionRecord extends Row {
  external_id: string;
  customer_id: string;
  plan_id: string;
  billing_entity_id: string | null;
  name: string | null;
  status: SubscriptionStatus;
  billing_time: BillingTime;
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
  on_termination_credit_note: TerminationCreditNote | null;
  on_termination_invoice: TerminationInvoice;
  cancellation_reason: CancellationReason | null;
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

/** A stored usage event. `properties` include the value of the metric's expression, under the metric's field name. */
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
  trigger: TopUpTrigger;
  method: TopUpMethod;
  interval: Interval | null;
  status: LifeStatus;
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
  status: LifeStatus;
  currency: string;
  rate_amount: DecimalText;
  priority: number;
  credits_balance: DecimalText;
  balance_cents: number;
  consumed_credits: DecimalText;
  invoice_requires_successful_payment: boolean;
  paid_top_up_min_amount_cents: number | null;
  paid_top_up_max_amount_cents: number | null;
  purchase_order_number: string | null;
  fee_types: FeeType[];
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
  status: WalletTransactionStatus;
  source: WalletTransactionSource;
  transaction_status: TransactionStatus;
  transaction_type: TransactionType;
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

export interface AlertThreshold {
  code: string | null;
  value: DecimalText;
  recurring: boolean;
}

export interface AlertRecord extends Row {
  code: string;
  name: string | null;
  alert_type: AlertType;
  direction: AlertDirection;
  subscription_id: string | null;
  /** The subscription's external id (alerts stay with it over plan changes); null on wallet alerts. */
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
  signature_algo: SignatureAlgorithm;
  name: string | null;
  event_types: string[] | null;
}
