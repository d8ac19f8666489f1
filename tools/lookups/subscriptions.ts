/** Subscriptions of a customer or of the account, in every state (docs/lookups.md §3). */

import * as z from 'zod';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import { subscriptionFilters } from '../../src/contract/list-filters.ts';
import type { Customer, Subscription } from '../../src/contract/shown.ts';
import { type Api, isWhole, type ListPageArgs, type NoAnswer, type Rows } from '../../src/definition/api.ts';
import { customerOrName, dayOrTime, idText, paging, subscriptionId } from '../../src/definition/args.ts';
import { defineLookup, type SummaryContext } from '../../src/definition/define.ts';
import { refuse } from '../../src/definition/failure.ts';
import { filterArguments } from '../../src/definition/field-arguments.ts';
import { asRead } from '../../src/lib/case-folding.ts';
import { nextBillingDay, trialEnd } from '../../src/words/billing-days.ts';
import { formatPeriod } from '../../src/words/dates.ts';
import { timeZoneNote, withLocalTimes } from '../../src/words/list-time-zone.ts';
import {
  catalogueNoteOf,
  describeOwnUnits,
  describePlanPrices,
  describeSubscription,
  describeTaxes,
  describeTerms,
} from '../../src/words/subscription.ts';
import * as w from '../../src/words/summary.ts';
import { onDay, zoneOf } from '../../src/words/zoned-times.ts';
import { thresholdsInWords } from '../plan-overrides/changes.ts';
import {
  type SubscriptionWithQuantities,
  type WithInterval,
  withIntervals,
  withOwnQuantities,
} from '../quotes/quantities.ts';
import { readList, shownFields, shownNote } from '../records/list-pages.ts';
import { customerField, customerNote, type ForSummary, readOfCustomer, sayMade } from '../records/named-customer.ts';
import { readOne, readShown, zoneOfCustomer } from '../records/one-record.ts';
import { readEnding } from './ending-subscriptions.ts';
import { subscriptionExtras } from './subscription-extras.ts';
import { activeFirst, countedByStatus, onPlan, overdueEnd, stateOf, withoutEnd } from './subscription-list.ts';

/** Plans that may be meant. */
const mostNamed = 5;
/** Entries to read of a list that is not shown itself. */
const wholeList = 100;

const moments = [
  ...(['subscription_at', 'started_at', 'ending_at', 'trial_ends_at', 'terminated_at', 'canceled_at'] as const),
];

const status = z.enum(subscriptionStatuses);

export const listSubscriptions = defineLookup({
  name: 'list_subscriptions',
  title: 'List subscriptions',
  toolset: 'subscriptions',
  endpoint: 'GET /subscriptions',
  description:
    'Lists who is on which plan: subscriptions of one customer or all, in every state unless status is set. A missing status means active. For usage prices, use get_subscription.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      plan_code: idText().describe('Only this plan').optional(),
      status: z.array(status).describe('Default all').optional(),
      ending_before: dayOrTime.describe('Ends or changes plan before this day or time; soonest first').optional(),
      trial_ends_before: dayOrTime.describe('Trial ends before this day or time').optional(),
      ...filterArguments(subscriptionFilters),
      ...paging,
    })
    .refine(args => args.ending_before === undefined || args.trial_ends_before === undefined, {
      path: ['trial_ends_before'],
      error: 'cannot be sent together with ending_before: send one of them',
    }),
  async run(args, api) {
    const {
      external_customer_id,
      status = [],
      page,
      per_page,
      all,
      ending_before,
      trial_ends_before,
      ...filters
    } = args;
    const pages = { page, per_page, all };
    const list = await readOfCustomer<FoundSubscriptions>(api, external_customer_id, customer =>
      ending_before === undefined && trial_ends_before === undefined
        ? readSubscriptions(api, customer, { ...filters, status }, pages)
        : readEnding(api, customer, { ...filters, status, ending_before, trial_ends_before }, pages),
    );
    if (!list.ok) return list;
    const { rows } = list;
    const owner = list.customer?.external_id ?? external_customer_id;
    const zone = owner === undefined || rows.length === 0 ? null : await zoneOfCustomer(api, owner);
    const extras = await subscriptionExtras(api, rows);
    const subscriptions = withLocalTimes(rows, moments, zone).map((row, index) => ({
      ...row,
      ...extras[index],
      next_invoice: nextBillingDay(rows[index] ?? {}, zone, api.now),
    }));
    const for_summary = [customerNote(list.customer), ...list.tell(subscriptions), timeZoneNote(zone)];
    return { ok: true, body: { ...customerField(list.customer), subscriptions, ...list.shown, for_summary } };
  },
  result: 'subscriptions',
  answer: 'made list',
  brief: `
    external_id name?=external_id external_customer_id status?active plan_code plan_amount_cents plan_amount_currency
    subscription_at started_at ending_at trial_ends_at terminated_at canceled_at next_plan_code downgrade_plan_date
    next_invoice
  `,
  more: 'ending_at minimum_commitment own_prices alerts',
  say: sayMade,
});

