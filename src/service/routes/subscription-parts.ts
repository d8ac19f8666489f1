/** What a subscription's plan gives and bills (lookups §12): entitlements, charges, fixed charges. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { byText } from '../../lib/text.ts';
import { chargeAnswer, entitlementAnswer, fixedChargeAnswer } from '../answers/catalogue.ts';
import { linked } from '../operations/lookups.ts';
import { loadAccountLists, loadPlanParts } from '../store/account-lists.ts';
import { subscriptionOf } from './alerts.ts';
import type { Routes } from './context.ts';
import { listFilters } from './list-query.ts';
import { listPageMeta, listPageOf } from './pages.ts';

/** The subscription is the active one unless the query's `subscription_status` says otherwise. */
export const subscriptionPartRoutes: Routes = app => {
  app.get('/subscriptions/:external_id/entitlements', async (request, reply) => {
    const { plan } = await subscriptionWithPlan(request, reply, false);
    return { entitlements: plan.entitlements.map(entitlementAnswer) };
  });

  app.get('/subscriptions/:external_id/charges', async (request, reply) => {
    const { plan } = await subscriptionWithPlan(request, reply, true);
    const { shown, meta } = chargeListPage(request, plan.charges);
    const [parts, lists] = [await loadPlanParts(request.account, [plan]), await loadAccountLists(request.account)];
    return { charges: shown.map(charge => chargeAnswer(charge, parts, lists)), meta };
  });

  app.get('/subscriptions/:external_id/fixed_charges', async (request, reply) => {
    const { plan, subscription } = await subscriptionWithPlan(request, reply, true);
    const { shown, meta } = chargeListPage(request, plan.fixed_charges);
    const [parts, lists] = [await loadPlanParts(request.account, [plan]), await loadAccountLists(request.account)];
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

/** The charges on the list page that the request asks for: newest first, then by id. */
function chargeListPage<Charge extends { id: string; created_at: string }>(
  request: FastifyRequest,
  all: readonly Charge[],
) {
  const page = listPageOf(request);
  const ordered = [...all].sort((a, b) => byText(b.created_at, a.created_at) || byText(a.id, b.id));
  const from = (page.page - 1) * page.size;
  return { shown: ordered.slice(from, from + page.size), meta: listPageMeta(page, all.length) };
}
