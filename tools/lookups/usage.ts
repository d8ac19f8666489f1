/** Usage of the running period and of earlier ones (docs/lookups.md §6). */

import type { Usage } from '../../src/contract/answers.ts';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Charge, Subscription } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { defineLookup, type ForExport, type SummaryContext } from '../../src/definition/define.ts';
import { refuse, type ToolError } from '../../src/definition/failure.ts';
import { only } from '../../src/lib/collections.ts';
import { byText } from '../../src/lib/text.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { code, count, listed, named, phrase, quoted, say, sign } from '../../src/words/summary.ts';
import { totalsOf } from '../quotes/totals.ts';
import { readUnstated, type UnstatedPeriod } from '../quotes/unstated-periods.ts';
import { chargesOf, estimateOf, hasLevels, sumOf, usageFields, usageRows } from '../quotes/usage-parts.ts';
import { billedUsage, readInAdvance, recurringOf } from '../records/charges-by-event.ts';
import { readList } from '../records/list-pages.ts';
import { customerField, ofCustomer } from '../records/named-customer.ts';
import { readOne } from '../records/one-record.ts';
import { zoneOfCustomer } from '../records/written-record.ts';
import { partOfUsage, type UsageArguments, usageInput } from './usage-arguments.ts';
import { type Clock, describeCurrent, describePast, type UsageBody } from './usage-summary.ts';

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
    'Returns usage charges of a subscription: units, events and amounts so far this period, with an estimate for the whole period, or of past periods. Excludes plan fee, coupons and credits: for the expected invoice, use preview_invoice.',
  input: usageInput,
  async run(args, api) {
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
  answer: 'made report',
  brief: `
    customer external_customer_id external_subscription_id from_datetime to_datetime currency amount_cents
    taxes_amount_cents total_amount_cents estimate ${charges} shown totals
    usage_periods{from_datetime to_datetime currency amount_cents svc_invoice_id ${charges}}
  `,
  say: (usage: UsageBody, { args, now, beside }: SummaryContext<Partial<Clock>, object, UsageArguments>) =>
    (args.period === 'past' ? describePast : describeCurrent)(usage, args, { now, zone: beside?.zone ?? null }),
});

type Failure = { ok: false; error: ToolError };

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
    readOne(api, 'customer_usage', customer, {
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
  const { usage, unbilled, unchecked } = await billedUsage(api, answer.body, subscription, undefined, inAdvance);
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
  if (!api.mayUse('list_subscriptions')) {
    const answer = await readOne(api, 'customer', customer);
    return answer.ok ? { ok: true, subscriptions: [], more: true } : answer;
  }
  const list = await readList(api, 'subscriptions', customer, { status: subscriptionStatuses }, { per_page: 100 });
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
  const many = phrase`${more ? 'more than ' : null}${count(active.length, 'active subscription')}`;
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
  const hint = phrase`${state}.${past}${say` Active: ${choicesOf(active)}.`}`;
  return { ok: false, error: { ...error, message, hint } };
}

function choicesOf(subscriptions: readonly Subscription[]): string | null {
  const texts = subscriptions.map(({ external_id, name, plan_code, status }) => {
    const state = status === 'active' ? null : say`, ${wordsOf('subscription', status)}`;
    return phrase`${named(name, external_id)}${say` on plan ${code(plan_code)}`}${state}`;
  });
  return listed(texts, 4);
}
