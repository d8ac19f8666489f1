import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { version } from '../../../src/lib/version.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { connectClient, startRuntime, type TestClient } from '../../support/clients.ts';
import { type Listening, listening, textOf } from '../../support/listening.ts';
import { key } from '../../support/settings.ts';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let api: Listening;
let runtime: Runtime;
let client: TestClient;
let received: Received[];
let connections = 0;
let answer: unknown;

beforeAll(async () => {
  api = await listening(async (request, response) => {
    const body = await textOf(request);
    received.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  api.server.on('connection', () => connections++);
  runtime = startRuntime(`${api.url}/billing/`, { BILLING_CONFIRM: 'never' });
  client = await connectClient(runtime, '2026-07-28', false);
});
afterAll(async () => {
  await client.close();
  await runtime.close();
  await api.close();
});
beforeEach(() => {
  received = [];
  answer = { customer: { svc_id: '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba', external_id: 'a', name: 'A' } };
});

const customer = (external_customer_id: string) => client.call('get_customer', { external_customer_id });

describe('a request to the billing API', () => {
  it('has headers for the key, the client and the accepted type, and none about a missing body', async () => {
    await customer('a');
    const [{ method, url, headers, body }] = received as [Received];
    expect([method, url, body]).toEqual(['GET', '/billing/api/v1/customers/a', '']);
    expect(headers).toMatchObject({
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      'user-agent': `usage-billing-mcp/${version}`,
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers).not.toHaveProperty('content-type');
  });

  it('has a JSON body, without absent fields and with null as null', async () => {
    const svc_id = '11111111-2222-4333-8444-555555555555';
    await client.call('update_wallet', { svc_id, name: null, code: 'set-up ✓' });
    // The record is read before it is changed.
    const { method, headers, body } = received.at(-1) as Received;
    expect([method, headers['content-type']]).toEqual(['PUT', 'application/json']);
    expect(JSON.parse(body)).toEqual({ wallet: { name: null, code: 'set-up ✓' } });
  });

  it('is for the given id and nothing else, whatever the id looks like', async () => {
    const ids = ['../plans?x=1', 'a/b', '..%2Fplans', 'a b#c', 'naïve', '%', 'a\\..\\b', 'x;y=z', 'a?b&c', '.hidden'];
    for (const id of ids) await customer(id);
    const sent = received.map(({ url }) => url?.replace('/billing/api/v1/customers/', ''));
    expect(sent.map(path => decodeURIComponent(path!))).toEqual(ids);
    for (const path of sent) expect(path).not.toMatch(/[/?#\\]/);
  });

  it('is not sent for an id that cannot be encoded safely', async () => {
    for (const id of ['.', '..', '...', '']) expect((await customer(id)).isError).toBe(true);
    expect(received).toEqual([]);
  });

  it('uses one connection again and again', async () => {
    const before = connections;
    for (let call = 0; call < 10; call++) await customer('a');
    expect(connections - before).toBeLessThanOrEqual(1);
  });

  it('is understood with and without the wrapper key of the resource', async () => {
    const shown: unknown[] = [];
    for (const wrapped of [true, false]) {
      answer = wrapped ? answer : (answer as { customer: JsonRecord }).customer;
      shown.push((await customer('a')).content);
    }
    expect(shown[1]).toEqual(shown[0]);
  });
});
