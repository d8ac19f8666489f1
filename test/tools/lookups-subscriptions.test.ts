/** Subscriptions: lists in every state, and one by its external id. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { subscriptionFilters } from '../../src/contract/list-filters.ts';
import { factsOf } from '../support/facts.ts';
import { filterSamples } from './filter-samples.ts';
import { freshWorld, lookupWorld, meta, onOneDay, refusal, type Scripted } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const everyState = ['pending', 'active', 'terminated', 'canceled', 'incomplete'];
const states = everyState.map(state => `status[]=${state}`).join('&');

/** A subscription as lists show it (docs/lookups.md §3). */
const listed = (external_id: string, fields: object = {}) => ({
  svc_id: `svc-${external_id}-${JSON.stringify(fields).length}`,
  external_id,
  svc_customer_id: '6a1c4f1e-0f5c-4d63-9f5e-3f0d0a7e5c11',
  external_customer_id: 'northwind-logistics',
  name: null,
  status: 'active',
  plan_code: 'navigator',
  plan_amount_cents: 49900,
  plan_amount_currency: 'USD',
  billing_time: 'calendar',
  subscription_at: '2026-01-01T00:00:00Z',
  started_at: '2026-01-01T00:00:00Z',
  ending_at: null,
  terminated_at: null,
  canceled_at: null,
  previous_plan_code: null,
  next_plan_code: null,
  downgrade_plan_date: null,
  current_billing_period_started_at: '2026-02-01T00:00:00Z',
  current_billing_period_ending_at: '2026-02-28T23:59:59Z',
  created_at: '2026-01-01T00:00:00Z',
  ...fields,
});
const list = (...subscriptions: object[]) => ({ subscriptions, meta: meta(subscriptions.length) });
const plans = { plans: [{ code: 'navigator_v2', name: 'Navigator' }, { code: 'pro' }], meta: meta(2) };

const main = listed('main', { name: 'Main' });
const waiting = listed('next', { status: 'pending', started_at: null, subscription_at: '2026-03-01T00:00:00Z' });
const over = listed('main', {
  status: 'terminated',
  plan_code: 'starter',
  terminated_at: '2025-12-31T23:59:59Z',
  ending_at: '2025-12-31T23:59:59Z',
});

