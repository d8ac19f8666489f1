/** An account with records in it behind the real HTTP application, for previews and estimates as a client sees them. */
import { randomUUID } from 'node:crypto';
import type { TableName, Tables } from '../../src/engine/records/index.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { openHost, type Reply, type ServiceHost, sharedHost } from './service-host.ts';
import { customerRecord, entityRecord, metricRecord, planRecord, T0 } from './world.ts';

export type Records = { [T in TableName]?: Tables[T][] };

export interface World {
  account: AccountStore;
  post(path: string, body: unknown): Promise<Reply>;
  get(path: string): Promise<Reply>;
  close(): Promise<void>;
}

// Catalogue first: an event is stored only when its metric exists.
const ORDER: TableName[] = ['billing_entities', 'taxes', 'billable_metrics', 'add_ons', 'plans', 'customers'];

/**
 * One entity, one customer `acme`, one metric `units`, plus a case's records; a table of the case replaces ours. Without a
 * URL in the database that all cases share.
 */
export async function world(records: Records, now: string, databaseUrl?: string): Promise<World> {
  return databaseUrl === undefined ? worldOn(await sharedHost(), records, now) : ownWorld(records, now, databaseUrl);
}

/** The same in a database of its own. */
export async function ownWorld(records: Records, now: string, databaseUrl?: string): Promise<World> {
  const host = await openHost(databaseUrl);
  return { ...(await worldOn(host, records, now)), close: host.close };
}

/** The same in the database of a host, which stays open. */
export async function worldOn(host: ServiceHost, records: Records, now: string): Promise<World> {
  const [id, apiKey] = [randomUUID(), randomUUID()];
  const organization = { id, created_at: T0, updated_at: T0, name: 'Org', slug_prefix: 'ORG-1', hmac_key: 'h' };
  const account = await host.store.addAccount(organization, apiKey);
  const all: Records = {
    billing_entities: [entityRecord()],
    customers: [customerRecord()],
    billable_metrics: [metricRecord('units')],
    plans: [planRecord()],
    ...records,
  };
  await account.transaction(tx => insertAll(tx, all));
  return {
    account,
    post: (path, body) => host.ask({ apiKey, now, method: 'POST', path, body }),
    get: path => host.ask({ apiKey, now, method: 'GET', path }),
    // The host stays, and with it the account, which no other case sees.
    close: async () => {},
  };
}

async function insertAll(account: AccountStore, records: Records): Promise<void> {
  const tables = Object.keys(records) as TableName[];
  const ordered = [...ORDER.filter(table => tables.includes(table)), ...tables.filter(table => !ORDER.includes(table))];
  for (const table of ordered) {
    await account.insertMany(table, (records[table] ?? []) as never);
  }
}

/** The body of a preview of the stored subscription `sub`. */
export function ofSubscription(extra: object = {}) {
  return { customer: { external_id: 'acme' }, subscriptions: { external_ids: ['sub'], ...extra } };
}
