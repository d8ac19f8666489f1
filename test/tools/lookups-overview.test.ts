/** A customer in one call. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { idOf } from './large-account.ts';
import { invoiceRow, noteRow, subscriptionRow as subscription, walletRow } from './lookup-records.ts';
import {
  freshWorld,
  type LookupWorld,
  meta,
  onOneDay,
  refusal,
  type Script,
  type Scripted,
} from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const base = '/customers/northwind-logistics';
const states = ['pending', 'active', 'terminated', 'canceled', 'incomplete'].map(state => `status[]=${state}`);

const invoice = (number: string, total_due_amount_cents: number, fields: JsonRecord = {}) =>
  invoiceRow(1, {
    ...{ svc_id: idOf(number), number, payment_due_date: '2026-02-15', total_due_amount_cents },
    ...{ total_amount_cents: total_due_amount_cents, ...fields },
  });
const late = { payment_overdue: true, payment_due_date: '2026-01-31', payment_status: 'failed' };
const wallet = (code: string, fields: JsonRecord = {}) =>
  walletRow(1, {
    ...{ svc_id: idOf(code), code, name: 'Prepaid', balance_cents: 5000, ongoing_balance_cents: 3200 },
    ...fields,
  });
const used = (code: string, units: number, amount_cents: number, fields: object = {}) => ({
  ...{ units: `${units}.0`, events_count: units, amount_cents, amount_currency: 'USD' },
  billable_metric: { code, name: code[0]!.toUpperCase() + code.slice(1) },
  ...fields,
});
const usage = (amount_cents: number, more: object[] = [], total = amount_cents) => ({
  customer_usage: {
    ...{ from_datetime: '2026-02-01T05:00:00Z', to_datetime: '2026-03-01T04:59:59Z', issuing_date: '2026-02-28' },
    ...{ currency: 'USD', amount_cents: total, taxes_amount_cents: 0, total_amount_cents: total },
    charges_usage: [used('exports', 0, 0), used('shipments', 36, amount_cents), ...more],
  },
});
const alert = (code: string, previous_value: string, thresholds: object[], fields: object = {}) => ({
  ...{ code, name: null, alert_type: 'current_usage_amount', direction: 'increasing', billable_metric: null },
  ...{ previous_value, thresholds, last_processed_at: '2026-02-10T00:00:00Z' },
  ...fields,
});
const creditNote = (number: string, balance_amount_cents: number) =>
  noteRow(1, { svc_id: idOf(number), number, balance_amount_cents });

const customer = {
  ...{ external_id: 'northwind-logistics', name: 'Northwind Logistics', legal_name: 'Northwind Logistics Inc.' },
  ...{ email: 'billing@northwind.example', country: 'US', currency: 'USD', billing_entity_code: 'main' },
  applicable_timezone: 'America/New_York',
};

/** A customer with three active subscriptions and one of everything; `changed` replaces answers. */
const full = (changed: Record<string, Scripted> = {}): Record<string, Scripted> => ({
  [base]: { customer },
  [`${base}/subscriptions`]: [
    subscription('next', { status: 'pending', started_at: null, subscription_at: '2026-03-01T00:00:00Z' }),
    subscription('main', { name: 'Main' }),
    subscription('east'),
    subscription('west'),
    subscription('old', { status: 'terminated', terminated_at: '2025-12-31T23:59:59Z' }),
  ],
  [`${base}/wallets`]: [wallet('prepaid'), wallet('gone', { status: 'terminated' })],
  [`${base}/invoices`]: [
    invoice('NW-3', 11_200),
    invoice('NW-2', 10_000, late),
    invoice('NW-1', 20_000, { ...late, payment_due_date: '2025-12-31' }),
  ],
  [`${base}/credit_notes`]: [creditNote('NW-1-CN001', 3000)],
  [`${base}/current_usage`]: usage(1800),
  '/plans/navigator': { plan: { code: 'navigator', interval: 'monthly' } },
  '/subscriptions/main/alerts': [alert('budget', '12000.0', [{ value: '10000.0', recurring: false }])],
  '/subscriptions/east/alerts': [alert('quiet', '10.0', [{ value: '10000.0', recurring: false }])],
  '/subscriptions/west/alerts': [],
  ...changed,
});
/** The same with other lists of the customer, or alerts of its subscription `main`. */
const having = (lists: Record<string, Scripted>) =>
  full(Object.fromEntries(Object.entries(lists).map(([key, rows]) => [`${base}/${key}`, rows])));
