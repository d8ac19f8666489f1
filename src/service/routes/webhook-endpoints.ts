/** Endpoint 18 (service-behaviour §3.18), and the list of webhook endpoints (lookups §10). */
import { webhookEndpointAnswer } from '../answers/webhook-endpoint.ts';
import { notFound } from '../errors.ts';
import { pathId } from '../operations/input.ts';
import type { Routes } from './context.ts';
import { plainPage } from './lists.ts';

export const webhookEndpointRoutes: Routes = app => {
  app.get('/webhook_endpoints', async (request, reply) => {
    const { rows, meta } = await plainPage(request, reply, 'webhook_endpoints', {
      order: [
        ['webhook_url', 'asc'],
        ['created_at', 'desc'],
      ],
    });
    const organizationId = request.account.organization.id;
    return { webhook_endpoints: rows.map(endpoint => webhookEndpointAnswer(endpoint, organizationId)), meta };
  });

  app.get('/webhook_endpoints/:svc_id', async request => {
    const { account } = request;
    const endpoint = await account.get('webhook_endpoints', pathId(request, 'webhook_endpoint'));
    if (endpoint === undefined) throw notFound('webhook_endpoint');
    return { webhook_endpoint: webhookEndpointAnswer(endpoint, account.organization.id) };
  });
};
