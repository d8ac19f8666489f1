/** Reads what the portal pages show. Drafts, failed and unfinished invoices are not for customers. */

import type {
  BillingEntityRecord,
  CustomerRecord,
  PlanRecord,
  SubscriptionRecord,
  WalletRecord,
  WalletTransactionRecord,
} from '../../engine/records/index.ts';
import { ServiceError } from '../errors.ts';
import { currentUsage } from '../operations/current-usage.ts';
import { recordsById } from '../operations/lookups.ts';
import { ongoingBalances } from '../operations/ongoing.ts';
import type { ListedInvoice } from '../operations/portal/invoices.ts';
import { isOver, type Overview } from '../operations/portal/overview.ts';
import type { UsageOfSubscription } from '../operations/portal/portal-usage.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { openPayments, withDue } from './portal-payments.ts';

/** A customer's part of the account. */
export interface PortalAccount {
  account: AccountStore;
  customer: CustomerRecord;
  entity: BillingEntityRecord | undefined;
  now: Date;
}

const shownStatuses = ['finalized', 'voided'] as const;
const NEWEST_INVOICES = 8;
const NEWEST_MOVEMENTS = 5;
const LIST_PAGE_SIZE = 25;

/** What the first portal page shows, except the company's name and the links. */
export async function overviewRecords(portal: PortalAccount): Promise<Omit<Overview, 'base' | 'company'>> {
  const { account, customer, entity, now } = portal;
  const newest = await invoicesOf(portal, { limit: NEWEST_INVOICES + 1, offset: 0 });
  const subscriptions = await plannedSubscriptions(account, customer);
  return {
    customer,
    entity,
    now,
    payments: await openPayments(account, customer),
    owed: await owedInvoices(portal),
    invoices: newest.slice(0, NEWEST_INVOICES),
    moreInvoices: newest.length > NEWEST_INVOICES,
    subscriptions,
    usage: await usageOf(portal, subscriptions),
    wallets: await walletsOf(portal),
  };
}

/** A list page of 25 invoices, newest first, and whether older ones follow. */
export async function invoiceListRecords(portal: PortalAccount, page: number) {
  const invoices = await invoicesOf(portal, { limit: LIST_PAGE_SIZE + 1, offset: (page - 1) * LIST_PAGE_SIZE });
  const payments = await openPayments(portal.account, portal.customer);
  const paging = { page, more: invoices.length > LIST_PAGE_SIZE };
  return { invoices: invoices.slice(0, LIST_PAGE_SIZE), payments, paging };
}

/** An invoice that the customer may see, with the payment that is open for it; else null. */
export async function invoiceRecords(portal: PortalAccount, id: string) {
  const { account, customer } = portal;
  const invoice = await account.first('invoices', { id, customer_id: customer.id, status: shownStatuses });
  if (invoice === undefined) return null;
  const [{ offsetCents, dueCents } = { offsetCents: 0, dueCents: 0 }] = await withDue(account, [invoice]);
  const payments = (await openPayments(account, customer)).filter(({ invoices }) =>
    invoices.some(each => each.id === invoice.id),
  );
  return { invoice, offsetCents, dueCents, payments };
}

/** A list page of 25 movements of one of the customer's wallets, newest first; null for another customer's wallet. */
export async function walletRecords({ account, customer, now }: PortalAccount, id: string, page: number) {
  const wallet = await account.first('wallets', { id, customer_id: customer.id });
  if (wallet === undefined) return null;
  const window = { limit: LIST_PAGE_SIZE + 1, offset: (page - 1) * LIST_PAGE_SIZE };
  const transactions = await account.find('wallet_transactions', { wallet_id: wallet.id }, window);
  const movements = transactions.slice(0, LIST_PAGE_SIZE);
  const invoices = await invoicesNamedBy(account, movements);
  const ongoing =
    wallet.status === 'active'
      ? (await ongoingBalances(account, [wallet], await loadAccountLists(account), now.toISOString())).of(wallet)
      : undefined;
  const payments = await openPayments(account, customer);
  const paging = { page, more: transactions.length > LIST_PAGE_SIZE };
  return { wallet, ongoing, movements, invoices, payments, paging };
}