describe('list_subscriptions', () => {
  it('asks for every state and says which are active', async () => {
    world.script({ '/customers/northwind-logistics/subscriptions': list(main, waiting, over) });
    const answer = await world.call('list_subscriptions', { external_customer_id: 'northwind-logistics' });
    expect(factsOf(answer.summary)).toBe('3 · 1 · 1 · 1 · “Main” · (main) · $499.00');
    expect(answer.shown).toBe('3 of 3');
    expect(world.asked).toEqual([
      `/customers/northwind-logistics/subscriptions?${states}&page=1&per_page=20`,
      '/plans/navigator',
      '/customers/northwind-logistics',
    ]);
    expect(answer.subscriptions).toEqual([
      expect.objectContaining({ external_id: 'main', started_at: '2026-01-01T00:00:00Z' }),
      expect.objectContaining({ external_id: 'next', status: 'pending', subscription_at: '2026-03-01T00:00:00Z' }),
      expect.objectContaining({ external_id: 'main', status: 'terminated', terminated_at: '2025-12-31T23:59:59Z' }),
    ]);
  });

  it('of one customer tells moments by the customer’s clocks', async () => {
    const starts = listed('tokyo', { started_at: '2025-12-31T15:00:00Z', ending_at: '2026-12-31T14:59:59Z' });
    world.script({
      '/customers/northwind-logistics/subscriptions': list(starts, waiting, over),
      '/customers/northwind-logistics': { customer: { applicable_timezone: 'Asia/Tokyo' } },
    });
    const answer = await world.call('list_subscriptions', { external_customer_id: 'northwind-logistics' });
    expect(answer.subscriptions).toMatchObject([
      { started_at: '2026-01-01T00:00:00+09:00', ending_at: '2026-12-31T23:59:59+09:00' },
      { subscription_at: '2026-03-01T09:00:00+09:00' },
      { terminated_at: '2026-01-01T08:59:59+09:00' },
    ]);
    expect(answer.summary).toMatch(/ Times are in Asia\/Tokyo\.$/);
    expect(world.asked.at(-1)).toBe('/customers/northwind-logistics');
  });

  it('finds the customer by name and says so', async () => {
    world.script({
      '/customers/Northwind/subscriptions': refusal(404, 'customer_not_found'),
      '/customers': { customers: [{ external_id: 'northwind-logistics', name: 'Northwind Logistics' }], meta: meta(1) },
      '/customers/northwind-logistics/subscriptions': list(main),
    });
    const answer = await world.call('list_subscriptions', { external_customer_id: 'Northwind' });
    expect(factsOf(answer.summary)).toBe(
      '“Northwind Logistics” · (northwind-logistics) · 1 · “Main” · (main) · $499.00',
    );
    expect(answer.customer).toEqual({ external_id: 'northwind-logistics', name: 'Northwind Logistics' });
  });

  it('lists the customers of a name to choose from, and reads none of them', async () => {
    const customers = ['north-a', 'north-b'].map(external_id => ({ external_id, name: `North ${external_id}` }));
    world.script({
      '/customers/North/subscriptions': refusal(404, 'customer_not_found'),
      '/customers': { customers, meta: meta(2) },
    });
    const answer = await world.call('list_subscriptions', { external_customer_id: 'North' });
    expect(answer.error?.code).toBe('several_customers');
    expect(factsOf(answer.error?.hint)).toContain('“North north-a” · (north-a) · “North north-b” · (north-b)');
    expect(world.asked).toHaveLength(2);
  });

  it('names the customers of a plan', async () => {
    const filters = filterSamples(subscriptionFilters);
    world.script({ '/subscriptions': list(main, listed('b', { external_customer_id: 'acme' })) });
    const answer = await world.call('list_subscriptions', {
      plan_code: 'navigator',
      status: ['active'],
      ...filters.args,
    });
    expect(world.asked).toEqual([
      `/subscriptions?plan_code=navigator&${filters.query}&status[]=active&page=1&per_page=20`,
      '/plans/navigator',
    ]);
    expect(factsOf(answer.summary)).toBe('2 · “Main” · (main) · $499.00 · $499.00');
  });

  it('says that a plan code is unknown, and which may be meant', async () => {
    world.script({ '/subscriptions': list(), '/plans': plans });
    const answer = await world.call('list_subscriptions', { plan_code: 'Navigator' });
    expect(factsOf(answer.summary)).toBe('“Navigator” · “Navigator” · (navigator_v2)');
    const known = await world.call('list_subscriptions', { plan_code: 'pro', status: ['active'] });
    expect(known.summary).toBe('No subscription matches in state active.');
  });

  it('says of a page what is on it, and how to go on', async () => {
    world.script({ '/subscriptions': { subscriptions: [over], meta: meta(40, { page: 2, pages: 40 }) } });
    const answer = await world.call('list_subscriptions', { page: 2, per_page: 1 });
    expect(answer).toMatchObject({ shown: '1 of 40', next_page: 3 });
    expect(factsOf(answer.summary)).toBe('40 · 1 · 3 · 1 · $499.00 · 31 Dec · 2025');
  });

  it.each([
    ['an unknown state', { status: ['running'] }],
    ['a state that is no list', { status: 'active' }],
    ['an empty plan code', { plan_code: ' ' }],
    ['an unknown currency', { currency: 'DOLLAR' }],
    ['an empty billing entity', { billing_entity_codes: [''] }],
    ['an unknown filter', { search_term: 'x' }],
    ['a page below 1', { page: 0 }],
    ['an end that is no day', { ending_before: 'next quarter' }],
    ['a day that does not exist', { trial_ends_before: '2026-02-30' }],
    ['two ends at once', { ending_before: '2027-01-01', trial_ends_before: '2027-01-01' }],
    ['a page of more than 100', { per_page: 101 }],
  ])('refuses %s before anything is sent', async (_, args) => {
    world.script({});
    expect((await world.call('list_subscriptions', args)).error?.code).toBe('invalid_arguments');
    expect(world.asked).toEqual([]);
  });

  it('treats an empty list of states as no filter', async () => {
    world.script({ '/subscriptions': list(main) });
    await world.call('list_subscriptions', { status: [] });
    expect(world.asked[0]).toBe(`/subscriptions?${states}&page=1&per_page=20`);
  });

  it('is not what a later question compares with', async () => {
    world.script({ '/subscriptions': list(main, over), '/subscriptions/main': { other: {} } });
    await world.call('list_subscriptions', {});
    const change = { external_id: 'main', ending_at: '2036-01-01T00:00:00Z', dry_run: true };
    const { summary } = await world.call('update_subscription', change);
    expect(summary).toContain('1 Jan 2036, 00:00 UTC');
    expect(summary).toContain('could not read the record');
    expect(summary).not.toContain('“Main”');
  });

  const running = { current_billing_period_ending_at: '2026-12-01T04:59:59Z' };
  const newYork = { customer: { applicable_timezone: 'America/New_York' } };

  it('says on which day each is billed next', async () => {
    world.script({
      '/customers/northwind-logistics/subscriptions': list({ ...main, ...running }, waiting),
      '/customers/northwind-logistics': newYork,
    });
    const answer = await world.call('list_subscriptions', { external_customer_id: 'northwind-logistics' });
    expect(factsOf(answer.summary)).toContain('“Main” · (main) · $499.00 · 1 Dec');
    expect(answer.subscriptions).toMatchObject([{ external_id: 'main', next_invoice: '2026-12-01' }, {}]);
    expect((answer.subscriptions as object[])[1]).not.toHaveProperty('next_invoice');
  });

  it('filters what ends or becomes another plan before a day, soonest first, by the clocks of each customer', async () => {
    const late = listed('late', { ending_at: '2027-01-01T04:59:59Z' });
    const beyond = listed('beyond', { ending_at: '2027-01-01T04:59:59Z', external_customer_id: 'acme' });
    const down = listed('down', { next_plan_code: 'starter', downgrade_plan_date: '2026-12-10' });
    const gone = listed('gone', { status: 'terminated', ending_at: '2026-11-01T00:00:00Z' });
    world.script({
      '/subscriptions': list(main, late, beyond, down, gone, listed('far', { ending_at: '2028-01-01T00:00:00Z' })),
      '/customers/northwind-logistics': newYork,
      '/customers/acme': { customer: { applicable_timezone: 'UTC' } },
    });
    const answer = await world.call('list_subscriptions', { ending_before: '2027-01-01' });
    expect(world.asked).toEqual([
      `/subscriptions?${states}&page=1&per_page=100`,
      '/customers/northwind-logistics',
      '/customers/acme',
    ]);
    expect(factsOf(answer.summary)).toBe('2 · 1 Jan · 2027 · $499.00 · 10 Dec · $499.00 · 1 Jan · 2027 · 04:59');
    expect(answer.subscriptions).toMatchObject([{ external_id: 'down' }, { external_id: 'late' }]);
    expect(answer.shown).toBe('2 of 2');
    const second = await world.call('list_subscriptions', { ending_before: '2027-01-01', per_page: 1, page: 2 });
    expect(second.subscriptions).toMatchObject([{ external_id: 'late' }]);
    const over = await world.call('list_subscriptions', { ending_before: '2027-01-01', status: ['terminated'] });
    expect(over.subscriptions).toMatchObject([{ external_id: 'gone' }]);
    const none = await world.call('list_subscriptions', { ending_before: '2026-11-24T00:00:00Z' });
    expect(factsOf(none.summary)).toBe('24 Nov · 00:00');
  });

  it('says how far it looked for what ends', async () => {
    world.script(url => {
      const page = Number(url.searchParams.get('page'));
      const rows = Array.from({ length: 100 }, (_, n) => listed(`s-${page}-${n}`, { svc_id: `${page}-${n}` }));
      return { subscriptions: rows, meta: meta(5000, { page, pages: 50 }) };
    });
    const { summary, shown } = await world.call('list_subscriptions', { ending_before: '2027-01-01' });
    expect(factsOf(summary)).toBe('1 Jan · 2027 · 1,000');
    expect(shown).toBe('0 of an unknown number');
  });

  it('filters trials that end before a day, by the plan of each subscription', async () => {
    const trial = (external_id: string, started_at: string) => listed(external_id, { started_at });
    const first = listed('again', { status: 'terminated', started_at: '2026-10-01T00:00:00Z', svc_id: 'first' });
    world.script({
      '/subscriptions': list(
        trial('later', '2026-11-20T00:00:00Z'),
        trial('sooner', '2026-11-10T00:00:00Z'),
        trial('over', '2026-01-01T00:00:00Z'),
        first,
        trial('again', '2026-11-11T00:00:00Z'),
        trial('own', '2026-11-12T00:00:00Z'),
        trial('hidden', '2026-11-13T00:00:00Z'),
      ),
      '/plans': { plans: [{ code: 'navigator', trial_period: 30 }], meta: meta(1) },
      '/subscriptions/later': { subscription: { ...listed('later'), plan: { trial_period: 30 } } },
      '/subscriptions/sooner': { subscription: { ...listed('sooner'), plan: { trial_period: 30 } } },
      '/subscriptions/own': { subscription: { ...listed('own'), plan: { trial_period: 0, parent_id: 'p' } } },
      '/subscriptions/hidden': refusal(403, 'forbidden'),
    });
    const answer = await world.call('list_subscriptions', { trial_ends_before: '2027-01-01' });
    expect(factsOf(answer.summary)).toBe('2 · 1 Jan · 2027 · $499.00 · 10 Dec · 00:00 · $499.00 · 20 Dec · 00:00 · 1');
    expect(answer.subscriptions).toMatchObject([
      { external_id: 'sooner', trial_ends_at: '2026-12-10T00:00:00.000Z' },
      { external_id: 'later' },
    ]);
  });

  it('says that trials cannot be told where the plans cannot be read', async () => {
    world.script({ '/subscriptions': list(main), '/plans': refusal(403, 'forbidden') });
    const { summary } = await world.call('list_subscriptions', { trial_ends_before: '2027-01-01' });
    expect(summary).toContain('plans, which could not be read');
  });

  it('shows 20 subscriptions in 1,500 tokens', async () => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      listed(`subscription-${i}`, { name: `Branch ${i}`, current_billing_period_ending_at: '2026-11-30T23:59:59Z' }),
    );
    world.script({ '/subscriptions': list(...rows) });
    const tokens = countTokens(JSON.stringify(await world.call('list_subscriptions', {})));
    expect(tokens).toBeLessThanOrEqual(1500);
  });
});

