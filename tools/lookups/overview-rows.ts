/** The reads of a customer's overview: at most twelve requests, each section for itself. */

import type { RowOf, Usage } from '../../src/contract/answers.ts';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Alert, Charge, CreditNote, Customer, Invoice, Subscription, Wallet } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { reasonOf, type ToolError } from '../../src/definition/failure.ts';
import { clip, sign } from '../../src/words/summary.ts';
import { sumOf } from '../quotes/usage-parts.ts';
import { billedUsage, readInAdvance } from '../records/charges-by-event.ts';
import { readList } from '../records/list-pages.ts';
import { type OfCustomer, ofCustomer } from '../records/named-customer.ts';
import { readOne } from '../records/one-record.ts';
import { type WithInterval, withIntervals } from '../records/plan-intervals.ts';
import { activeFirst } from './subscription-list.ts';

/** What was read. */
export interface Section<Row = object> {
  rows: Row[];
  /** How many there are; null where that is not known. */
  total: number | null;
  /** Why it is missing or not whole, as a code and in words. */
  reason?: { readonly code: string; readonly words: string } | undefined;
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
/** Characters of a reason. */
const mostReason = 160;

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
    const answer = listed === undefined ? await readOne(api, 'customer', id) : { ok: true as const, body: listed };
    if (!answer.ok && (answer.error.code === 'customer_not_found' || answer.error.status === 401)) return answer;
    const profile = answer.ok ? { rows: [answer.body], total: 1 } : unread(answer.error);
    const [subscriptions, wallets, invoices, credit_notes] = await Promise.all([
      readSection(api, id, 'subscriptions'),
      readSection(api, id, 'wallets'),
      readSection(api, id, 'invoices'),
      readSection(api, id, 'credit_notes'),
    ]);
    const lists = {
      subscriptions: { ...subscriptions, rows: activeFirst(subscriptions.rows) },
      wallets,
      invoices,
      credit_notes,
    };
    if (!answer.ok && Object.values(lists).every(({ reason }) => reason)) return answer;
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

async function readSection<Key extends keyof typeof lists>(
  api: Api,
  external_customer_id: string,
  key: Key,
): Promise<Section<RowOf<Key>>> {
  const { tool, query } = lists[key];
  if (!api.mayUse(tool)) return notAllowed(tool);
  const list = await readList(api, key, external_customer_id, query, { per_page: pageSize });
  return list.ok ? list : unread(list.error);
}

/** Usage before alerts: where the requests do not suffice for both, alerts of fewer subscriptions are read. */
async function readActive(api: Api, customer: string, subscriptions: Section<Subscription>, requests: number) {
  const { reason } = subscriptions;
  if (reason !== undefined) {
    const none: Section<never> = { rows: [], total: null, reason };
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
    usage: sectionOfAll(api, usageTool, usage, ids.length),
    alerts: {
      ...sectionOfAll(api, alertsTool, alerts, ids.length),
      covered: alerts.filter(({ reason }) => reason === undefined).length,
    },
  };
}

async function readUsage(
  api: Api,
  external_customer_id: string,
  external_subscription_id: string,
): Promise<Section<UsageOfSubscription>> {
  const answer = await readOne(api, 'customer_usage', external_customer_id, { query: { external_subscription_id } });
  return answer.ok ? { rows: [{ external_subscription_id, ...answer.body }], total: 1 } : unread(answer.error);
}

async function readAlerts(api: Api, external_id: string): Promise<Section<Alert>> {
  const get = { key: 'alerts' as const, path: { external_id } };
  const list = await api.list('/subscriptions/{external_id}/alerts', get, { per_page: pageSize });
  if (!list.ok) return unread(list.error);
  // Some installations do not name the subscription under its current key.
  return { ...list, rows: list.rows.map(row => ({ ...row, external_subscription_id: external_id })) };
}

/** The rows of the active subscriptions, of which there are so many. */
function sectionOfAll<Row>(api: Api, tool: string, sections: readonly Section<Row>[], total: number): Section<Row> {
  if (!api.mayUse(tool)) return { ...notAllowed(tool), total };
  return {
    rows: sections.flatMap(({ rows }) => rows),
    total,
    reason: sections.find(({ reason }) => reason)?.reason,
    remark: sections.find(({ remark }) => remark)?.remark ?? null,
  };
}

function notAllowed(tool: string): Section<never> {
  const words = `${tool} is not available to this caller`;
  return { rows: [], total: null, reason: { code: 'tool_not_offered', words } };
}

function unread(error: ToolError): Section<never> {
  const { code } = error;
  // One reason for all sections, whatever their paths.
  const isLacking = code === 'lookup_unavailable';
  const words = isLacking ? 'this billing service does not offer it' : clip(reasonOf(error), mostReason);
  return { rows: [], total: null, reason: { code, words } };
}
