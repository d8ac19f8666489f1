/** Subscriptions as they are before a write, with their alerts, current usage and webhook endpoints. */

import type { Usage } from '../../src/contract/answers.ts';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Alert, WebhookEndpoint } from '../../src/contract/shown.ts';
import { type Api, isWhole, type ReadAnswer } from '../../src/definition/api.ts';
import { refuse } from '../../src/definition/failure.ts';
import { only } from '../../src/lib/collections.ts';
import { type SubscriptionWithQuantities, withOwnQuantities } from '../quotes/quantities.ts';
import { readOne, readShown, type WithCustomer, withCustomer } from './one-record.ts';

/** The subscription that a write is about. */
export type SubscriptionAsRead = WithCustomer<SubscriptionWithQuantities>;
/** The subscription that an alert watches. */
export type AlertSubject = SubscriptionAsRead & {
  readonly alerts?: readonly Alert[];
  readonly current_usage?: Usage;
  /** Where notifications go; null where that could not be read, absent where this caller may not see it. */
  readonly webhook_endpoints?: readonly WebhookEndpoint[] | null;
};

/**
 * The subscription that an update changes, with its plan and `customer`. If one subscription has the id: that one,
 * whatever its status. If several have it: the pending or incomplete one if `status` says so, else the active one
 * (service-behaviour §3.2).
 */
export async function readSubscription(
  api: Api,
  external_id: string,
  status: string | undefined,
  quantities = false,
): Promise<ReadAnswer<SubscriptionAsRead>> {
  const subscription = await readUpdated(api, external_id, status);
  if (!subscription.ok || !quantities) return subscription;
  const state = subscription.body.status || undefined;
  return { ok: true, body: await withOwnQuantities(api, subscription.body, external_id, state) };
}

async function readUpdated(
  api: Api,
  external_id: string,
  status: string | undefined,
): Promise<ReadAnswer<SubscriptionAsRead>> {
  const query = { external_id, status: [...subscriptionStatuses] };
  const listed = await api.list('/subscriptions', { key: 'subscriptions', query }, { all: true });
  if (!listed.ok) return listed;
  // A service that ignores the filter lists others, too.
  const statuses = listed.rows
    .filter(subscription => (subscription.external_id || external_id) === external_id)
    .map(subscription => subscription.status || 'active');
  // Then the record's own path answers: it refuses the id, or has a subscription that the list does not show.
  if (statuses.length === 0) return readSubscriptionIn(api, external_id, undefined);
  const wanted = status === 'pending' || status === 'incomplete' ? status : 'active';
  // In a list that was not read to its end, one row need not be the only one: then the record's own path answers.
  const whole = listed.nextPage === null && !listed.stopped;
  const chosenStatus = whole ? (only(statuses) ?? statuses.find(each => each === wanted)) : wanted;
  if (chosenStatus !== undefined) return readSubscriptionIn(api, external_id, chosenStatus);
  const facts = { tool: api.tool, lister: 'list_subscriptions', status: wanted };
  const id = JSON.stringify(external_id.slice(0, 80));
  return { ok: false, error: refuse('no_match', { case: 'shared_id', ...facts, id }) };
}

/** The subscription in this status, by default the active one, with its plan and `customer`. */
async function readSubscriptionIn(
  api: Api,
  external_id: string,
  status: string | undefined,
): Promise<ReadAnswer<SubscriptionAsRead>> {
  const others = { query: { status }, is: status === undefined ? {} : { status } };
  const answer = await readOne(api, 'subscription', external_id, others);
  return answer.ok ? { ok: true, body: await withCustomer(api, answer.body) } : answer;
}

/**
 * The subscription that a new alert would watch: the one in `status` (by default active, service-behaviour §3.9), with
 * its `alerts`, `current_usage` and the account's `webhook_endpoints` where this caller may see them.
 */
export async function readAlertSubject(
  api: Api,
  external_id: string,
  status: string | undefined,
): Promise<ReadAnswer<AlertSubject>> {
  const [subscription, alerts, endpoints] = await Promise.all([
    readSubscriptionIn(api, external_id, status ?? 'active'),
    api.mayUse('list_subscription_alerts') ? readAlerts(api, external_id, status) : null,
    readEndpoints(api),
  ]);
  if (!subscription.ok) return subscription;
  const { status: state, external_customer_id, external_id: id } = subscription.body;
  const query = { external_subscription_id: id ?? undefined };
  const usage = state === 'active' && id ? await readShown(api, 'customer_usage', external_customer_id, query) : null;
  return {
    ok: true,
    body: {
      ...subscription.body,
      ...(alerts !== null && { alerts }),
      ...(usage !== null && { current_usage: usage }),
      ...(endpoints !== undefined && { webhook_endpoints: endpoints }),
    },
  };
}

/** Kept for a minute, as other lists of the account. Undefined for a caller without the right to see them. */
async function readEndpoints(api: Api): Promise<WebhookEndpoint[] | null | undefined> {
  if (!api.mayUse('get_webhook_endpoint')) return undefined;
  let isForbidden = false;
  const read = async (): Promise<WebhookEndpoint[] | null> => {
    const list = await api.list('/webhook_endpoints', { key: 'webhook_endpoints' }, { per_page: 100 });
    isForbidden = !list.ok && (list.error.status === 403 || list.error.code === 'account_wide');
    // Of a part of them no one knows who is told.
    return list.ok && isWhole(list) ? list.rows : null;
  };
  const endpoints = await api.kept('webhook_endpoints', read);
  return isForbidden ? undefined : endpoints;
}

export async function readAlerts(
  api: Api,
  external_id: string,
  subscription_status: string | undefined,
): Promise<Alert[] | null> {
  const list = { key: 'alerts' as const, path: { external_id }, query: { subscription_status } };
  const answer = await api.list('/subscriptions/{external_id}/alerts', list, { per_page: 100 });
  return answer.ok ? answer.rows : null;
}
