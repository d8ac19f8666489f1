/** Turns entries of usage events into records. */
import { isNumeric } from '../../contract/pricing/money.ts';
import type { BillableMetricRecord, EventProperties, SubscriptionRecord } from '../../engine/records/index.ts';
import { evaluatedProperties, propertyText, readsNumbers } from '../store/events.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, atPlace, type Path } from './account-builder.ts';
import type { AccountEntries } from './schema.ts';

/** An event's subscription may be unknown. Its metric must exist, and the metric's expression must be computable. */
export function buildEvents(builder: AccountBuilder, entries: AccountEntries['events']): void {
  const subscriptions = new Map<string, SubscriptionRecord[]>();
  for (const subscription of builder.records.subscriptions) {
    subscriptions.set(subscription.external_id, [...(subscriptions.get(subscription.external_id) ?? []), subscription]);
  }
  builder.each('events', entries, (entry, path) => {
    const metric = builder.need('billable_metrics', entry.code, [...path, 'code']);
    const candidates = subscriptions.get(entry.external_subscription_id) ?? [];
    const subscription = candidates.find(each => covers(each, entry.timestamp)) ?? null;
    if (subscription === null) builder.warn(path, whyUncounted(entry, candidates));
    // Only a check: the store evaluates the expression again when it stores the event.
    const properties = atPlace([...path, 'properties'], () => evaluatedProperties(entry, metric));
    checkNumber(builder, metric, properties, path);
    const key = `${entry.external_subscription_id} ${entry.transaction_id}`;
    const record = {
      ...entry,
      id: entry.id ?? idOf('event', key),
      created_at: entry.created_at ?? entry.timestamp,
      subscription_id: subscription?.id ?? null,
      customer_id: subscription?.customer_id ?? null,
    };
    builder.add('events', key, record, path);
  });
}

/** Why an event belongs to no subscription. */
function whyUncounted(
  { external_subscription_id: id, timestamp }: AccountEntries['events'][number],
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
function checkNumber(
  builder: AccountBuilder,
  metric: BillableMetricRecord,
  properties: EventProperties,
  path: Path,
): void {
  const { aggregation_type: type, field_name: field, code } = metric;
  if (field === null || !readsNumbers(type) || isNumeric(propertyText(properties[field]))) return;
  const at = [...path, 'properties', field];
  builder.warn(at, `is no number, which the metric "${code}" (${type}) needs, so that the event counts for nothing`);
}

function covers(subscription: SubscriptionRecord, timestamp: string): boolean {
  if (!subscription.started_at || subscription.started_at > timestamp) return false;
  return !subscription.terminated_at || timestamp <= subscription.terminated_at;
}
