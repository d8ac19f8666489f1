/** Reads what the pages of the customer portal show. Drafts, failed and unfinished invoices are not for customers. */

import { ServiceError } from '../errors.ts';
import { currentUsage } from '../operations/current-usage.ts';
import { ongoingBalances } from '../operations/ongoing.ts';
import type { ListedInvoice } from '../operations/portal/invoices.ts';
import { isOver, type Overview } from '../operations/portal/overview.ts';
import type { WaitingPayment } from '../operations/portal/page.ts';
import type { UsageOfSubscription } from '../operations/portal/usage.ts';
import type {
  BillingEntityRecord,
  CustomerRecord,
  InvoiceRecord,
  PaymentRecord,
  PlanRecord,
  SubscriptionRecord,
  WalletRecord,
  WalletTransactionRecord,
} from '../records/index.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { offsetsOf, recordsById } from './lookups.ts';

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
const PAGE = 25;

/** What the first page shows, but its address. */
export async function overviewRecords(portal: PortalAccount): Promise<Omit<Overview, 'base' | 'company'>> {
  const { account, customer, entity, now } = portal;
  const newest = await invoicesOf(portal, { limit: NEWEST_INVOICES + 1, offset: 0 });
  const plans = await plansOf(account, customer);
  return {
    ...{ customer, entity, now },
    waiting: await waitingPayments(portal),
    owed: await owedInvoices(portal),
    invoices: newest.slice(0, NEWEST_INVOICES),
    moreInvoices: newest.length > NEWEST_INVOICES,
    subscriptions: plans,
    usage: await usageOf(portal, plans),
    wallets: await walletsOf(portal),
  };
}

/** A page of 25 invoices, newest first, and whether older ones follow. */
export async function invoicePageRecords(portal: PortalAccount, page: number) {
  const found = await invoicesOf(portal, { limit: PAGE + 1, offset: (page - 1) * PAGE });
  return { invoices: found.slice(0, PAGE), paging: { page, more: found.length > PAGE } };
}

/** An invoice that the customer may see, with the payments of it that wait; else null. */
export async function invoiceRecords(portal: PortalAccount, id: string) {
  const { account, customer } = portal;
  const invoice = await account.first('invoices', { id, customer_id: customer.id, status: shownStatuses });
  if (invoice === undefined) return null;
  const offsetCents = (await offsetsOf(account, [invoice])).get(invoice.id) ?? 0;
  const waiting = (await waitingPayments(portal)).filter(({ numbers }) => numbers.includes(invoice.number));
  return { invoice, offsetCents, dueCents: dueOf(invoice, offsetCents), waiting };
}