export const getSubscription = defineLookup({
  name: 'get_subscription',
  title: 'Get a subscription',
  toolset: 'subscriptions',
  endpoint: 'GET /subscriptions/{external_id}',
  description:
    'Returns a subscription in any state with its plan, prices and billing periods. For what was used, use get_usage.',
  input: z.strictObject({
    external_id: subscriptionId,
    status: status.describe('Which one, if several share the ID').optional(),
  }),
  run: ({ external_id, status }, api) => readSubscription(api, external_id, status),
  result: 'subscription',
  answer: 'made record',
  brief: `
    external_id external_customer_id name?=external_id status plan_code plan_amount_cents plan_amount_currency
    subscription_at ending_at terminated_at canceled_at cancellation_reason
    current_billing_period_started_at current_billing_period_ending_at next_invoice trial_ended_at
    previous_plan_code next_plan_code downgrade_plan_date
    plan{name?=code interval pay_in_advance? minimum_commitment{amount_cents} charges{billable_metric_code price}
    fixed_charges{add_on_code price}} others{status plan_code started_at terminated_at canceled_at}
  `,
  more: `
    svc_id billing_time activation_rules on_termination_credit_note on_termination_invoice consolidate_invoice
    payment_method purchase_order_number progressive_billing_disabled
    plan{svc_id parent_id charges{svc_id code invoice_display_name properties filters taxes} taxes}
    applicable_usage_thresholds applied_invoice_custom_sections entitlements
  `,
  say: (subscription: SubscriptionWithOthers, { now, beside }: SummaryContext<Owner>) =>
    describeRecord(subscription, now, beside?.zone ?? null, beside?.customer ?? null),
});

type SubscriptionRow = Subscription &
  WithInterval & { readonly next_invoice?: string | null; readonly trial_ends_at?: string };

interface FoundSubscriptions {
  readonly ok: true;
  readonly rows: readonly SubscriptionRow[];
  /** Which part of the list they are. */
  readonly shown: object;
  /** Their sentences; the rows have their times in the customer's zone. */
  tell(rows: readonly SubscriptionRow[]): ForSummary['for_summary'];
}

type SubscriptionWithOthers = SubscriptionWithQuantities & {
  readonly next_invoice: string | null;
  readonly others: readonly Subscription[];
};
interface Owner {
  readonly zone?: string | null;
  readonly customer?: Customer | null;
}

async function readSubscriptions(
  api: Api,
  customer: string | undefined,
  { status, ...filters }: { readonly status: readonly string[]; readonly plan_code?: string | undefined },
  pages: ListPageArgs,
): Promise<FoundSubscriptions | NoAnswer> {
  // Without statuses the service lists the active ones only.
  const query = { ...filters, status: status.length === 0 ? subscriptionStatuses : status };
  const list = await readList(api, 'subscriptions', customer, query, pages);
  if (!list.ok) return list;
  const { rows, total } = list;
  const active = rows.filter(row => row.status === 'active');
  const priced = await withIntervals(api, (active.length > 0 ? active : activeFirst(rows)).slice(0, mostNamed));
  const intervals = new Map(priced.map(row => [row.svc_id, row.plan_interval]));
  const isEmpty = rows.length === 0 && (total ?? 0) === 0;
  const plan = isEmpty && filters.plan_code !== undefined ? await planNote(api, filters.plan_code) : null;
  const shownRows = rows.map((row): SubscriptionRow => {
    const { svc_id, started_at } = row;
    return { ...row, plan_interval: intervals.get(svc_id), ...(started_at && { subscription_at: null }) };
  });
  return {
    ok: true,
    rows: shownRows,
    shown: shownFields(list),
    tell: rows => describeList(list, rows, { ofMany: customer === undefined, status, plan }, api.now),
  };
}

/** For an unknown code the service lists nothing: this names the plans that may be meant. Null if the plan exists. */
async function planNote(api: Api, wanted: string): Promise<string | null> {
  if (!api.mayUse('list_plans')) return null;
  const answer = await api.get('/plans', { key: 'plans', query: { per_page: wholeList } });
  if (!answer.ok) return null;
  const plans = answer.body.plans ?? [];
  const more = typeof answer.body.meta?.next_page === 'number';
  if (more || plans.some(plan => plan.code === wanted)) return null;
  const text = asRead(wanted);
  const near = plans.filter(({ code, name }) => [code, name].some(label => label && asRead(label).includes(text)));
  const choices = near.map(plan => w.named(plan.name, plan.code) ?? '');
  const meant = w.say`: ask for the code of ${w.listed(choices, mostNamed)}` ?? '; list_plans shows the codes';
  return `No plan has the code ${w.quoted(wanted)}${meant}`;
}