describe('get_subscription', () => {
  const plan = {
    svc_id: '11111111-0f5c-4d63-9f5e-3f0d0a7e5c11',
    code: 'navigator',
    name: 'Navigator',
    interval: 'monthly',
    amount_currency: 'USD',
    minimum_commitment: { amount_cents: 60_000 },
    fixed_charges: [] as object[],
    charges: [
      {
        svc_id: '22222222-0f5c-4d63-9f5e-3f0d0a7e5c11',
        billable_metric_code: 'shipments',
        charge_model: 'standard',
        properties: { amount: '0.5' },
      },
    ],
  };
  const record = (row: object) => ({ subscription: { ...row, plan, entitlements: [] } });

  it('asks which states exist, reads the active one, and says that others exist', async () => {
    world.script({ '/subscriptions': list(over, main), '/subscriptions/main': record(main) });
    const answer = await world.call('get_subscription', { external_id: 'main' });
    expect(world.asked).toEqual([
      `/subscriptions?external_id=main&${states}&page=1&per_page=100`,
      '/subscriptions/main?status=active',
      '/customers/northwind-logistics',
    ]);
    expect(factsOf(answer.summary)).toBe('“Main” · (main) · $499.00 · 1 Feb · 28 Feb · (UTC) · $0.50 · $600.00 · 1');
    expect(answer.subscription).toMatchObject({
      plan: { interval: 'monthly', charges: [{ billable_metric_code: 'shipments', price: '$0.50 each' }] },
      others: [{ status: 'terminated', plan_code: 'starter', terminated_at: '2025-12-31T23:59:59Z' }],
    });
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(450);
  });

  describe('of a plan with fixed charges', () => {
    const setup = {
      svc_id: 'f',
      add_on_code: 'setup',
      charge_model: 'standard',
      properties: { amount: '10' },
      units: '2.0',
    };
    const own = {
      ...record(main),
      subscription: { ...record(main).subscription, plan: { ...plan, fixed_charges: [setup] } },
    };
    const path = '/subscriptions/main/fixed_charges';
    const asked = async (answer: Scripted) => {
      world.script({ '/subscriptions': list(main), '/subscriptions/main': own, [path]: answer });
      const { summary } = await world.call('get_subscription', { external_id: 'main' });
      expect(world.asked).toContain(`${path}?subscription_status=active&per_page=100`);
      return summary;
    };

    it('tells the subscription’s own quantity', async () => {
      const summary = await asked({ fixed_charges: [{ ...setup, units: '5.0' }], meta: meta(1) });
      expect(factsOf(summary)).toContain('5 · $10.00 · $50.00 · $0.50 · 5 · 2');
    });

    const { fixed_charges: _, ...bare } = plan;
    const fiveOwn = { fixed_charges: [{ ...setup, units: '5.0' }], meta: meta(1) };

    it.each<[what: string, parent_id: string | null, own: Scripted, ofPlan: Scripted, told: RegExp]>([
      [
        'both where only the plan by its code shows its fixed charges',
        null,
        fiveOwn,
        { plan: { ...plan, fixed_charges: [setup] } },
        /setup 5 × \$10\.00 = \$50\.00; .*\$0\.50 .*setup 5 \(2 in the plan\)/,
      ],
      [
        'those of the plan where its own cannot be read',
        null,
        refusal(403, 'read_action_not_allowed_for_subscription'),
        { plan: { ...plan, fixed_charges: [setup] } },
        /setup 2 × \$10\.00 = \$20\.00; .*\$0\.50 .*the subscription's own could not/,
      ],
      [
        'its own where its plan is a copy',
        'p',
        fiveOwn,
        refusal(500, 'internal_error'),
        /copy of the plan\): setup 5 .*\$50\.00; .*\$0\.50/,
      ],
      [
        'that there are none to be seen',
        null,
        refusal(404, 'subscription_not_found'),
        refusal(404, 'plan_not_found'),
        /\$0\.50 .*fixed charges are not shown/,
      ],
    ])('tells %s', async (_, parent_id, ownCharges, ofPlan, told) => {
      const stored = { ...record(main).subscription, plan: { ...bare, parent_id } };
      world.script({
        ...{ '/subscriptions': list(main), '/subscriptions/main': { subscription: stored } },
        ...{ [path]: ownCharges, '/plans/navigator': ofPlan },
      });
      expect((await world.call('get_subscription', { external_id: 'main' })).summary).toMatch(told);
      expect(world.asked.includes('/plans/navigator')).toBe(parent_id === null);
    });

    it('says that the units are the plan’s where they cannot be read', async () => {
      expect(await asked(refusal(404, 'subscription_not_found'))).toMatch(
        /setup 2 × \$10\.00 = \$20\.00; .*the subscription's own/,
      );
    });
  });

  it.each<[what: string, plan: object, told: RegExp]>([
    ['prices of its own', { parent_id: 'p' }, /copy of the plan\): shipments \$0\.50 each/],
    ['prices of the plan', { parent_id: null }, /Current prices \(from the plan\): shipments/],
    ['its own plan without prices', { parent_id: 'p', charges: [] }, /own copy of the plan\./],
    ['more than three prices where they stand', { charges: [1, 2, 3, 4].flatMap(() => plan.charges) }, /4 prices/],
    [
      'taxes of the plan and of a charge',
      { taxes: [{ code: 'vat', rate: 20 }], charges: [{ ...plan.charges[0], taxes: [{ code: 'low', rate: 5.5 }] }] },
      /vat \(20%\); low \(5\.5%\) on shipments/,
    ],
    ['where taxes come from', { taxes: [] }, /otherwise from the billing entity/],
    ['its trial', { trial_period: 330 }, /trial ends on 27 Nov, 00:00/],
    ['no trial that is over', { trial_period: 30 }, /^(?!.*trial)/],
  ])('tells %s', async (_, fields, told) => {
    world.script({
      '/subscriptions': list(main),
      '/subscriptions/main': { subscription: { ...main, plan: { ...plan, ...fields } } },
    });
    expect((await world.call('get_subscription', { external_id: 'main' })).summary).toMatch(told);
  });

  it('tells its thresholds, and on which day its period is billed', async () => {
    const row = {
      ...listed('main', { current_billing_period_started_at: '2026-11-01T04:00:00Z' }),
      current_billing_period_ending_at: '2026-12-01T04:59:59Z',
    };
    const applicable_usage_thresholds = [{ amount_cents: 50_000 }, { amount_cents: 100_000, recurring: true }];
    world.script({
      '/subscriptions': list(row),
      '/subscriptions/main': { subscription: { ...row, plan, applicable_usage_thresholds } },
      '/customers/northwind-logistics': { customer: { applicable_timezone: 'America/New_York' } },
    });
    const answer = await world.call('get_subscription', { external_id: 'main' });
    expect(factsOf(answer.summary)).toContain('1 Nov · 30 Nov · New_York · 1 Dec');
    expect(answer.summary).toContain('Usage thresholds: $500.00 and $1,000.00 (recurring).');
    expect(answer.subscription).toMatchObject({ next_invoice: '2026-12-01' });
  });

  const rule = (status: string, fields = {}) => ({
    activation_rules: [{ svc_id: 'r', type: 'payment', timeout_hours: 48, status, ...fields }],
  });
  const canceled = { status: 'canceled', started_at: null, canceled_at: '2026-01-03T00:00:00Z' };
  it.each([
    [
      { status: 'incomplete', started_at: null, ...rule('pending', { expires_at: '2026-03-03T12:00:00Z' }) },
      /first payment until 3 Mar, 12:00/,
    ],
    [{ status: 'incomplete', started_at: null, ...rule('declined') }, /payment\. Its first payment was declined\./],
    [{ status: 'incomplete', started_at: null, ...rule('failed') }, /Its first payment failed\./],
    [{ status: 'incomplete', started_at: null, ...rule('satisfied') }, /Its first payment has arrived\./],
    [{ status: 'incomplete', started_at: null, ...rule('on_hold') }, /Its first payment on hold\./],
    [{ status: 'pending', started_at: null, ...rule('inactive') }, /requested when it starts/],
    [{ status: 'pending', started_at: null, ...rule('not_applicable') }, /Its first payment is not needed\./],
    [{ ...canceled, cancellation_reason: 'timeout', ...rule('expired') }, /3 Jan, 00:00 UTC, .*time ran out/],
    [{ purchase_order_number: 'PO-7' }, /Order number “PO-7”\./],
    [{ consolidate_invoice: false }, /separate invoice/],
    [{ progressive_billing_disabled: true }, /Progressive billing is off\./],
  ])('tells %j', async (fields, expected) => {
    const row = listed('main', fields);
    world.script({ '/subscriptions': list(row), '/subscriptions/main': record(row) });
    expect((await world.call('get_subscription', { external_id: 'main' })).summary).toMatch(expected);
  });

  it('tells nothing of a payment that an active one needed, nor of terms that are as usual', async () => {
    const row = listed('main', {
      ...rule('satisfied'),
      consolidate_invoice: true,
      progressive_billing_disabled: false,
    });
    world.script({ '/subscriptions': list(row), '/subscriptions/main': record(row) });
    const { summary } = await world.call('get_subscription', { external_id: 'main' });
    expect(summary).not.toMatch(/first payment|order number|invoice of its own|rogressive/);
  });

  it('keeps what it does not tell for the whole record', async () => {
    const fields = {
      activated_at: '2026-01-01T00:00:00Z',
      billing_entity_code: 'eu',
      progressive_billing_disabled: true,
    };
    const row = listed('main', { ...fields, ...rule('satisfied') });
    world.script({ '/subscriptions': list(row), '/subscriptions/main': record(row) });
    const { more } = await world.call('get_subscription', { external_id: 'main' });
    expect(more).toEqual(expect.arrayContaining(['progressive_billing_disabled', 'activation_rules']));
    const whole = await world.call('get_subscription', { external_id: 'main', detail: 'full' });
    expect(whole.subscription).toMatchObject(fields);
  });

  it('reads the terminated one where there is no other', async () => {
    world.script({ '/subscriptions': list(over), '/subscriptions/main': record(over) });
    const answer = await world.call('get_subscription', { external_id: 'main' });
    expect(world.asked[1]).toBe('/subscriptions/main?status=terminated');
    expect(factsOf(answer.summary)).toContain('$499.00 · 31 Dec · 2025 · 23:59');
    expect(answer.summary).not.toMatch(/usage period|Its prices/);
    expect(answer.subscription).not.toHaveProperty('others');
  });

  it('counts one that is listed twice once, and asks for the record where the list is empty and counts one', async () => {
    world.script({ '/subscriptions': list(over, over, main), '/subscriptions/main': record(main) });
    const twice = await world.call('get_subscription', { external_id: 'main' });
    expect(twice.summary).toContain('1 ended');
    world.script({ '/subscriptions': { ...list(), meta: meta(1) }, '/subscriptions/main': record(main) });
    expect((await world.call('get_subscription', { external_id: 'main' })).error).toBeUndefined();
  });

  it.each([
    ['unknown', undefined, list(), 'has the external ID “main”.', 'list_subscriptions'],
    ['in another state', 'pending', list(over), 'no pending subscription has', '1 ended'],
  ])('an id that is %s gets the next step', async (_, status, body, message, hint) => {
    world.script({ '/subscriptions': body });
    const answer = await world.call('get_subscription', { external_id: 'main', ...(status && { status }) });
    expect(answer.error?.code).toBe('no_match');
    expect(answer.summary).toContain(message);
    expect(answer.error?.hint).toContain(hint);
    expect(world.asked).toHaveLength(1);
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(140);
  });

  it('reads the record itself where the service does not filter its list by external id', async () => {
    world.script({ '/subscriptions': list(listed('other')), '/subscriptions/main': record(main) });
    const answer = await world.call('get_subscription', { external_id: 'main' });
    expect(world.asked[1]).toBe('/subscriptions/main');
    expect(answer.summary).toContain('plan navigator');
  });

  it.each([
    [500, 'internal_error'],
    [403, 'read_action_not_allowed_for_subscription'],
    [404, 'resource_not_found'],
  ])('says that the service returned %i', async (status, code) => {
    const own = await lookupWorld();
    own.script({ '/subscriptions': refusal(status, code) });
    const answer = await own.call('get_subscription', { external_id: 'main' });
    expect(answer.error?.code).toBe(status === 404 ? 'lookup_unavailable' : code);
    await own.close();
  });
});

