/** Keeps the log of changes: one entry for each record that a write changes, in the write's own transaction (lookups §12). */
import { randomUUID } from 'node:crypto';
import type { ActivityChanges, Json, JsonObject } from '../../engine/records/index.ts';
import type { AccountStore } from '../store/store.ts';

/** The record as its answer shows it. */
type Answer = { svc_id: string | null } | undefined;

/** `type`: a word of the contract's activity types. Only an update has an answer before and after. */
export function logActivity(
  account: AccountStore,
  [type, resource_type]: [type: string, resourceType: string],
  [before, after]: readonly [before: Answer, after?: Answer],
  at: string,
  of: { external_customer_id?: string | null; external_subscription_id?: string | null } = {},
): Promise<void> {
  return account.insert('activity_logs', {
    id: randomUUID(),
    created_at: at,
    updated_at: at,
    logged_at: at,
    sequence: nextSequence(),
    activity_type: type,
    activity_source: 'api',
    activity_object: after === undefined ? {} : asJson(after),
    activity_object_changes:
      before === undefined || after === undefined ? {} : changesOf(asJson(before), asJson(after)),
    user_email: null,
    resource_id: (after ?? before)?.svc_id ?? '',
    resource_type,
    external_customer_id: of.external_customer_id ?? null,
    external_subscription_id: of.external_subscription_id ?? null,
  });
}

/** Fields that follow from other fields or records. */
const consequences: ReadonlySet<string> = new Set(['updated_at', 'fees']);

function changesOf(before: JsonObject, after: JsonObject): ActivityChanges {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const pairs = fields.map((field): [string, [Json, Json]] => [field, [before[field] ?? null, after[field] ?? null]]);
  const isSame = ([was, is]: [Json, Json]) => JSON.stringify(was) === JSON.stringify(is);
  return Object.fromEntries(pairs.filter(([field, both]) => !consequences.has(field) && !isSame(both)));
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
