/** Endpoint 12 (service-behaviour §3.12), and the lookups of billing entities (lookups §10). */
import { randomUUID } from 'node:crypto';
import type { BillingEntityRecord } from '../../engine/records/index.ts';
import { billingEntityAnswer, wholeBillingEntityAnswer } from '../answers/account.ts';
import { notFound } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { pathValue, wrappedObject } from '../operations/input.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { readBillingEntity } from './billing-entity-fields.ts';
import type { Routes, ServiceContext } from './context.ts';
import { listFilters } from './list-query.ts';
import { lockAccount } from './references.ts';

export const billingEntityRoutes: Routes = (app, context) => {
  app.get('/billing_entities', async (request, reply) => {
    const { account } = request;
    listFilters(request, { paged: false }).finish(reply);
    const entities = await account.find('billing_entities', {}, { order: 'oldest' });
    const answer = (entity: BillingEntityRecord) =>
      billingEntityAnswer(entity, logoUrl(context, account.organization.id, entity));
    return { billing_entities: entities.map(answer) };
  });

  app.get('/billing_entities/:code', async request => {
    const { account } = request;
    const entity = await account.first('billing_entities', { code: pathValue(request, 'code') });
    if (entity === undefined) throw notFound('billing_entity');
    const url = logoUrl(context, account.organization.id, entity);
    return { billing_entity: wholeBillingEntityAnswer(entity, url, await loadAccountLists(account)) };
  });

  app.post('/billing_entities', request => {
    const input = wrappedObject(request, 'billing_entity');
    return request.account.transaction(async account => {
      await lockAccount(account);
      const code = typeof input.code === 'string' ? input.code : '';
      const codeTaken = (await account.first('billing_entities', { code })) !== undefined;
      const isFirst = (await account.count('billing_entities')) === 0;
      const at = context.now().toISOString();
      const entity: BillingEntityRecord = {
        ...readBillingEntity(input, { id: randomUUID(), codeTaken }),
        is_default: isFirst,
        created_at: at,
        updated_at: at,
      };
      await account.insert('billing_entities', entity);
      const after = billingEntityAnswer(entity, logoUrl(context, account.organization.id, entity));
      const type = 'billing_entities.created';
      await logActivity(account, { type, resource_type: 'BillingEntity', before: null, after, at });
      return after;
    });
  });
};

/** A logo is stored as the data URI that was sent. The answer has the URL under which the logo is served. */
function logoUrl(context: ServiceContext, organizationId: string, entity: BillingEntityRecord): string | null {
  if (!entity.logo_url?.startsWith('data:')) return entity.logo_url;
  return `${context.publicUrl()}/billing-entity-logos/${organizationId}/${entity.id}`;
}

/** Serves logos without an API key, because invoices show them. */
export const logoRoutes: Routes = (app, context) => {
  app.get<{ Params: { organization: string; id: string } }>(
    '/billing-entity-logos/:organization/:id',
    { config: { public: true } },
    async (request, reply) => {
      const account = await context.store.account(request.params.organization);
      const entity = await account?.get('billing_entities', request.params.id);
      const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(entity?.logo_url ?? '') ?? [];
      if (type === undefined || base64 === undefined) throw notFound('resource');
      return reply
        .headers({
          'content-type': type,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
        })
        .send(Buffer.from(base64, 'base64'));
    },
  );
};
