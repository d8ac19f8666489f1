/** A customer in one call: the record, and what the lists say of it (docs/lookups.md §2–§7; service-behaviour §14). */

import * as z from 'zod';
import type { Alert, Wallet } from '../../src/contract/shown.ts';
import { customerIdOrName } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { crossings, isPassed } from '../../src/words/alert.ts';
import { oldestDue } from '../quotes/ageing.ts';
import { totalsOf } from '../quotes/totals.ts';
import { mostSubscriptions, readOverview, type Section, type Sections } from './overview-rows.ts';
import { type CrossedAlert, describeOverview, type Overview, type Period } from './overview-summary.ts';
import { isOverdue, isOwed } from './owed-words.ts';

/** How many records a section shows. */
const mostShown = { subscriptions: mostSubscriptions, wallets: 2, alerts: 2, credit_notes: 2 };

export const getCustomerOverview = defineLookup({
  name: 'get_customer_overview',
  title: 'Get an overview of a customer',
  toolset: 'customers',
  endpoint: 'GET /customers/{external_customer_id}',
  description:
    'Summarizes a customer in one call: subscriptions, wallets, debts, usage so far, alerts and credit notes. Call it first for questions about one customer; use list_invoices or get_usage for details.',
  input: z.strictObject({ external_customer_id: customerIdOrName }),
  async run({ external_customer_id }, api) {
    const answer = await readOverview(api, external_customer_id);
    if (!answer.ok) return answer;
    const { sections, customer } = answer;
    const overview = overviewOf(answer.external_customer_id, sections);
    return {
      ok: true,
      body: { overview: { ...overview, for_summary: describeOverview(overview, sections, customer, api.now) } },
    };
  },
  result: 'overview',
  answer: 'made record',
  brief: `
    customer{external_id name legal_name?=name firstname lastname email country currency applicable_timezone
    billing_entity_code}
    subscriptions{external_id name?=external_id status plan_code plan_amount_cents plan_amount_currency
    subscription_at ending_at terminated_at canceled_at next_plan_code downgrade_plan_date usage}
    usage_period owed overdue overdue_since
    wallets{svc_id code name?=code currency balance_cents ongoing_balance_cents expiration_at} terminated_wallets
    alerts{external_subscription_id code alert_type billable_metric_code previous_value crossed}
    credit_notes{number balance_amount_cents currency} credit shown not_read
  `,
  say: ({ for_summary }: { for_summary: string }) => for_summary,
});

/** The sections as they are shown. */
function overviewOf(external_id: string, sections: Sections): Overview {
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
function shownSubscriptions(
  { subscriptions, usage }: Sections,
  currency: unknown,
): Pick<Overview, 'subscriptions' | 'usage_period'> {
  const [{ from_datetime, to_datetime } = {}, ...others] = usage.rows;
  const same = others.every(row => row.from_datetime === from_datetime && row.to_datetime === to_datetime);
  const period = ({ from_datetime, to_datetime }: Period) => ({ from_datetime, to_datetime });
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
function crossedAlert(alert: Alert): CrossedAlert[] {
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
