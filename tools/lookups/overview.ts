/** A customer in one call: the record, and what the lists say of it (docs/lookups.md §2–§7; service-behaviour §14). */
import * as z from 'zod';
import type { JsonRecord } from '../../src/lib/json.ts';
import { readOverview, type Section, type Sections } from '../../src/lookups/overview.ts';
import { totalsOf } from '../../src/lookups/totals.ts';
import { crossings, isPassed } from '../../src/present/alert.ts';
import { asInteger, asRecord, asRecords, asText, sign } from '../../src/present/summary.ts';
import { pathText } from '../../src/tool/args.ts';
import { defineLookup } from '../../src/tool/define.ts';
import { describeOverview, reasonOf } from './overview-summary.ts';

/** Of each section. */
const mostShown = { subscriptions: 5, wallets: 5, alerts: 5, credit_notes: 3, charges: 3 };

export const getCustomerOverview = defineLookup({
  name: 'get_customer_overview',
  title: 'Get an overview of a customer',
  toolset: 'customers',
  endpoint: 'GET /customers/{external_customer_id}',
  description:
    'A customer in one call: subscriptions, wallets, debts, usage so far, alerts, credit notes. Ask it first.',
  input: z.strictObject({ external_customer_id: pathText().describe('Or name') }),
  async lookup({ external_customer_id }, reads) {
    const found = await readOverview(reads, external_customer_id);
    if (!found.ok) return found;
    const for_summary = { sections: found, customer: found.customer };
    return { ok: true, body: { overview: { ...overviewOf(found), for_summary } } };
  },
  result: 'overview',
  brief: `
    customer{external_id name legal_name?=name firstname lastname email country currency applicable_timezone?UTC
    billing_entity_code}
    subscriptions{external_id name?=external_id status plan_code plan_amount_cents plan_amount_currency
    subscription_at started_at ending_at terminated_at canceled_at next_plan_code downgrade_plan_date}
    owed overdue overdue_since
    wallets{svc_id code name?=code currency balance_cents ongoing_balance_cents expiration_at} terminated_wallets
    usage{external_subscription_id from_datetime to_datetime currency amount_cents charges_usage}
    alerts{external_subscription_id code name?=code alert_type billable_metric_code previous_value crossed}
    credit_notes{svc_id number balance_amount_cents currency} credit shown not_read
  `,
  summary: record => describeOverview(asRecord(record)),
});

/** The sections as they are shown; money in cents. */
function overviewOf(found: Sections): JsonRecord {
  const { profile, subscriptions, wallets, invoices, usage, alerts, credit_notes } = found;
  const active = wallets.rows.filter(({ status }) => status !== 'terminated');
  const owed = invoices.rows.filter(isOwedByCustomer);
  const overdue = owed.filter(({ payment_overdue }) => payment_overdue === true);
  const fired = alerts.rows.flatMap(goneOff);
  const oldest = overdue.map(row => asText(row.payment_due_date)).filter(due => due !== null);
  return {
    customer: profile.rows[0] ?? { external_id: found.external_customer_id },
    subscriptions: subscriptions.rows.slice(0, mostShown.subscriptions).map(withOneStart),
    owed: totalsOf(owed, ['total_due_amount_cents']),
    overdue: totalsOf(overdue, ['total_due_amount_cents']),
    overdue_since: oldest.sort()[0] ?? null,
    wallets: active.slice(0, mostShown.wallets),
    terminated_wallets: wallets.rows.length - active.length || null,
    usage: usage.rows.map(withLargestCharges),
    alerts: fired.slice(0, mostShown.alerts),
    credit_notes: credit_notes.rows.slice(0, mostShown.credit_notes),
    credit: totalsOf(credit_notes.rows, ['balance_amount_cents']),
    shown: cutShort(found, active, fired),
    not_read: notRead(found),
  };
}

/** On a self-billed invoice the account owes the customer. */
function isOwedByCustomer({ self_billed }: JsonRecord): boolean {
  return self_billed !== true;
}

/** `subscription_at` matters until there is a start. */
function withOneStart(subscription: JsonRecord): JsonRecord {
  return subscription.started_at ? { ...subscription, subscription_at: null } : subscription;
}

/** The charges with the largest amounts, in cents; those without usage are left out. */
function withLargestCharges(usage: JsonRecord): JsonRecord {
  const used = asRecords(usage.charges_usage)
    .filter(({ units, amount_cents }) => sign(units) !== 0 || sign(amount_cents) === 1)
    .sort((a, b) => (asInteger(b.amount_cents) ?? 0) - (asInteger(a.amount_cents) ?? 0));
  const charges_usage = used.slice(0, mostShown.charges).map(({ billable_metric, units, amount_cents }) => ({
    billable_metric_code: asRecord(billable_metric).code,
    units,
    amount_cents,
  }));
  const more_charges = used.length - charges_usage.length;
  return { ...usage, charges_usage: more_charges > 0 ? [...charges_usage, { more_charges }] : charges_usage };
}

/** The alert with the thresholds that its last value has reached; nothing where it has reached none. */
function goneOff(alert: JsonRecord): JsonRecord[] {
  const { thresholds, billable_metric } = alert;
  const once = asRecords(thresholds).some(({ recurring }) => recurring !== true);
  // Without one-time thresholds, a recurring one counts from 0 (§14).
  const crossed = once
    ? crossings(alert)
    : asRecords(thresholds).flatMap(step => (isPassed(alert, step) ? [step.value] : []));
  return crossed.length === 0 ? [] : [{ ...alert, crossed, billable_metric_code: asRecord(billable_metric).code }];
}

/** `subscriptions: "5 of 9"` for each section that has more than is shown. */
function cutShort(found: Sections, wallets: readonly JsonRecord[], alerts: readonly JsonRecord[]): JsonRecord {
  const { subscriptions, invoices, credit_notes, usage } = found;
  const whole = (section: Section) => Math.max(section.total ?? 0, section.rows.length);
  const counts: [name: string, shown: number, all: number][] = [
    ['subscriptions', Math.min(subscriptions.rows.length, mostShown.subscriptions), whole(subscriptions)],
    ['invoices', invoices.rows.length, whole(invoices)],
    ['wallets', Math.min(wallets.length, mostShown.wallets), wallets.length],
    ['alerts', Math.min(alerts.length, mostShown.alerts), alerts.length],
    ['credit_notes', Math.min(credit_notes.rows.length, mostShown.credit_notes), whole(credit_notes)],
    ['usage', usage.rows.length, whole(usage)],
    ['alerts_of_subscriptions', found.alerts.covered, whole({ ...found.alerts, rows: [] })],
  ];
  return Object.fromEntries(counts.filter(([, n, all]) => n < all).map(([name, n, all]) => [name, `${n} of ${all}`]));
}

/** The sections that are missing or not whole, each with the code of the reason. */
function notRead({ ok: _, external_customer_id: __, ...sections }: Sections): JsonRecord {
  const codes = Object.entries(sections).map(([name, section]) => [name, reasonOf(section)?.code]);
  return Object.fromEntries(codes.filter(([, code]) => code !== undefined));
}
