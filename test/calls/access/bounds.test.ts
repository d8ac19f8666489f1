/** One customer per conversation: what a bound caller gets of its own records, and of another's beside missing ones. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/definition/caller.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { samples } from '../change/samples.ts';
import { globex, type Ids, missing, ours, sharedWorld, theirs } from './bounds-world.ts';

const world = sharedWorld();
let bound: Caller;
let callers = 0;
beforeEach(() => {
  callers += 1;
  bound = world.newCaller();
});

const thresholds = [{ value: 100_000 }];
type Named = Ids & { home: string };
const ofCustomer = ({ customer }: Named) => ({ external_customer_id: customer });
const byName = ({ name }: Named) => ({ external_customer_id: name });
const ofSubscription = ({ subscription }: Named) => ({ external_id: subscription });
const bySvcId = (field: keyof Ids) => (ids: Named) => ({ svc_id: ids[field] });
/** Two fields whose values are ids; `home` is the own customer. */
const usageOf =
  (field: 'customer' | 'home', more: JsonRecord = {}) =>
  (ids: Named) => ({
    ...{ external_customer_id: ids[field], external_subscription_id: ids.subscription, ...more },
  });
const previewOf = (field: 'customer' | 'home') => (ids: Named) => ({
  ...{ customer: { external_id: ids[field] }, subscriptions: { external_ids: [ids.subscription] } },
});
const alertOf = (field: 'customer' | 'home') => (ids: Named) => ({
  ...{ external_customer_id: ids[field], wallet_code: ids.walletCode, code: ids.walletAlert },
});
const plan_codes = ['basic', 'pro'];

/** A call of each tool that names a record, by what it names: with an own one it answers. */
const naming: [what: string, tool: string, args: (ids: Named) => JsonRecord][] = [
  ['customer', 'get_customer', ofCustomer],
  ['customer', 'get_customer_portal_url', ofCustomer],
  ['customer', 'get_customer_overview', ofCustomer],
  ['name', 'get_customer_overview', byName],
  ['customer', 'list_subscriptions', ofCustomer],
  ['name', 'list_subscriptions', byName],
  ['subscription', 'get_subscription', ofSubscription],
  ['subscription', 'get_subscription', ({ over }) => ({ external_id: over })],
  ['subscription', 'update_subscription', ids => ({ ...ofSubscription(ids), name: 'New' })],
  [
    'subscription',
    'change_several',
    ids => ({
      changes: [{ name: `Set ${callers}` }, { ending_at: '2027-12-31T00:00:00Z' }].map(fields => ({
        tool: 'update_subscription',
        arguments: JSON.stringify({ ...ofSubscription(ids), ...fields }),
      })),
    }),
  ],
  ['subscription', 'list_subscription_alerts', ofSubscription],
  [
    'subscription',
    'create_subscription_alert',
    ids => ({ ...ofSubscription(ids), code: `a${callers}`, alert_type: 'lifetime_usage_amount', thresholds }),
  ],
  ['subscription', 'list_events', ({ subscription }) => ({ external_subscription_id: subscription })],
  [
    'subscription',
    'estimate_fees',
    ({ subscription: external_subscription_id }) => ({
      ...{ external_subscription_id, code: 'gb', properties: { amount: '3' } },
    }),
  ],
  ['customer', 'get_usage', usageOf('customer')],
  ['subscription', 'get_usage', usageOf('home')],
  ['subscription', 'get_usage', usageOf('home', { period: 'past' })],
  ['customer', 'preview_invoice', previewOf('customer')],
  ['customer', 'preview_invoice', ({ customer }) => ({ customer: { external_id: customer }, plan_code: 'pro' })],
  ['subscription', 'preview_invoice', previewOf('home')],
  ['customer', 'compare_plans', ({ customer }) => ({ plan_codes, customer: { external_id: customer } })],
  [
    'subscription',
    'compare_plans',
    ({ home, subscription: external_subscription_id }) => ({
      ...{ plan_codes, customer: { external_id: home }, usage: 'current', external_subscription_id },
    }),
  ],
  ['customer', 'list_wallets', ofCustomer],
  ['wallet', 'list_wallet_transactions', bySvcId('wallet')],
  ['wallet', 'update_wallet', ({ wallet }) => ({ svc_id: wallet, name: `Wallet ${callers}`, applies_to: {} })],
  ['customer', 'get_wallet_alert', alertOf('customer')],
  ['wallet', 'get_wallet_alert', alertOf('home')],
  ['transaction', 'get_wallet_transaction', bySvcId('transaction')],
  ['customer', 'list_invoices', ofCustomer],
  ['number', 'list_invoices', ({ number }) => ({ search_term: number })],
  ...(['invoice', 'number'] as const).flatMap((by): [string, string, (ids: Named) => JsonRecord][] => [
    [by, 'get_invoice', bySvcId(by)],
    [by, 'check_invoice', bySvcId(by)],
    [by, 'update_invoice', ids => ({ svc_id: ids[by], payment_status: 'succeeded' })],
  ]),
  ['customer', 'list_credit_notes', ofCustomer],
  ['number', 'list_credit_notes', ({ number }) => ({ invoice_number: number })],
  ['credit note', 'update_credit_note', ({ creditNote }) => ({ svc_id: creditNote, metadata: { a: `${callers}` } })],
  ['payment', 'get_payment', bySvcId('payment')],
  ['customer', 'list_payments', ofCustomer],
  ['customer', 'get_statement', ofCustomer],
  ['customer', 'list_activity', ofCustomer],
  ['invoice', 'list_payments', ({ invoice }) => ({ invoice_id: invoice })],
  ['event', 'get_event', ({ event }) => ({ transaction_id: event })],
  ['customer', 'list_catalogue', ids => ({ kind: 'applied_coupons', ...ofCustomer(ids) })],
  ['customer', 'list_catalogue', ids => ({ kind: 'fees', ...ofCustomer(ids) })],
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

const drawing = /^(get_usage|list_wallets|list_wallet_transactions|list_invoices)$/;

describe('another’s record beside a missing one', () => {
  it.each(naming)('%s of %s: the same answer, of the same requests', async (_, tool, args) => {
    // With a page to draw, no data for it either.
    for (const showsPages of drawing.test(tool) ? [false, true] : [false]) {
      const other = await asked(tool, args({ ...theirs, home: 'acme' }), theirs, showsPages);
      bound = world.newCaller();
      const none = await asked(tool, args({ ...missing, home: 'acme' }), missing, showsPages);
      expect(other).toEqual(none);
      expect(other.answer).not.toContain(String(globex.cents).slice(0, 5));
      bound = world.newCaller();
    }
  });
});

describe('for a client that shows pages', () => {
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
      const { customer, marker, name, wallet } = theirs;
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
    bound = world.newCaller(['globex']);
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
  bound = world.newCaller();
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
  bound = world.newCaller([]);
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
