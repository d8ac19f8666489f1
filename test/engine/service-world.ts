/** An account with records in it behind the real HTTP application, for previews and estimates as a client sees them. */
import type { FastifyInstance } from 'fastify';
import { createApp } from '../../src/service/app.ts';
import type { TableName, Tables } from '../../src/service/records/index.ts';
import { createAccount, type OpenStore, openStore } from '../../src/service/store/open.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { customerRecord, entityRecord, metricRecord, planRecord, T0 } from './world.ts';

export type Records = { [T in TableName]?: Tables[T][] };

interface Reply {
  status: number;
  headers: { [name: string]: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  body: any;
}

export interface World {
  account: AccountStore;
  app: FastifyInstance;
  post(path: string, body: unknown): Promise<Reply>;
  get(path: string): Promise<Reply>;
  close(): Promise<void>;
}

// Catalogue first: an event is stored only when its metric exists.
const ORDER: TableName[] = ['billing_entities', 'taxes', 'billable_metrics', 'add_ons', 'plans', 'customers'];

/** One entity, one customer `acme`, one metric `units`, plus a case's records; a table of the case replaces ours. */
export async function world(records: Records, now: string, databaseUrl?: string): Promise<World> {
  const store: OpenStore = await openStore({ databaseUrl });
  const organization = { id: 'org', created_at: T0, updated_at: T0, name: 'Org', slug_prefix: 'ORG-1', hmac_key: 'h' };
  const account = await createAccount(store, { organization, apiKey: 'key' });
  const all: Records = {
    billing_entities: [entityRecord()],
    customers: [customerRecord()],
    billable_metrics: [metricRecord('units')],
    plans: [planRecord()],
    ...records,
  };
  await account.transaction(tx => insertAll(tx, all));
  const failures: unknown[] = [];
  const app = createApp({
    store,
    now: () => new Date(now),
    portalSecret: 'secret',
    onUnexpected: error => {
      failures.push(error);
      console.error(error);
    },
  });
  const ask = async (method: 'GET' | 'POST', path: string, payload?: string): Promise<Reply> => {
    const headers = { authorization: 'Bearer key', ...(payload && { 'content-type': 'application/json' }) };
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
    if (failures.length > 0) throw failures[0];
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  return {
    account,
    app,
    post: (path, body) => ask('POST', path, typeof body === 'string' ? body : JSON.stringify(body)),
    get: path => ask('GET', path),
    async close() {
      await app.close();
      await store.close();
    },
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