describe('list_plans of a service whose list has no fixed charges', () => {
  const bare = { name: 'Pro', amount_cents: 9900, amount_currency: 'USD', interval: 'monthly', charges: [] };
  const seat = {
    svc_id: 'f',
    add_on_code: 'seat',
    charge_model: 'standard',
    properties: { amount: '50' },
    units: '3.0',
  };
  const listing = (plans: object[]): Record<string, Scripted> => ({ '/plans': { plans, meta: meta(plans.length) } });

  it('reads those of at most ten plans', async () => {
    const of = (code: string) => ({ [`/plans/${code}`]: { plan: { ...bare, code, fixed_charges: [seat] } } });
    world.script({
      ...listing([
        { ...bare, code: 'a' },
        { ...bare, code: 'b' },
      ]),
      ...of('a'),
    });
    expect(factsOf((await world.call('list_plans', {})).summary)).toBe(
      '2 · “Pro” · (a) · $99.00 · 3 · $50.00 · $150.00 · “Pro” · (b) · $99.00',
    );
  });

  it('says of more plans that they are not shown', async () => {
    world.script(listing(Array.from({ length: 11 }, (_, n) => ({ ...bare, code: `p${n}` }))));
    expect((await world.call('list_plans', {})).summary).toContain('Fixed charges are not shown');
    expect(world.asked).toHaveLength(1);
  });
});
