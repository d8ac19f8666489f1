/** Endpoint 2 (service-behaviour §3.2), and the lists and the single subscription (lookups §3). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOneOf, type SubscriptionStatus, subscriptionStatuses } from '../../contract/enums.ts';
import type { JsonObject, PlanRecord, SubscriptionRecord } from '../../engine/records/index.ts';
import { isGiven } from '../../lib/json.ts';
import { byText } from '../../lib/text.ts';
import { chargeAnswer, entitlementAnswer, fixedChargeAnswer } from '../answers/catalogue.ts';
import { subscriptionAnswer, subscriptionDetailAnswer, subscriptionListAnswer } from '../answers/subscription.ts';
import { methodNotAllowed, orNotFound } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { bodyOf, pathValue, queryValue, wrappedObject } from '../operations/input.ts';
import { linked, subscriptionRelations } from '../operations/lookups.ts';
import { applyOverrides } from '../operations/plan-overrides.ts';
import { loadAccountLists, loadCatalogue, parentOf } from '../store/account-lists.ts';
import { type Condition, every, is, linksTo, not } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import { subscriptionOf } from './alerts.ts';
import type { Routes } from './context.ts';
import { type ListFilters, listFilters, ofEntities } from './list-query.ts';
import { listPageMeta, listPageOf, reads, windowOf } from './lists.ts';
import { setNotice } from './notice.ts';
import { readOverrides } from './plan-overrides.ts';
import { readSubscriptionChanges } from './subscription-changes.ts';

export const subscriptionRoutes: Routes = (app, context) => {
  reads('subscriptions', {
    ofCustomer: { deleted: false },
    filter: subscriptionCondition,
    entities: { of: ofEntities, scalar: 'refused' },
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
    const subscription = await subscriptionInStatus(request, pathValue(request, 'external_id'), status);
    const relations = await relationsWithPlan(account, subscription, context.now());
    return { subscription: subscriptionDetailAnswer(subscription, relations) };
  });

  app.put('/subscriptions/:external_id', (request, reply) => {
    const input = wrappedObject(request, 'subscription');
    return request.account.transaction(async account => {
      const subscription = await lockedSubscription(account, request);
      refuseByState(subscription, input);
      const now = context.now();
      const plan = await linked(account, 'plans', subscription.plan_id);
      const changes = await readSubscriptionChanges(account, subscription, plan, input, now);
      const answerOf = async (each: SubscriptionRecord) =>
        subscriptionAnswer(each, await relationsWithPlan(account, each, now));
      // A later override changes the copy of the plan itself.
      const before = await answerOf(subscription);
      const overrides = input.plan_overrides;
      const overridden = isGiven(overrides)
        ? await applyOverrides(account, plan, subscription, await readOverrides(account, overrides), now)
        : { plan, changes: {}, dropped: [] };
      if (changes.usage_thresholds?.length && plan.parent_id !== null) {
        await account.update('plans', overridden.plan.id, { usage_thresholds: [] });
      }
      const allChanges = { ...changes, ...overridden.changes, updated_at: now.toISOString() };
      await account.update('subscriptions', subscription.id, allChanges);
      const after = await answerOf({ ...subscription, ...allChanges });
      setNotice(reply, [...overridden.dropped, ...(changes.activation_rules?.length ? [waitsForNothing] : [])]);
      const { external_customer_id, external_id: external_subscription_id } = after;
      const links = { external_customer_id, external_subscription_id };
      const { updated_at: at } = allChanges;
      await logActivity(account, ['subscription.updated', 'Subscription'], [before, after], at, links);
      return { subscription: after };
    });
  });
};

const waitsForNothing = 'activation rules are stored and stay inactive: no start waits for a payment here';

/**
 * The only subscription with the external id, in any status. Among several: the pending or incomplete one when `status` of the
 * query or of the body's top level asks for it, else the active one. The subscription is locked and then read again. Throws 404.
 */
