/** Endpoint 2 (service-behaviour §3.2), and the single subscription (lookups §3). */
import type { FastifyRequest } from 'fastify';
import { methodNotAllowed, notFound } from '../errors.ts';
import { bodyOf, pathValue, queryValue, wrapped } from '../operations/input.ts';
import type { JsonObject, SubscriptionRecord } from '../records/index.ts';
import { loadAccountLists, loadPlanParts } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { answerSubscription, linked } from './lookups.ts';
import { applyOverrides } from './plan-override.ts';
import { readSubscriptionChanges } from './subscription-changes.ts';

export const subscriptionRoutes: Routes = (app, context) => {
  app.get('/subscriptions/:external_id', async request => {
    const { account } = request;
    const status = queryValue(request, 'status') ?? 'active';
    const subscription = await ofStatus(account, pathValue(request, 'external_id'), status);
    const plan = await linked(account, 'plans', subscription.plan_id);
    return { subscription: await answer(account, subscription, plan, context.now()) };
  });

  app.put('/subscriptions/:external_id', request => {
    const input = wrapped(request, 'subscription');
    return request.account.transaction(async account => {
      const subscription = await chosen(account, pathValue(request, 'external_id'), wantedStatus(request));
      refuseByState(subscription, input);
      const now = context.now();
      const plan = await linked(account, 'plans', subscription.plan_id);
      const changes = await readSubscriptionChanges(account, subscription, plan, input, now);
      const overrides = input.plan_overrides;
      const overridden =
        overrides === undefined || overrides === null
          ? { plan, changes: {} }
          : await applyOverrides(account, plan, subscription, overrides, now);
      const all = { ...changes, ...overridden.changes, updated_at: now.toISOString() };
      await account.update('subscriptions', subscription.id, all);
      return { subscription: await answer(account, { ...subscription, ...all }, overridden.plan, now) };
    });
  });
};

/** `status` of the query, or of the body's top level, selects among several subscriptions. */
function wantedStatus(request: FastifyRequest): unknown {
  return queryValue(request, 'status') ?? bodyOf(request).status;
}

/**
 * The only subscription with the external id, in any status. Among several: the pending or incomplete one when `status`
 * asks for it, else the active one. The subscription is locked and then read again. Throws 404.
 */
async function chosen(account: AccountStore, externalId: string, status: unknown): Promise<SubscriptionRecord> {
  const found = await account.find('subscriptions', { external_id: externalId });
  const newestFirst = found.sort((a, b) => (a.subscription_at < b.subscription_at ? 1 : -1));
  const wanted = status === 'pending' || status === 'incomplete' ? status : 'active';
  const picked = newestFirst.length === 1 ? newestFirst[0] : newestFirst.find(each => each.status === wanted);
  const held = picked && (await account.get('subscriptions', picked.id, { lock: true }));
  if (held === undefined) throw notFound('subscription');
  return held;
}

/** Among several in the status: the one without an end or with the latest end, then start (lookups §3). Throws 404. */
async function ofStatus(account: AccountStore, externalId: string, status: unknown): Promise<SubscriptionRecord> {
  const found = await account.find('subscriptions', { external_id: externalId });
  const endless = '9999';
  const [latest] = found
    .filter(subscription => subscription.status === status)
    .sort(
      (a, b) =>
        (b.ending_at ?? endless).localeCompare(a.ending_at ?? endless) ||
        b.subscription_at.localeCompare(a.subscription_at),
    );
  if (latest === undefined) throw notFound('subscription');
  return latest;
}

/** Throws 405. */
function refuseByState(subscription: SubscriptionRecord, input: JsonObject): void {
  if (subscription.status === 'incomplete') throw methodNotAllowed('subscription_incomplete');
  const ended = subscription.status === 'terminated' || subscription.status === 'canceled';
  const purchaseOrder = input.purchase_order_number;
  if (ended && purchaseOrder !== undefined && purchaseOrder !== subscription.purchase_order_number) {
    throw methodNotAllowed('purchase_order_number_not_editable');
  }
}

async function answer(
  account: AccountStore,
  subscription: SubscriptionRecord,
  plan: Awaited<ReturnType<typeof applyOverrides>>['plan'],
  now: Date,
) {
  return answerSubscription(account, subscription, {
    customer: await linked(account, 'customers', subscription.customer_id),
    lists: await loadAccountLists(account),
    now,
    plan,
    planParts: await loadPlanParts(account, [plan]),
  });
}
