/** Usage of the running period and of earlier ones (docs/lookups.md §6). */

import type { Usage } from '../../src/contract/answers.ts';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Charge, Subscription } from '../../src/contract/shown.ts';
import { only } from '../../src/lib/collections.ts';
import { byText } from '../../src/lib/compare-text.ts';
import type { Api } from '../../src/tool/api.ts';
import { defineLookup, type ForExport, type SummaryContext } from '../../src/tool/define.ts';
import { refuse, type ToolError } from '../../src/tool/failure.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { formatPeriod, isPast } from '../../src/words/dates.ts';
import {
  code,
  count,
  instant,
  listed,
  money,
  named,
  quoted,
  roughly,
  say,
  sentences,
  sign,
} from '../../src/words/summary.ts';
import { billedUsage, readInAdvance } from '../reads/charges-by-event.ts';
import { customerField, customerNote, type NamedCustomer, ofCustomer } from '../reads/customer.ts';
import { issuedOn } from '../reads/event-periods.ts';
import { recurringOf } from '../reads/metrics.ts';
import { type Total, totalsOf, totalsText } from '../reads/totals.ts';
import { readUnstated, type UnstatedPeriod } from '../reads/unstated-periods.ts';
import {
  type Charges,
  chargesOf,
  type Estimate,
  estimateOf,
  hasLevels,
  type ShownCharge,
  sumOf,
} from '../reads/usage.ts';
import { usageFields, usageRows } from '../reads/usage-rows.ts';
import { zoneOfCustomer } from '../reads/written-record.ts';
import { partInWords, partOfUsage, type UsageArguments, usageInput } from './usage-arguments.ts';

const figures = 'units total_aggregated_units?=units events_count? amount_cents presentation_breakdowns';
const filters = `filters{values|null invoice_display_name ${figures}}`;
const charges = `charges_usage{billable_metric_code charge_code name?=billable_metric_code ${figures} ${filters}
  grouped_usage{grouped_by ${figures} ${filters}} groups_count} without_usage`;

export const getUsage = defineLookup({
  name: 'get_usage',
  title: 'Get the usage of a subscription',
  toolset: 'usage',
  endpoint: 'GET /customers/{external_customer_id}/current_usage',
  description:
    'Usage charges of a subscription: units, events and amounts so far this period with an estimate for all of it, or of past periods. No plan fee, coupons or credits: preview_invoice gives the expected invoice.',
  input: usageInput,
  async lookup(args, api) {
    const answer = await ofCustomer(api, args.external_customer_id, customer => readUsage(api, customer, args));
    if (!answer.ok) return answer;
    const { customer, usage, zone = null } = answer;
    return {
      ok: true,
      body: { usage: { ...customerField(customer), ...usage }, for_export: answer.for_export },
      beside: { zone },
    };
  },
  result: 'usage',
  brief: `
    customer external_customer_id external_subscription_id from_datetime to_datetime currency amount_cents
    taxes_amount_cents total_amount_cents estimate ${charges} shown totals
    usage_periods{from_datetime to_datetime currency amount_cents svc_invoice_id ${charges}}
  `,
  say: (usage: UsageBody, { args, now, beside }: SummaryContext<Partial<Clock>, object, UsageArguments>) =>
    (args.period === 'past' ? describePast : describeCurrent)(usage, args, { now, zone: beside?.zone ?? null }),
});

type Failure = { ok: false; error: ToolError };

/** The answer for the running period (`estimate`), or for past ones (`usage_periods`). */
interface UsageBody extends Omit<Usage, 'charges_usage' | 'from_datetime' | 'to_datetime'>, Partial<Charges>, Period {
  readonly external_customer_id?: string;
  readonly external_subscription_id?: string;
  readonly customer?: NamedCustomer;
  readonly estimate?: Estimate | null;
  readonly shown?: string;
  readonly totals?: Total[];
  readonly usage_periods?: readonly (Omit<Usage, 'charges_usage'> & Charges)[];
  readonly for_summary: Note;
}
type Period = Pick<Usage, 'from_datetime' | 'to_datetime'>;

/** Of the running period: `levels`, and `unbilled` as in BilledUsage. Of past ones: how many there are, and a remark. */
interface Note {
  readonly levels?: boolean;
  readonly unbilled?: number;
  /** The codes of metrics whose events of earlier periods are counted too. */
  readonly carried?: readonly string[];
  /** The names of the charges with usage that are billed at each event; null where these could not be read. */
  readonly by_event?: readonly string[] | null;
  /** Cents as in BilledUsage; of past periods why customer and subscription could not be checked. */
  readonly unchecked: number | string | null;
  readonly total?: number | null;
  readonly remark?: string | null;
  /** The numbers of the invoices whose periods were told by their fees. */
  readonly by_fees?: readonly UnstatedPeriod['number'][];
  /** Why such periods may be missing; null where none is. */
  readonly unread?: string | null;
}

