/** Endpoint 14 (service-behaviour §3.14). */

import { planAnswer } from '../answers/plan.ts';
import { loadAccountLists, loadPlanParts } from '../store/account-lists.ts';
import type { Routes } from './context.ts';
import { pageMeta, pageOf, rowsOf } from './pages.ts';

/** Lists plans, without the copies made by subscription overrides. */
export const planRoutes: Routes = app => {
  app.get('/plans', async request => {
    const { account } = request;
    const page = pageOf(request);
    const listed = { parent_id: null };
    const total = await account.count('plans', listed);
    const plans = await rowsOf(page, total, window => account.find('plans', listed, window));
    const parts = await loadPlanParts(account, plans);
    const lists = await loadAccountLists(account);
    return { plans: plans.map(plan => planAnswer(plan, parts, lists)), meta: pageMeta(page, total) };
  });
};
