/** Alerts of subscriptions and of wallets. */
import * as z from 'zod';
import { alertTypes, isOneOf, type WalletAlertType, walletAlertTypes } from '../../contract/enums.ts';
import { decimal } from '../../contract/pricing/money.ts';
import type { AlertRecord } from '../../engine/records/index.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import * as is from './values.ts';

const alertEntry = z.strictObject({
  ...is.common,
  external_subscription_id: is.optional(is.label, 'the alert is of a wallet'),
  external_customer_id: is.optional(is.label, 'the alert is of a subscription'),
  wallet_code: is.optional(is.label, 'the alert is of a subscription'),
  code: is.label,
  name: is.text,
  alert_type: z.enum(alertTypes),
  billable_metric_code: is
    .optional(is.referenceTo('billable_metrics'), 'none')
    .describe('for the types `billable_metric_…`'),
  previous_value: is.optional(is.decimalValue, '0; of a wallet its balance'),
  last_processed_at: is.optionalInstant,
  thresholds: z
    .array(z.strictObject({ code: is.text, value: is.decimalValue, recurring: is.flag(false) }))
    .min(1)
    .max(20),
});
type AlertEntry = z.output<typeof alertEntry>;

export const alertList = listOf(alertEntry, builder => entry => {
  checkEntry(builder, entry);
  const { wallet_code: wallet } = entry;
  const record = wallet === undefined ? subscriptionAlert(builder, entry) : walletAlert(builder, entry, wallet);
  builder.add('alerts', `${record.external_subscription_id ?? record.wallet_id} ${entry.code}`, record);
});

function subscriptionAlert(builder: AccountBuilder, entry: AlertEntry): AlertRecord {
  const isForWallets = isOneOf(walletAlertTypes, entry.alert_type);
  builder.check(!isForWallets, 'alert_type', 'is for wallets, with external_customer_id and wallet_code');
  const subscription = builder.subscription(entry.external_subscription_id, []);
  return {
    ...alertOf(builder, entry, `${subscription.external_id} ${entry.code}`),
    subscription_id: subscription.id,
    external_subscription_id: subscription.external_id,
    wallet_id: null,
    direction: 'increasing',
    previous_value: entry.previous_value ?? '0',
  };
}

function walletAlert(builder: AccountBuilder, entry: AlertEntry, walletCode: string): AlertRecord {
  const { alert_type: type } = entry;
  const isForWallets = isOneOf(walletAlertTypes, type);
  builder.check(isForWallets, 'alert_type', 'is for subscriptions');
  const customer = builder.lookUp('customers', entry.external_customer_id ?? '', 'external_customer_id');
  const candidates = builder.records.wallets.filter(
    each => each.customer_id === customer.id && each.code === walletCode,
  );
  const active = candidates.find(each => each.status === 'active') ?? candidates[0];
  const wallet = builder.present('wallets', active, 'wallet_code', `the customer has no wallet "${walletCode}"`);
  // The ongoing balance before any usage: the first check of the alert then counts the usage so far.
  const values: Record<WalletAlertType, string> = {
    wallet_balance_amount: String(wallet.balance_cents),
    wallet_credits_balance: wallet.credits_balance,
    wallet_ongoing_balance_amount: String(wallet.balance_cents),
    wallet_credits_ongoing_balance: wallet.credits_balance,
  };
  return {
    ...alertOf(builder, entry, `${wallet.id} ${entry.code}`),
    subscription_id: null,
    external_subscription_id: null,
    wallet_id: wallet.id,
    direction: 'decreasing',
    previous_value: entry.previous_value ?? (isForWallets ? values[type] : '0'),
  };
}

/** The rules that can be checked without the subscription or the wallet. */
function checkEntry(
  builder: AccountBuilder,
  { alert_type: type, billable_metric_code: metric, thresholds }: AlertEntry,
) {
  const needsMetric = type.startsWith('billable_metric_');
  const problem = needsMetric ? 'is missing' : `is not for ${type}`;
  builder.check(needsMetric === (metric !== undefined), 'billable_metric_code', problem);
  const keys = thresholds.map(({ value, recurring }) => `${decimal(value).toFixed()} ${recurring}`);
  for (const [i, { value, recurring }] of thresholds.entries()) {
    const at = ['thresholds', i, 'value'];
    builder.check(keys.indexOf(keys[i] ?? '') === i, at, 'is there twice');
    builder.check(!recurring || decimal(value).gt(0), at, 'must be greater than 0 when recurring');
  }
}

function alertOf(builder: AccountBuilder, entry: AlertEntry, key: string) {
  const metric = entry.billable_metric_code;
  return {
    ...builder.idAndTimes('alert', key, entry),
    code: entry.code,
    name: entry.name,
    alert_type: entry.alert_type,
    billable_metric_id: metric === undefined ? null : builder.get('billable_metrics', metric).id,
    last_processed_at: entry.last_processed_at,
    thresholds: entry.thresholds,
    deleted_at: null,
  };
}