type PeriodRead = { ok: true; usage: UsageBody; used: readonly Usage[] } | Failure;
type UsageRead = { ok: true; usage: UsageBody; for_export: ForExport; zone: string | null } | Failure;

async function readUsage(api: Api, customer: string, args: UsageArguments): Promise<UsageRead> {
  const requestedId = args.external_subscription_id;
  const chosen =
    requestedId === undefined ? await onlyActive(api, customer) : { ok: true as const, external_id: requestedId };
  if (!chosen.ok) return chosen;
  const readPeriod = args.period === 'past' ? readPast : readCurrent;
  const [answer, zone] = await Promise.all([
    readPeriod(api, customer, chosen.external_id, args),
    zoneOfCustomer(api, customer),
  ]);
  if (!answer.ok) return answer;
  const ids = { external_customer_id: customer, external_subscription_id: chosen.external_id };
  const rows = answer.used.flatMap(usage => usageRows(usage, ids));
  return { ok: true, usage: { ...answer.usage, ...ids }, for_export: { rows, fields: usageFields }, zone };
}

async function readCurrent(
  api: Api,
  customer: string,
  subscription: string,
  args: UsageArguments,
): Promise<PeriodRead> {
  const [answer, inAdvance] = await Promise.all([
    api.get('/customers/{external_customer_id}/current_usage', {
      key: 'customer_usage',
      path: { external_customer_id: customer },
      query: { external_subscription_id: subscription, ...partOfUsage(args) },
    }),
    api.mayUse('get_subscription') ? readInAdvance(api, subscription) : undefined,
  ]);
  if (!answer.ok) {
    const { error } = answer;
    if (error.code === 'charge_not_found') {
      const hint = args.billable_metric_code === undefined ? noSuchCharge : noCharge;
      return { ok: false, error: { ...error, hint } };
    }
    const inactive = error.code === 'no_active_subscription' && args.external_subscription_id !== undefined;
    return inactive ? await notActive(api, customer, subscription, error) : answer;
  }
  const shownUsage = answer.body.customer_usage ?? {};
  const { usage, unbilled, unchecked } = await billedUsage(api, shownUsage, subscription, undefined, inAdvance);
  const { charges_usage, ...rest } = usage;
  const recurring = await recurringOf(api, summedIn(usage));
  return {
    ok: true,
    used: [usage],
    usage: {
      ...rest,
      // The pace of all the time since the subscription began says nothing of the running period.
      estimate: args.full_usage === true ? null : estimateOf(usage, api.now),
      ...chargesOf(charges_usage),
      for_summary: {
        levels: hasLevels(usage),
        unbilled,
        unchecked,
        by_event: inAdvance === null ? null : billedByEvent(usage, inAdvance),
        carried: [...recurring].flatMap(([metric, recurs]) => (recurs ? metric : [])),
      },
    },
  };
}

/** The codes of sums with events: where the metric recurs, those of earlier periods are among these (service-behaviour §8). */
function summedIn({ charges_usage }: Usage): string[] {
  const codes = (charges_usage ?? [])
    .filter(({ events_count }) => sign(events_count) === 1)
    .flatMap(({ billable_metric: metric }) => (metric?.aggregation_type === 'sum_agg' && metric.code) || []);
  return [...new Set(codes)];
}

function billedByEvent(usage: Usage, inAdvance: readonly Charge[] = []): string[] {
  const ids = new Set(inAdvance.map(({ svc_id }) => svc_id));
  const byEvent = (usage.charges_usage ?? []).filter(
    entry => ids.has(entry.charge?.svc_id) && sign(entry.events_count) === 1,
  );
  return byEvent.flatMap(
    ({ charge, billable_metric: metric }) =>
      quoted(charge?.invoice_display_name) ?? quoted(metric?.name) ?? code(metric?.code) ?? [],
  );
}

const noCharge = 'No charge of the subscription is on this metric. Leave billable_metric_code out to see its charges.';
const noSuchCharge = 'No charge of the subscription has this id or code. Leave it out to see the charges.';
const defaultPeriods = 3;

