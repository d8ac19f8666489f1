/** Finds records for several endpoints, and builds the answers that they share. */
import { isOneOf, shownInvoiceStatuses } from '../../model/enums.ts';
import { customerAnswer } from '../answers/customer.ts';
import { invoiceAnswer } from '../answers/invoice.ts';
import { subscriptionAnswer } from '../answers/subscription.ts';
import { chargesPeriodAt, subscriptionBounds } from '../engine/periods.ts';
import { notFound } from '../errors.ts';
import type { CustomerRecord, InvoiceRecord, PlanRecord, SubscriptionRecord } from '../records/index.ts';
import { type AccountLists, loadAccountLists, type PlanParts } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';

/** A customer that has not been deleted. Throws 404. */
export async function customerByExternalId(account: AccountStore, externalId: string): Promise<CustomerRecord> {
  const customer = await account.first('customers', { external_id: externalId, deleted_at: null });
  if (customer === undefined) throw notFound('customer');
  return customer;
}

/** Is the invoice ever shown? */
export function isVisible(invoice: InvoiceRecord): boolean {
  return isOneOf(shownInvoiceStatuses, invoice.status);
}

/** A record that another record links to. Throws when it is missing, which is a bug. */
export async function linked<T extends 'customers' | 'plans' | 'invoices' | 'wallets'>(
  account: AccountStore,
  table: T,
  id: string,
) {
  const record = await account.get(table, id);
  if (record === undefined) throw new Error(`${table} ${id} is linked to but not stored`);
  return record;
}

/** The answer for a subscription. `planParts` adds the whole plan (§3.2). */
export async function answerSubscription(
  account: AccountStore,
  subscription: SubscriptionRecord,
  around: { customer: CustomerRecord; lists: AccountLists; now: Date; plan?: PlanRecord; planParts?: PlanParts },
) {
  const plan = around.plan ?? (await linked(account, 'plans', subscription.plan_id));
  return subscriptionAnswer(subscription, {
    customer: around.customer,
    plan,
    previousPlanCode: await previousPlanCode(account, subscription),
    currentPeriod: currentUsagePeriod(subscription, plan, around),
    lists: around.lists,
    ...(around.planParts === undefined ? {} : { planParts: around.planParts }),
  });
}

async function previousPlanCode(account: AccountStore, subscription: SubscriptionRecord): Promise<string | null> {
  if (subscription.previous_subscription_id === null) return null;
  const previous = await account.get('subscriptions', subscription.previous_subscription_id);
  if (previous === undefined) return null;
  return (await account.get('plans', previous.plan_id))?.code ?? null;
}

/** The current usage period, limited to the life of the subscription (§4, §7.3); null unless it is active. */
function currentUsagePeriod(
  subscription: SubscriptionRecord,
  plan: PlanRecord,
  { customer, lists, now }: { customer: CustomerRecord; lists: AccountLists; now: Date },
): { from: string; to: string } | null {
  if (subscription.status !== 'active') return null;
  const timezone = customer.timezone ?? lists.billingEntities.get(customer.billing_entity_id)?.timezone ?? 'UTC';
  const basis = {
    interval: plan.interval,
    billing_time: subscription.billing_time,
    start: subscription.subscription_at,
    timezone,
  };
  const life = { start: subscription.started_at ?? subscription.subscription_at, end: null };
  const period = chargesPeriodAt(basis, plan, now.toISOString());
  return subscriptionBounds(period, life, timezone)?.usage ?? null;
}

/** The answer for an invoice, with its customer and subscriptions. */
export async function answerInvoice(account: AccountStore, invoice: InvoiceRecord, now: Date) {
  const lists = await loadAccountLists(account);
  const customer = await linked(account, 'customers', invoice.customer_id);
  const subscriptions = await account.find('subscriptions', { id: invoice.subscription_ids });
  const answers = [];
  for (const subscription of subscriptions) {
    answers.push(await answerSubscription(account, subscription, { customer, lists, now }));
  }
  const notes = await account.find('credit_notes', { invoice_id: invoice.id, status: 'finalized' });
  return invoiceAnswer(invoice, {
    customer: customerAnswer(customer, lists),
    subscriptions: answers,
    offsetCents: notes.reduce((sum, note) => sum + note.offset_amount_cents, 0),
    lists,
  });
}
