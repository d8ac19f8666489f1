/** What a bound caller gets where an answer, an id or a list does not say clearly whose it is. */
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { createRuntime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { accountOf, acme, boundWorld, globex, type Ids, ours, sharedWorld, theirs } from './bounds-world.ts';

const initech = { external_id: 'initech', name: 'Initech', marker: 'zinit', cents: 8_765_432 };
const world = sharedWorld(async () => {
  const account = accountOf([acme, globex, initech]);
  // Over, and under the same external id as an active one of acme: nobody can tell which of them a path means.
  account.subscriptions?.push(
    ...[
      { external_customer_id: 'globex', status: 'terminated' as const, terminated_at: '2025-12-01T00:00:00Z' },
      { external_customer_id: 'acme' },
    ].map(one => ({ ...one, external_id: 'both-have-it', plan_code: 'basic', subscription_at: '2025-01-01' })),
  );
  return boundWorld(account);
});
let bound: Caller;
beforeEach(() => {
  bound = world.newCaller();
});

describe('an answer whose owner is not proved', () => {
  const own = { svc_id: ours.invoice, number: 'secret' };
  it.each<[string, unknown]>([
    ['an array', [{ ...own, customer: { external_id: 'acme' } }]],
    ['an array in the wrapper', { invoice: [{ ...own, customer: { external_id: 'acme' } }] }],
    ['no customer', { invoice: own }],
    ['a customer without id', { invoice: { ...own, customer: { name: 'Acme' } } }],
    ['a customer whose id is no text', { invoice: { ...own, customer: { external_id: ['acme'] } } }],
    ['a customer in a list', { invoice: { ...own, customer: [{ external_id: 'acme' }] } }],
    [
      'another invoice of the customer',
      { invoice: { ...own, svc_id: theirs.invoice, customer: { external_id: 'acme' } } },
    ],
    [
      'a fee of another',
      { invoice: { ...own, customer: { external_id: 'acme' }, fees: [{ external_customer_id: 'globex' }] } },
    ],
    [
      'another customer deep inside',
      { invoice: { ...own, customer: { external_id: 'acme' }, x: [{ y: { customer: { external_id: 'globex' } } }] } },
    ],
    ['nothing', {}],
  ])('%s is answered as a missing one', async (_, body) => {
    world.rewrite(() => body);
    const answer = await world.send(bound, `GET /invoices/${ours.invoice}`);
    expect(answer).toMatchObject({ ok: false, error: { status: 404, code: 'invoice_not_found' } });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('nothing beside a proved record is passed on', async () => {
    world.rewrite((_, body) => ({ ...(body as object), last_invoice_of_globex: 'secret' }));
    const answer = await world.send(bound, `GET /invoices/${ours.invoice}`);
    expect(answer.ok && Object.keys(answer.body as object)).toEqual(['invoice']);
  });

  it('of a list that is not filtered, neither others’ rows nor their number are passed on', async () => {
    const unbound = await world.send(world.caller(), 'GET /invoices');
    world.rewrite(path => (path.startsWith('/invoices') ? unbound.ok && unbound.body : undefined));
    const answer = await world.send(bound, 'GET /invoices?per_page=20');
    const { invoices, meta } = (answer.ok && answer.body) as { invoices: unknown[]; meta: object };
    expect(invoices).toHaveLength(3);
    expect(meta).toMatchObject({ total_count: null, total_pages: null, next_page: null });
    expect(JSON.stringify(answer)).not.toMatch(/globex|zglob/);
  });

  it('ids of another customer in other systems, and in metadata, do not make a record another’s', async () => {
    world.rewrite((_, body) => {
      const { invoice } = body as { invoice: JsonRecord };
      const metadata = { external_customer_id: 'globex' };
      const customer = { ...(invoice.customer as object), integration_customers: [{ external_customer_id: 'cus_1' }] };
      return { invoice: { ...invoice, customer, metadata } };
    });
    expect((await world.send(bound, `GET /invoices/${ours.invoice}`)).ok).toBe(true);
  });
});

describe('the records below an own one', () => {
  const subscription = `GET /subscriptions/${ours.subscription}`;
  it.each<[string, string, JsonRecord]>([
    [
      'transactions of another wallet',
      `GET /wallets/${ours.wallet}/wallet_transactions`,
      { wallet_transactions: [{ svc_wallet_id: ours.wallet }, { svc_wallet_id: theirs.wallet, name: 'secret' }] },
    ],
    [
      'transactions of a wallet that is no text',
      `GET /wallets/${ours.wallet}/wallet_transactions`,
      { wallet_transactions: [{ svc_wallet_id: [ours.wallet], name: 'secret' }] },
    ],
    [
      'alerts of another subscription',
      `${subscription}/alerts`,
      { alerts: [{ external_subscription_id: theirs.subscription, name: 'secret' }] },
    ],
    [
      'lifetime usage of another subscription',
      `${subscription}/lifetime_usage`,
      { lifetime_usage: { external_subscription_id: theirs.subscription, note: 'secret' } },
    ],
  ])('%s are answered as of a missing one', async (_, endpoint, body) => {
    world.rewrite((path, sent) => (endpoint.endsWith(path) ? body : sent));
    const answer = await world.send(bound, endpoint);
    expect(answer).toMatchObject({ ok: false, error: { status: 404 } });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('are passed on where they name the own one, or none', async () => {
    const rows = [{ svc_wallet_id: ours.wallet.toUpperCase() }, { svc_wallet_id: null }, {}];
    world.rewrite((path, sent) => (path.endsWith('transactions') ? { wallet_transactions: rows } : sent));
    const answer = await world.send(bound, `GET /wallets/${ours.wallet}/wallet_transactions`);
    expect(answer.ok && answer.body).toEqual({ wallet_transactions: rows });
  });
});

describe('a subscription whose external id another customer had too', () => {
  it('is read and listed as the own one', async () => {
    const { text } = await world.call(bound, 'get_subscription', { external_id: 'both-have-it' });
    expect(text).toContain('acme');
    expect(text).not.toContain('globex');
  });

  it.each([
    ['GET /subscriptions/both-have-it/alerts', undefined],
    ['PUT /subscriptions/both-have-it', { subscription: { name: 'X' } }],
    ['POST /subscriptions/both-have-it/alerts', { alert: { code: 'x' } }],
    ['POST /events/estimate_fees', { event: { external_subscription_id: 'both-have-it', code: 'gb' } }],
  ])('%s is not sent', async (endpoint, body) => {
    const from = world.received.length;
    const answer = await world.send(bound, endpoint, body);
    expect(answer).toMatchObject({ ok: false, error: { code: 'subscription_not_found' } });
    expect(world.received.slice(from)).not.toContain(endpoint);
  });
});

describe('a preview', () => {
  const sub = ours.subscription;
  it.each<[string, object, string | null]>([
    ['of a plan, for nobody in particular', { plan_code: 'pro', customer: { country: 'US', currency: 'USD' } }, null],
    ['of a plan, without any customer', { plan_code: 'pro', customer: null }, null],
    ['of a plan, with an empty customer', { plan_code: 'pro', customer: {} }, null],
    [
      'of a subscription of another, with an empty customer',
      { customer: {}, subscriptions: { external_ids: [theirs.subscription] } },
      'subscription_not_found',
    ],
    ['of an own customer', { plan_code: 'pro', customer: { external_id: 'acme' } }, null],
    ['of another', { plan_code: 'pro', customer: { external_id: 'globex' } }, 'customer_not_found'],
    ['of two', { plan_code: 'pro', customer: { external_id: ['acme', 'globex'] } }, 'customer_not_found'],
    ['of one under another name', { plan_code: 'pro', external_customer_id: 'globex' }, 'account_wide'],
    ['of one by svc_id', { plan_code: 'pro', customer: { svc_id: theirs.invoice } }, 'account_wide'],
    [
      'with a subscription of another among own ones',
      { customer: { external_id: 'acme' }, subscriptions: { external_ids: [sub, theirs.subscription] } },
      'subscription_not_found',
    ],
    [
      'with the own subscription of another own customer',
      { customer: { external_id: 'initech' }, subscriptions: { external_ids: [sub] } },
      'subscription_not_found',
    ],
    [
      'of a subscription of another alone',
      { subscriptions: { external_ids: [theirs.subscription] } },
      'subscription_not_found',
    ],
    ['of a subscription that is no text', { subscriptions: { external_ids: [{ id: sub }] } }, 'subscription_not_found'],
    [
      'of subscriptions that are no list',
      { subscriptions: { external_ids: theirs.subscription } },
      'subscription_not_found',
    ],
    ['with a body that is a list', [{ customer: { external_id: 'globex' } }], 'account_wide'],
  ])('%s', async (_, body, code) => {
    const from = world.received.length;
    const answer = await world.send(world.newCaller(['acme', 'initech']), 'POST /invoices/preview', body);
    expect(answer.ok ? null : answer.error.code).toBe(code);
    expect(world.received.slice(from).includes('POST /invoices/preview')).toBe(code === null);
  });

  it('that names another customer in its answer is not passed on', async () => {
    world.rewrite((path, body) =>
      path.includes('preview') ? { invoice: { customer: { external_id: 'globex' } } } : body,
    );
    const answer = await world.send(bound, 'POST /invoices/preview', { plan_code: 'pro', customer: {} });
    expect(answer).toMatchObject({ ok: false, error: { code: 'subscription_not_found' } });
  });
});

describe('lists of several customers', () => {
  const two = ['acme', 'globex'];
  const whose = (row: JsonRecord) => String(row.external_customer_id ?? (row.customer as JsonRecord).external_id);

  it.each([
    ['subscriptions', 'status[]=active&status[]=terminated'],
    ['invoices', ''],
    ['wallets', ''],
    ['credit_notes', ''],
    ['payments', ''],
    ['applied_coupons', ''],
    ['fees', ''],
  ])(
    '%s come in the order, the pages and the number of the account’s list without the third customer',
    async (key, query) => {
      const whole = await world.send(world.caller(), `GET /${key}?${query}`);
      const expected = ((whole.ok && whole.body) as Record<string, JsonRecord[]>)[key]!.filter(row =>
        two.includes(whose(row)),
      );
      const rows: JsonRecord[] = [];
      const caller = world.caller(two);
      for (let page: number | null = 1; page !== null; ) {
        const answer = await world.send(caller, `GET /${key}?${query}${query && '&'}page=${page}&per_page=2`);
        const body = (answer.ok && answer.body) as Record<string, JsonRecord[]> & { meta: JsonRecord };
        expect(body.meta).toMatchObject({ total_count: expected.length, current_page: page });
        rows.push(...body[key]!);
        page = body.meta.next_page as number | null;
      }
      // Rows of different customers that show one time come in any order.
      const times = ({ issuing_date, subscription_at, created_at }: JsonRecord) =>
        [issuing_date, subscription_at, created_at].join(' ');
      expect(rows.map(times)).toEqual(expected.map(times));
      for (const customer of two) {
        const idsIn = (list: JsonRecord[]) => list.filter(row => whose(row) === customer).map(({ svc_id }) => svc_id);
        expect(idsIn(rows)).toEqual(idsIn(expected));
      }
    },
  );

  it('events of all own subscriptions come newest first', async () => {
    const answer = await world.send(world.caller(two), 'GET /events?per_page=4');
    const { events, meta } = (answer.ok && answer.body) as { events: JsonRecord[]; meta: object };
    expect(events.map(({ timestamp }) => String(timestamp).slice(0, 10))).toEqual([
      ...['2026-03-03', '2026-03-03', '2026-03-02', '2026-03-02'],
    ]);
    expect(meta).toMatchObject({ total_count: 6, next_page: 2 });
  });

  it('a page too far in is refused', async () => {
    const answer = await world.send(world.caller(two), 'GET /invoices?page=11&per_page=100');
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } });
  });
});

describe('with another prefix of record ids', () => {
  it.each([
    ['known', 'vendor_', 'get_event', null],
    ['not known', 'other_', 'get_event', null],
    ['not known', 'other_', 'get_wallet_transaction', 'wallet_transaction_not_found'],
  ])('that is %s (%s), a bound caller’s %s answers with %s', async (_, prefix, tool, code) => {
    const renamed = await boundWorld(accountOf([acme]), { settings: { BILLING_ID_PREFIX: 'vendor_' } });
    onTestFinished(() => renamed.close());
    renamed.rewrite((_path, body) => JSON.parse(JSON.stringify(body).replaceAll('"svc_', `"${prefix}`)));
    const args = tool === 'get_event' ? { transaction_id: ours.event } : { svc_id: ours.transaction };
    const answer = await renamed.call(renamed.caller(['acme']), tool, args);
    expect(answer.code, answer.text).toBe(code);
    const remark = `IDs in this answer begin with ${prefix}, but BILLING_ID_PREFIX is vendor_`;
    expect(answer.text.includes(remark)).toBe(prefix !== 'vendor_');
  });
});

it('without a look before writes, the owner is proved all the same', async () => {
  const blind = await boundWorld(accountOf([acme, globex]), { settings: { BILLING_EXCLUDE_TOOLS: 'get_invoice' } });
  onTestFinished(() => blind.close());
  const update = (ids: Ids) =>
    blind.call(blind.caller(['acme']), 'update_invoice', { svc_id: ids.invoice, payment_status: 'failed' });
  expect(await update(theirs)).toMatchObject({ code: 'invoice_not_found' });
  expect(blind.received).toEqual([`GET /invoices/${theirs.invoice}`]);
  expect((await update(ours)).code).toBeNull();
  expect(blind.received.slice(1)).toEqual([`GET /invoices/${ours.invoice}`, `PUT /invoices/${ours.invoice}`]);
});

it('in the demo, neither the instructions nor the hint of an error names the ids that the demo has', async () => {
  const { config } = loadConfig(['--demo'], {});
  const runtime = createRuntime({ config });
  onTestFinished(() => runtime.close());
  const told = async (customers: string[] | undefined) => {
    const caller = { ...runtime.ownCaller(customers ? 'bound' : 'local'), customers };
    const [transport, far] = InMemoryTransport.createLinkedPair();
    const server = serveStdio(() => runtime.createMcpServer({ caller }), { transport: far });
    const client = new Client({ name: 'demo', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(transport as never);
    const missing = await client.callTool({ name: 'get_invoice', arguments: { svc_id: ours.invoice } });
    const text = `${client.getInstructions()}${JSON.stringify(missing)}`;
    await client.close();
    await server.close();
    return Object.values(demoIds).filter(id => text.includes(id));
  };
  expect((await told(undefined)).length).toBeGreaterThan(2);
  expect(await told(['nobody'])).toEqual([]);
});

it('a list of plans tells no total where a plan of a single subscription was left out of it', async () => {
  world.rewrite((path, body) => {
    const { plans, meta } = body as { plans: JsonRecord[]; meta: JsonRecord };
    if (!path.startsWith('/plans')) return body;
    const own = { ...plans[0], code: 'zglob-plan', parent_id: plans[0]?.svc_id };
    return { plans: [...plans, own], meta: { ...meta, total_count: plans.length + 1 } };
  });
  const answer = await world.send(bound, 'GET /plans?page=1&per_page=100');
  const { plans, meta } = (answer.ok ? answer.body : {}) as { plans: JsonRecord[]; meta: JsonRecord };
  expect(plans.map(({ code }) => code).sort()).toEqual(['basic', 'pro']);
  expect(meta).toMatchObject({ current_page: 1, next_page: null, total_pages: null, total_count: null });
});
