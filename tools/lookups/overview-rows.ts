/** The reads of a customer's overview: at most twelve requests, each section for itself, and the sections as they are shown. */

import type { RowOf, Usage } from '../../src/contract/answers.ts';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Alert, Charge, CreditNote, Customer, Invoice, Subscription, Wallet } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { reasonOf, type ToolError } from '../../src/definition/failure.ts';
import { crossings, isPassed } from '../../src/words/alert.ts';
import { clip, sign } from '../../src/words/summary.ts';
import { type WithInterval, withIntervals } from '../quotes/quantities.ts';
import { totalsOf } from '../quotes/totals.ts';
import { sumOf } from '../quotes/usage-parts.ts';
import { billedUsage, readInAdvance } from '../records/charges-by-event.ts';
import { readList } from '../records/list-pages.ts';
import { type OfCustomer, ofCustomer } from '../records/named-customer.ts';
import { readOne } from '../records/one-record.ts';
import { isOverdue, isOwed, oldestDue } from './owed-words.ts';
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

type OverviewRead = { ok: true; external_customer_id: string; sections: Sections };

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
const mostSubscriptions = 5;
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
export async function readOverview(api: Api, idOrName: string): Promise<OfCustomer<OverviewRead>> {
  const unneeded = api.left() - mostRequests;
  const requestsLeft = () => api.left() - unneeded;
  return await ofCustomer<OverviewRead>(api, idOrName, async (id, listed) => {
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

/** How many records a section shows. */
const mostShown = { subscriptions: mostSubscriptions, wallets: 2, alerts: 2, credit_notes: 2 };
export type Overview = ReturnType<typeof overviewOf>;

/** The sections as they are shown; money in cents. */
export function overviewOf(external_id: string, sections: Sections) {
  const { profile, wallets, invoices, alerts, credit_notes } = sections;
  const active = wallets.rows.filter(({ status }) => status !== 'terminated');
  const owed = invoices.rows.filter(isOwed);
  const overdue = owed.filter(isOverdue);
  const fired = alerts.rows.flatMap(crossedAlert);
  return {
    customer: profile.rows[0] ?? { external_id },
    ...shownSubscriptions(sections, profile.rows[0]?.currency),
    owed: totalsOf(owed, ['total_due_amount_cents']),
    overdue: totalsOf(overdue, ['total_due_amount_cents']),
    overdue_since: oldestDue(overdue),
    drafts: totalsOf(
      invoices.rows.filter(({ status }) => status === 'draft'),
      ['total_amount_cents'],
    ),
    wallets: active.slice(0, mostShown.wallets),
    terminated_wallets: wallets.rows.length - active.length || null,
    alerts: fired.slice(0, mostShown.alerts),
    credit_notes: credit_notes.rows.slice(0, mostShown.credit_notes),
    credit: totalsOf(credit_notes.rows, ['balance_amount_cents']),
    shown: shownCounts(sections, active, fired),
    not_read: unreadSections(sections),
  };
}

/**
 * The subscriptions that are shown, each with its usage so far in cents; the period of this usage stands once where it is
 * the same for all.
 */
function shownSubscriptions({ subscriptions, usage }: Sections, currency: unknown) {
  const [{ from_datetime, to_datetime } = {}, ...others] = usage.rows;
  const same = others.every(row => row.from_datetime === from_datetime && row.to_datetime === to_datetime);
  const period = ({ from_datetime, to_datetime }: Usage) => ({ from_datetime, to_datetime });
  const shown = subscriptions.rows.slice(0, mostShown.subscriptions).map(row => {
    const used = usage.rows.find(({ external_subscription_id }) => external_subscription_id === row.external_id);
    return {
      ...row,
      // The planned start matters until there is an actual one.
      ...(row.started_at ? { subscription_at: null } : {}),
      ...(row.plan_amount_currency === currency ? { plan_amount_currency: null } : {}),
      ...(used && {
        usage: {
          amount_cents: used.amount_cents,
          ...(same ? {} : period(used)),
        },
      }),
    };
  });
  return { subscriptions: shown, ...(usage.rows.length > 0 && same && { usage_period: period(usage.rows[0] ?? {}) }) };
}

/** The alert with the thresholds that its last value has reached; nothing where it has reached none. */
function crossedAlert(alert: Alert) {
  const { thresholds, billable_metric } = alert;
  const once = (thresholds ?? []).some(({ recurring }) => recurring !== true);
  // Without one-time thresholds, a recurring one counts from 0 (§14).
  const crossed = once
    ? crossings(alert)
    : (thresholds ?? []).flatMap(step => (isPassed(alert, step) ? [step.value] : []));
  return crossed.length === 0 ? [] : [{ ...alert, crossed, billable_metric_code: billable_metric?.code }];
}

/** `subscriptions: "5 of 9"` for each section that has more than is shown. */
function shownCounts(sections: Sections, wallets: readonly Wallet[], alerts: readonly Alert[]): Record<string, string> {
  const { subscriptions, invoices, credit_notes, usage } = sections;
  const whole = (section: Section) => Math.max(section.total ?? 0, section.rows.length);
  const counts: [name: string, shown: number, all: number][] = [
    ['subscriptions', Math.min(subscriptions.rows.length, mostShown.subscriptions), whole(subscriptions)],
    ['invoices', invoices.rows.length, whole(invoices)],
    ['wallets', Math.min(wallets.length, mostShown.wallets), wallets.length],
    ['alerts', Math.min(alerts.length, mostShown.alerts), alerts.length],
    ['credit_notes', Math.min(credit_notes.rows.length, mostShown.credit_notes), whole(credit_notes)],
    ['usage', usage.rows.length, whole(usage)],
    ['alerts_of_subscriptions', sections.alerts.covered, whole({ ...sections.alerts, rows: [] })],
  ];
  return Object.fromEntries(counts.filter(([, n, all]) => n < all).map(([name, n, all]) => [name, `${n} of ${all}`]));
}

/** The sections that are missing or not whole, each with the code of the reason. */
function unreadSections(sections: Sections): object {
  const codes = Object.entries(sections).map(([name, { reason }]: [string, Section]) => [name, reason?.code]);
  return Object.fromEntries(codes.filter(([, code]) => code !== undefined));
}
