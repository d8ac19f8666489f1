/** Endpoint 2 (service-behaviour §3.2), and the lists and the single subscription (lookups §3). */
import type { FastifyRequest } from 'fastify';
import { isOneOf, type SubscriptionStatus, subscriptionStatuses } from '../../contract/enums.ts';
import type { JsonObject, SubscriptionRecord } from '../../engine/records/index.ts';
import { byText } from '../../lib/text.ts';
import { subscriptionAnswer, subscriptionDetailAnswer, subscriptionListAnswer } from '../answers/subscription.ts';
import { methodNotAllowed, notFound } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { bodyOf, pathValue, queryValue, wrappedObject } from '../operations/input.ts';
import { linked, subscriptionRelations } from '../operations/lookups.ts';
import { applyOverrides } from '../operations/plan-overrides.ts';
import { loadAccountLists, loadPlanParts, parentOf } from '../store/account-lists.ts';
import { type Condition, every, is, linksTo, not } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { billingEntityIds, type ListFilters, ofEntities } from './list-query.ts';
import { reads } from './lists.ts';
import { setNotice } from './notice.ts';
import { readOverrides } from './plan-overrides.ts';
import { readSubscriptionChanges } from './subscription-changes.ts';

export const subscriptionRoutes: Routes = (app, context) => {
  reads('subscriptions', {
    ofCustomer: { deleted: false },
    filter: filters => {
      const conditions = subscriptionConditions(filters);
      const codes = filters.texts('billing_entity_codes', 'refused');
      return async account => every(...conditions, ofEntities(await billingEntityIds(account, codes)));
    },
    order: [
      ['subscription_at', 'desc'],
      ['created_at', 'desc'],
    ],
    answers: async (account, rows, { now }) => {
      const relationsOf = await subscriptionRelations(account, rows, { lists: await loadAccountLists(account), now });
      return rows.map(each => subscriptionListAnswer(each, relationsOf(each)));
    },
  })(app, context);

  app.get('/subscriptions/:external_id', async request => {
    const { account } = request;
    const status = queryValue(request, 'status') || 'active';
    const subscription = await subscriptionInStatus(account, pathValue(request, 'external_id'), status);
    const relations = await relationsWithPlan(account, subscription, context.now());
    return { subscription: subscriptionDetailAnswer(subscription, relations) };
  });

  app.put('/subscriptions/:external_id', (request, reply) => {
    const input = wrappedObject(request, 'subscription');
    return request.account.transaction(async account => {
      const subscription = await lockedSubscription(account, pathValue(request, 'external_id'), wantedStatus(request));
      refuseByState(subscription, input);
      const now = context.now();
      const plan = await linked(account, 'plans', subscription.plan_id);
      const changes = await readSubscriptionChanges(account, subscription, plan, input, now);
      const answerOf = async (each: SubscriptionRecord) =>
        subscriptionAnswer(each, await relationsWithPlan(account, each, now));
      // A later override changes the copy of the plan itself.
      const before = await answerOf(subscription);
      const overrides = input.plan_overrides;
      const overridden =
        overrides === undefined || overrides === null
          ? { plan, changes: {}, dropped: [] }
          : await applyOverrides(account, plan, subscription, await readOverrides(account, overrides), now);
      if (changes.usage_thresholds?.length && plan.parent_id !== null) {
        await account.update('plans', overridden.plan.id, { usage_thresholds: [] });
      }
      const allChanges = { ...changes, ...overridden.changes, updated_at: now.toISOString() };
      await account.update('subscriptions', subscription.id, allChanges);
      const after = await answerOf({ ...subscription, ...allChanges });
      setNotice(reply, [...overridden.dropped, ...(changes.activation_rules?.length ? [waitsForNothing] : [])]);
      const { external_customer_id, external_id: external_subscription_id } = after;
      await logActivity(account, {
        type: 'subscription.updated',
        resource_type: 'Subscription',
        before,
        after,
        external_customer_id,
        external_subscription_id,
        at: allChanges.updated_at,
      });
      return { subscription: after };
    });
  });
};

