/** A URL that receives notifications (specification, "Webhook endpoint"; service-behaviour §5). */
import * as z from 'zod';
import { signatureAlgorithms } from './enums.ts';
import { oneOf, text, texts, uuid } from './fields.ts';
import { createdAt, svcId } from './shared.ts';

export const webhookEndpoint = z.looseObject({
  svc_id: svcId,
  svc_organization_id: uuid('The account'),
  webhook_url: text('Address, http or https'),
  signature_algo: oneOf('How notifications are signed', ...signatureAlgorithms),
  name: text('Name'),
  event_types: texts('Kinds of notifications; null is all'),
  created_at: createdAt,
});
