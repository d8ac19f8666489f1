/** The ongoing balances of wallets (§11.7), computed from events and draft invoices whenever they are read. */

import { OutOfScope } from '../../contract/pricing/out-of-scope.ts';
import { currentUsageFees, currentUsageQueries } from '../engine/current-usage.ts';
import {
  type OngoingBalance,
  type OngoingUsage,
  ongoingBalance,
  ongoingUsage,
  usageOfDrafts,
  usageOfPeriod,
} from '../engine/ongoing.ts';
import { chargesPeriodAt } from '../engine/periods.ts';
import { type BasicSubject, basisOf, type PricedRecords, usageWindow } from '../engine/preview-parts.ts';
import type { UsageAnswer, UsageWindow } from '../engine/types.ts';
import type { CustomerRecord, InstantText, WalletRecord } from '../records/index.ts';
import { type AccountLists, loadPlanParts, MOST_IDS } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { isIncomputable } from './engine-refusals.ts';

export interface OngoingBalances {
  of(wallet: WalletRecord): OngoingBalance;
  /** One sentence for each charge whose usage cannot be computed (§16): the balances leave it out. */
  left_out: string[];
}

/** One charge of an active subscription: the plan has it alone, so that others count when it cannot be computed. */
interface WatchedCharge {
  subject: BasicSubject;
  customer: CustomerRecord;
  priced: PricedRecords;
  window: UsageWindow;
}

/**
 * The ongoing balances of some wallets of any customers. For every `MOST_IDS` customers, each table is read once and the usage
 * is asked for once.
 */
export async function ongoingBalances(
  account: AccountStore,
  wallets: readonly WalletRecord[],
  lists: AccountLists,
  now: InstantText,
): Promise<OngoingBalances> {
  const all = [...new Set(wallets.filter(wallet => wallet.status === 'active').map(wallet => wallet.customer_id))];
  const leftOut: string[] = [];
  const taken = new Map<string, number>();
  for (let at = 0; at < all.length; at += MOST_IDS) {
    const ids = all.slice(at, at + MOST_IDS);
    const theirs = await account.find('wallets', { customer_id: ids, status: 'active' });
    const drafts = await account.find('invoices', { customer_id: ids, status: 'draft' });
    const running = await runningUsage(account, ids, lists, now, leftOut);
    for (const id of ids) {
      const usage = [
        ...usageOfDrafts(drafts.filter(invoice => invoice.customer_id === id)),
        ...(running.get(id) ?? []),
      ];
      const own = theirs.filter(wallet => wallet.customer_id === id);
      for (const [wallet, cents] of ongoingUsage(usage, own, now)) taken.set(wallet, cents);
    }
  }
  return { of: wallet => ongoingBalance(wallet, taken.get(wallet.id) ?? 0), left_out: [...new Set(leftOut)] };
}

/** The current usage of all active subscriptions, by customer id. */
async function runningUsage(
  account: AccountStore,
  customerIds: readonly string[],
  lists: AccountLists,
  now: InstantText,
  leftOut: string[],
): Promise<Map<string, OngoingUsage[]>> {
  const watched = await watchedCharges(account, customerIds, lists, now);
  const asked = watched.flatMap(charge => {
    const queries = computed(charge, leftOut, () => currentUsageQueries(...usageOf(charge)));
    return queries === null ? [] : [{ charge, queries }];
  });
  const queries = asked.flatMap(each => each.queries);
  const answer = queries.length > 0 ? await account.usage(queries) : new Map();
  const usage = new Map<string, OngoingUsage[]>();
  for (const { charge } of asked) {
    const parts = computed(charge, leftOut, () => pricedUsage(charge, answer, lists));
    usage.set(charge.customer.id, [...(usage.get(charge.customer.id) ?? []), ...(parts ?? [])]);
  }
  return usage;
}

/** The charges in arrears of the customers' active subscriptions, with the running usage period. */
async function watchedCharges(
  account: AccountStore,
  customerIds: readonly string[],
  lists: AccountLists,
  now: InstantText,
): Promise<WatchedCharge[]> {
  const customers = mapOf(await account.find('customers', { id: customerIds }));
  const subscriptions = await account.find('subscriptions', { customer_id: customerIds, status: 'active' });
  const planIds = [...new Set(subscriptions.map(subscription => subscription.plan_id))];
  const found = planIds.length > 0 ? await account.find('plans', { id: planIds }) : [];
  const plans = mapOf(found);
  const parts = await loadPlanParts(account, found);
  const priced = { metrics: parts.metrics, add_ons: parts.addOns };
  return subscriptions.flatMap(subscription => {
    const customer = customers.get(subscription.customer_id);
    const plan = plans.get(subscription.plan_id);
    if (customer === undefined || plan === undefined) return [];
    const timezone = customer.timezone ?? lists.billingEntities.get(customer.billing_entity_id)?.timezone ?? 'UTC';
    const whole = { subscription, plan, timezone };
    const window = usageWindow(whole, chargesPeriodAt(basisOf(whole), plan, now), null);
    if (window === null) return [];
    return plan.charges
      .filter(charge => !charge.pay_in_advance)
      .map(charge => ({ subject: { ...whole, plan: { ...plan, charges: [charge] } }, customer, priced, window }));
  });
}

function usageOf({ subject, priced, window }: WatchedCharge) {
  const [charge] = subject.plan.charges;
  return [subject, priced, window, `${subject.subscription.id} ${charge?.id}`] as const;
}

function pricedUsage(charge: WatchedCharge, answer: UsageAnswer, lists: AccountLists): OngoingUsage[] {
  const { subject, customer, priced, window } = charge;
  const owner = { customer, subscription: subject.subscription };
  const [, , , key] = usageOf(charge);
  const fees = currentUsageFees(subject, priced, answer, window, key, owner);
  const entity = lists.billingEntities.get(customer.billing_entity_id);
  const context = { priced, taxes: lists.taxes, customer, entity_tax_codes: entity?.tax_codes ?? [] };
  return usageOfPeriod(fees, subject.plan, context);
}

/** The result of `work`; null, and why in `leftOut`, for what cannot be computed. */
function computed<Result>({ subject }: WatchedCharge, leftOut: string[], work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (!isIncomputable(error)) throw error;
    const charge = JSON.stringify(subject.plan.charges[0]?.code);
    const reason =
      error instanceof OutOfScope
        ? error.message.replace(/ \(§[^)]*\)\.$/, '')
        : `The charge ${charge} has properties that are not decimals`;
    leftOut.push(`${reason}: the ongoing balance leaves it out`);
    return null;
  }
}

function mapOf<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map(row => [row.id, row]));
}
