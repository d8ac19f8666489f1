/** One customer per conversation: what a bound caller gets of its own records, and of another's beside missing ones. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/definition/caller.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { samples } from '../change/samples.ts';
import { accountOf, type BoundWorld, boundWorld, type Ids, idsOf } from './bounds-world.ts';

const acme = { external_id: 'acme', name: 'Acme Corp', marker: 'acmark', cents: 1_203 };
const globex = { external_id: 'globex', name: 'Globex Inc', marker: 'zglob', cents: 7_654_321 };
const [ours, theirs] = [idsOf(acme), idsOf(globex)];
/** Ids of the same form, of nobody. */
const missing: Ids = {
  ...idsOf({ external_id: 'nobody', name: 'Nobody Ltd', marker: 'znone', cents: 0 }),
};

let world: BoundWorld;
let bound: Caller;
beforeAll(async () => {
  world = await boundWorld(accountOf([acme, globex]));
});
afterAll(() => world?.close());
let callers = 0;
beforeEach(() => {
  // A new caller, of whom nothing is kept.
  callers += 1;
  bound = { ...world.caller(['acme']), id: `bound-${callers}` };
});

const thresholds = [{ value: 100_000 }];
/** A call of each tool that names a record, by what it names: with an own one it answers. */
const naming: [what: string, tool: string, args: (ids: Ids & { home: string }) => JsonRecord][] = [
  ['customer', 'get_customer', ({ customer }) => ({ external_customer_id: customer })],
  ['customer', 'get_customer_portal_url', ({ customer }) => ({ external_customer_id: customer })],
  ['customer', 'get_customer_overview', ({ customer }) => ({ external_customer_id: customer })],
  ['name', 'get_customer_overview', ({ name }) => ({ external_customer_id: name })],
  ['customer', 'list_subscriptions', ({ customer }) => ({ external_customer_id: customer })],
  ['name', 'list_subscriptions', ({ name }) => ({ external_customer_id: name })],
  ['subscription', 'get_subscription', ({ subscription }) => ({ external_id: subscription })],
  ['subscription', 'get_subscription', ({ over }) => ({ external_id: over })],
  ['subscription', 'update_subscription', ({ subscription }) => ({ external_id: subscription, name: 'New' })],
  [
    'subscription',
    'change_several',
    ({ subscription: external_id }) => ({
      changes: [{ name: `Set ${callers}` }, { ending_at: '2027-12-31T00:00:00Z' }].map(fields => ({
        tool: 'update_subscription',
        arguments: JSON.stringify({ external_id, ...fields }),
      })),
    }),
  ],
  ['subscription', 'list_subscription_alerts', ({ subscription }) => ({ external_id: subscription })],
  [
    'subscription',
    'create_subscription_alert',
    ({ subscription }) => ({
      ...{ external_id: subscription, code: `a${callers}`, alert_type: 'lifetime_usage_amount', thresholds },
    }),
  ],
  ['subscription', 'list_events', ({ subscription }) => ({ external_subscription_id: subscription })],
  [
    'subscription',
    'estimate_fees',
    ({ subscription: external_subscription_id }) => ({
      ...{ external_subscription_id, code: 'gb', properties: { amount: '3' } },
    }),
  ],
  [
    'customer',
    'get_usage',
    ({ customer, subscription }) => ({
      ...{ external_customer_id: customer, external_subscription_id: subscription },
    }),
  ],
  [
    'subscription',
    'get_usage',
    ({ home, subscription }) => ({
      ...{ external_customer_id: home, external_subscription_id: subscription },
    }),
  ],
  [
    'subscription',
    'get_usage',
    ({ home, subscription }) => ({
      ...{ external_customer_id: home, external_subscription_id: subscription, period: 'past' },
    }),
  ],
  [
    'customer',
    'preview_invoice',
    ({ customer, subscription }) => ({
      ...{ customer: { external_id: customer }, subscriptions: { external_ids: [subscription] } },
    }),
  ],
  ['customer', 'preview_invoice', ({ customer }) => ({ customer: { external_id: customer }, plan_code: 'pro' })],
  [
    'subscription',
    'preview_invoice',
    ({ home, subscription }) => ({
      ...{ customer: { external_id: home }, subscriptions: { external_ids: [subscription] } },
    }),
  ],
  [
    'customer',
    'compare_plans',
    ({ customer }) => ({
      ...{ plan_codes: ['basic', 'pro'], customer: { external_id: customer } },
    }),
  ],
  [
    'subscription',
    'compare_plans',
    ({ home, subscription }) => ({
      ...{ plan_codes: ['basic', 'pro'], customer: { external_id: home }, usage: 'current' },
      external_subscription_id: subscription,
    }),
  ],
  ['customer', 'list_wallets', ({ customer }) => ({ external_customer_id: customer })],
  ['wallet', 'list_wallet_transactions', ({ wallet }) => ({ svc_id: wallet })],
  ['wallet', 'update_wallet', ({ wallet }) => ({ svc_id: wallet, name: `Wallet ${callers}`, applies_to: {} })],
  [
    'customer',
    'get_wallet_alert',
    ({ customer, walletCode, walletAlert }) => ({
      ...{ external_customer_id: customer, wallet_code: walletCode, code: walletAlert },
    }),
  ],
  [
    'wallet',
    'get_wallet_alert',
    ({ home, walletCode, walletAlert }) => ({
      ...{ external_customer_id: home, wallet_code: walletCode, code: walletAlert },
    }),
  ],
  ['transaction', 'get_wallet_transaction', ({ transaction }) => ({ svc_id: transaction })],
  ['customer', 'list_invoices', ({ customer }) => ({ external_customer_id: customer })],
  ['number', 'list_invoices', ({ number }) => ({ search_term: number })],
  ['invoice', 'get_invoice', ({ invoice }) => ({ svc_id: invoice })],
  ['number', 'get_invoice', ({ number }) => ({ svc_id: number })],
  ['invoice', 'check_invoice', ({ invoice }) => ({ svc_id: invoice })],
  ['number', 'check_invoice', ({ number }) => ({ svc_id: number })],
  ['invoice', 'update_invoice', ({ invoice }) => ({ svc_id: invoice, payment_status: 'succeeded' })],
  ['number', 'update_invoice', ({ number }) => ({ svc_id: number, payment_status: 'succeeded' })],
  ['customer', 'list_credit_notes', ({ customer }) => ({ external_customer_id: customer })],
  ['number', 'list_credit_notes', ({ number }) => ({ invoice_number: number })],
  ['credit note', 'update_credit_note', ({ creditNote }) => ({ svc_id: creditNote, metadata: { a: `${callers}` } })],
  ['payment', 'get_payment', ({ payment }) => ({ svc_id: payment })],
  ['customer', 'list_payments', ({ customer }) => ({ external_customer_id: customer })],
  ['customer', 'get_statement', ({ customer }) => ({ external_customer_id: customer })],
  ['customer', 'list_activity', ({ customer }) => ({ external_customer_id: customer })],
  ['invoice', 'list_payments', ({ invoice }) => ({ invoice_id: invoice })],
  ['event', 'get_event', ({ event }) => ({ transaction_id: event })],
  ['customer', 'list_catalogue', ({ customer }) => ({ kind: 'applied_coupons', external_customer_id: customer })],
  ['customer', 'list_catalogue', ({ customer }) => ({ kind: 'fees', external_customer_id: customer })],
  ['name', 'find_customers', ({ name }) => ({ search_term: name })],
  ['marker', 'find_customers', ({ marker }) => ({ search_term: marker })],
];