async function invoicesOf({ account, customer }: PortalAccount, window: { limit: number; offset: number }) {
  const { rows } = await account.list(
    'invoices',
    {
      where: { is: { customer_id: customer.id, status: shownStatuses } },
      order: [
        ['issuing_date', 'desc'],
        ['created_at', 'desc'],
      ],
    },
    window,
  );
  return withDue(account, rows);
}

/** The invoices that are overdue by `isOverdue` or will be. One that the customer issued is not owed by the customer. */
async function owedInvoices({ account, customer }: PortalAccount): Promise<ListedInvoice[]> {
  const owed = await account.find('invoices', {
    customer_id: customer.id,
    status: 'finalized',
    self_billed: false,
    payment_status: ['pending', 'failed'],
    payment_dispute_lost_at: null,
  });
  return withDue(account, owed);
}

type PlannedSubscription = Overview['subscriptions'][number];

const statusOrder: readonly SubscriptionRecord['status'][] = [
  'active',
  'pending',
  'incomplete',
  'terminated',
  'canceled',
];

/** The subscriptions with their plans, active ones first. An ended one is left out where another goes on under its id. */
async function plannedSubscriptions(account: AccountStore, customer: CustomerRecord): Promise<PlannedSubscription[]> {
  const subscriptions = await account.find('subscriptions', { customer_id: customer.id });
  const unendedIds = new Set(subscriptions.filter(each => !isOver(each)).map(each => each.external_id));
  const shownSubscriptions = subscriptions.filter(each => !isOver(each) || !unendedIds.has(each.external_id));
  const plans = await recordsById(
    account,
    'plans',
    shownSubscriptions.map(each => each.plan_id),
  );
  const codes = shownSubscriptions.flatMap(each => each.next_plan_code ?? []);
  const next = codes.length > 0 ? await account.find('plans', { code: codes }) : [];
  const ordered = shownSubscriptions.sort((a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status));
  return ordered.flatMap(subscription => {
    const plan: PlanRecord | undefined = plans.get(subscription.plan_id);
    const nextPlan = next.find(each => each.code === subscription.next_plan_code);
    return plan === undefined ? [] : [{ subscription, plan, nextPlan }];
  });
}

async function usageOf(
  { account, customer, now }: PortalAccount,
  subscriptions: readonly PlannedSubscription[],
): Promise<UsageOfSubscription[]> {
  const whole = { charge: null, group: null, skip_grouping: false, presentation: null, full_usage: false };
  const usages: UsageOfSubscription[] = [];
  for (const { subscription, plan } of subscriptions) {
    if (subscription.status !== 'active' || plan.charges.length === 0) continue;
    const request = { ...whole, apply_taxes: false, external_subscription_id: subscription.external_id };
    const usage = await currentUsage(account, customer, request, now.toISOString()).catch(error => {
      if (error instanceof ServiceError) return null;
      throw error;
    });
    usages.push({ name: subscription.name || plan.invoice_display_name || plan.name, usage });
  }
  return usages;
}

async function walletsOf({ account, customer, now }: PortalAccount): Promise<Overview['wallets']> {
  const wallets = await account.find('wallets', { customer_id: customer.id, status: 'active' }, { order: 'oldest' });
  const lists = await loadAccountLists(account);
  const ongoing = await ongoingBalances(account, wallets, lists, now.toISOString());
  return Promise.all(
    wallets.map(async (wallet: WalletRecord) => {
      const transactions = await account.find(
        'wallet_transactions',
        { wallet_id: wallet.id },
        { limit: NEWEST_MOVEMENTS + 1 },
      );
      const movements = transactions.slice(0, NEWEST_MOVEMENTS);
      const invoices = await invoicesNamedBy(account, movements);
      return { wallet, ongoing: ongoing.of(wallet), movements, more: transactions.length > NEWEST_MOVEMENTS, invoices };
    }),
  );
}

/** The invoices that the movements name and customers see, by id. */
async function invoicesNamedBy(account: AccountStore, movements: readonly WalletTransactionRecord[]) {
  const ids = movements.flatMap(movement => movement.invoice_id ?? []);
  const invoices = ids.length > 0 ? await account.find('invoices', { id: ids, status: shownStatuses }) : [];
  return new Map(invoices.map(invoice => [invoice.id, invoice]));
}
