/** Turns entries of alerts into records. */
import { isOneOf, type WalletAlertType, walletAlertTypes } from '../../contract/enums.ts';
import { decimal } from '../../contract/pricing/money.ts';
import type { AlertRecord, WalletRecord } from '../../engine/records/index.ts';
import { type AccountBuilder, AccountFileError, type Path, requireThat } from './account-builder.ts';
import type { AccountEntries } from './schema.ts';

type AlertEntry = AccountEntries['alerts'][number];

export function buildAlerts(builder: AccountBuilder, entries: AccountEntries['alerts']): void {
  builder.each('alerts', entries, (entry, path) => {
    const record =
      entry.wallet_code === undefined ? subscriptionAlert(builder, entry, path) : walletAlert(builder, entry, path);
    builder.add('alerts', `${record.external_subscription_id ?? record.wallet_id} ${entry.code}`, record, path);
  });
}

function subscriptionAlert(builder: AccountBuilder, entry: AlertEntry, path: Path): AlertRecord {
  const isForWallets = isOneOf(walletAlertTypes, entry.alert_type);
  const misplaced = 'is for wallets, with external_customer_id and wallet_code';
  const [subscription] = builder.all(
    () => builder.subscription(entry.external_subscription_id, path),
    () => requireThat(!isForWallets, [...path, 'alert_type'], misplaced),
    ...entryRules(builder, entry, path),
  );
  return {
    ...alert(builder, entry, `${subscription.external_id} ${entry.code}`),
    subscription_id: subscription.id,
    external_subscription_id: subscription.external_id,
    wallet_id: null,
    direction: 'increasing',
    previous_value: entry.previous_value ?? '0',
  };
}

function walletAlert(builder: AccountBuilder, entry: AlertEntry, path: Path): AlertRecord {
  const { alert_type: type } = entry;
  const [wallet, walletAlertType] = builder.all(
    () => watchedWallet(builder, entry, path),
    () => {
      if (!isOneOf(walletAlertTypes, type)) throw new AccountFileError([...path, 'alert_type'], 'is for subscriptions');
      return type;
    },
    ...entryRules(builder, entry, path),
  );
  const values: Record<WalletAlertType, string> = {
    wallet_balance_amount: String(wallet.balance_cents),
    wallet_credits_balance: wallet.credits_balance,
    // The balance before any usage: the first check of the alert then counts the usage so far.
    wallet_ongoing_balance_amount: String(wallet.balance_cents),
    wallet_credits_ongoing_balance: wallet.credits_balance,
  };
  return {
    ...alert(builder, entry, `${wallet.id} ${entry.code}`),
    subscription_id: null,
    external_subscription_id: null,
    wallet_id: wallet.id,
    direction: 'decreasing',
    previous_value: entry.previous_value ?? values[walletAlertType],
  };
}

function watchedWallet(builder: AccountBuilder, entry: AlertEntry, path: Path): WalletRecord {
  const customer = builder.need('customers', entry.external_customer_id ?? '', [...path, 'external_customer_id']);
  const candidates = builder.records.wallets.filter(
    each => each.customer_id === customer.id && each.code === entry.wallet_code,
  );
  const wallet = candidates.find(each => each.status === 'active') ?? candidates[0];
  if (wallet !== undefined) return wallet;
  const problem = `the customer has no wallet "${entry.wallet_code}"`;
  throw builder.missing('wallets', entry.wallet_code ?? '', [...path, 'wallet_code'], problem);
}

/** The rules that can be checked without the subscription or the wallet. */
function entryRules(builder: AccountBuilder, entry: AlertEntry, path: Path): (() => unknown)[] {
  const needsMetric = entry.alert_type.startsWith('billable_metric_');
  const metric = entry.billable_metric_code;
  const at = [...path, 'billable_metric_code'];
  const thresholdKeys = new Set<string>();
  return [
    () =>
      requireThat(
        needsMetric === (metric !== undefined),
        at,
        needsMetric ? 'is missing' : `is not for ${entry.alert_type}`,
      ),
    () => metric !== undefined && builder.need('billable_metrics', metric, at),
    () =>
      builder.parts(entry.thresholds, (threshold, i) => {
        const key = `${decimal(threshold.value).toFixed()} ${threshold.recurring}`;
        requireThat(!thresholdKeys.has(key), [...path, 'thresholds', i, 'value'], 'is there twice');
        thresholdKeys.add(key);
        const positive = !threshold.recurring || decimal(threshold.value).gt(0);
        requireThat(positive, [...path, 'thresholds', i, 'value'], 'must be greater than 0 when recurring');
      }),
  ];
}

function alert(builder: AccountBuilder, entry: AlertEntry, key: string) {
  const metric = entry.billable_metric_code;
  return {
    ...builder.idAndTimes('alert', key, entry),
    code: entry.code,
    name: entry.name,
    alert_type: entry.alert_type,
    billable_metric_id: metric === undefined ? null : builder.need('billable_metrics', metric, []).id,
    last_processed_at: entry.last_processed_at,
    thresholds: entry.thresholds,
    deleted_at: null,
  };
}
