/** The reads of a customer's overview: at most twelve requests, each section for itself. */

import type { RowOf, Usage } from '../../src/contract/answers.ts';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Alert, Charge, CreditNote, Customer, Invoice, Subscription, Wallet } from '../../src/contract/shown.ts';
import type { Api, Rows } from '../../src/definition/api.ts';
import type { ToolError } from '../../src/definition/failure.ts';
import { sign } from '../../src/words/summary.ts';
import { sumOf } from '../quotes/usage-parts.ts';
import { billedUsage, readInAdvance } from '../records/charges-by-event.ts';
import { type OfCustomer, ofCustomer } from '../records/named-customer.ts';
import { type WithInterval, withIntervals } from '../records/plan-intervals.ts';
import { activeFirst } from './subscription-list.ts';

/** What was read; `unread` says why it is not everything, `notAllowed` names the tool that the caller may not use. */
export interface Section<Row = object> {
  rows: Row[];
  /** How many there are; null where that is not known. */
  total: number | null;
  unread?: ToolError;
  notAllowed?: string;
  /** As that of rows. */
  remark?: string | null;
}

export interface Overview {
  ok: true;
  external_customer_id: string;
  sections: Sections;
}

export interface Sections {
  /** One row. */
  profile: Section<Customer>;
  /** Active ones first. */
  subscriptions: Section<Subscription & WithInterval>;
  wallets: Section<Wallet>;
  /** Finalized invoices whose payment is pending or failed, and drafts, newest first. */
  invoices: Section<Invoice>;
  /** Those with credit left. */
  credit_notes: Section<CreditNote>;
  /** Of active subscriptions, by `external_subscription_id`; `total` counts the subscriptions. */
  usage: Section<UsageOfSubscription>;
  /** All alerts of active subscriptions; `total` counts the subscriptions. `covered` of them were read. */
  alerts: Section<Alert> & { covered: number };
}

/** `unchecked_cents`: as `unchecked` of BilledUsage; `by_event_cents`: of charges that are billed at each event. */
export interface UsageOfSubscription extends Usage {
  readonly external_subscription_id?: string;
  readonly unchecked_cents?: number;
  readonly by_event_cents?: number | null;
}

const mostRequests = 12;
/** Usage and alerts are read of these, the first active ones. */
export const mostSubscriptions = 5;
/** Of each list. */
const pageSize = 100;

const lists = {
  subscriptions: { tool: 'list_subscriptions', query: { status: subscriptionStatuses } },
  wallets: { tool: 'list_wallets', query: {} },
  invoices: { tool: 'list_invoices', query: { status: ['finalized', 'draft'], payment_status: ['pending', 'failed'] } },
  credit_notes: { tool: 'list_credit_notes', query: { credit_status: ['available'] } },
} as const;
const usageTool = 'get_usage';
const alertsTool = 'list_subscription_alerts';

/**
 * Reads the customer first, so that a name or an unknown id costs one request; then the lists side by side; then usage
 * and alerts of the active subscriptions, as far as the requests go. Fails where the customer is unknown, where the key is
 * not accepted, and where nothing could be read.
 */
export async function readOverview(api: Api, idOrName: string): Promise<OfCustomer<Overview>> {
  const unneeded = api.left() - mostRequests;
  const requestsLeft = () => api.left() - unneeded;
  return await ofCustomer<Overview>(api, idOrName, async (id, listed) => {
    const profile: Section<Customer> = listed === undefined ? await readProfile(api, id) : { rows: [listed], total: 1 };
    const { unread } = profile;
    if (unread && (unread.code === 'customer_not_found' || unread.status === 401))
      return { ok: false as const, error: unread };
    const [subscriptions, wallets, invoices, credit_notes] = await Promise.all([
      readList(api, id, 'subscriptions'),
      readList(api, id, 'wallets'),
      readList(api, id, 'invoices'),
      readList(api, id, 'credit_notes'),
    ]);
    const lists = {
      subscriptions: { ...subscriptions, rows: activeFirst(subscriptions.rows) },
      wallets,
      invoices,
      credit_notes,
    };
    if (unread && Object.values(lists).every(section => section.unread ?? section.notAllowed))
      return { ok: false as const, error: unread };
    const { usage, alerts } = await readActive(api, id, lists.subscriptions, requestsLeft());
    lists.subscriptions.rows = await withIntervals(api, lists.subscriptions.rows, requestsLeft());
    const rows: UsageOfSubscription[] = [];
    for (const row of usage.rows) {
      const id = row.external_subscription_id ?? '';
      const mayRead = sign(row.amount_cents) === 1 && requestsLeft() > 0;
      const inAdvance = mayRead ? await readInAdvance(api, id) : undefined;
      const billed = await billedUsage(api, row, id, requestsLeft(), inAdvance);
      const by_event_cents = inAdvance ? centsByEvent(billed.usage, inAdvance) : 0;
      rows.push({
        ...billed.usage,
        unchecked_cents: billed.unchecked,
        by_event_cents: inAdvance === null ? null : by_event_cents,
      });
    }
    const sections = { profile, ...lists, usage: { ...usage, rows }, alerts };
    return { ok: true as const, external_customer_id: id, sections };
  });
}