async function lockedSubscription(account: AccountStore, request: FastifyRequest): Promise<SubscriptionRecord> {
  const status = queryValue(request, 'status') ?? bodyOf(request).status;
  const subscriptions = await account.find('subscriptions', { external_id: pathValue(request, 'external_id') });
  const newestFirst = subscriptions.sort((a, b) => (a.subscription_at < b.subscription_at ? 1 : -1));
  const chosenStatus = status === 'pending' || status === 'incomplete' ? status : 'active';
  const chosen = newestFirst.length === 1 ? newestFirst[0] : newestFirst.find(each => each.status === chosenStatus);
  return orNotFound(chosen && (await account.get('subscriptions', chosen.id, { lock: true })), 'subscription');
}

/** Among several in the status: the one without an end or with the latest end, then start (lookups §3). Throws 404. */
async function subscriptionInStatus({ account }: FastifyRequest, external_id: string, status: string) {
  const subscriptions = await account.find('subscriptions', { external_id });
  const endless = '9999';
  const end = (each: SubscriptionRecord) => each.terminated_at ?? each.ending_at ?? endless;
  const start = (each: SubscriptionRecord) => each.started_at ?? each.subscription_at;
  const [latest] = subscriptions
    .filter(subscription => subscription.status === status)
    .sort((a, b) => byText(end(b), end(a)) || byText(start(b), start(a)));
  return orNotFound(latest, 'subscription');
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
  const [parts, parent] = [await loadCatalogue(account, [relations.plan]), await parentOf(account, relations.plan)];
  return { ...relations, planParts: { ...parts, parent } };
}

function subscriptionCondition(filters: ListFilters): Condition<'subscriptions'> {
  const overridden = filters.text('overridden') ?? filters.text('overriden');
  const fields = is<'plans'>({ code: filters.text('plan_code'), amount_currency: filters.text('currency') });
  const isParent = is<'plans'>({ parent_id: null });
  const kind = overridden === 'false' ? isParent : not(isParent);
  return every(
    is({ external_id: filters.text('external_id'), status: statusesOf(filters) }),
    linksTo('plan_id', 'plans', overridden === undefined ? fields : every(fields, kind)),
  );
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

/**
 * What a subscription's plan gives and bills (lookups §12). The subscription is the active one unless the query's
 * `subscription_status` says otherwise.
 */
export const subscriptionPartRoutes: Routes = app => {
  app.get('/subscriptions/:external_id/entitlements', async (request, reply) => {
    const { plan } = await subscriptionWithPlan(request, reply, false);
    return { entitlements: plan.entitlements.map(entitlementAnswer) };
  });

  app.get('/subscriptions/:external_id/charges', async (request, reply) => {
    const { plan } = await subscriptionWithPlan(request, reply, true);
    const { shown, meta, parts, lists } = await chargeListPage(request, plan, plan.charges);
    return { charges: shown.map(charge => chargeAnswer(charge, parts, lists)), meta };
  });

  app.get('/subscriptions/:external_id/fixed_charges', async (request, reply) => {
    const { plan, subscription } = await subscriptionWithPlan(request, reply, true);
    const { shown, meta, parts, lists } = await chargeListPage(request, plan, plan.fixed_charges);
    return { fixed_charges: shown.map(charge => fixedChargeAnswer(charge, parts, lists, subscription)), meta };
  });
};

async function subscriptionWithPlan(request: FastifyRequest, reply: FastifyReply, paged: boolean) {
  const filters = listFilters(request, { paged });
  for (const name of ['subscription_status', 'status']) filters.text(name);
  const subscription = await subscriptionOf(request.account, request);
  filters.finish(reply);
  return { subscription, plan: await linked(request.account, 'plans', subscription.plan_id) };
}

/** The charges on the list page that the request asks for, newest first, then by id; and what they refer to. */
async function chargeListPage<Charge extends { id: string; created_at: string }>(
  request: FastifyRequest,
  plan: PlanRecord,
  all: readonly Charge[],
) {
  const page = listPageOf(request);
  const ordered = [...all].sort((a, b) => byText(b.created_at, a.created_at) || byText(a.id, b.id));
  const { offset, limit } = windowOf(page);
  const [parts, lists] = [await loadCatalogue(request.account, [plan]), await loadAccountLists(request.account)];
  return { shown: ordered.slice(offset, offset + limit), meta: listPageMeta(page, all.length), parts, lists };
}
