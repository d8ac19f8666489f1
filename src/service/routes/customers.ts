/** Endpoints 8 and 16 (service-behaviour §3.8, §3.16). */
import { customerAnswer } from '../answers/customer.ts';
import { pathValue } from '../operations/input.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { Routes } from './context.ts';
import { customerByExternalId } from './lookups.ts';
import { portalUrl } from './portal.ts';

export const customerRoutes: Routes = (app, context) => {
  app.get('/customers/:external_customer_id', async request => {
    const customer = await customerByExternalId(request.account, pathValue(request, 'external_customer_id'));
    return { customer: customerAnswer(customer, await loadAccountLists(request.account)) };
  });

  app.get('/customers/:external_customer_id/portal_url', async request => {
    const customer = await customerByExternalId(request.account, pathValue(request, 'external_customer_id'));
    return { customer: { portal_url: portalUrl(context, request.account.organization.id, customer.id) } };
  });
};
