/** Turns entries of alerts into records. */
import { isOneOf, type WalletAlertType, walletAlertTypes } from '../../contract/enums.ts';
import { decimal } from '../../contract/pricing/money.ts';
import type { AlertRecord, WalletRecord } from '../records/index.ts';
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
  const ofWallets = isOneOf(walletAlertTypes, entry.alert_type);
  const misplaced = 'is for wallets, with external_customer_id and wallet_code';
  const [subscription] = builder.all(
    () => builder.subscription(entry.external_subscription_id, path),
    () => requireThat(!ofWallets, [...path, 'alert_type'], misplaced),
    ...ownRules(builder, entry, path),
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
  const [owner, watched] = builder.all(
    () => watchedWallet(builder, entry, path),
    () => {
      if (!isOneOf(walletAlertTypes, type)) throw new AccountFileError([...path, 'alert_type'], 'is for subscriptions');
      return type;
    },
    ...ownRules(builder, entry, path),
  );
  const values: Record<WalletAlertType, string> = {
    wallet_balance_amount: String(owner.balance_cents),
    wallet_credits_balance: owner.credits_balance,
    // Before any usage; the first check then compares with the usage so far.
    wallet_ongoing_balance_amount: String(owner.balance_cents),
    wallet_credits_ongoing_balance: owner.credits_balance,
  };
  return {
    ...alert(builder, entry, `${owner.id} ${entry.code}`),
    subscription_id: null,
    external_subscription_id: null,
    wallet_id: owner.id,
    direction: 'decreasing',
    previous_value: entry.previous_value ?? values[watched],
  };
}

function watchedWallet(builder: AccountBuilder, entry: AlertEntry, path: Path): WalletRecord {
  const customer = builder.need('customers', entry.external_customer_id ?? '', [...path, 'external_customer_id']);
  const theirs = builder.records.wallets.filter(
    each => each.customer_id === customer.id && each.code === entry.wallet_code,
  );
  const owner = theirs.find(each => each.status === 'active') ?? theirs[0];
  if (owner !== undefined) return owner;
  const problem = `the customer has no wallet "${entry.wallet_code}"`;
  throw builder.missing('wallets', entry.wallet_code ?? '', [...path, 'wallet_code'], problem);
}

/** What can be checked without the subscription or the wallet. */
function ownRules(builder: AccountBuilder, entry: AlertEntry, path: Path): (() => unknown)[] {
  const ofMetric = entry.alert_type.startsWith('billable_metric_');
  const metric = entry.billable_metric_code;
  const at = [...path, 'billable_metric_code'];
  const seen = new Set<string>();
  return [
    () =>
      requireThat(ofMetric === (metric !== undefined), at, ofMetric ? 'is missing' : `is not for ${entry.alert_type}`),
    () => metric !== undefined && builder.need('billable_metrics', metric, at),
    () =>
      builder.parts(entry.thresholds, (threshold, i) => {
        const same = `${decimal(threshold.value).toFixed()} ${threshold.recurring}`;
        requireThat(!seen.has(same), [...path, 'thresholds', i, 'value'], 'is there twice');
        seen.add(same);
        const positive = !threshold.recurring || decimal(threshold.value).gt(0);
        requireThat(positive, [...path, 'thresholds', i, 'value'], 'must be greater than 0 when recurring');
      }),
  ];
}

function alert(builder: AccountBuilder, entry: AlertEntry, key: string) {
  const metric = entry.billable_metric_code;
  return {
    ...builder.base('alert', key, entry),
    code: entry.code,
    name: entry.name,
    alert_type: entry.alert_type,
    billable_metric_id: metric === undefined ? null : builder.need('billable_metrics', metric, []).id,
    last_processed_at: entry.last_processed_at,
    thresholds: entry.thresholds,
    deleted_at: null,
  };
}
