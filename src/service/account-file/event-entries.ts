/** Usage events, and the endpoints that webhooks are sent to. */
import * as z from 'zod';
import { signatureAlgorithms } from '../../contract/enums.ts';
import { isNumeric } from '../../contract/pricing/money.ts';
import type { BillableMetricRecord, EventProperties, SubscriptionRecord } from '../../engine/records/index.ts';
import { evaluatedProperties, propertyText, readsNumbers } from '../store/events.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import * as is from './values.ts';

const webhookEndpointEntry = z.strictObject({
  ...is.common,
  webhook_url: is.httpUrl,
  signature_algo: z.enum(signatureAlgorithms).default('jwt'),
  name: is.text,
  event_types: z.array(is.label).nullable().default(null),
});

const eventEntry = z.strictObject({
  ...is.common,
  transaction_id: is.label,
  code: is.referenceTo('billable_metrics'),
  timestamp: is.instant,
  external_subscription_id: is.label,
  properties: is.jsonObject.default({}),
  precise_total_amount_cents: is.decimalValue.nullable().default(null),
});

export const webhookEndpointList = listOf(webhookEndpointEntry, builder => entry => {
  const base = builder.idAndTimes('webhook_endpoint', entry.webhook_url, entry);
  builder.add('webhook_endpoints', entry.webhook_url, { ...entry, ...base });
});

/** An event's subscription may be unknown. Its metric must exist, and the metric's expression must be computable. */
export const eventList = listOf(eventEntry, builder => {
  const subscriptions = new Map<string, SubscriptionRecord[]>();
  for (const each of builder.records.subscriptions)
    subscriptions.set(each.external_id, [...(subscriptions.get(each.external_id) ?? []), each]);
  return entry => {
    const metric = builder.get('billable_metrics', entry.code);
    const candidates = subscriptions.get(entry.external_subscription_id) ?? [];
    const subscription = candidates.find(each => covers(each, entry.timestamp)) ?? null;
    if (subscription === null) builder.warn([], whyUncounted(entry, candidates));
    // Only a check: the store evaluates the expression again when it stores the event.
    const properties = builder.evaluate('properties', () => evaluatedProperties(entry, metric));
    checkNumber(builder, metric, properties);
    const key = `${entry.external_subscription_id} ${entry.transaction_id}`;
    builder.add('events', key, {
      ...entry,
      id: entry.id ?? idOf('event', key),
      created_at: entry.created_at ?? entry.timestamp,
      subscription_id: subscription?.id ?? null,
      customer_id: subscription?.customer_id ?? null,
    });
  };
});

/** Why an event belongs to no subscription. */
function whyUncounted(
  { external_subscription_id: id, timestamp }: z.output<typeof eventEntry>,
  candidates: readonly SubscriptionRecord[],
): string {
  const counts = 'so that it counts for nothing';
  if (candidates.length === 0) return `there is no subscription "${id}", ${counts}`;
  const started = candidates.flatMap(each => each.started_at ?? []).sort();
  if (started[0] === undefined) return `the subscription "${id}" has not started, ${counts}`;
  return timestamp < started[0]
    ? `is before the start of the subscription "${id}" (${started[0]}), ${counts}`
    : `is not within the subscription "${id}", ${counts}`;
}

/** Sums, maxima and the like leave out events without a number (§8). */
function checkNumber(builder: AccountBuilder, metric: BillableMetricRecord, properties: EventProperties): void {
  const { aggregation_type: type, field_name: field, code } = metric;
  if (field === null || !readsNumbers(type) || isNumeric(propertyText(properties[field]))) return;
  const problem = `is no number, which the metric "${code}" (${type}) needs, so that the event counts for nothing`;
  builder.warn(['properties', field], problem);
}

function covers(subscription: SubscriptionRecord, timestamp: string): boolean {
  if (!subscription.started_at || subscription.started_at > timestamp) return false;
  return !subscription.terminated_at || timestamp <= subscription.terminated_at;
}
