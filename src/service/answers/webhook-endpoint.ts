import { type WebhookEndpointRecord, webhookEndpoints } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { instant } from './formats.ts';

/** A webhook endpoint with the extras of §3.18. */
export function webhookEndpointAnswer(endpoint: WebhookEndpointRecord, organizationId: string) {
  return {
    svc_id: endpoint.id,
    svc_organization_id: organizationId,
    ...pick(endpoint, webhookEndpoints.shown.details),
    created_at: instant(endpoint.created_at),
  };
}
