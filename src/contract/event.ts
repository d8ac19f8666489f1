/** A usage event (specification, "Usage event"; service-behaviour §3.19). */
import * as z from 'zod';
import { anything, decimal, instant, text, uuid } from './fields.ts';
import { createdAt, svcId } from './shared.ts';

export const event = z.looseObject({
  svc_id: svcId,
  transaction_id: text('Your own id of the event, unique for its subscription'),
  code: text('Billable metric'),
  timestamp: instant('When the usage happened, with milliseconds'),
  properties: anything('What the metric aggregates and charges filter by'),
  precise_total_amount_cents: decimal('Amount of a dynamic charge, in cents'),
  external_subscription_id: text('Your own id of the subscription'),
  svc_subscription_id: uuid('The subscription; null when unknown'),
  svc_customer_id: uuid('The customer; null when unknown'),
  created_at: createdAt,
});
