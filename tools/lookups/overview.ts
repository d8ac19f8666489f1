/** A customer in one call: the record, and what the lists say of it (docs/lookups.md §2–§7; service-behaviour §14). */

import * as z from 'zod';
import type { CreditNote, Invoice, Subscription, Wallet } from '../../src/contract/shown.ts';
import { customerIdOrName } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { grouped } from '../../src/lib/collections.ts';
import { valueInWords } from '../../src/words/alert.ts';
import { formatPeriod, isPast } from '../../src/words/dates.ts';
import { hiddenNote } from '../../src/words/masked-data.ts';
import { catalogueNoteOf } from '../../src/words/subscription.ts';
import { code, count, day, listed, money, opt, phrase, quoted, say, sentences, sign } from '../../src/words/summary.ts';
import { limitsWords, notCovered } from '../../src/words/wallet-words.ts';
import { momentIn, onDay, zoneOf } from '../../src/words/zoned-times.ts';
import type { WithInterval } from '../quotes/quantities.ts';
import { countOf, type Total, totalsText } from '../quotes/totals.ts';
import { customerNote, type NamedCustomer } from '../records/named-customer.ts';
import { oneLine } from './customers.ts';
import {
  type Overview,
  overviewOf,
  readOverview,
  type Section,
  type Sections,
  type UsageOfSubscription,
} from './overview-rows.ts';
import { countedByStatus, onPlan, overdueEnd } from './subscription-list.ts';

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

/** Active subscriptions that the summary names. */
const mostSubscriptions = 3;
const mostWallets = 2;

const names: Readonly<Record<string, string>> = {
  profile: "the customer's record",
  subscriptions: 'subscriptions',
  wallets: 'wallets',
  invoices: 'amounts owed',
  usage: 'usage',
  alerts: 'alerts',
  credit_notes: 'credit notes',
};

/** `record` is the overview as it is shown; `namedCustomer` is the customer if it was found by name. */
function describeOverview(
  record: Overview,
  sections: Sections,
  namedCustomer: NamedCustomer | null,
  now: Date,
): string {
  const { customer } = record;
  const about = opt`, billed in ${code(customer.currency)}`;
  return sentences(
    `${customerNote(namedCustomer) ?? `Customer ${oneLine(customer)}`}${about}`,
    debtSentence(record, sections.invoices, now),
    draftSentence(record.drafts),
    ...subscriptionSentences(record, sections, now),
    walletSentence(sections.wallets, zoneOf(record), now),
    alertSentence(record, sections),
    creditSentence(record, sections.credit_notes),
    ...unreadSentences(sections),
    ...Object.entries(sections).map(([name, { remark }]) => remark && `Of ${names[name]}: ${remark}`),
    hiddenNote(customer),
  );
}

/** Nothing is known of the section, not even that it is empty. */
function isMissing(section: Section): boolean {
  return section.rows.length === 0 && Boolean(section.reason ?? section.remark);
}

function debtSentence(record: Overview, section: Section<Invoice>, now: Date): string | null {
  if (isMissing(section)) return null;
  const { rows, total } = section;
  const { owed, overdue } = record;
  const sum = totalsText(owed, 'total_due_amount_cents');
  const overdueSum = totalsText(overdue, 'total_due_amount_cents');
  const open = countOf(owed);
  const lateCount = countOf(overdue);
  const selfBilled = rows.filter(({ self_billed }) => self_billed === true).length;
  const some = rows.length < (total ?? 0) ? ` among the newest ${rows.length} of about ${total} open ones` : '';
  const aside = selfBilled === 0 ? '' : `; ${count(selfBilled, 'self-billed invoice')} not counted`;
  if (open === 0) return `Nothing is owed${some}${aside}`;
  const since = opt`, ${lateCount === 1 ? 'due' : 'the oldest due'} on ${day(record.overdue_since, now)}`;
  const how =
    lateCount === 0
      ? 'none overdue'
      : lateCount === open
        ? `all overdue${since}`
        : `with ${overdueSum} overdue on ${lateCount}${since}`;
  return `${sum} is owed on ${count(open, 'invoice')}${some}, ${how}${aside}`;
}

