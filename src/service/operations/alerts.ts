/** Checks alerts against the account's usage and balances (§14). */

import { decimal, decimalText } from '../../contract/pricing/money.ts';
import {
  alertQueries,
  alertUsage,
  crossedThresholds,
  subscriptionAlertValue,
  walletAlertValue,
} from '../../engine/alerts.ts';
import type { Subject } from '../../engine/preview-parts.ts';
import type { AlertRecord, DecimalText, InstantText, SubscriptionRecord } from '../../engine/records/index.ts';
import { loadAccountLists, loadCatalogue, timezoneOf } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { isIncomputable } from './engine-refusals.ts';
import { ongoingBalances } from './ongoing.ts';
import { subjectOf } from './preview/records.ts';

/** What one check of an alert found. Thresholds are in ascending order. */
type AlertCheck = Awaited<ReturnType<typeof storeCheck>>;

/**
 * Checks the alerts of a subscription against its usage and stores `previous_value` and `last_processed_at`. Skips
 * alerts of a subscription that is not active, and alerts whose usage cannot be computed (§16).
 */
export async function processSubscriptionAlerts(account: AccountStore, externalSubscriptionId: string, now: Date) {
  const alerts = await account.find('alerts', { external_subscription_id: externalSubscriptionId, deleted_at: null });
  if (alerts.length === 0) return [];
  const subscription = await account.first('subscriptions', { external_id: externalSubscriptionId, status: 'active' });
  if (subscription === undefined) return [];
  const at = now.toISOString();
  const loadedSubject = await loadSubject(account, subscription, at);
  if (loadedSubject === null) return [];
  const checkOf = (some: readonly AlertRecord[]) =>
    checkTogether(account, loadedSubject, some, at).catch(error => {
      if (isIncomputable(error)) return null;
      throw error;
    });
  const together = await checkOf(alerts);
  if (together !== null) return together;
  // At least one alert watches usage that cannot be computed: check each alert alone.
  const checks: AlertCheck[] = [];
  for (const alert of alerts) checks.push(...((await checkOf([alert])) ?? []));
  return checks;
}

/** Checks every alert of an account whose records have just been loaded. */
export async function processAllAlerts(account: AccountStore, now: Date): Promise<AlertCheck[]> {
  const alerts = await account.find('alerts', { deleted_at: null });
  const externalIds = new Set(alerts.map(alert => alert.external_subscription_id).filter(id => id !== null));
  const checks: AlertCheck[] = [];
  for (const externalId of externalIds) checks.push(...(await processSubscriptionAlerts(account, externalId, now)));
  return [...checks, ...(await processWalletAlerts(account, alerts, now.toISOString()))];
}

async function processWalletAlerts(account: AccountStore, alerts: readonly AlertRecord[], now: InstantText) {
  const ids = new Set(alerts.map(alert => alert.wallet_id).filter(id => id !== null));
  if (ids.size === 0) return [];
  const wallets = await account.find('wallets', { id: [...ids] });
  const balances = await ongoingBalances(account, wallets, await loadAccountLists(account), now);
  const checks: AlertCheck[] = [];
  for (const alert of alerts) {
    const wallet = wallets.find(candidate => candidate.id === alert.wallet_id);
    if (wallet === undefined) continue;
    const value = walletAlertValue(alert.alert_type, wallet, balances.of(wallet));
    checks.push(await storeCheck(account, alert, decimalText(value, 5), now));
  }
  return checks;
}

async function loadSubject(account: AccountStore, subscription: SubscriptionRecord, now: InstantText) {
  const customer = await account.get('customers', subscription.customer_id);
  if (customer === undefined) return null;
  const timezone = timezoneOf(customer, await loadAccountLists(account));
  const subject = await subjectOf(account, subscription, { timezone }, [], now);
  return { subject, catalogue: await loadCatalogue(account, [subject.plan]) };
}

async function checkTogether(
  account: AccountStore,
  { subject, catalogue }: NonNullable<Awaited<ReturnType<typeof loadSubject>>>,
  alerts: readonly AlertRecord[],
  now: InstantText,
): Promise<AlertCheck[]> {
  const watchedSubject = { ...subject, plan: { ...subject.plan, charges: watchedCharges(subject, alerts) } };
  const queries = alertQueries(watchedSubject, alerts, catalogue, now);
  const answer = queries.length > 0 ? await account.usage(queries) : new Map();
  const usage = alertUsage(watchedSubject, alerts, catalogue, answer, now);
  const checks: AlertCheck[] = [];
  for (const alert of alerts) {
    const value = decimalText(subscriptionAlertValue(alert, usage), 5);
    checks.push(await storeCheck(account, alert, value, now));
  }
  return checks;
}

/** The charges that the alerts read: if all alerts are on metrics, only those metrics' charges. */
function watchedCharges({ plan }: Subject, alerts: readonly AlertRecord[]) {
  if (alerts.some(alert => alert.billable_metric_id === null)) return plan.charges;
  const metricIds = new Set(alerts.map(alert => alert.billable_metric_id));
  return plan.charges.filter(charge => metricIds.has(charge.billable_metric_id));
}

async function storeCheck(account: AccountStore, alert: AlertRecord, value: DecimalText, now: InstantText) {
  const { id: alert_id, previous_value, thresholds, direction } = alert;
  const crossed_thresholds = crossedThresholds(thresholds, decimal(previous_value), decimal(value), direction);
  await account.update('alerts', alert_id, { previous_value: value, last_processed_at: now });
  return { alert_id, previous_value, current_value: value, crossed_thresholds };
}