/** A page of 25 movements of one of the customer's wallets, newest first; null for another's wallet. */
export async function walletPageRecords({ account, customer }: PortalAccount, id: string, page: number) {
  const wallet = await account.first('wallets', { id, customer_id: customer.id });
  if (wallet === undefined) return null;
  const window = { limit: PAGE + 1, offset: (page - 1) * PAGE };
  const found = await account.find('wallet_transactions', { wallet_id: wallet.id }, window);
  const movements = found.slice(0, PAGE);
  const invoices = await invoicesNamedBy(account, movements);
  return { wallet, movements, invoices, paging: { page, more: found.length > PAGE } };
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

/** As `isOverdue`, whether overdue yet or not. What the customer issued itself is owed to the customer. */
async function owedInvoices({ account, customer }: PortalAccount): Promise<ListedInvoice[]> {
  const owed = await account.find('invoices', {
    ...{ customer_id: customer.id, status: 'finalized', self_billed: false },
    ...{ payment_status: ['pending', 'failed'] as const, payment_dispute_lost_at: null },
  });
  return withDue(account, owed);
}

async function withDue(account: AccountStore, invoices: readonly InvoiceRecord[]): Promise<ListedInvoice[]> {
  const offsets = await offsetsOf(account, invoices);
  return invoices.map(invoice => ({ invoice, dueCents: dueOf(invoice, offsets.get(invoice.id) ?? 0) }));
}

/** What is left to pay (service-behaviour §4). */
function dueOf(invoice: InvoiceRecord, offsetCents: number): number {
  return invoice.total_amount_cents - invoice.total_paid_amount_cents - offsetCents;
}

/** Those that have an address where the customer confirms them, and still something to pay; the newest of each payable. */
async function waitingPayments({ account, customer }: PortalAccount): Promise<WaitingPayment[]> {
  const open = { customer_id: customer.id, payment_status: ['pending', 'processing'] as const };
  const payments = await account.find('payments', open);
  const invoices = await recordsById(
    account,
    'invoices',
    payments.flatMap(payment => payment.invoice_ids),
  );
  const seen = new Set<string>();
  return payments.flatMap(payment => {
    const url = confirmationOf(payment);
    const unpaid = payment.invoice_ids.flatMap(id => {
      const invoice = invoices.get(id);
      return invoice?.status === 'finalized' && invoice.payment_status !== 'succeeded' ? [invoice.number] : [];
    });
    if (url === null || unpaid.length === 0 || seen.has(payment.payable_id)) return [];
    seen.add(payment.payable_id);
    return [{ amountCents: payment.amount_cents, currency: payment.amount_currency, numbers: unpaid, url }];
  });
}

/** The address of `next_action`, if it is one that a browser may open: text from a provider could also be a script. */
function confirmationOf({ next_action: action }: PaymentRecord): string | null {
  const { redirect_to_url: redirect } = action as { redirect_to_url?: { url?: unknown } | null };
  const url = redirect?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}

type PlannedSubscription = Overview['subscriptions'][number];

const order: readonly SubscriptionRecord['status'][] = ['active', 'pending', 'incomplete', 'terminated', 'canceled'];

/** Running ones first; of those that a plan change ended, only what goes on under the same id. */
async function plansOf(account: AccountStore, customer: CustomerRecord): Promise<PlannedSubscription[]> {
  const all = await account.find('subscriptions', { customer_id: customer.id });
  const goingOn = new Set(all.filter(each => !isOver(each)).map(each => each.external_id));
  const shown = all.filter(each => !isOver(each) || !goingOn.has(each.external_id));
  const plans = await recordsById(
    account,
    'plans',
    shown.map(each => each.plan_id),
  );
  const codes = shown.flatMap(each => each.next_plan_code ?? []);
  const next = codes.length > 0 ? await account.find('plans', { code: codes }) : [];
  const ordered = shown.sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
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
  const whole = { apply_taxes: false, charge: null, group: null, skip_grouping: false, full_usage: false };
  const found: UsageOfSubscription[] = [];
  for (const { subscription, plan } of subscriptions) {
    if (subscription.status !== 'active' || plan.charges.length === 0) continue;
    const request = { ...whole, external_subscription_id: subscription.external_id };
    const usage = await currentUsage(account, customer, request, now.toISOString()).catch(error => {
      if (error instanceof ServiceError) return null;
      throw error;
    });
    found.push({ name: subscription.name || plan.invoice_display_name || plan.name, usage });
  }
  return found;
}

async function walletsOf({ account, customer, now }: PortalAccount): Promise<Overview['wallets']> {
  const wallets = await account.find('wallets', { customer_id: customer.id, status: 'active' }, { order: 'oldest' });
  const lists = await loadAccountLists(account);
  const ongoing = await ongoingBalances(account, wallets, lists, now.toISOString());
  return Promise.all(
    wallets.map(async (wallet: WalletRecord) => {
      const found = await account.find(
        'wallet_transactions',
        { wallet_id: wallet.id },
        { limit: NEWEST_MOVEMENTS + 1 },
      );
      const movements = found.slice(0, NEWEST_MOVEMENTS);
      const invoices = await invoicesNamedBy(account, movements);
      return { wallet, ongoing: ongoing.of(wallet), movements, more: found.length > NEWEST_MOVEMENTS, invoices };
    }),
  );
}

/** By id, those that customers see. */
async function invoicesNamedBy(account: AccountStore, movements: readonly WalletTransactionRecord[]) {
  const ids = movements.flatMap(movement => movement.invoice_id ?? []);
  const found = ids.length > 0 ? await account.find('invoices', { id: ids, status: shownStatuses }) : [];
  return new Map(found.map(invoice => [invoice.id, invoice]));
}