function draftSentence(drafts: readonly Total[]): string | null {
  return say`${count(countOf(drafts), 'draft')} of ${totalsText(drafts, 'total_amount_cents')}`;
}

function subscriptionSentences(
  record: Overview,
  { subscriptions: section, usage }: Sections,
  now: Date,
): (string | null)[] {
  if (isMissing(section)) return [];
  const { rows, total } = section;
  if (rows.length === 0) return ['No subscriptions in any state'];
  const active = rows.filter(({ status }) => status === 'active');
  const lines = active.slice(0, mostSubscriptions).map(row => subscriptionLine(row, usage, zoneOf(record), now));
  const more = active.length - lines.length;
  const all = Math.max(total ?? 0, rows.length);
  const states = phrase`${all > rows.length ? `of the newest ${rows.length} ` : null}${countedByStatus(rows)}`;
  const { from_datetime, to_datetime } = record.usage_period ?? {};
  const period = formatPeriod(from_datetime, to_datetime, record.customer.applicable_timezone, now);
  const unread = usage.rows.length < active.length && usage.reason === undefined;
  const activeLines = phrase`${lines.join('; ')}${more > 0 ? `; and ${more} more` : null}`;
  const areActive = active.length === all;
  return [
    areActive ? `${count(all, 'active subscription')}: ${activeLines}` : `${count(all, 'subscription')}: ${states}`,
    !areActive && lines.length > 0 && `Active: ${activeLines}`,
    catalogueNoteOf(active),
    usage.rows.length > 0 && `Usage is for ${period === '' ? 'the current periods' : period}, before tax and plan fees`,
    usage.rows.some(({ by_event_cents }) => by_event_cents === null) && 'The part billed per event could not be read',
    unread && `Usage was read for ${usage.rows.length} of the ${active.length} active ones; get_usage has the rest`,
  ].map(part => part || null);
}

function subscriptionLine(
  subscription: Subscription & WithInterval,
  usage: Section<UsageOfSubscription>,
  zone: string | null,
  now: Date,
): string {
  const used = usage.rows.find(row => row.external_subscription_id === subscription.external_id);
  const soFar = used === undefined ? null : usageSoFar(used);
  const unchecked =
    sign(used?.unchecked_cents) === 1
      ? say` (${money(used?.unchecked_cents, used?.currency)} of it for charges without events, which cost nothing if billed per event)`
      : null;
  return phrase`${labelOf(subscription.name, subscription.external_id)}${onPlan(subscription)}${overdueEnd(subscription, zone, now)}${soFar}${unchecked}`;
}

/** Usage that was billed at its events is not billed again with the period. */
function usageSoFar({ amount_cents, by_event_cents, currency }: UsageOfSubscription): string | null {
  const [all, billed] = [amount_cents, by_event_cents];
  if (typeof billed !== 'number' || typeof all !== 'number' || billed === 0)
    return say`, ${money(amount_cents, currency)} of usage so far`;
  return say`, ${money(all - billed, currency)} of usage not billed yet, and ${money(billed, currency)} already billed per event`;
}

/** The name alone: the fields next to the summary have the ID. */
function labelOf(name: unknown, id: unknown): string {
  return quoted(name) ?? code(id) ?? 'one without a name';
}

function walletSentence(section: Section<Wallet>, zone: string | null, now: Date): string | null {
  if (isMissing(section)) return null;
  const wallets = section.rows.filter(({ status }) => status !== 'terminated');
  const endedCount = section.rows.length - wallets.length;
  const terminated = endedCount === 0 ? '' : ` (${endedCount} ended)`;
  if (wallets.length === 0) return `No active wallet${terminated}`;
  const lines = wallets.slice(0, mostWallets).map(wallet => walletLine(wallet, zone, now));
  const more = wallets.length - lines.length;
  return phrase`Wallet ${lines.join('; wallet ')}${more > 0 ? `; and ${count(more, 'more wallet')}` : null}${terminated}`;
}