/** The API's totals of a period are those of whole invoices: so the charges that are shown here are added up. */
async function readPast(
  api: Api,
  customer: string,
  subscription: string,
  { external_subscription_id: requestedId, billable_metric_code, periods_count = defaultPeriods }: UsageArguments,
): Promise<PeriodRead> {
  const get = {
    key: 'usage_periods' as const,
    path: { external_customer_id: customer },
    query: { external_subscription_id: subscription, billable_metric_code, periods_count },
  };
  const path = '/customers/{external_customer_id}/past_usage';
  const list = await api.list(path, get, { per_page: periods_count });
  if (!list.ok) return list;
  // An unknown customer has an empty list too. If the tool chose the subscription, the customer is known.
  const problem =
    list.rows.length > 0 || requestedId === undefined ? null : await checkSubscription(api, customer, requestedId);
  if (problem !== null && 'ok' in problem) return problem;
  const more = list.nextPage !== null || (list.total ?? 0) > list.rows.length;
  const wanted = { customer, subscription, metric: billable_metric_code, listed: list.rows, more };
  const unstated = await readUnstated(api, wanted);
  const all = [...list.rows, ...unstated.periods].sort((a, b) => byText(b.from_datetime ?? '', a.from_datetime ?? ''));
  const shown: readonly (Usage & Pick<UnstatedPeriod, 'number'>)[] =
    unstated.periods.length === 0 ? list.rows : all.slice(0, periods_count);
  const periods = shown.map(({ charges_usage, ...period }) => ({
    ...period,
    amount_cents: sumOf(charges_usage),
    ...chargesOf(charges_usage),
  }));
  const total = list.total === null ? null : list.total + unstated.periods.length;
  return {
    ok: true,
    used: shown,
    usage: {
      shown: `${periods.length} of ${total ?? 'an unknown number'}`,
      totals: totalsOf(periods, ['amount_cents']),
      usage_periods: periods,
      for_summary: {
        total,
        unchecked: problem?.unchecked ?? null,
        remark: list.remark ?? null,
        by_fees: [...new Set(shown.filter(period => 'number' in period).map(({ number }) => number))],
        unread: unstated.unread,
      },
    },
  };
}

/** Null if the customer has this subscription; `unchecked` says why this could not be read. */
async function checkSubscription(
  api: Api,
  customer: string,
  subscription: string,
): Promise<Failure | { unchecked: string } | null> {
  const answer = await subscriptionsOf(api, customer);
  if (!answer.ok) return answer.error.code === 'customer_not_found' ? answer : { unchecked: answer.error.message };
  const known = answer.subscriptions.some(({ external_id }) => external_id === subscription);
  if (known || answer.more) return null;
  const choices = choicesOf(answer.subscriptions);
  const facts = { tool: api.tool, customer: code(customer), id: quoted(subscription), choices };
  return { ok: false, error: refuse('no_match', { case: 'subscription_of_other', ...facts }) };
}

type Subscriptions = { ok: true; subscriptions: Subscription[]; more: boolean } | Failure;

/** The customer's subscriptions in every state. Without the right to list them, at least whether the customer exists. */
async function subscriptionsOf(api: Api, customer: string): Promise<Subscriptions> {
  const path = { external_customer_id: customer };
  if (!api.mayUse('list_subscriptions')) {
    const answer = await api.get('/customers/{external_customer_id}', { key: 'customer', path });
    return answer.ok ? { ok: true, subscriptions: [], more: true } : answer;
  }
  const get = { key: 'subscriptions' as const, path, query: { status: subscriptionStatuses } };
  const list = await api.list('/customers/{external_customer_id}/subscriptions', get, { per_page: 100 });
  return list.ok ? { ok: true, subscriptions: list.rows, more: list.nextPage !== null } : list;
}

async function onlyActive(api: Api, customer: string): Promise<{ ok: true; external_id: string } | Failure> {
  const answer = await subscriptionsOf(api, customer);
  if (!answer.ok) return answer;
  const { subscriptions, more } = answer;
  const active = subscriptions.filter(({ status }) => status === 'active');
  const external_id = only(active)?.external_id;
  if (external_id && !more) return { ok: true, external_id };
  const known = { tool: api.tool, customer: code(customer) };
  if (subscriptions.length === 0 && !more)
    return { ok: false, error: refuse('no_match', { case: 'no_subscription', ...known }) };
  if (active.length === 0 && !more)
    return {
      ok: false,
      error: refuse('no_match', { case: 'none_active', ...known, choices: choicesOf(subscriptions) }),
    };
  const many = `${more ? 'more than ' : ''}${count(active.length, 'active subscription')}`;
  const error = refuse('invalid_arguments', {
    case: 'subscription',
    ...known,
    choices: choicesOf(active),
    active: active.length === 0 ? null : many,
  });
  return { ok: false, error };
}

