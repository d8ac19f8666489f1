/** Usage of the running period and of earlier ones (docs/lookups.md §6). */

import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Subscription } from '../../src/contract/shown.ts';
import type { Api, NoAnswer } from '../../src/definition/api.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { refuse, type ToolError } from '../../src/definition/failure.ts';
import { only } from '../../src/lib/collections.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { code, count, listed, named, phrase, quoted, say, sentences } from '../../src/words/summary.ts';
import { usageFields, usageRows } from '../quotes/usage-parts.ts';
import { readList } from '../records/list-pages.ts';
import { customerField, customerNote, ofCustomer } from '../records/named-customer.ts';
import { readOne, zoneOfCustomer } from '../records/one-record.ts';
import { partInWords, type UsageArguments, usageInput } from './usage-arguments.ts';
import { readCurrent, readPast } from './usage-periods.ts';

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
    const { customer, usage, for_export } = answer;
    const for_summary = sentences(customerNote(customer), ...answer.said);
    return { ok: true, body: { usage: { ...customerField(customer), ...usage, for_summary }, for_export } };
  },
  result: 'usage',
  answer: 'made report',
  brief: `
    customer external_customer_id external_subscription_id from_datetime to_datetime currency amount_cents
    taxes_amount_cents total_amount_cents estimate ${charges} shown totals
    usage_periods{from_datetime to_datetime currency amount_cents svc_invoice_id ${charges}}
  `,
  say: ({ for_summary }: { for_summary: string }) => for_summary,
});

async function readUsage(api: Api, customer: string, args: UsageArguments) {
  const requestedId = args.external_subscription_id;
  const chosen =
    requestedId === undefined ? await onlyActive(api, customer) : { ok: true as const, external_id: requestedId };
  if (!chosen.ok) return chosen;
  const { external_id: id } = chosen;
  // An unknown customer has an empty list too. If the tool chose the subscription, the customer is known.
  const check = async () => (requestedId === undefined ? null : checkSubscription(api, customer, requestedId));
  const current = async () => {
    const read = await readCurrent(api, customer, id, args);
    const isInactive = !read.ok && read.error.code === 'no_active_subscription' && requestedId !== undefined;
    return isInactive ? notActive(api, customer, id, read.error) : read;
  };
  const [answer, zone] = await Promise.all([
    args.period === 'past' ? readPast(api, customer, id, args, check) : current(),
    zoneOfCustomer(api, customer),
  ]);
  if (!answer.ok) return answer;
  const ids = { external_customer_id: customer, external_subscription_id: id };
  const rows = answer.used.flatMap(usage => usageRows(usage, ids));
  const alone = requestedId === undefined ? ' (the only active one)' : '';
  const subject = phrase`Subscription${say` ${code(id)}`}${alone}${say` of customer ${code(customer)}`}${partInWords(args)}`;
  const said = answer.tell(subject, { now: api.now, zone });
  return { ok: true as const, usage: { ...answer.usage, ...ids }, said, for_export: { rows, fields: usageFields } };
}

/** Null if the customer has this subscription; `unchecked` says why this could not be read. */
async function checkSubscription(
  api: Api,
  customer: string,
  subscription: string,
): Promise<NoAnswer | { unchecked: string } | null> {
  const answer = await subscriptionsOf(api, customer);
  if (!answer.ok) return answer.error.code === 'customer_not_found' ? answer : { unchecked: answer.error.message };
  const known = answer.subscriptions.some(({ external_id }) => external_id === subscription);
  if (known || answer.more) return null;
  const choices = choicesOf(answer.subscriptions);
  const facts = { tool: api.tool, customer: code(customer), id: quoted(subscription), choices };
  return { ok: false, error: refuse('no_match', { case: 'subscription_of_other', ...facts }) };
}

type Subscriptions = { ok: true; subscriptions: Subscription[]; more: boolean } | NoAnswer;

/** The customer's subscriptions in every state. Without the right to list them, at least whether the customer exists. */
async function subscriptionsOf(api: Api, customer: string): Promise<Subscriptions> {
  if (!api.mayUse('list_subscriptions')) {
    const answer = await readOne(api, 'customer', customer);
    return answer.ok ? { ok: true, subscriptions: [], more: true } : answer;
  }
  const list = await readList(api, 'subscriptions', customer, { status: subscriptionStatuses }, { per_page: 100 });
  return list.ok ? { ok: true, subscriptions: list.rows, more: list.nextPage !== null } : list;
}

async function onlyActive(api: Api, customer: string): Promise<{ ok: true; external_id: string } | NoAnswer> {
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
async function notActive(api: Api, customer: string, subscription: string, error: ToolError): Promise<NoAnswer> {
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