/** Cents of usage that was billed as it came. */
function centsByEvent(usage: Usage, inAdvance: readonly Charge[]): number {
  const ids = new Set(inAdvance.map(({ svc_id }) => svc_id ?? null));
  return sumOf((usage.charges_usage ?? []).filter(({ charge }) => ids.has(charge?.svc_id ?? null))) ?? 0;
}

async function readProfile(api: Api, external_customer_id: string): Promise<Section<Customer>> {
  const get = { key: 'customer' as const, path: { external_customer_id } };
  const answer = await api.get('/customers/{external_customer_id}', get);
  return answer.ok ? { rows: [answer.body.customer ?? {}], total: 1 } : unreadSection(answer.error);
}

async function readList<Key extends keyof typeof lists>(
  api: Api,
  external_customer_id: string,
  key: Key,
): Promise<Section<RowOf<Key>>> {
  const { tool, query } = lists[key];
  if (!api.mayUse(tool)) return { rows: [], total: null, notAllowed: tool };
  const get = { key, path: { external_customer_id }, query };
  const list = await api.list(`/customers/{external_customer_id}/${key}`, get, { per_page: pageSize });
  return list.ok ? sectionOf(list) : unreadSection(list.error);
}

/** Usage before alerts: where the requests do not suffice for both, alerts of fewer subscriptions are read. */
async function readActive(api: Api, customer: string, subscriptions: Section<Subscription>, requests: number) {
  const { unread, notAllowed } = subscriptions;
  const why = { ...(unread && { unread }), ...(notAllowed !== undefined && { notAllowed }) };
  if (unread || notAllowed !== undefined) {
    const none: Section<never> = { rows: [], total: null, ...why };
    return { usage: none, alerts: { ...none, covered: 0 } };
  }
  const active = subscriptions.rows.filter(({ status }) => status === 'active');
  const ids = active.flatMap(row => row.external_id || []);
  const alertsToo = api.mayUse(alertsTool);
  const first = ids.slice(0, mostSubscriptions);
  const ofUsage = api.mayUse(usageTool) ? first.slice(0, alertsToo ? Math.ceil(requests / 2) : requests) : [];
  const ofAlerts = alertsToo ? first.slice(0, requests - ofUsage.length) : [];
  const [usage, alerts] = await Promise.all([
    Promise.all(ofUsage.map(id => readUsage(api, customer, id))),
    Promise.all(ofAlerts.map(id => readAlerts(api, id))),
  ]);
  return {
    usage: joined(usage, ids.length, api.mayUse(usageTool) ? undefined : usageTool),
    alerts: {
      ...joined(alerts, ids.length, alertsToo ? undefined : alertsTool),
      covered: alerts.filter(section => !section.unread).length,
    },
  };
}

async function readUsage(
  api: Api,
  external_customer_id: string,
  external_subscription_id: string,
): Promise<Section<UsageOfSubscription>> {
  const get = { key: 'customer_usage' as const, path: { external_customer_id }, query: { external_subscription_id } };
  const answer = await api.get('/customers/{external_customer_id}/current_usage', get);
  if (!answer.ok) return unreadSection(answer.error);
  return { rows: [{ external_subscription_id, ...answer.body.customer_usage }], total: 1 };
}

async function readAlerts(api: Api, external_id: string): Promise<Section<Alert>> {
  const get = { key: 'alerts' as const, path: { external_id } };
  const list = await api.list('/subscriptions/{external_id}/alerts', get, { per_page: pageSize });
  if (!list.ok) return unreadSection(list.error);
  // Some installations do not name the subscription under its current key.
  return sectionOf({ ...list, rows: list.rows.map(row => ({ ...row, external_subscription_id: external_id })) });
}

function joined<Row>(sections: readonly Section<Row>[], total: number, notAllowed: string | undefined): Section<Row> {
  const unread = sections.find(section => section.unread)?.unread;
  const remark = sections.find(section => section.remark)?.remark;
  return {
    rows: sections.flatMap(({ rows }) => rows),
    total,
    ...(unread && { unread }),
    ...(remark && { remark }),
    ...(notAllowed !== undefined && { notAllowed }),
  };
}

function sectionOf<Row>({ rows, total, remark = null }: Rows<Row>): Section<Row> {
  return { rows, total, ...(remark !== null && { remark }) };
}

function unreadSection(unread: ToolError): Section<never> {
  return { rows: [], total: null, unread };
}
