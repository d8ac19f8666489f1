import type { EventRecord } from '../../engine/records/index.ts';
import { amount, instant, preciseInstant } from './formats.ts';

/** A usage event. The ids of subscription and customer are null while the subscription is unknown (§3.19). */
export function eventAnswer(event: EventRecord) {
  return {
    svc_id: event.id,
    transaction_id: event.transaction_id,
    svc_customer_id: event.customer_id,
    code: event.code,
    timestamp: preciseInstant(event.timestamp),
    svc_subscription_id: event.subscription_id,
    external_subscription_id: event.external_subscription_id,
    precise_total_amount_cents: amount(event.precise_total_amount_cents ?? null),
    properties: event.properties,
    created_at: instant(event.created_at),
  };
}
