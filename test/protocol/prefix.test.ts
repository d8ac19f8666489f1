import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/server/runtime.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';

const id = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';
/** Field names that the user of the API chose may be anything, also begin with either prefix. */
const own = { acme_note: 'a', svc_note: 'b' };

/** Answers of an installation whose record ids are called `acme_…`. */
const answers: Record<string, unknown> = {
  'GET /customers/c': {
    customer: {
      acme_id: id,
      external_id: 'c',
      name: 'C',
      metadata: [{ acme_id: id, key: 'acme_key', value: 'svc_v' }],
    },
  },
  'GET /events/t': {
    event: {
      acme_id: id,
      transaction_id: 't',
      acme_subscription_id: id,
      acme_customer_id: id,
      code: 'm',
      properties: own,
    },
  },
  [`GET /wallet_transactions/${id}`]: { wallet_transaction: { acme_id: id, acme_wallet_id: id, acme_invoice_id: id } },
  'POST /events/estimate_fees': {
    fees: [{ acme_id: null, acme_charge_id: id, grouped_by: own, amount_cents: 5, amount_currency: 'USD' }],
  },
  'GET /plans?page=1&per_page=20': {
    plans: [{ acme_id: id, code: 'p', charges: [{ acme_id: id, filters: [{ values: { acme_region: ['svc_eu'] } }] }] }],
    meta: { current_page: 1, total_pages: 1, total_count: 1 },
  },
};

describe('an installation with another prefix of record ids', () => {
  let api: Server;
  let runtime: Runtime;
  let client: TestClient;
  let bodies: JsonRecord[];

  beforeAll(async () => {
    api = createServer(async (request, response) => {
      const body = await jsonOf(request);
      if (body) bodies.push(body);
      const asked = `${request.method} ${request.url?.replace('/api/v1', '')}`;
      const answer = answers[asked] ?? { ...body, asked };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
    const { port } = api.address() as AddressInfo;
    runtime = startRuntime(`http://127.0.0.1:${port}`, { BILLING_ID_PREFIX: 'acme_', BILLING_CONFIRM: 'never' });
    client = await connectClient(runtime, '2025-11-25', false);
  });
  beforeEach(() => {
    bodies = [];
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
    api.closeAllConnections();
    api.close();
  });

  const read = async (tool: string, args: JsonRecord) => {
    const { content, isError } = await client.call(tool, { ...args, ...(fullOf.has(tool) && { detail: 'full' }) });
    expect(isError, JSON.stringify(content)).toBe(false);
    return content;
  };
  const fullOf = new Set(['list_plans', 'get_customer']);

  it('shows the ids of records under their usual names', async () => {
    const { wallet_transaction: transaction } = await read('get_wallet_transaction', { svc_id: id });
    expect(transaction).toEqual({ svc_wallet_id: id, svc_invoice_id: id });
  });

  it('leaves metadata alone, but not the ids of its entries', async () => {
    const { customer } = await read('get_customer', { external_customer_id: 'c' });
    expect(customer).toMatchObject({ svc_id: id, metadata: [{ svc_id: id, key: 'acme_key', value: 'svc_v' }] });
  });

  it('leaves the properties of events, grouping keys and filter values alone', async () => {
    const { event } = await read('get_event', { transaction_id: 't' });
    expect(event).toMatchObject({ transaction_id: 't', properties: own });
    const { fees } = await read('estimate_fees', { external_subscription_id: 's', code: 'm', detail: 'full' });
    expect(fees).toMatchObject([{ svc_charge_id: id, grouped_by: own }]);
    const { plans } = await read('list_plans', { page: 1, per_page: 20 });
    expect(plans).toMatchObject([{ svc_id: id, charges: [{ filters: [{ values: { acme_region: ['svc_eu'] } }] }] }]);
  });

  it('gets metadata and properties as they were given', async () => {
    await client.call('update_wallet', { svc_id: id, metadata: own });
    await client.call('estimate_fees', { external_subscription_id: 's', code: 'm', properties: own });
    expect(bodies).toMatchObject([{ wallet: { metadata: own } }, { event: { properties: own } }]);
    expect(Object.keys((bodies[0] as { wallet: { metadata: object } }).wallet.metadata)).toEqual(Object.keys(own));
  });

  it('has the same tool arguments as any other installation', async () => {
    const rule = { svc_id: id, trigger: 'interval', interval: 'monthly' };
    await client.call('update_wallet', { svc_id: id, recurring_transaction_rules: [rule] });
    const [body] = bodies as [{ wallet: { recurring_transaction_rules: JsonRecord[] } }];
    expect(body.wallet.recurring_transaction_rules).toEqual([
      { acme_id: id, trigger: 'interval', interval: 'monthly' },
    ]);
  });
});

async function jsonOf(request: IncomingMessage): Promise<JsonRecord | undefined> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text === '' ? undefined : (JSON.parse(text) as JsonRecord);
}