const waitsForNothing = 'activation rules are stored and stay inactive: no start waits for a payment here';

/** `status` of the query, or of the body's top level, selects among several subscriptions. */
function wantedStatus(request: FastifyRequest): unknown {
  return queryValue(request, 'status') ?? bodyOf(request).status;
}

/**
 * The only subscription with the external id, in any status. Among several: the pending or incomplete one when `status`
 * asks for it, else the active one. The subscription is locked and then read again. Throws 404.
 */
async function lockedSubscription(
  account: AccountStore,
  externalId: string,
  status: unknown,
): Promise<SubscriptionRecord> {
  const subscriptions = await account.find('subscriptions', { external_id: externalId });
  const newestFirst = subscriptions.sort((a, b) => (a.subscription_at < b.subscription_at ? 1 : -1));
  const chosenStatus = status === 'pending' || status === 'incomplete' ? status : 'active';
  const chosen = newestFirst.length === 1 ? newestFirst[0] : newestFirst.find(each => each.status === chosenStatus);
  const locked = chosen && (await account.get('subscriptions', chosen.id, { lock: true }));
  if (locked === undefined) throw notFound('subscription');
  return locked;
}

/** Among several in the status: the one without an end or with the latest end, then start (lookups §3). Throws 404. */
async function subscriptionInStatus(
  account: AccountStore,
  externalId: string,
  status: string,
): Promise<SubscriptionRecord> {
  const subscriptions = await account.find('subscriptions', { external_id: externalId });
  const endless = '9999';
  const end = (each: SubscriptionRecord) => each.terminated_at ?? each.ending_at ?? endless;
  const start = (each: SubscriptionRecord) => each.started_at ?? each.subscription_at;
  const [latest] = subscriptions
    .filter(subscription => subscription.status === status)
    .sort((a, b) => byText(end(b), end(a)) || byText(start(b), start(a)));
  if (latest === undefined) throw notFound('subscription');
  return latest;
}

/** Refuses updates that the subscription's status forbids. Throws 405. */
function refuseByState(subscription: SubscriptionRecord, input: JsonObject): void {
  if (subscription.status === 'incomplete') throw methodNotAllowed('subscription_incomplete');
  const ended = subscription.status === 'terminated' || subscription.status === 'canceled';
  const { purchase_order_number: sent } = input;
  const purchaseOrder = typeof sent === 'string' ? sent.trim() || null : sent;
  if (ended && purchaseOrder !== undefined && purchaseOrder !== subscription.purchase_order_number) {
    throw methodNotAllowed('purchase_order_number_not_editable');
  }
}

/** What the answers with the whole plan need. */
async function relationsWithPlan(account: AccountStore, subscription: SubscriptionRecord, now: Date) {
  const lists = await loadAccountLists(account);
  const relations = (await subscriptionRelations(account, [subscription], { lists, now }))(subscription);
  const [parts, parent] = [await loadPlanParts(account, [relations.plan]), await parentOf(account, relations.plan)];
  return { ...relations, planParts: { ...parts, parent } };
}

function subscriptionConditions(filters: ListFilters): Condition<'subscriptions'>[] {
  const overridden = filters.text('overridden') ?? filters.text('overriden');
  const fields = is<'plans'>({ code: filters.text('plan_code'), amount_currency: filters.text('currency') });
  const isParent = is<'plans'>({ parent_id: null });
  const kind = overridden === 'false' ? isParent : not(isParent);
  return [
    is({ external_id: filters.text('external_id'), status: statusesOf(filters) }),
    linksTo('plan_id', 'plans', overridden === undefined ? fields : every(fields, kind)),
  ];
}

/** Active ones by default. One unknown status drops the filter (lookups §3). */
function statusesOf(filters: ListFilters): SubscriptionStatus[] | undefined {
  const sent = filters.texts('status');
  if (sent === undefined) return ['active'];
  const known = sent.filter(status => isOneOf(subscriptionStatuses, status));
  if (known.length === sent.length) return known;
  filters.ignore('status[]');
  return undefined;
}
