/** Finds records for several endpoints, and builds the answers that they share. */
import { isOneOf, shownInvoiceStatuses } from '../../contract/enums.ts';
import { renewedAddOnItem } from '../../engine/fees.ts';
import { currentUsageBounds } from '../../engine/preview-parts.ts';
import type {
  CustomerRecord,
  FeeRecord,
  InvoiceRecord,
  PlanRecord,
  SubscriptionRecord,
  TableName,
  Tables,
} from '../../engine/records/index.ts';
import { customerAnswer } from '../answers/account.ts';
import { type SubscriptionRelations, subscriptionAnswer } from '../answers/subscription.ts';
import { orNotFound } from '../errors.ts';
import { type AccountLists, idLists, loadAccountLists, timezoneOf } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';

/** A customer that has not been deleted. Throws 404. */
export async function customerByExternalId(account: AccountStore, externalId: string): Promise<CustomerRecord> {
  return orNotFound(await account.first('customers', { external_id: externalId, deleted_at: null }), 'customer');
}

/** Statuses of invoices that count as billed: neither voided nor hidden (§2). */
export const billedStatuses = ['finalized', 'draft', 'pending', 'failed'] as const;

/** Whether the invoice is ever shown. */
export function isVisible(invoice: InvoiceRecord): boolean {
  return isOneOf(shownInvoiceStatuses, invoice.status);
}

/** A record that another record links to. Throws when it is missing, which is a bug. */
export async function linked<T extends 'customers' | 'plans' | 'invoices' | 'wallets'>(
  account: AccountStore,
  table: T,
  id: string,
) {
  return required(await account.get(table, id), table, id);
}

/** The tables whose records others link to. */
type LinkedTable = 'add_ons' | 'coupons' | 'customers' | 'plans' | 'invoices' | 'subscriptions' | 'wallets';

/** The records with the ids, by id. */
export async function recordsById<T extends LinkedTable>(
  account: AccountStore,
  table: T,
  ids: Iterable<string | null>,
): Promise<Map<string, Tables[T]>> {
  const records = new Map<string, Tables[T]>();
  for (const id of idLists(ids))
    for (const record of await account.find(table, { id } as object)) records.set(record.id, record);
  return records;
}

/** As `recordsById`, for records that others link to. What it gives throws when one is missing, which is a bug. */
export async function linkedById<T extends LinkedTable>(
  account: AccountStore,
  table: T,
  ids: Iterable<string>,
): Promise<(id: string) => Tables[T]> {
  const records = await recordsById(account, table, ids);
  return id => required(records.get(id), table, id);
}

const linkFields = {
  customer_id: 'customers',
  coupon_id: 'coupons',
  invoice_id: 'invoices',
  plan_id: 'plans',
} as const;

/** The record that each of the rows links to by the field, all read together. */
export async function linksOf<Field extends keyof typeof linkFields>(
  account: AccountStore,
  rows: Iterable<{ readonly [Name in Field]: string }>,
  field: Field,
) {
  const recordOf = await linkedById(
    account,
    linkFields[field],
    [...rows].map(row => row[field]),
  );
  return (row: { readonly [Name in Field]: string }) => recordOf(row[field]);
}

/** What the answer of each subscription needs besides the subscription, read for all of them together. */
export async function subscriptionRelations(
  account: AccountStore,
  subscriptions: readonly SubscriptionRecord[],
  { lists, now }: { lists: AccountLists; now: Date },
): Promise<(subscription: SubscriptionRecord) => SubscriptionRelations> {
  const customerOf = await linksOf(account, subscriptions, 'customer_id');
  const previousIds = subscriptions.map(each => each.previous_subscription_id);
  const previous = await recordsById(account, 'subscriptions', previousIds);
  const planIds = [...subscriptions, ...previous.values()].map(each => each.plan_id);
  const plans = await recordsById(account, 'plans', planIds);
  return subscription => {
    const customer = customerOf(subscription);
    const plan = required(plans.get(subscription.plan_id), 'plans', subscription.plan_id);
    const previousSubscription = previous.get(subscription.previous_subscription_id ?? '');
    return {
      customer,
      plan,
      previousPlanCode: plans.get(previousSubscription?.plan_id ?? '')?.code ?? null,
      currentPeriod: currentUsagePeriod(subscription, plan, timezoneOf(customer, lists), now),
      lists,
    };
  };
}

/** The current usage period, limited to the life of the subscription; of an ended one the last period (§4, §7.3). */
function currentUsagePeriod(subscription: SubscriptionRecord, plan: PlanRecord, timezone: string, now: Date) {
  const { status, terminated_at: end } = subscription;
  if (status !== 'active' && (status !== 'terminated' || end === null)) return null;
  return currentUsageBounds({ subscription, plan, timezone }, now.toISOString(), end);
}

/** What the full answers for an invoice need. */
export async function invoiceRelations(account: AccountStore, invoice: InvoiceRecord, now: Date) {
  const lists = await loadAccountLists(account);
  const customer = await linked(account, 'customers', invoice.customer_id);
  const subscriptions = await account.find('subscriptions', { id: invoice.subscription_ids });
  const relationsOf = await subscriptionRelations(account, subscriptions, { lists, now });
  return {
    customer: customerAnswer(customer, lists),
    subscriptions: subscriptions.map(each => subscriptionAnswer(each, relationsOf(each))),
    offsetCents: (await offsetsOf(account, [invoice])).get(invoice.id) ?? 0,
    lists,
  };
}

/** Gives each invoice the fees of add-ons as they are now, deleted ones too (§3.4). */
export async function withPresentAddOns(account: AccountStore, invoices: Iterable<InvoiceRecord>) {
  const items = [...invoices].flatMap(({ fees }) => fees.map(fee => fee.item));
  const ids = items.flatMap(item => (item.item_type === 'AddOn' ? [item.item_id] : []));
  const addOns = await recordsById(account, 'add_ons', ids);
  const renewed = (fee: FeeRecord) => {
    const addOn = addOns.get(fee.item.item_id ?? '');
    return addOn === undefined ? fee : { ...fee, item: renewedAddOnItem(fee.item, addOn) };
  };
  return (invoice: InvoiceRecord) => (addOns.size === 0 ? invoice : { ...invoice, fees: invoice.fees.map(renewed) });
}

/** Σ `offset_amount_cents` of the finalized credit notes of each invoice that has some. */
export async function offsetsOf(account: AccountStore, invoices: readonly InvoiceRecord[]) {
  const sums = new Map<string, number>();
  for (const invoice_id of idLists(invoices.map(invoice => invoice.id))) {
    for (const note of await account.find('credit_notes', { invoice_id, status: 'finalized' })) {
      sums.set(note.invoice_id, (sums.get(note.invoice_id) ?? 0) + note.offset_amount_cents);
    }
  }
  return sums;
}

function required<Record>(record: Record | undefined, table: TableName, id: string): Record {
  if (record === undefined) throw new Error(`${table} ${id} is linked to but not stored`);
  return record;
}
