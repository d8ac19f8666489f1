/** Usage of a subscription since its start (lookups §6.3). */
import { decimal, round } from '../../contract/pricing/money.ts';
import type { InstantText, InvoiceRecord, SubscriptionRecord, UsageThreshold } from '../../engine/records/index.ts';
import { instant, linkId } from '../answers/formats.ts';
import { applicableThresholds } from '../answers/subscription.ts';
import { notFound, orNotFound } from '../errors.ts';
import { loadAccountLists, parentOf } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { refuseHugeAmounts, withEngineRefusals } from './engine-refusals.ts';
import { billedStatuses } from './lookups.ts';
import { loadPricing, usageOfCurrentPeriod } from './period-usage.ts';

/**
 * The answer for the active subscription with this external id, else for the one that ended last; in cents, without taxes. No
 * usage counts twice: that of the current period counts as current, also where a pay-in-advance or progressive invoice has
 * billed it. Usage from before the account does not exist here: 0. Throws 404 for an unknown subscription and for one that has
 * not started.
 */
export async function lifetimeUsage(account: AccountStore, externalId: string, now: InstantText) {
  const subscriptions = await account.find('subscriptions', { external_id: externalId });
  if (subscriptions.length === 0) throw notFound('subscription');
  const subscription = orNotFound(lastStarted(subscriptions), 'lifetime_usage');
  const { plan, cents, since } = await currentPeriodUsage(account, subscription, now);
  const billed = await account.find('invoices', { customer_id: subscription.customer_id, status: billedStatuses });
  const invoices = billed.filter(invoice => invoice.subscription_ids.includes(subscription.id));
  const invoicedCents = invoices
    .flatMap(invoice => invoice.fees)
    .filter(fee => fee.item.type === 'charge' && fee.subscription_id === subscription.id)
    .filter(fee => since === null || fee.from_date === null || fee.from_date < since)
    .reduce((sum, fee) => sum + fee.amount_cents, 0);
  const applicable = applicableThresholds(subscription, plan, await parentOf(account, plan));
  const thresholds = thresholdsOf(applicable, invoicedCents + cents, invoices);
  return {
    svc_id: linkId('lifetime_usage', subscription.id),
    svc_subscription_id: subscription.id,
    external_subscription_id: subscription.external_id,
    external_historical_usage_amount_cents: 0,
    invoiced_usage_amount_cents: invoicedCents,
    current_usage_amount_cents: cents,
    from_datetime: instant(subscription.started_at ?? subscription.subscription_at),
    to_datetime: instant(subscription.terminated_at ?? now),
    ...(thresholds.length > 0 && { usage_thresholds: thresholds }),
  };
}

function lastStarted(all: readonly SubscriptionRecord[]): SubscriptionRecord | undefined {
  const endless = '9999';
  const end = (each: SubscriptionRecord) => (each.status === 'active' ? endless : (each.terminated_at ?? ''));
  const started = all.filter(({ status }) => status === 'active' || status === 'terminated');
  return started.sort((a, b) => (end(a) < end(b) ? 1 : -1))[0];
}

/** Cents of the current period and its start; 0 and null after the subscription's end. */
async function currentPeriodUsage(account: AccountStore, subscription: SubscriptionRecord, now: InstantText) {
  const pricing = await loadPricing(account, subscription);
  if (subscription.status !== 'active') return { ...pricing, cents: 0, since: null };
  const customer = orNotFound(await account.get('customers', subscription.customer_id), 'subscription');
  const lists = await loadAccountLists(account);
  return withEngineRefusals(async () => {
    const { window, fees } = await usageOfCurrentPeriod(account, { subscription, customer, ...pricing }, lists, now);
    refuseHugeAmounts(fees.map(({ fee }) => fee));
    return { ...pricing, cents: fees.reduce((sum, { fee }) => sum + fee.amount_cents, 0), since: window.from };
  });
}

/** A recurring threshold is shown as its next step above the usage, counted from the highest one-time threshold. */
function thresholdsOf(thresholds: readonly UsageThreshold[], cents: number, invoices: readonly InvoiceRecord[]) {
  const oneTime = thresholds.filter(each => !each.recurring).map(each => each.amount_cents);
  const base = Math.max(0, ...oneTime);
  const steps = thresholds
    .filter(each => each.recurring && each.amount_cents > 0)
    .map(each => base + (Math.floor(Math.max(cents - base, 0) / each.amount_cents) + 1) * each.amount_cents);
  return [...oneTime, ...steps]
    .sort((a, b) => a - b)
    .map(amount => ({
      amount_cents: amount,
      // Usage ÷ threshold with 5 decimals, from 0 to 1.
      completion_ratio: cents >= amount ? 1 : Number(round(decimal(Math.max(cents, 0)).div(amount), 5).toFixed()),
      reached_at: reachedAt(invoices, amount),
    }));
}

/** When the first progressive invoice was made for the threshold; null without one. */
function reachedAt(invoices: readonly InvoiceRecord[], amount: number) {
  const applied = invoices
    .flatMap(invoice => invoice.applied_usage_thresholds)
    .filter(entry => entry.usage_threshold?.amount_cents === amount)
    .map(entry => String(entry.created_at));
  return instant(applied.sort()[0] ?? null);
}
