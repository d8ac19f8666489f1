import type { WebhookEndpointRecord } from '../records/index.ts';
import { instant } from './formats.ts';

/** A webhook endpoint with the extras of §3.18. */
export function webhookEndpointAnswer(endpoint: WebhookEndpointRecord, organizationId: string) {
  return {
    svc_id: endpoint.id,
    svc_organization_id: organizationId,
    webhook_url: endpoint.webhook_url,
    signature_algo: endpoint.signature_algo,
    name: endpoint.name,
    event_types: endpoint.event_types,
    created_at: instant(endpoint.created_at),
  };
}