/** What a call answers, and what it asks the service, with the given ids taken out. */
async function asked(tool: string, args: JsonRecord, ids: Ids, showsPages = false) {
  const from = world.received.length;
  const { text, code } = await world.call(bound, tool, args, showsPages);
  const requests = world.received.slice(from).sort();
  const values = Object.entries(ids).sort(([, a], [, b]) => b.length - a.length);
  const plain = (given: string) =>
    values.reduce(
      (rest, [field, value]) => rest.replaceAll(value, field).replaceAll(encodeURIComponent(value), field),
      given,
    );
  return { code, answer: plain(text), requests: requests.map(plain) };
}

describe('another’s record beside a missing one', () => {
  it.each(naming)('%s of %s: the same answer, of the same requests', async (_, tool, args) => {
    const other = await asked(tool, args({ ...theirs, home: 'acme' }), theirs);
    bound = { ...bound, id: `${bound.id}-again` };
    const none = await asked(tool, args({ ...missing, home: 'acme' }), missing);
    expect(other).toEqual(none);
    expect(other.answer).not.toContain(String(globex.cents).slice(0, 5));
  });
});

describe('for a client that shows pages', () => {
  const shown = naming.filter(([, tool]) =>
    /^(get_usage|list_wallets|list_wallet_transactions|list_invoices)$/.test(tool),
  );

  it.each(shown)(
    'another’s %s of %s is answered as a missing one, without data for its page',
    async (_, tool, args) => {
      const other = await asked(tool, args({ ...theirs, home: 'acme' }), theirs, true);
      bound = { ...bound, id: `${bound.id}-again` };
      expect(other).toEqual(await asked(tool, args({ ...missing, home: 'acme' }), missing, true));
    },
  );

  it.each([
    ['list_wallets', { external_customer_id: ours.customer }, 'balances'],
    ['list_wallet_transactions', { svc_id: ours.wallet }, 'filters'],
    [
      'get_usage',
      { external_customer_id: ours.customer, external_subscription_id: ours.subscription },
      'customer_name',
    ],
  ])(
    'what the page of %s draws is of the own customer alone, and nothing about another is read',
    async (tool, args, drawn) => {
      const { answer, requests } = await asked(tool, args, missing, true);
      expect(answer).toContain(drawn);
      for (const { customer, marker, name, wallet } of [theirs])
        for (const mark of [customer, marker, name, wallet]) expect(answer + requests.join()).not.toContain(mark);
    },
  );

  it.each([
    ['the own wallets', 'list_wallets', { external_customer_id: ours.customer }, '/wallet_transactions'],
    [
      'the own usage',
      'get_usage',
      { external_customer_id: ours.customer, external_subscription_id: ours.subscription },
      '/alerts',
    ],
  ])('beside %s, records of another that the service gives are not drawn', async (_, tool, args, path) => {
    const lie = {
      svc_id: theirs.wallet,
      external_customer_id: theirs.customer,
      name: theirs.marker,
      amount: '76543.21',
    };
    world.rewrite((asked, body) =>
      asked.includes(path) || asked.includes('/past_usage')
        ? JSON.parse(JSON.stringify(body), (_, value) =>
            Array.isArray(value) && value.length ? [{ ...value[0], ...lie }] : value,
          )
        : body,
    );
    const { text } = await world.call(bound, tool, args, true);
    world.rewrite(undefined);
    expect(text).not.toContain(theirs.marker);
    expect(text).not.toContain('7654321');
  });
});

