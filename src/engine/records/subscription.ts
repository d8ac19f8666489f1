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
import type { StoredValues } from '../../contract/fields.ts';
import type { EntryIn, Subscription } from '../../contract/shown.ts';
import { subscription } from '../../contract/subscription.ts';
import { wallet as walletResource, type walletRule } from '../../contract/wallet.ts';
import type { UsageThreshold } from './catalogue.ts';
import {
  columnsOf,
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
} from './table.ts';
import type { DecimalText, EventProperties, InstantText, JsonOf } from './values.ts';

export interface PaymentMethodLink {
  payment_method_type: PaymentMethodType;
  payment_method_id: string | null;
}

export type ActivationRule = JsonOf<EntryIn<Subscription['activation_rules']>> & {
  expires_at: InstantText | null;
  created_at: InstantText;
  updated_at: InstantText;
};

/** A quantity of a fixed charge since a change: it holds from the next period, or at once (§3.2). `changed_at` null: always. */
export interface UnitsChange {
  units: DecimalText;
  changed_at: InstantText | null;
  at_once: boolean;
}

export const subscriptions = table(
  {
    ...row,
    external_id: text,
    customer_id: text,
    plan_id: text,
    billing_entity_id: orNull(text),
    name: orNull(text),
    subscription_at: instant,
    started_at: orNull(instant),
    ending_at: orNull(instant),
    terminated_at: orNull(instant),
    canceled_at: orNull(instant),
    trial_ended_at: orNull(instant),
    activated_at: orNull(instant),
    previous_subscription_id: orNull(text),
    on_termination_credit_note: orNull(oneOf<TerminationCreditNote>()),
    payment_method: orNull(json<PaymentMethodLink>()),
    skip_invoice_custom_sections: flag,
    invoice_custom_section_codes: json<string[]>(),
    activation_rules: json<ActivationRule[]>(),
    usage_thresholds: json<UsageThreshold[]>(),
    /** Quantities that replace the plan's own, by fixed charge id: one that always held, or all with their changes. */
    fixed_charge_units: json<{ [fixedChargeId: string]: DecimalText | UnitsChange[] }>(),
  },
  {
    state: { status: oneOf<SubscriptionStatus>(), billing_time: oneOf<BillingTime>() },
    change: { next_plan_code: orNull(text), downgrade_plan_date: orNull(day) }, // a scheduled plan change
    terms: {
      on_termination_invoice: oneOf<TerminationInvoice>(),
      cancellation_reason: orNull(oneOf<CancellationReason>()),
      ...columnsOf(subscription, ['name', 'billing_entity_code', 'ending_at', 'subscription_at']),
    },
  },
);
export interface SubscriptionRecord extends RecordOf<typeof subscriptions> {}

/** A stored usage event. `properties` include the value of the metric's expression, under the metric's field name. */
export const events = table({
  id: text,
  transaction_id: text,
  code: text,
  timestamp: instant,
  external_subscription_id: text,
  subscription_id: orNull(text),
  customer_id: orNull(text),
  properties: json<EventProperties>(),
  precise_total_amount_cents: orNull(decimal),
  created_at: instant,
});
export interface EventRecord extends RecordOf<typeof events> {}

export interface WalletRuleRecord extends StoredValues<(typeof walletRule)['shape']> {
  id: string;
  trigger: TopUpTrigger;
  method: TopUpMethod;
  interval: Interval | null;
  status: LifeStatus;
  threshold_credits: DecimalText | null;
  paid_credits: DecimalText;
  granted_credits: DecimalText;
  target_ongoing_balance: DecimalText | null;
  transaction_metadata: { key: string; value: string }[];
  payment_method: PaymentMethodLink | null;
  skip_invoice_custom_sections: boolean;
  invoice_custom_section_codes: string[];
  created_at: InstantText;
}

export const wallets = table(
  {
    ...row,
    customer_id: text,
    billing_entity_id: orNull(text),
    rate_amount: decimal,
    credits_balance: decimal,
    balance_cents: int,
    consumed_credits: decimal,
    fee_types: json<FeeType[]>(),
    billable_metric_codes: json<string[]>(),
    recurring_transaction_rules: json<WalletRuleRecord[]>(),
    payment_method: orNull(json<PaymentMethodLink>()),
    skip_invoice_custom_sections: flag,
    invoice_custom_section_codes: json<string[]>(),
    metadata: orNull(json<{ [key: string]: string | null }>()),
    expiration_at: orNull(instant),
    last_balance_sync_at: orNull(instant),
    last_consumed_credit_at: orNull(instant),
    terminated_at: orNull(instant),
  },
  {
    heading: { status: oneOf<LifeStatus>(), currency: text, name: orNull(text), code: text, priority: int },
    terms: columnsOf(walletResource, ['name', 'code', 'priority', 'expiration_at']),
  },
);
export interface WalletRecord extends RecordOf<typeof wallets> {}

export const walletTransactions = table(
  {
    ...row,
    wallet_id: text,
    invoice_id: orNull(text),
    credit_note_id: orNull(text),
    voided_invoice_id: orNull(text),
    amount: decimal,
    credit_amount: decimal,
    remaining_amount_cents: orNull(int),
    remaining_credit_amount: orNull(decimal),
    invoice_requires_successful_payment: flag,
    metadata: json<{ key: string; value: string }[]>(),
    settled_at: orNull(instant),
    failed_at: orNull(instant),
    payment_method: orNull(json<PaymentMethodLink>()),
    invoice_custom_section_codes: json<string[]>(),
  },
  {
    heading: {
      status: oneOf<WalletTransactionStatus>(),
      source: oneOf<WalletTransactionSource>(),
      transaction_status: oneOf<TransactionStatus>(),
      transaction_type: oneOf<TransactionType>(),
    },
    details: { priority: int, name: orNull(text), purchase_order_number: orNull(text) },
  },
);
export interface WalletTransactionRecord extends RecordOf<typeof walletTransactions> {}

export interface AlertThreshold {
  code: string | null;
  value: DecimalText;
  recurring: boolean;
}

export const alerts = table(
  {
    ...row,
    subscription_id: orNull(text),
    /** The subscription's external id (alerts stay with it over plan changes); null on wallet alerts. */
    external_subscription_id: orNull(text),
    wallet_id: orNull(text),
    billable_metric_id: orNull(text),
    previous_value: decimal,
    last_processed_at: orNull(instant),
    thresholds: json<AlertThreshold[]>(),
    deleted_at: orNull(instant),
  },
  {
    details: {
      alert_type: oneOf<AlertType>(),
      code: text,
      name: orNull(text),
      direction: oneOf<AlertDirection>(),
    },
  },
);
export interface AlertRecord extends RecordOf<typeof alerts> {}

export const webhookEndpoints = table(
  { ...row },
  {
    details: {
      webhook_url: text,
      signature_algo: oneOf<SignatureAlgorithm>(),
      name: orNull(text),
      event_types: orNull(json<string[]>()),
    },
  },
);
export interface WebhookEndpointRecord extends RecordOf<typeof webhookEndpoints> {}