const reached = [{ value: '10000.0' }];
const alerting = (...alerts: object[]) => full({ '/subscriptions/main/alerts': alerts });
const overview = (given = 'northwind-logistics') =>
  world.call('get_customer_overview', { external_customer_id: given }) as Promise<
    Awaited<ReturnType<LookupWorld['call']>> & { overview: Record<string, unknown> }
  >;

describe('get_customer_overview', () => {
  it('tells drafts, what is billed already, what no wallet covers, and intervals of plan fees', async () => {
    const charge = (svc_id: string, amount_cents: number) => ({
      ...{ charge: { svc_id }, billable_metric: { code: svc_id }, units: '1.0', events_count: 1, amount_cents },
    });
    const { customer_usage } = usage(98_018);
    world.script({
      [base]: { customer: { ...customer, applicable_timezone: 'UTC' } },
      [`${base}/subscriptions`]: [subscription('main', { ending_at: '2026-02-02T12:00:00Z' })],
      '/plans/navigator': { plan: { code: 'navigator', interval: 'yearly' } },
      [`${base}/wallets`]: [
        wallet('over', { name: null, balance_cents: 0, ongoing_balance_cents: -128_878 }),
        wallet('past', { name: null, expiration_at: '2026-02-03T00:00:00Z' }),
      ],
      [`${base}/invoices`]: [invoice('NW-DRAFT', 87_422, { status: 'draft' })],
      [`${base}/credit_notes`]: [],
      [`${base}/current_usage`]: {
        customer_usage: { ...customer_usage, charges_usage: [charge('calls', 20_756), charge('events', 77_262)] },
      },
      '/subscriptions/main/alerts': [],
      '/subscriptions/main/charges': [{ svc_id: 'events', pay_in_advance: true }],
    });
    const answer = await overview();
    expect(factsOf(answer.summary)).toBe(
      '“Northwind Logistics” · (northwind-logistics) · 1 · $874.22 · 1 · $499.00 · 2 Feb · 12:00 · $207.56 · $772.62 · 1 Feb · 1 Mar · (UTC) · $0.00 · $1,288.78 · 3 Feb · 00:00 · list_credit_notes',
    );
  });

  it('says that a wallet pays only some of the fees', async () => {
    const applies_to = { fee_types: ['fixed_charge', 'commitment'], billable_metric_codes: [] };
    world.script(having({ wallets: [wallet('prepaid', { applies_to })] }));
    expect(factsOf((await overview()).summary)).toContain('“Prepaid” · $50.00 · $32.00');
  });

  it('tells about a customer with three subscriptions in 900 tokens and 12 requests', async () => {
    world.script(full());
    const answer = await overview();
    expect(factsOf(answer.summary)).toBe(
      '“Northwind Logistics” · (northwind-logistics) · $412.00 · 3 · $300.00 · 2 · 31 Dec · 2025 · 5 · 3 · 1 · 1 · “Main” · $499.00 · $18.00 · $499.00 · $18.00 · $499.00 · $18.00 · 1 Feb · 28 Feb · New_York · “Prepaid” · $50.00 · $32.00 · 1 · “Main” · $120.00 · $100.00 · $30.00 · 1',
    );
    const tokens = countTokens(JSON.stringify(answer));
    expect(tokens).toBeLessThanOrEqual(900);
    expect(world.asked).toEqual([
      base,
      `${base}/subscriptions?${states.join('&')}&page=1&per_page=100`,
      `${base}/wallets?page=1&per_page=100`,
      `${base}/invoices?status[]=finalized&status[]=draft&payment_status[]=pending&payment_status[]=failed&page=1&per_page=100`,
      `${base}/credit_notes?credit_status[]=available&page=1&per_page=100`,
      ...['main', 'east', 'west'].map(id => `${base}/current_usage?external_subscription_id=${id}`),
      ...['main', 'east', 'west'].map(id => `/subscriptions/${id}/alerts?page=1&per_page=100`),
      '/plans/navigator',
    ]);
    expect(answer.overview).not.toHaveProperty('not_read');
    expect(answer.overview).not.toHaveProperty('shown');
  });

  it('stays within 900 tokens where the three subscriptions have much to tell', async () => {
    const ids = ['northwind-logistics-main', 'northwind-logistics-east', 'northwind-logistics-west'];
    const budget = (id: string) => [alert(`budget-${id}`, '12000.0', reached, { name: 'Monthly budget' })];
    world.script({
      ...having({
        subscriptions: ids.map(id => subscription(id, { name: `${id.slice(20)} depot` })),
        wallets: ['prepaid', 'promotion', 'support'].map(code => wallet(code)),
        credit_notes: [1, 2, 3, 4].map(n => creditNote(`NOR-1234-001-00${n}-CN001`, 3000)),
        current_usage: usage(123_456),
      }),
      ...Object.fromEntries(ids.map(id => [`/subscriptions/${id}/alerts`, budget(id)])),
    });
    const answer = await overview();
    const tokens = countTokens(JSON.stringify(answer));
    expect(tokens).toBeLessThanOrEqual(900);
    expect(answer.summary).toContain('; and 1 more wallet.');
    expect(answer.summary).toContain('Triggered alerts (2 of 3 named): ');
    expect(answer.overview.shown).toEqual({ wallets: '2 of 3', alerts: '2 of 3', credit_notes: '2 of 4' });
  });

  it('gives amounts in cents, by currency, and the ids that other tools take', async () => {
    world.script(having({ invoices: [invoice('A', 100, late), invoice('B', 7, { currency: 'EUR' })] }));
    const { summary, overview: found } = await overview();
    expect(found).toMatchObject({
      customer: { external_id: 'northwind-logistics', currency: 'USD' },
      owed: [
        { currency: 'EUR', count: 1, total_due_amount_cents: 7 },
        { currency: 'USD', count: 1, total_due_amount_cents: 100 },
      ],
      ...{ overdue: [{ currency: 'USD', count: 1, total_due_amount_cents: 100 }], overdue_since: '2026-01-31' },
      wallets: [{ svc_id: idOf('prepaid'), code: 'prepaid', balance_cents: 5000, ongoing_balance_cents: 3200 }],
      terminated_wallets: 1,
      credit: [{ currency: 'USD', count: 1, balance_amount_cents: 3000 }],
    });
    expect(found.usage_period).toEqual({
      ...{ from_datetime: '2026-02-01T05:00:00Z', to_datetime: '2026-03-01T04:59:59Z' },
    });
    expect(found.subscriptions).toContainEqual({
      ...{ external_id: 'main', status: 'active', plan_code: 'navigator', plan_amount_cents: 49_900 },
      usage: { amount_cents: 1800 },
    });
    expect(factsOf(summary)).toContain('€0.07 · $1.00 · 2 · $1.00 · 1');
  });

  it('finds the customer by name, within 12 requests', async () => {
    world.script({
      ...full(),
      '/customers/Northwind': refusal(404, 'customer_not_found'),
      '/customers': [customer],
    });
    const answer = await overview('Northwind');
    expect(factsOf(answer.summary)).toContain('“Northwind Logistics” · (northwind-logistics)');
    expect(answer.summary).toContain('Triggered alert: budget on “Main”');
    expect(answer.summary.match(/of usage so far/g)).toHaveLength(3);
    expect(answer.overview).not.toHaveProperty('not_read');
    expect(world.asked).toHaveLength(12);
  });

  it('counts subscriptions beyond five, and says of how many usage and alerts were read', async () => {
    const many = Array.from({ length: 9 }, (_, i) => subscription(`s${i}`));
    const alerts = Object.fromEntries(many.map(({ external_id }) => [`/subscriptions/${external_id}/alerts`, []]));
    world.script({ ...having({ subscriptions: many }), ...alerts });
    const answer = await overview();
    expect(world.asked).toHaveLength(12);
    expect(answer.overview.subscriptions).toHaveLength(5);
    expect(answer.overview.shown).toEqual({
      subscriptions: '5 of 9',
      usage: '4 of 9',
      alerts_of_subscriptions: '3 of 9',
    });
    expect(factsOf(answer.summary)).toContain(
      '“Northwind Logistics” · (northwind-logistics) · $412.00 · 3 · $300.00 · 2 · 31 Dec · 2025 · 9 · s0 · $499.00 · $18.00 · s1 · $499.00 · $18.00 · s2 · $499.00 · $18.00 · 6 · 1 Feb · 28 Feb · New_York · 4 · 9 · get_usage · “Prepaid” · $50.00 · $32.00 · 1 · 6 · list_subscription_alerts · $30.00 · 1',
    );
    expect(answer.summary).toContain('; and 6 more.');
    expect(factsOf(answer.summary)).toContain('4 · 9 · get_usage');
    expect(answer.summary).toContain('alerts of 6 more');
  });

  describe('of usage with an amount beside no event', () => {
    const metric = { billable_metric: { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' } };
    const flat = usage(1_800, [used('calls', 0, 200, { charge: { svc_id: 'calls' }, ...metric })], 2_000);
    const charges = [{ svc_id: 'calls', pay_in_advance: true }];
    const scripted = (count: number) => {
      const many = Array.from({ length: count }, (_, i) => subscription(`s${i}`));
      const own = many.flatMap(({ external_id: id }) => [
        [`/subscriptions/${id}/alerts`, []],
        [`/subscriptions/${id}/charges`, charges],
      ]);
      const subscriptions = { [`${base}/subscriptions`]: many };
      world.script(full({ ...subscriptions, ...Object.fromEntries(own), [`${base}/current_usage`]: flat }));
    };

    it('counts it not where the charge is billed by event', async () => {
      scripted(1);
      const answer = await overview();
      expect(world.asked).toContain('/subscriptions/s0/charges?per_page=100');
      expect(answer.overview.subscriptions).toMatchObject([{ usage: { amount_cents: 1_800 } }]);
      expect(answer.summary).toContain('$18.00 of usage so far.');
    });

    it('says what may not cost anything where no request is left to find out', async () => {
      scripted(5);
      const answer = await overview();
      expect(world.asked).toHaveLength(12);
      expect(factsOf(answer.summary)).toContain('$20.00 · $2.00');
    });
  });

  it('gives each usage its own period where they differ', async () => {
    const script = full();
    const yearly = { ...usage(50).customer_usage, to_datetime: '2026-12-31T23:59:59Z' };
    world.script(url =>
      url.searchParams.get('external_subscription_id') === 'east'
        ? { customer_usage: yearly }
        : script[decodeURIComponent(url.pathname.replace('/api/v1', ''))],
    );
    const answer = await overview();
    expect(answer.summary).toContain('the current periods');
    expect(answer.overview).not.toHaveProperty('usage_period');
    expect((answer.overview.subscriptions as object[])[1]).toMatchObject({
      external_id: 'east',
      usage: { amount_cents: 50, from_datetime: '2026-02-01T05:00:00Z', to_datetime: '2026-12-31T23:59:59Z' },
    });
  });

  it('says little of a customer that has nothing', async () => {
    const none = ['subscriptions', 'wallets', 'invoices', 'credit_notes'].map(key => [`${base}/${key}`, []]);
    world.script({ [base]: { customer: { external_id: 'northwind-logistics' } }, ...Object.fromEntries(none) });
    const answer = await overview();
    expect(factsOf(answer.summary)).toBe('list_credit_notes');
    expect(answer.overview).toEqual({ customer: { external_id: 'northwind-logistics' } });
    expect(world.asked).toHaveLength(5);
  });

  const open = (...invoices: object[]) => having({ invoices });
  const recurring = { value: '100.0', recurring: true };
  it.each<[string, Script, RegExp]>([
    ['none of it is overdue', open(invoice('A', 100)), /\$1\.00 .*1 invoice, none overdue/],
    ['all of it is overdue', open(invoice('A', 100, late)), /\$1\.00 .*all overdue, due on 31 Jan/],
    ['the account owes it', open(invoice('A', 100, { self_billed: true })), /Nothing is owed; 1 self-billed invoice/],
    [
      'the service did not apply the filter, so that a draft and a voided one came along',
      open(
        invoice('A', 100),
        invoice('B', 200, { status: 'draft', payment_overdue: true }),
        invoice('C', 400, { status: 'voided' }),
        invoice('D', 800, { payment_status: 'succeeded' }),
      ),
      /\$1\.00 .*1 invoice, none overdue/,
    ],
    [
      'not all open invoices were read',
      having({ invoices: { invoices: [invoice('A', 100)], meta: meta(240, { pages: 240 }) } }),
      /\$1\.00 .*newest 1 of about 240 .*none overdue/,
    ],
    [
      'an alert went off in an earlier period',
      alerting(alert('budget', '12000.0', reached, { last_processed_at: '2026-01-31T00:00:00Z' })),
      /“Main” at \$120\.00, past \$100\.00 in an earlier/,
    ],
    ['a recurring one went off first', alerting(alert('each', '120.0', [recurring])), /at \$1\.20, past \$1\.00\./],
    [
      'a recurring threshold waits for a one-time one',
      { ...alerting(alert('both', '120.0', [{ value: '500.0' }, recurring])), '/subscriptions/east/alerts': [] },
      /\(1 set\)/,
    ],
  ])('says exactly what is so where %s', async (_, script, sentence) => {
    world.script(script);
    expect((await overview()).summary).toMatch(sentence);
  });
});

describe('a section that cannot be read', () => {
  const all = { subscriptions: 'internal_error', usage: 'internal_error', alerts: 'internal_error' };
  it.each([
    ['subscriptions', all, 'subscriptions, usage and alerts'],
    ['wallets', { wallets: 'internal_error' }, 'wallets'],
    ['invoices', { invoices: 'internal_error' }, 'amounts owed'],
    ['credit_notes', { credit_notes: 'internal_error' }, 'credit notes'],
    ['current_usage', { usage: 'internal_error' }, 'usage'],
  ])('is named with the reason where GET …/%s fails, and the rest is kept', async (path, codes, said) => {
    world.script(having({ [path]: refusal(500, 'internal_error') }));
    const answer = await overview();
    expect(answer.error).toBeUndefined();
    expect(answer.overview.not_read).toEqual(codes);
    expect(answer.summary).toContain(`Not read: ${said} (the service returned 500 (internal_error)`);
    expect(answer.summary).toContain('“Northwind Logistics”');
    const others = ['wallets', 'owed', 'credit_notes', 'subscriptions'].filter(key => !(key in codes));
    for (const key of others) if (!(path === 'invoices' && key === 'owed')) expect(answer.overview).toHaveProperty(key);
  });

  it('is kept in part where the usage of one subscription fails', async () => {
    const script = full();
    world.script(url =>
      url.searchParams.get('external_subscription_id') === 'east'
        ? refusal(405, 'no_active_subscription')
        : script[decodeURIComponent(url.pathname.replace('/api/v1', ''))],
    );
    const answer = await overview();
    expect(answer.summary.match(/of usage so far/g)).toHaveLength(2);
    expect(answer.overview.shown).toEqual({ usage: '2 of 3' });
    expect(answer.overview.not_read).toEqual({ usage: 'no_active_subscription' });
    expect(answer.summary).toContain('Not read: some usage');
  });

  it('is the record of the customer, where the key may read the lists alone', async () => {
    world.script(full({ [base]: refusal(403, 'read_action_not_allowed_for_customer') }));
    const own = await overview();
    expect(own.summary).toMatch(/^Customer northwind-logistics\. \$412\.00 is owed/);
    expect(own.overview.not_read).toEqual({ profile: 'read_action_not_allowed_for_customer' });
  });

  it.each<[string, Script, string, number]>([
    ['is unknown', { [base]: refusal(404, 'customer_not_found'), '/customers': [] }, 'customer_not_found', 2],
    ['comes with a key that is not accepted', { [base]: refusal(401, 'unauthorized') }, 'unauthorized', 1],
    ['cannot be read, like everything else', () => refusal(500, 'internal_error'), 'internal_error', 5],
  ])('is an error where the customer %s', async (_, script, code, requests) => {
    world.script(script);
    expect((await overview()).error?.code).toBe(code);
    expect(world.asked).toHaveLength(requests);
  });

  it.each([
    ['list_subscriptions', ['subscriptions', 'usage', 'alerts'], 5 - 1],
    ['list_wallets', ['wallets'], 12],
    ['list_invoices', ['invoices'], 12],
    ['list_credit_notes', ['credit_notes'], 12],
    ['get_usage', ['usage'], 9],
    ['list_subscription_alerts', ['alerts'], 10],
  ])('is left out and named where the caller may not use %s', async (tool, sections, requests) => {
    await world.renew({ BILLING_EXCLUDE_TOOLS: tool });
    world.script(full());
    const answer = await overview();
    expect(Object.keys(answer.overview.not_read as object)).toEqual(sections);
    expect(answer.summary).toContain(`(${tool} is not available to`);
    expect(world.asked).toHaveLength(requests);
  });

  it('is said in plain words where the installation lacks its path, once for all of them', async () => {
    const { [`${base}/credit_notes`]: _, [`${base}/wallets`]: __, ...others } = full();
    world.script(others);
    expect((await overview()).summary).toContain('does not offer it');
  });
});
