/** The ongoing balances of wallets (§11.7), computed from events and draft invoices whenever they are read. */

import { OutOfScope } from '../../contract/pricing/out-of-scope.ts';
import { currentUsageFees, currentUsageQueries } from '../../engine/current-usage.ts';
import {
  type OngoingBalance,
  type OngoingUsage,
  ongoingBalance,
  ongoingUsage,
  usageOfDrafts,
  usageOfPeriod,
} from '../../engine/ongoing.ts';
import { chargesPeriodAt } from '../../engine/periods.ts';
import { type BasicSubject, basisOf, type Catalogue, usageWindow } from '../../engine/preview-parts.ts';
import type { CustomerRecord, InstantText, WalletRecord } from '../../engine/records/index.ts';
import type { UsageAnswer, UsageWindow } from '../../engine/types.ts';
import { type AccountLists, idLists, loadCatalogue, taxBasis, timezoneOf } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { isIncomputable } from './engine-refusals.ts';
import { recordsById } from './lookups.ts';

export interface OngoingBalances {
  of(wallet: WalletRecord): OngoingBalance;
  /** One sentence for each charge whose usage cannot be computed (§16): the balances leave it out. */
  left_out: string[];
}

/**
 * One charge in arrears of an active subscription. The subject's plan has this charge alone, so that the others count also
 * when this one cannot be computed.
 */
interface ArrearsCharge {
  subject: BasicSubject;
  customer: CustomerRecord;
  catalogue: Catalogue;
  window: UsageWindow;
}

/**
 * The ongoing balances of some wallets of any customers. For each list of customers, every table is read once and all
 * usage is queried together.
 */
export async function ongoingBalances(
  account: AccountStore,
  wallets: readonly WalletRecord[],
  lists: AccountLists,
  now: InstantText,
): Promise<OngoingBalances> {
  const active = wallets.filter(wallet => wallet.status === 'active');
  const leftOut: string[] = [];
  const takenByWallet = new Map<string, number>();
  for (const ids of idLists(active.map(wallet => wallet.customer_id))) {
    const activeWallets = await account.find('wallets', { customer_id: ids, status: 'active' });
    const drafts = await account.find('invoices', { customer_id: ids, status: 'draft' });
    const currentUsage = await currentUsageByCustomer(account, ids, lists, now, leftOut);
    for (const id of ids) {
      const usage = [
        ...usageOfDrafts(drafts.filter(invoice => invoice.customer_id === id)),
        ...(currentUsage.get(id) ?? []),
      ];
      const customerWallets = activeWallets.filter(wallet => wallet.customer_id === id);
      for (const [wallet, cents] of ongoingUsage(usage, customerWallets, now)) takenByWallet.set(wallet, cents);
    }
  }
  return { of: wallet => ongoingBalance(wallet, takenByWallet.get(wallet.id) ?? 0), left_out: [...new Set(leftOut)] };
}

/** The current usage of all active subscriptions, by customer id. */
async function currentUsageByCustomer(
  account: AccountStore,
  customerIds: readonly string[],
  lists: AccountLists,
  now: InstantText,
  leftOut: string[],
): Promise<Map<string, OngoingUsage[]>> {
  const charges = await arrearsCharges(account, customerIds, lists, now);
  const queriesByCharge = charges.flatMap(charge => {
    const { subject, catalogue, window } = charge;
    const queries = resultOrLeftOut(charge, leftOut, () =>
      currentUsageQueries(subject, catalogue, window, usageKeyOf(charge)),
    );
    return queries === null ? [] : [{ charge, queries }];
  });
  const queries = queriesByCharge.flatMap(each => each.queries);
  const answer = queries.length > 0 ? await account.usage(queries) : new Map();
  const usage = new Map<string, OngoingUsage[]>();
  for (const { charge } of queriesByCharge) {
    const parts = resultOrLeftOut(charge, leftOut, () => usageOfCharge(charge, answer, lists));
    usage.set(charge.customer.id, [...(usage.get(charge.customer.id) ?? []), ...(parts ?? [])]);
  }
  return usage;
}

/** The charges in arrears of the customers' active subscriptions, with their current usage period. */
async function arrearsCharges(
  account: AccountStore,
  customerIds: readonly string[],
  lists: AccountLists,
  now: InstantText,
): Promise<ArrearsCharge[]> {
  const customers = await recordsById(account, 'customers', customerIds);
  const subscriptions = await account.find('subscriptions', { customer_id: customerIds, status: 'active' });
  const planIds = subscriptions.map(subscription => subscription.plan_id);
  const plans = await recordsById(account, 'plans', planIds);
  const catalogue = await loadCatalogue(account, [...plans.values()]);
  return subscriptions.flatMap(subscription => {
    const customer = customers.get(subscription.customer_id);
    const plan = plans.get(subscription.plan_id);
    if (customer === undefined || plan === undefined) return [];
    const basicSubject = { subscription, plan, timezone: timezoneOf(customer, lists) };
    const window = usageWindow(basicSubject, chargesPeriodAt(basisOf(basicSubject), plan, now), null);
    if (window === null) return [];
    return plan.charges
      .filter(charge => !charge.pay_in_advance)
      .map(charge => ({
        subject: { ...basicSubject, plan: { ...plan, charges: [charge] } },
        customer,
        catalogue,
        window,
      }));
  });
}

function usageKeyOf({ subject }: ArrearsCharge): string {
  return `${subject.subscription.id} ${subject.plan.charges[0]?.id}`;
}

function usageOfCharge(charge: ArrearsCharge, answer: UsageAnswer, lists: AccountLists): OngoingUsage[] {
  const { subject, customer, catalogue, window } = charge;
  const owner = { customer, subscription: subject.subscription };
  const fees = currentUsageFees(subject, catalogue, answer, window, usageKeyOf(charge), owner);
  return usageOfPeriod(fees, subject.plan, taxBasis(customer, lists));
}

/** The result of `work`; null, and why in `leftOut`, for what cannot be computed. */
function resultOrLeftOut<Result>({ subject }: ArrearsCharge, leftOut: string[], work: () => Result): Result | null {
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