/** The subscription is unknown, another customer's, or not active: the customer's subscriptions tell which. */
async function notActive(api: Api, customer: string, subscription: string, error: ToolError): Promise<Failure> {
  const answer = await subscriptionsOf(api, customer);
  const message = `${api.tool}: customer ${code(customer)} has no active subscription ${quoted(subscription)}`;
  if (!answer.ok || answer.subscriptions.length === 0) return { ok: false, error: { ...error, message } };
  const status = answer.subscriptions.find(({ external_id }) => external_id === subscription)?.status;
  const active = answer.subscriptions.filter(each => each.status === 'active');
  const state =
    status === undefined
      ? 'It is none of the customer’s'
      : `It ${wordsOf('subscription', status) === 'ended' ? 'has ended' : `is ${wordsOf('subscription', status)}`}`;
  const past = status === 'terminated' ? ' period: "past" gives its invoiced usage.' : '';
  const hint = `${state}.${past}${say` Active: ${choicesOf(active)}.` ?? ''}`;
  return { ok: false, error: { ...error, message, hint } };
}

function choicesOf(subscriptions: readonly Subscription[]): string | null {
  const texts = subscriptions.map(({ external_id, name, plan_code, status }) => {
    const state = status === 'active' ? null : say`, ${wordsOf('subscription', status)}`;
    return `${named(name, external_id) ?? ''}${say` on plan ${code(plan_code)}` ?? ''}${state ?? ''}`;
  });
  return listed(texts, 4);
}

/** The time now, and the customer's time zone; null if it was not read. */
interface Clock {
  now: Date;
  zone: string | null;
}

function describeCurrent(usage: UsageBody, args: UsageArguments, clock: Clock): string {
  const { currency, amount_cents, total_amount_cents, estimate = null, for_summary } = usage;
  const { charges_usage: used = [], without_usage = [] } = usage;
  const { by_event = [], carried = [] } = for_summary;
  const when = args.full_usage === true ? ' since it began' : ' so far';
  const of = args.full_usage === true ? ',' : ' in its period';
  const during = say`${of} ${periodOf(usage, clock) || null}` ?? '';
  const taxed = sign(usage.taxes_amount_cents) === 1 ? say`, ${money(total_amount_cents, currency)} with taxes` : null;
  const amount = money(amount_cents, currency) ?? 'an unknown amount';
  const levels = for_summary.levels ? '; highest, latest or unique values stay as they are' : '';
  return sentences(
    customerNote(usage.customer),
    used.length === 0
      ? `${subjectOf(usage, args)} has no usage${when}${during}`
      : `${subjectOf(usage, args)} has used ${amount}${when}${during}${taxed ?? ''}: ${linesOf(used, currency)}`,
    used.length > 0 &&
      say`No usage of ${listed(
        without_usage.map(metric => code(metric) ?? ''),
        6,
      )}`,
    say`Billed at each event, not with the period: ${listed(by_event ?? [], 4)}`,
    by_event === null &&
      sign(for_summary.unchecked) !== 1 &&
      'Which charges are billed at each event could not be read',
    say`Events of earlier periods are counted too, as the value carries over: ${listed(
      carried.map(metric => code(metric) ?? ''),
      4,
    )}`,
    byEventNote(for_summary, currency),
    groupNote(used),
    estimate !== null &&
      say`At this pace the whole period, of which ${estimate.elapsed_percent}% has passed, comes to about ${money(estimate.amount_cents, currency)} before taxes: the amounts so far carried on, without price tiers not reached yet${levels}`,
    'Plan fee, fixed charges, minimums, coupons and credits are not in it: preview_invoice gives the expected invoice',
  );
}

