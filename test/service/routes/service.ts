/** The embedded service over loopback with the demo account, and access to the account's records. */
import { request } from 'undici';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Json, JsonObject } from '../../../src/engine/records/index.ts';
import { demoAccount } from '../../../src/service/account-file/demo.ts';
import { loadAccount } from '../../../src/service/account-file/load.ts';
import { createApp } from '../../../src/service/app.ts';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import type { AccountStore } from '../../../src/service/store/store.ts';

export const KEY = 'a-key-for-tests';
export const OTHER_KEY = 'a-key-of-another-account';

export interface Reply {
  status: number;
  body: JsonObject;
  headers: { [name: string]: string | string[] | undefined };
  text: string;
}

export interface TestService {
  url: string;
  store: OpenStore;
  account: AccountStore;
  /** The service's clock. */
  now: Date;
  /** Errors that the service did not expect. Must stay empty. */
  bugs: unknown[];
  /** `path` begins after `/api/v1`. */
  call(method: string, path: string, body?: unknown, headers?: { [name: string]: string }): Promise<Reply>;
  get(path: string): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  close(): Promise<void>;
}

/** One service for all tests of the file or block that calls this, on its own database; no unexpected error may occur. */
export function sharedService(freshDatabase: () => Promise<string | undefined> = async () => undefined): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    await startTestService({ databaseUrl: await freshDatabase() }, service);
  });
  afterAll(async () => {
    expect(service.bugs).toEqual([]);
    await service.close();
  });
  return service;
}

/** Starts the service on a free port; `close` also closes the database. If `target` is given, it becomes the service. */
export async function startTestService(
  options: { databaseUrl?: string | undefined; account?: Json; now?: string } = {},
  target: Partial<TestService> = {},
): Promise<TestService> {
  const now = new Date(options.now ?? '2026-03-15T12:00:00.000Z');
  const store = await openStore({ databaseUrl: options.databaseUrl });
  const account = await loadAccount(store, options.account ?? ((await demoAccount()) as Json), { apiKey: KEY, now });
  await loadAccount(store, otherAccount, { apiKey: OTHER_KEY, now });
  const bugs: unknown[] = [];
  const service = Object.assign(target, { now, bugs });
  const app = createApp({
    store,
    now: () => service.now,
    portalSecret: 'a-secret-for-tests',
    onUnexpected: error => bugs.push(error),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const call: TestService['call'] = async (method, path, body, headers = {}) => {
    const response = await request(`${url}/api/v1${path}`, {
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return { status: response.statusCode, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  return Object.assign(service, {
    url,
    store,
    account,
    call,
    get: (path: string) => call('GET', path),
    put: (path: string, body: unknown) => call('PUT', path, body),
    post: (path: string, body: unknown) => call('POST', path, body),
    close: async () => {
      await app.close();
      await store.close();
    },
  });
}

const otherAccount: Json = {
  organization: { name: 'Somebody else' },
  billing_entities: [{ code: 'theirs', name: 'Somebody else' }],
};

/** Expects 422 with these details and nothing else. */
export function expectRefused(reply: Reply, details: unknown): void {
  expect(reply.body).toEqual({
    status: 422,
    error: 'Unprocessable Entity',
    code: 'validation_errors',
    error_details: details,
  });
  expect(reply.status).toBe(422);
}

/** Expects 404 with the resource's code and nothing else. */
export function expectMissing(reply: Reply, resource: string): void {
  expect(reply.body).toEqual({ status: 404, error: 'Not Found', code: `${resource}_not_found` });
  expect(reply.status).toBe(404);
}

/** Expects 405 with this code and nothing else. */
export function expectNotAllowed(reply: Reply, code: string): void {
  expect(reply.body).toEqual({ status: 405, error: 'Method Not Allowed', code });
  expect(reply.status).toBe(405);
}

/** Expects 200 and gives the body. */
export function expectOk(reply: Reply): JsonObject {
  expect(reply.body).not.toHaveProperty('error');
  expect(reply.status).toBe(200);
  return reply.body;
}
