import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRenaming, prefixIn } from '../../../src/calls/api/http/read-answer.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { connectClient, startRuntime, type TestClient } from '../../support/clients.ts';
import { type Listening, listening } from '../../support/listening.ts';

const id = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';
/** Field names that the user of the API chose may be anything, also begin with either prefix. */
const own = { acme_note: 'a', svc_note: 'b' };

/** Answers of an installation whose record ids are called `acme_…`. */
const answers: Record<string, unknown> = {
  'GET /customers/c': {
    customer: { acme_id: id, external_id: 'c', metadata: [{ acme_id: id, key: 'acme_key', value: 'svc_v' }] },
  },
  'GET /events/t': {
    event: { acme_id: id, transaction_id: 't', acme_customer_id: id, code: 'm', properties: own },
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

const states: [string, Record<string, string>][] = [
  ['that is configured', { BILLING_ID_PREFIX: 'acme_' }],
  ['that the first answer shows', {}],
];

describe.each(states)('an installation with another prefix of record ids %s', (_, settings) => {
  let api: Listening;
  let runtime: Runtime;
  let client: TestClient;
  let bodies: JsonRecord[];

  beforeAll(async () => {
    api = await listening(async (request, response) => {
      const sent = await text(request);
      const body = sent === '' ? undefined : (JSON.parse(sent) as JsonRecord);
      if (body) bodies.push(body);
      const asked = `${request.method} ${request.url?.replace('/api/v1', '')}`;
      const answer = answers[asked] ?? { ...body, asked };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    runtime = startRuntime(api.url, { ...settings, BILLING_CONFIRM: 'never' });
    client = await connectClient(runtime, '2025-11-25', false);
    await client.call('get_customer', { external_customer_id: 'c' });
  });
  beforeEach(() => {
    bodies = [];
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
    await api.close();
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
    const sent = { acme_id: id, trigger: 'interval', interval: 'monthly' };
    expect(body.wallet.recurring_transaction_rules).toEqual([sent]);
  });
});

describe('the prefix that an answer shows', () => {
  const nested = { integration_customers: [{ crm_id: id, code: 'x' }], metadata: { crm_id: id, code: 'x' } };

  it.each<[string, unknown, string | null]>([
    ['of a record', { plan: { acme_id: id, code: 'p' } }, 'acme_'],
    [
      'of the first record of a list',
      { plans: ['acme_id', 'other_id'].map(name => ({ [name]: id, code: 'p' })) },
      'acme_',
    ],
    ['of a record without an ID of its own', { fees: [{ acme_id: null, acme_charge_id: id, units: '1' }] }, 'acme_'],
    ['deep inside', { customer_usage: { charges_usage: [{ charge: { acme_id: id, code: 'c' } }] } }, 'acme_'],
    ['beside a field of the installation', { plan: { tenant_id: id, svc_id: id, code: 'p' } }, 'svc_'],
    ['nowhere, where the ID is no UUID', { plan: { acme_id: 'p-1', code: 'p' } }, null],
    ['nowhere, beside no field of the contract', { thing: { acme_id: id, colour: 'red' } }, null],
    ['nowhere, in IDs that the contract names', { plan: { parent_id: id, external_id: id, code: 'p' } }, null],
    ['nowhere, in IDs of other systems and in metadata', { customer: nested }, null],
    ['nowhere, in an empty list', { plans: [] }, null],
  ])('%s', (_, body, shown) => {
    expect(prefixIn(body)).toBe(shown);
  });

  it.each<[string, string | undefined, string]>([
    ['configured', 'other_', 'BILLING_ID_PREFIX is other_'],
    ['shown before', undefined, 'earlier ones begin with other_'],
  ])('is another than %s: the call says so, until an answer agrees', (_, configured, problem) => {
    const known = { configured, shown: configured, problem: null };
    const renaming = createRenaming(known);
    const record = (prefix: string) => ({ wallet: { [`${prefix}id`]: id, code: 'w' } });
    expect(renaming.incoming(record('other_'))).toEqual(record('svc_'));
    expect(known.problem).toBeNull();
    expect(renaming.incoming(record('acme_'))).toEqual(record('acme_'));
    expect(known.problem).toContain(problem);
    expect(renaming.incoming({ wallets: [] })).toEqual({ wallets: [] });
    expect(known.problem).toContain(problem);
    renaming.incoming(record('other_'));
    expect(known.problem).toBeNull();
    expect(renaming.outgoing({ svc_id: id })).toEqual({ other_id: id });
  });
});