function walletLine({ name, code: key, svc_id, currency, ...wallet }: Wallet, zone: string | null, now: Date): string {
  const { balance_cents: balance, ongoing_balance_cents: rest, expiration_at } = wallet;
  const label = labelOf(name, key ?? svc_id);
  if (isPast(expiration_at, now)) return phrase`${label} expired ${onDay(expiration_at, zone, now)}`;
  const after = rest === balance ? null : say`, ${money(rest, currency)} after usage so far`;
  const exceeded = say`, ${notCovered(rest, currency)}`;
  const only = say`, for ${limitsWords(wallet.applies_to)} only`;
  const end = say`, expiring on ${momentIn(expiration_at, zone, now)}`;
  return phrase`${label} has ${money(balance, currency) ?? 'an unknown amount'} left${exceeded ?? after}${only}${end}`;
}

function alertSentence(record: Overview, { alerts: section, subscriptions }: Sections): string | null {
  if (section.covered === 0) return null;
  const fired = record.alerts;
  const { alerts: cut = null } = record.shown;
  const rest = (section.total ?? 0) - section.covered;
  const more =
    rest === 0 || section.reason
      ? ''
      : `; alerts of ${count(rest, 'more active subscription')} were not read, see list_subscription_alerts`;
  if (section.rows.length === 0) return `No alerts are set on active subscriptions${more}`;
  if (fired.length === 0) return `No alert has been triggered (${section.rows.length} set)${more}`;
  const lines = fired.map(alert => {
    const subscription = subscriptions.rows.find(({ external_id }) => external_id === alert.external_subscription_id);
    return alertLine(alert, subscription ?? {});
  });
  return phrase`Triggered alert${fired.length === 1 ? null : 's'}${say` (${cut} named)`}: ${lines.join('; ')}${more}`;
}

function alertLine(alert: Overview['alerts'][number], subscription: Subscription): string {
  const type = alert.alert_type ?? '';
  const inWords = (value: unknown) => valueInWords(value, type, subscription.plan_amount_currency);
  const crossed = alert.crossed.map(inWords).filter(value => value !== null);
  const seen = Date.parse(alert.last_processed_at ?? '');
  const start = Date.parse(subscription.current_billing_period_started_at ?? '');
  const earlier = type.includes('current_usage') && seen < start ? ' in an earlier period' : '';
  const last = opt` at ${inWords(alert.previous_value)}`;
  return phrase`${labelOf(alert.name, alert.code)} on ${labelOf(subscription.name, alert.external_subscription_id)}${last}${say`, past ${crossed.at(-1) ?? null}`}${earlier}`;
}

function creditSentence(record: Overview, section: Section<CreditNote>): string | null {
  if (isMissing(section)) return null;
  const { rows, total } = section;
  if (rows.length === 0) return 'No credit note has credit left (refunds: list_credit_notes)';
  const of =
    rows.length < (total ?? 0)
      ? `the newest ${rows.length} of ${total} open credit notes`
      : count(rows.length, 'open credit note');
  return say`${totalsText(record.credit, 'balance_amount_cents')} is left on ${of}`;
}

/** Sections that were left out or failed, grouped by the reason. */
function unreadSentences(sections: Sections): (string | null)[] {
  const unread = Object.entries(sections).flatMap(([name, { reason, rows }]: [string, Section]) =>
    reason === undefined ? [] : [{ words: reason.words, part: `${rows.length > 0 ? 'some ' : ''}${names[name]}` }],
  );
  return grouped(unread, ({ words }) => words).map(
    group => `Not read: ${listed(group.map(({ part }) => part))} (${group[0]?.words})`,
  );
}
