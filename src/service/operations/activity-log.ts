/** Keeps the log of changes: one entry for each record that a write changes, in the write's own transaction (lookups §12). */
import { randomUUID } from 'node:crypto';
import type { ActivityChanges, Json, JsonObject } from '../../engine/records/index.ts';
import type { AccountStore } from '../store/store.ts';

export interface Activity {
  /** A word of the contract's activity types. */
  type: string;
  resource_type: string;
  /** The record as its answer shows it, before and after. Only an update has both; `after` is null for a deletion. */
  before: { svc_id: string | null } | null;
  after: { svc_id: string | null } | null;
  external_customer_id?: string | null | undefined;
  external_subscription_id?: string | null;
  at: string;
}

export function logActivity(account: AccountStore, activity: Activity): Promise<void> {
  const { before, after, at } = activity;
  return account.insert('activity_logs', {
    id: randomUUID(),
    created_at: at,
    updated_at: at,
    logged_at: at,
    sequence: nextSequence(),
    activity_type: activity.type,
    activity_source: 'api',
    activity_object: after === null ? {} : asJson(after),
    activity_object_changes: before === null || after === null ? {} : changesOf(asJson(before), asJson(after)),
    user_email: null,
    resource_id: (after ?? before)?.svc_id ?? '',
    resource_type: activity.resource_type,
    external_customer_id: activity.external_customer_id ?? null,
    external_subscription_id: activity.external_subscription_id ?? null,
  });
}

/** Fields that follow from other fields or records. */
const consequences: ReadonlySet<string> = new Set(['updated_at', 'fees']);

function changesOf(before: JsonObject, after: JsonObject): ActivityChanges {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const pairs = fields.map((field): [string, [Json, Json]] => [field, [before[field] ?? null, after[field] ?? null]]);
  const changed = pairs.filter(([field, [was, is]]) => !consequences.has(field) && !isSame(was, is));
  return Object.fromEntries(changed);
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function asJson(answer: object): JsonObject {
  return JSON.parse(JSON.stringify(answer));
}

let lastSequence = 0;

/**
 * Microseconds of the process's clock, which never repeat: a number that is taken from the database would need a lock on
 * the whole account. Nothing shows it.
 */
function nextSequence(): number {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  lastSequence = Math.max(now, lastSequence + 1);
  return lastSequence;
}