describe('an own record', () => {
  it.each(naming)('%s of %s is answered, and to a caller who is bound to its customer', async (_, tool, args) => {
    // A number in the place of a svc_id is refused, with the svc_id.
    const code =
      tool === 'update_invoice' && args({ ...ours, home: '' }).svc_id === ours.number ? 'invalid_arguments' : null;
    const own = await asked(tool, args({ ...ours, home: ours.customer }), ours);
    expect(own.code, own.answer).toBe(code);
    bound = { ...world.caller(['globex']), id: `globex-${callers}` };
    const theirOwn = await asked(tool, args({ ...theirs, home: theirs.customer }), theirs);
    expect(theirOwn.code, theirOwn.answer).toBe(code);
    if (code !== null) expect(theirOwn.answer).toContain('Invoice number has the svc_id invoice');
  });
});

it.each(['invoice', 'number'] as const)('an own invoice is not compared with another’s, named by its %s', async by => {
  const compare = async (ids: Ids) => {
    const { requests, ...other } = await asked('get_invoice', { svc_id: ours.invoice, compared_to: ids[by] }, ids);
    return { ...other, requests: requests.sort() };
  };
  const other = await compare(theirs);
  bound = { ...bound, id: `${bound.id}-again` };
  expect(other).toEqual(await compare(missing));
  expect(other.code).toBe(by === 'invoice' ? 'invoice_not_found' : 'no_match');
});

it.each(['previous', 'running'])('an own invoice is compared with the %s one among own records alone', async word => {
  const { code, answer } = await asked('get_invoice', { svc_id: ours.invoice, compared_to: word }, ours);
  expect(code, answer).toBeNull();
  expect(answer).not.toContain(theirs.marker);
});

it('every tool that is offered has a call here; the account-wide ones are refused', async () => {
  const offered = world.runtime.pipeline.list(bound).tools.map(({ name }) => name);
  const named = new Set(naming.map(([, tool]) => tool));
  expect(offered.filter(name => !named.has(name))).toEqual(['list_plans']);
  const others = toolDefinitions.map(({ name }) => name).filter(name => !offered.includes(name));
  expect(others.sort()).toEqual([
    'create_billing_entity',
    'delete_add_on',
    'get_revenue',
    'get_webhook_endpoint',
    'update_add_on',
  ]);
  const from = world.received.length;
  for (const tool of others) {
    const answer = await world.call(bound, tool, samples[tool] ?? {});
    expect(answer).toMatchObject({ code: 'tool_not_offered', text: expect.stringContaining(tool) });
  }
  expect(world.received.slice(from)).toEqual([]);
});

it('list_catalogue tells a bound caller its kinds beforehand, and refuses the others unsent', async () => {
  const { tools } = world.runtime.pipeline.list(bound);
  const properties = tools.find(({ name }) => name === 'list_catalogue')!.inputSchema.properties;
  const listed = (properties as { kind: { enum: string[] } }).kind.enum;
  expect(listed).toEqual(['billable_metrics', 'applied_coupons', 'fees']);
  for (const kind of ['add_ons', 'coupons', 'billing_entities', 'taxes', 'webhook_endpoints']) {
    const from = world.received.length;
    const { code, text } = await world.call(bound, 'list_catalogue', { kind });
    expect({ kind, code, sent: world.received.length - from }).toEqual({ kind, code: 'account_wide', sent: 0 });
    for (const allowed of listed) expect(text).toContain(allowed);
  }
  for (const kind of listed) expect((await world.call(bound, 'list_catalogue', { kind })).code).toBeNull();
});

it('nobody’s caller gets nothing of anybody, and sends nothing about anybody', async () => {
  bound = { ...world.caller([]), id: 'nobodys' };
  const from = world.received.length;
  for (const [, tool, args] of naming) {
    const { text } = await world.call(bound, tool, args({ ...ours, home: ours.customer }));
    const { marker, ...given } = ours;
    const others = Object.values(given).reduce((rest, id) => rest.replaceAll(id, ''), text);
    if (tool !== 'find_customers') expect(others).not.toContain(marker);
  }
  const ids = [ours.customer, ours.subscription, ours.wallet];
  for (const request of world.received.slice(from)) for (const id of ids) expect(request).not.toContain(id);
});