function describeList(
  list: Rows,
  rows: readonly SubscriptionRow[],
  { ofMany, status, plan }: { ofMany: boolean; status: readonly string[]; plan: string | null },
  now: Date,
): ForSummary['for_summary'] {
  const matching = shownNote(list, 'subscription');
  const isWhole = list.nextPage === null && rows.length === list.total;
  const active = rows.filter(row => row.status === 'active');
  const namedRows = active.length > 0 ? active : activeFirst(rows);
  const lines = namedRows.map(row => oneLine(row, ofMany, now));
  // Of one state alone, the number says it: `2 active subscriptions`.
  const states = countedByStatus(rows);
  const [sole] = new Set(rows.map(({ status }) => stateOf(status)));
  const isSole = isWhole && sole !== undefined && rows.every(({ status }) => stateOf(status) === sole);
  return [
    matching === null
      ? `No subscription matches in ${w.say`state ${w.listed(status)}` ?? 'any state'}`
      : isSole
        ? `${w.count(rows.length, `${sole} subscription`)}: ${w.firstOf(lines)}`
        : w.phrase`${matching}${isWhole && `: ${states}`}`,
    plan,
    !isWhole && w.say`Of these: ${states}`,
    !isSole &&
      w.say`${active.length > 0 ? 'Active' : `None ${isWhole ? '' : 'of these '}is active`}: ${w.firstOf(lines)}`,
    withoutEnd(rows),
    catalogueNoteOf(active),
  ];
}

function oneLine(row: SubscriptionRow, ofMany: boolean, now: Date): string {
  const of = ofMany && w.say` of customer ${w.code(row.external_customer_id)}`;
  // The row has its times in the customer's zone.
  const ended = row.terminated_at ?? row.canceled_at;
  const since =
    row.status === 'active' ? null : w.say`, ${stateOf(row.status)}${w.opt` on ${w.day(ended?.slice(0, 10), now)}`}`;
  return w.phrase`${w.named(row.name, row.external_id) ?? 'one without an id'}${of}${onPlan(row)}${overdueEnd(row, null, now)}${since}${w.say`, next invoice on ${w.day(row.next_invoice, now)}`}`;
}

/** §3: which states the external id has, in one request; then the record in the state that is meant. */
async function readSubscription(api: Api, external_id: string, status: string | undefined) {
  const query = { external_id, status: subscriptionStatuses };
  const list = await api.list('/subscriptions', { key: 'subscriptions', query }, { per_page: wholeList });
  if (!list.ok) return list;
  const all = list.rows;
  const known = activeFirst(all.filter(row => row.external_id === external_id));
  const chosen = known.find(row => status === undefined || row.status === status);
  // If the list holds other ids, the service has ignored the filter; if rows are missing, the list is not whole. Then
  // only the record itself can tell.
  if (chosen === undefined && (known.length > 0 || (all.length === 0 && isWhole(list))))
    return {
      ok: false as const,
      error: refuse('no_match', {
        case: 'subscription',
        tool: api.tool,
        lister: 'list_subscriptions',
        status,
        id: w.quoted(external_id),
        states: known.length === 0 ? null : countedByStatus(known),
      }),
    };
  const state = status ?? (chosen?.status || undefined);
  const [answer, owner] = await Promise.all([
    readOne(api, 'subscription', external_id, { query: { status: state } }),
    readShown(api, 'customer', chosen?.external_customer_id),
  ]);
  if (!answer.ok) return answer;
  const zone = zoneOf({ customer: owner });
  const subscription = await withOwnQuantities(api, answer.body, external_id, state);
  const others = known.filter(row => row.svc_id !== subscription.svc_id);
  const next_invoice = nextBillingDay(subscription, zone, api.now);
  return {
    ok: true as const,
    body: { subscription: { ...subscription, next_invoice, others } },
    beside: { zone, customer: owner },
  };
}

function describeRecord(
  subscription: SubscriptionWithOthers,
  now: Date,
  zone: string | null,
  customer: Customer | null,
): string {
  const { others, next_invoice } = subscription;
  const { current_billing_period_started_at: from, current_billing_period_ending_at: to } = subscription;
  const plan = subscription.plan ?? {};
  const currency = plan.amount_currency ?? subscription.plan_amount_currency;
  const starts = [subscription, ...others].flatMap(({ started_at }) => started_at || []);
  const firstStart = starts.sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  const trial = trialEnd(subscription, firstStart);
  const hasEnded = subscription.status === 'terminated' || subscription.status === 'canceled';
  const sharesState = others.some(row => row.status === subscription.status);
  return w.sentences(
    describeSubscription(subscription, now, zone),
    describeTerms(subscription),
    subscription.status === 'active' &&
      w.say`Usage period: ${formatPeriod(from, to, zone, now) || null}${w.opt`, billed on ${w.day(next_invoice, now)}`}`,
    trial !== null && Date.parse(trial) > now.getTime() && w.say`Its trial ends ${onDay(trial, zone, now)}`,
    !hasEnded && describePlanPrices(subscription),
    !hasEnded && describeOwnUnits(subscription),
    !hasEnded && w.say`Minimum commitment ${w.money(plan.minimum_commitment?.amount_cents, currency)}`,
    !hasEnded && describeTaxes(subscription, customer),
    !hasEnded && w.say`Usage thresholds: ${thresholdsInWords(subscription.applicable_usage_thresholds, currency)}`,
    others.length > 0 &&
      w.phrase`The same external ID also has ${countedByStatus(others)}; send status to choose${sharesState ? '. Several are in this state, and the service returned this one' : null}`,
  );
}
