/** One database and one application for any number of accounts: starting them takes longer than most cases. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createApp } from '../../src/service/app.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';

export interface Reply {
  status: number;
  headers: { [name: string]: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  body: any;
  text: string;
}

export interface Asked {
  apiKey: string;
  /** The service's clock for this request. */
  now: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins after `/api/v1`. */
  path: string;
  /** Text is sent as it is. */
  body?: unknown;
  /** In place of the usual ones; undefined leaves one out. */
  headers?: Record<string, string | undefined>;
}

export interface ServiceHost {
  store: OpenStore;
  /** Throws what the service did not expect. */
  ask(asked: Asked): Promise<Reply>;
  close(): Promise<void>;
}

// One for all hosts: each that was ever used makes every promise of the process slower.
const requests = new AsyncLocalStorage<{ now: string; failures: unknown[] }>();

export async function openHost(databaseUrl?: string): Promise<ServiceHost> {
  const store = await openStore({ databaseUrl });
  const app = createApp({
    store,
    now: () => new Date(requests.getStore()?.now ?? Number.NaN),
    portalSecret: 'secret',
    onUnexpected: error => {
      requests.getStore()?.failures.push(error);
      console.error(error);
    },
  });
  return {
    store,
    async ask({ apiKey, now, method, path, body, headers: more }) {
      const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const sending = payload !== undefined && { 'content-type': 'application/json' };
      const all = { authorization: `Bearer ${apiKey}`, ...sending, ...more };
      const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const request = { now, failures: [] as unknown[] };
      const sent = { method, url: `/api/v1${path}`, headers, ...(payload !== undefined && { payload }) };
      // Awaited within: only then the request begins.
      const answer = await requests.run(request, async () => await app.inject(sent));
      if (request.failures.length > 0) throw request.failures[0];
      const isJson = /json/.test(String(answer.headers['content-type']));
      const given = isJson ? answer.json() : null;
      return { status: answer.statusCode, headers: answer.headers, body: given, text: answer.body };
    },
    async close() {
      await app.close();
      await store.close();
    },
  };
}

let shared: Promise<ServiceHost> | undefined;

/** With a database in memory, for all files that run in this process; it ends with the process. */
export function sharedHost(): Promise<ServiceHost> {
  shared ??= openHost();
  return shared;
}
