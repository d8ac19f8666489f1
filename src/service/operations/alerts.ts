/** Checks alerts against the account's usage and balances (§14). */
import type Big from 'big.js';
import { decimalText } from '../../contract/pricing/money.ts';
import { alertQueries, alertUsage, subscriptionAlertValue, walletAlertValue } from '../../engine/alerts.ts';
import type { Subject } from '../../engine/preview-parts.ts';
import type { AlertRecord, InstantText, SubscriptionRecord } from '../../engine/records/index.ts';
import { loadAccountLists, loadCatalogue, timezoneOf } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { isIncomputable } from './engine-refusals.ts';
import { ongoingBalances } from './ongoing.ts';
import { subjectOf } from './preview/records.ts';

/**
 * Checks the alerts of a subscription against its usage and stores `previous_value` and `last_processed_at`. Skips
 * alerts of a subscription that is not active, and alerts whose usage cannot be computed (§16).
 */
export async function processSubscriptionAlerts(account: AccountStore, externalSubscriptionId: string, now: Date) {
  const alerts = await account.find('alerts', { external_subscription_id: externalSubscriptionId, deleted_at: null });
  if (alerts.length === 0) return;
  const subscription = await account.first('subscriptions', { external_id: externalSubscriptionId, status: 'active' });
  if (subscription === undefined) return;
  const at = now.toISOString();
  const loadedSubject = await loadSubject(account, subscription, at);
  if (loadedSubject === null) return;
  const isChecked = async (some: readonly AlertRecord[]) => {
    try {
      await checkTogether(account, loadedSubject, some, at);
      return true;
    } catch (error) {
      if (isIncomputable(error)) return false;
      throw error;
    }
  };
  // If at least one alert watches usage that cannot be computed, each alert is checked alone.
  if (!(await isChecked(alerts))) for (const alert of alerts) await isChecked([alert]);
}

/** Checks every alert of an account whose records have just been loaded. */
export async function processAllAlerts(account: AccountStore, now: Date): Promise<void> {
  const alerts = await account.find('alerts', { deleted_at: null });
  const externalIds = new Set(alerts.map(alert => alert.external_subscription_id).filter(id => id !== null));
  for (const externalId of externalIds) await processSubscriptionAlerts(account, externalId, now);
  await processWalletAlerts(account, alerts, now.toISOString());
}

async function processWalletAlerts(account: AccountStore, alerts: readonly AlertRecord[], now: InstantText) {
  const ids = new Set(alerts.map(alert => alert.wallet_id).filter(id => id !== null));
  if (ids.size === 0) return;
  const wallets = await account.find('wallets', { id: [...ids] });
  const balances = await ongoingBalances(account, wallets, await loadAccountLists(account), now);
  for (const alert of alerts) {
    const wallet = wallets.find(candidate => candidate.id === alert.wallet_id);
    if (wallet) await storeCheck(account, alert, walletAlertValue(alert.alert_type, wallet, balances.of(wallet)), now);
  }
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
): Promise<void> {
  const watchedSubject = { ...subject, plan: { ...subject.plan, charges: watchedCharges(subject, alerts) } };
  const queries = alertQueries(watchedSubject, alerts, catalogue, now);
  const answer = queries.length > 0 ? await account.usage(queries) : new Map();
  const usage = alertUsage(watchedSubject, alerts, catalogue, answer, now);
  for (const alert of alerts) await storeCheck(account, alert, subscriptionAlertValue(alert, usage), now);
}

/** The charges that the alerts read: if all alerts are on metrics, only those metrics' charges. */
function watchedCharges({ plan }: Subject, alerts: readonly AlertRecord[]) {
  if (alerts.some(alert => alert.billable_metric_id === null)) return plan.charges;
  const metricIds = new Set(alerts.map(alert => alert.billable_metric_id));
  return plan.charges.filter(charge => metricIds.has(charge.billable_metric_id));
}

function storeCheck(account: AccountStore, { id }: AlertRecord, value: Big, now: InstantText): Promise<void> {
  return account.update('alerts', id, { previous_value: decimalText(value, 5), last_processed_at: now });
}