function describePast(usage: UsageBody, args: UsageArguments, clock: Clock): string {
  const { total, unchecked, remark = null, by_fees = [], unread = null } = usage.for_summary;
  const mayLack = say`Usage on invoices that state no period may be missing (${unread})`;
  const { usage_periods: periods = [], totals = [] } = usage;
  const subject = subjectOf(usage, args);
  if (periods.length === 0)
    return sentences(
      customerNote(usage.customer),
      remark === null
        ? `${subject} has no invoiced usage period yet`
        : `${subject}: no invoiced usage period was listed (${remark})`,
      say`Whether the customer and the subscription exist could not be checked (${code(unchecked)})`,
      mayLack,
    );
  // Charges that are billed at each event have an invoice for each, with the same period.
  const byPeriod = new Map<string, (typeof periods)[number][]>();
  for (const period of periods) {
    const when = pastPeriod(period, clock);
    byPeriod.set(when, [...(byPeriod.get(when) ?? []), period]);
  }
  const amounts = [...byPeriod].map(([when, rows]) => {
    const invoices = rows.length === 1 ? '' : ` on ${count(rows.length, 'invoice')}`;
    return `${totalsText(totalsOf(rows, ['amount_cents']), 'amount_cents') ?? 'an unknown amount'} ${when}${invoices}`;
  });
  const more = typeof total === 'number' && total > periods.length;
  return sentences(
    customerNote(usage.customer),
    `${subject} used ${listed(amounts, 6)}`,
    byPeriod.size > 1 && say`${totalsText(totals, 'amount_cents')} in all ${count(byPeriod.size, 'period')}`,
    say`Of the periods: ${remark}`,
    more && `${periods.length} of ${total} invoices with this usage are shown: periods_count gives more`,
    say`Of invoices that state no period, by the days of their fees: ${listed(by_fees.map(number => code(number) ?? 'one without a number'))}`,
    mayLack,
    groupNote(periods.flatMap(({ charges_usage }) => charges_usage)),
    'These are sums of the usage charges shown, before taxes, not the totals of the invoices',
  );
}

/** `in 9 Aug – 8 Sep (a draft, …)`; an invoice of one event may have no period. */
function pastPeriod(period: Usage, clock: Clock): string {
  const { from_datetime, to_datetime, issuing_date } = period;
  if (from_datetime && from_datetime === to_datetime) return 'at single events';
  const days = periodOf(period, clock) || 'a period without dates';
  const isDraft = Boolean(issuing_date) && !isPast(issuing_date, clock.now);
  return `in ${days}${isDraft ? ` (${issuedOn(period, clock.now)})` : ''}`;
}

function subjectOf(usage: UsageBody, args: UsageArguments): string {
  const alone = args.external_subscription_id === undefined ? ' (the only active one)' : '';
  const subject = `Subscription${say` ${code(usage.external_subscription_id)}` ?? ''}${alone}${say` of customer ${code(usage.external_customer_id)}` ?? ''}`;
  return `${subject}${partInWords(args)}`;
}

/**
 * In days of the customer's time zone. If that is unknown: in days if the period begins at midnight in UTC, else with
 * times, because days of another zone would be read wrongly.
 */
function periodOf({ from_datetime, to_datetime }: Period, { now, zone }: Clock): string {
  if (zone !== null || from_datetime?.includes('T00:00:00')) return formatPeriod(from_datetime, to_datetime, zone, now);
  return say`${instant(from_datetime, now)} to ${instant(to_datetime, now)}` ?? '';
}

const mostLines = 4;

/** What the service shows for charges that have no event, and are or may be billed by event. */
function byEventNote({ unbilled, unchecked }: Note, currency: unknown): string | null {
  const amountOf = (cents: unknown) => (sign(cents) === 1 ? money(cents, currency) : null);
  return sentences(
    say`Not counted, nor taxes for this reason: ${amountOf(unbilled)} that the service shows for charges without an event, which it bills by event`,
    say`${amountOf(unchecked)} of this is for charges without an event, and costs nothing where the service bills them by event, which could not be read`,
  );
}

/** `“API calls” 1,240 in 52 events = $310.00 and “Storage” 12 = $2.40`. */
function linesOf(used: readonly ShownCharge[], currency: unknown): string {
  const lines = used.map(({ name, billable_metric_code, units, events_count, amount_cents }) => {
    const events = typeof events_count === 'number' ? count(events_count, 'event') : null;
    const label = quoted(name) ?? code(billable_metric_code) ?? 'a charge';
    return `${label} ${roughly(units) ?? ''}${say` in ${events}` ?? ''}${say` = ${money(amount_cents, currency)}` ?? ''}`;
  });
  return listed(lines, mostLines) ?? '';
}

function groupNote(used: readonly ShownCharge[]): string | null {
  const cut = used.filter(({ groups_count }) => groups_count !== undefined);
  const parts = cut.map(
    charge =>
      `${charge.grouped_usage.length} of ${charge.groups_count} groups of ${code(charge.billable_metric_code) ?? 'a charge'}`,
  );
  return say`Shown, the largest first: ${listed(parts, 4)}`;
}
