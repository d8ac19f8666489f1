/** Subscriptions, usage events, wallets and alerts; also webhook endpoints. */

import * as enums from '../../contract/enums.ts';
import type { StoredValues } from '../../contract/fields.ts';
import type { EntryIn, Subscription } from '../../contract/shown.ts';
import { subscription } from '../../contract/subscription.ts';
import { wallet as walletResource, type walletRule } from '../../contract/wallet.ts';
import type { UsageThreshold } from './catalogue.ts';
import * as t from './table.ts';
import type { DecimalText, EventProperties, InstantText, JsonOf } from './values.ts';

export interface PaymentMethodLink {
  payment_method_type: t.Word<typeof enums.paymentMethodTypes>;
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

export const subscriptions = t.table(
  {
    ...t.row,
    external_id: t.text,
    customer_id: t.text,
    plan_id: t.text,
    billing_entity_id: t.orNull(t.text),
    name: t.orNull(t.text),
    subscription_at: t.instant,
    started_at: t.orNull(t.instant),
    ending_at: t.orNull(t.instant),
    terminated_at: t.orNull(t.instant),
    canceled_at: t.orNull(t.instant),
    trial_ended_at: t.orNull(t.instant),
    activated_at: t.orNull(t.instant),
    previous_subscription_id: t.orNull(t.text),
    on_termination_credit_note: t.orNull(t.oneOf(enums.terminationCreditNotes)),
    payment_method: t.orNull(t.json<PaymentMethodLink>()),
    skip_invoice_custom_sections: t.flag,
    invoice_custom_section_codes: t.json<string[]>(),
    activation_rules: t.json<ActivationRule[]>(),
    usage_thresholds: t.json<UsageThreshold[]>(),
    /** Quantities that replace the plan's own, by fixed charge id: one that always held, or all with their changes. */
    fixed_charge_units: t.json<{ [fixedChargeId: string]: DecimalText | UnitsChange[] }>(),
  },
  {
    state: { status: t.oneOf(enums.subscriptionStatuses), billing_time: t.oneOf(enums.billingTimes) },
    change: { next_plan_code: t.orNull(t.text), downgrade_plan_date: t.orNull(t.day) }, // a scheduled plan change
    terms: {
      on_termination_invoice: t.oneOf(enums.terminationInvoices),
      cancellation_reason: t.orNull(t.oneOf(enums.cancellationReasons)),
      ...t.columnsOf(subscription, ['name', 'billing_entity_code', 'ending_at', 'subscription_at']),
    },
  },
);
export interface SubscriptionRecord extends t.RecordOf<typeof subscriptions> {}

/** A stored usage event. `properties` include the value of the metric's expression, under the metric's field name. */
export const events = t.table({
  id: t.text,
  transaction_id: t.text,
  code: t.text,
  timestamp: t.instant,
  external_subscription_id: t.text,
  subscription_id: t.orNull(t.text),
  customer_id: t.orNull(t.text),
  properties: t.json<EventProperties>(),
  precise_total_amount_cents: t.orNull(t.decimal),
  created_at: t.instant,
});
export interface EventRecord extends t.RecordOf<typeof events> {}

export interface WalletRuleRecord extends StoredValues<(typeof walletRule)['shape']> {
  id: string;
  trigger: t.Word<typeof enums.topUpTriggers>;
  method: t.Word<typeof enums.topUpMethods>;
  interval: enums.Interval | null;
  status: enums.LifeStatus;
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

export const wallets = t.table(
  {
    ...t.row,
    customer_id: t.text,
    billing_entity_id: t.orNull(t.text),
    rate_amount: t.decimal,
    credits_balance: t.decimal,
    balance_cents: t.int,
    consumed_credits: t.decimal,
    fee_types: t.json<enums.FeeType[]>(),
    billable_metric_codes: t.json<string[]>(),
    recurring_transaction_rules: t.json<WalletRuleRecord[]>(),
    payment_method: t.orNull(t.json<PaymentMethodLink>()),
    skip_invoice_custom_sections: t.flag,
    invoice_custom_section_codes: t.json<string[]>(),
    metadata: t.orNull(t.json<{ [key: string]: string | null }>()),
    expiration_at: t.orNull(t.instant),
    last_balance_sync_at: t.orNull(t.instant),
    last_consumed_credit_at: t.orNull(t.instant),
    terminated_at: t.orNull(t.instant),
  },
  {
    heading: {
      status: t.oneOf(enums.lifeStatuses),
      currency: t.text,
      name: t.orNull(t.text),
      code: t.text,
      priority: t.int,
    },
    terms: t.columnsOf(walletResource, ['name', 'code', 'priority', 'expiration_at']),
  },
);
export interface WalletRecord extends t.RecordOf<typeof wallets> {}

export const walletTransactions = t.table(
  {
    ...t.row,
    wallet_id: t.text,
    invoice_id: t.orNull(t.text),
    credit_note_id: t.orNull(t.text),
    voided_invoice_id: t.orNull(t.text),
    amount: t.decimal,
    credit_amount: t.decimal,
    remaining_amount_cents: t.orNull(t.int),
    remaining_credit_amount: t.orNull(t.decimal),
    invoice_requires_successful_payment: t.flag,
    metadata: t.json<{ key: string; value: string }[]>(),
    settled_at: t.orNull(t.instant),
    failed_at: t.orNull(t.instant),
    payment_method: t.orNull(t.json<PaymentMethodLink>()),
    invoice_custom_section_codes: t.json<string[]>(),
  },
  {
    heading: {
      status: t.oneOf(enums.walletTransactionStatuses),
      source: t.oneOf(enums.walletTransactionSources),
      transaction_status: t.oneOf(enums.transactionStatuses),
      transaction_type: t.oneOf(enums.transactionTypes),
    },
    details: { priority: t.int, name: t.orNull(t.text), purchase_order_number: t.orNull(t.text) },
  },
);
export interface WalletTransactionRecord extends t.RecordOf<typeof walletTransactions> {}

export interface AlertThreshold {
  code: string | null;
  value: DecimalText;
  recurring: boolean;
}

export const alerts = t.table(
  {
    ...t.row,
    subscription_id: t.orNull(t.text),
    /** The subscription's external id (alerts stay with it over plan changes); null on wallet alerts. */
    external_subscription_id: t.orNull(t.text),
    wallet_id: t.orNull(t.text),
    billable_metric_id: t.orNull(t.text),
    previous_value: t.decimal,
    last_processed_at: t.orNull(t.instant),
    thresholds: t.json<AlertThreshold[]>(),
    deleted_at: t.orNull(t.instant),
  },
  {
    details: {
      alert_type: t.oneOf(enums.alertTypes),
      code: t.text,
      name: t.orNull(t.text),
      direction: t.oneOf(enums.alertDirections),
    },
  },
);
export interface AlertRecord extends t.RecordOf<typeof alerts> {}

export const webhookEndpoints = t.table(
  { ...t.row },
  {
    details: {
      webhook_url: t.text,
      signature_algo: t.oneOf(enums.signatureAlgorithms),
      name: t.orNull(t.text),
      event_types: t.orNull(t.json<string[]>()),
    },
  },
);
export interface WebhookEndpointRecord extends t.RecordOf<typeof webhookEndpoints> {}
