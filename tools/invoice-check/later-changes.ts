/** The contract as it was when the invoice was issued: what the activity log says changed since is taken back. */

import type { ActivityLog, Invoice } from '../../src/contract/shown.ts';
import { type Api, isWhole } from '../../src/definition/api.ts';
import type { ContractRecords } from './read-records.ts';

/** `changes`: how many were taken back; null where the log could not be read, so that changes cannot be excluded. */
export async function asIssued(
  api: Api,
  records: ContractRecords,
): Promise<{ records: ContractRecords; changes: number | null }> {
  const rows = await laterEntries(api, records.invoice);
  if (rows === null) return { records, changes: null };
  let changes = 0;
  // The newest change is taken back first.
  const before = <Kept extends { readonly svc_id?: string | null | undefined }>(record: Kept): Kept => {
    const earlier = rows.filter(({ resource_id }) => resource_id === record.svc_id).map(valuesBefore);
    changes += earlier.filter(values => Object.keys(values).length > 0).length;
    return Object.assign({}, record, ...earlier);
  };
  const contracts = new Map(
    [...records.contracts].map(([id, contract]) => {
      const subscription = before(contract.subscription);
      const planBefore = subscription.plan !== contract.subscription.plan ? subscription.plan : null;
      return [id, { ...contract, subscription, plan: before(planBefore ?? contract.plan) }] as const;
    }),
  );
  const customer = before(records.customer);
  const entity = records.entity && before(records.entity);
  return { records: { ...records, contracts, customer, entity }, changes };
}

/** Changes since the invoice, newest first; null where the log could not be read whole. */
async function laterEntries(api: Api, { svc_id, created_at }: Invoice): Promise<ActivityLog[] | null> {
  if (!svc_id) return [];
  if (!api.mayUse('list_activity') || !created_at) return null;
  const query = { from_date: created_at, resource_types: ['Plan', 'Subscription', 'Customer', 'BillingEntity'] };
  const list = await api.list('/activity_logs', { key: 'activity_logs', query }, { all: true });
  if (!list.ok || !isWhole(list)) return null;
  return list.rows
    .filter(({ logged_at }) => (logged_at ?? '') > created_at)
    .sort((a, b) => ((a.logged_at ?? '') < (b.logged_at ?? '') ? 1 : -1));
}

/** Fields before the change. A record that did not exist then has none. */
function valuesBefore({ activity_object_changes: changes }: ActivityLog): object {
  const entries = Object.entries(changes ?? {}).filter(
    ([name, pair]) => Array.isArray(pair) && pair.length === 2 && pair[0] !== undefined && !unpriced.has(name),
  );
  return Object.fromEntries(entries.map(([name, pair]) => [name, (pair as unknown[])[0]]));
}

/** What says nothing of a price, but of the record's life. */
const unpriced = new Set(['svc_id', 'updated_at', 'created_at', 'status', 'terminated_at', 'external_id']);
