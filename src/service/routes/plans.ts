/** Endpoint 14 (service-behaviour §3.14), and the single plan (lookups §10). */

import { planAnswer } from '../answers/plan.ts';
import { notFound } from '../errors.ts';
import { pathValue } from '../operations/input.ts';
import { loadAccountLists, loadPlanParts } from '../store/account-lists.ts';
import { is } from '../store/conditions.ts';
import type { Routes } from './context.ts';
import { plainPage } from './lists.ts';

/** Reads plans, without the copies made by subscription overrides. */
export const planRoutes: Routes = app => {
  app.get('/plans', async (request, reply) => {
    const { account } = request;
    const { rows: plans, meta } = await plainPage(request, reply, 'plans', { where: is({ parent_id: null }) });
    const parts = await loadPlanParts(account, plans);
    const lists = await loadAccountLists(account);
    return { plans: plans.map(plan => planAnswer(plan, parts, lists)), meta };
  });

  app.get('/plans/:code', async request => {
    const { account } = request;
    const plan = await account.first('plans', { code: pathValue(request, 'code'), parent_id: null });
    if (plan === undefined) throw notFound('plan');
    const parts = await loadPlanParts(account, [plan]);
    return { plan: planAnswer(plan, parts, await loadAccountLists(account)) };
  });
};
