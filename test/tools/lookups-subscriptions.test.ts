/** Subscriptions: lists in every state, and one by its external id. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { subscriptionRow, uuidOf } from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal, type Scripted } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const everyState = ['pending', 'active', 'terminated', 'canceled', 'incomplete'];
const states = everyState.map(state => `status[]=${state}`).join('&');

const main = subscriptionRow('main', { name: 'Main' });
const ends = { terminated_at: '2025-12-31T23:59:59Z', ending_at: '2025-12-31T23:59:59Z' };
const over = subscriptionRow('main', { status: 'terminated', plan_code: 'starter', ...ends });

const newYork = { customer: { applicable_timezone: 'America/New_York' } };

describe('list_subscriptions', () => {
  it('sends the states that were asked for alone', async () => {
    world.script({ '/subscriptions': [main] });
    await world.call('list_subscriptions', { plan_code: 'navigator', status: ['active'] });
    expect(world.asked[0]).toBe('/subscriptions?plan_code=navigator&status[]=active&page=1&per_page=20');
  });

  it('of one customer tells moments by the customer’s clocks, and the next invoice of what runs', async () => {
    const runs = { started_at: '2025-12-31T15:00:00Z', current_billing_period_ending_at: '2026-11-30T14:59:59Z' };
    const waits = { status: 'pending', started_at: null, subscription_at: '2026-03-01T00:00:00Z' };
    world.script({
      '/customers/northwind-logistics/subscriptions': [
        subscriptionRow('tokyo', { ...runs, ending_at: '2026-12-31T14:59:59Z' }),
        ...[subscriptionRow('next', waits), over],
      ],
      '/customers/northwind-logistics': { customer: { applicable_timezone: 'Asia/Tokyo' } },
    });
    const answer = await world.call('list_subscriptions', { external_customer_id: 'northwind-logistics' });
    const started_at = '2026-01-01T00:00:00+09:00';
    expect(answer.subscriptions).toMatchObject([
      { started_at, ending_at: '2026-12-31T23:59:59+09:00', next_invoice: '2026-12-01' },
      { status: 'pending', subscription_at: '2026-03-01T09:00:00+09:00' },
      { status: 'terminated', terminated_at: '2026-01-01T08:59:59+09:00' },
    ]);
    const billed = (answer.subscriptions as object[]).map(row => 'next_invoice' in row);
    expect(billed).toEqual([true, false, false]);
    expect(answer.summary).toMatch(/ Times are in Asia\/Tokyo\.$/);
  });

  it('says that a plan code is unknown, and which may be meant', async () => {
    world.script({ '/subscriptions': [], '/plans': [{ code: 'navigator_v2', name: 'Navigator' }, { code: 'pro' }] });
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

  it('treats an empty list of states as no filter', async () => {
    world.script({ '/subscriptions': [main] });
    await world.call('list_subscriptions', { status: [] });
    expect(world.asked[0]).toBe(`/subscriptions?${states}&page=1&per_page=20`);
  });

  it('is not what a later question compares with', async () => {
    world.script({ '/subscriptions': [main, over], '/subscriptions/main': { other: {} } });
    await world.call('list_subscriptions', {});
    const change = { external_id: 'main', ending_at: '2036-01-01T00:00:00Z', dry_run: true };
    const { summary } = await world.call('update_subscription', change);
    expect(summary).toContain('1 Jan 2036, 00:00 UTC');
    expect(summary).toContain('could not read the record');
    expect(summary).not.toContain('“Main”');
  });

  it('filters what ends or becomes another plan before a day, soonest first, by the clocks of each customer', async () => {
    const late = subscriptionRow('late', { ending_at: '2027-01-01T04:59:59Z' });
    const beyond = subscriptionRow('beyond', { ending_at: '2027-01-01T04:59:59Z', external_customer_id: 'acme' });
    const down = subscriptionRow('down', { next_plan_code: 'starter', downgrade_plan_date: '2026-12-10' });
    const gone = subscriptionRow('gone', { status: 'terminated', ending_at: '2026-11-01T00:00:00Z' });
    world.script({
      '/subscriptions': [main, late, beyond, down, gone, subscriptionRow('far', { ending_at: '2028-01-01T00:00:00Z' })],
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
      const rows = Array.from({ length: 100 }, (_, n) => subscriptionRow(`s-${page}-${n}`, { svc_id: `${page}-${n}` }));
      return { subscriptions: rows, meta: meta(5000, { page, pages: 50 }) };
    });
    const { summary, shown } = await world.call('list_subscriptions', { ending_before: '2027-01-01' });
    expect(factsOf(summary)).toBe('1 Jan · 2027 · 1,000');
    expect(shown).toBe('0 of an unknown number');
  });

  it('filters trials that end before a day, by the plan of each subscription', async () => {
    const trial = (external_id: string, started_at: string) => subscriptionRow(external_id, { started_at });
    const first = subscriptionRow('again', {
      status: 'terminated',
      started_at: '2026-10-01T00:00:00Z',
      svc_id: 'first',
    });
    world.script({
      '/subscriptions': [
        trial('later', '2026-11-20T00:00:00Z'),
        trial('sooner', '2026-11-10T00:00:00Z'),
        trial('over', '2026-01-01T00:00:00Z'),
        first,
        trial('again', '2026-11-11T00:00:00Z'),
        trial('own', '2026-11-12T00:00:00Z'),
        trial('hidden', '2026-11-13T00:00:00Z'),
      ],
      '/plans': [{ code: 'navigator', trial_period: 30 }],
      '/subscriptions/later': { subscription: { ...subscriptionRow('later'), plan: { trial_period: 30 } } },
      '/subscriptions/sooner': { subscription: { ...subscriptionRow('sooner'), plan: { trial_period: 30 } } },
      '/subscriptions/own': { subscription: { ...subscriptionRow('own'), plan: { trial_period: 0, parent_id: 'p' } } },
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
    world.script({ '/subscriptions': [main], '/plans': refusal(403, 'forbidden') });
    const { summary } = await world.call('list_subscriptions', { trial_ends_before: '2027-01-01' });
    expect(summary).toContain('plans, which could not be read');
  });
});

describe('get_subscription', () => {
  const shipments = { billable_metric_code: 'shipments', charge_model: 'standard', properties: { amount: '0.5' } };
  const plan = {
    ...{ svc_id: uuidOf(11), code: 'navigator', name: 'Navigator', interval: 'monthly', amount_currency: 'USD' },
    ...{ minimum_commitment: { amount_cents: 60_000 }, fixed_charges: [] as object[] },
    charges: [{ svc_id: uuidOf(22), ...shipments }] as JsonRecord[],
  };
  const record = (row: JsonRecord, fields: JsonRecord = {}) => ({
    '/subscriptions/main': { subscription: { ...row, plan, entitlements: [], ...fields } },
  });
  /** What is said where the list and the record are these. */
  const told = async (row: JsonRecord, fields: JsonRecord = {}, more: Record<string, Scripted> = {}) => {
    world.script({ '/subscriptions': [row], ...record(row, fields), ...more });
    return (await get()).summary;
  };
  const get = (args: JsonRecord = {}) => world.call('get_subscription', { external_id: 'main', ...args });

  it('asks which states exist, reads the active one, and says that others exist', async () => {
    world.script({ '/subscriptions': [over, main], ...record(main) });
    const answer = await get();
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
      ...{ svc_id: 'f', add_on_code: 'setup', charge_model: 'standard', properties: { amount: '10' }, units: '2.0' },
    };
    const path = '/subscriptions/main/fixed_charges';
    const { fixed_charges: _, ...rest } = plan;
    const bare = { ...rest, parent_id: null };
    const five = [{ ...setup, units: '5.0' }];
    const whole = { ...plan, fixed_charges: [setup] };
    const ofPlan = { plan: whole };
    const none = refusal(404, 'subscription_not_found');

    it.each<[what: string, plan: JsonRecord, own: Scripted, ofPlan: Scripted | null, said: RegExp]>([
      ['its own quantity', whole, five, null, /setup 5 × \$10\.00 = \$50\.00; .*\$0\.50 .*setup 5 \(2 in the plan\)/],
      ['those of the plan where its own are not shown', whole, none, null, /setup 2 × .*; .*the subscription's own/],
      ['both where only the plan by its code has them', bare, five, ofPlan, /setup 5 × .*setup 5 \(2 in the plan\)/],
      [
        'those of the plan where its own cannot be read',
        bare,
        refusal(403, 'read_action_not_allowed_for_subscription'),
        ofPlan,
        /setup 2 × \$10\.00 = \$20\.00; .*\$0\.50 .*the subscription's own could not/,
      ],
      [
        'its own where its plan is a copy',
        { ...bare, parent_id: 'p' },
        five,
        refusal(500, 'internal_error'),
        /copy of the plan\): setup 5 .*\$50\.00; .*\$0\.50/,
      ],
      ['that there are none to be seen', bare, none, refusal(404, 'plan_not_found'), /fixed charges are not shown/],
    ])('tells %s', async (_, own, charges, byCode, said) => {
      const more = { [path]: charges, ...(byCode && { '/plans/navigator': byCode }) };
      expect(await told(main, { plan: own }, more)).toMatch(said);
      expect(world.asked).toContain(`${path}?subscription_status=active&per_page=100`);
      expect(world.asked.includes('/plans/navigator')).toBe(byCode === ofPlan || (byCode !== null && !own.parent_id));
    });
  });

  it.each<[what: string, plan: object, said: RegExp]>([
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
  ])('tells %s', async (_, fields, said) => {
    expect(await told(main, { plan: { ...plan, ...fields } })).toMatch(said);
  });

  it('tells its thresholds, and on which day its period is billed', async () => {
    const row = subscriptionRow('main', {
      current_billing_period_started_at: '2026-11-01T04:00:00Z',
      current_billing_period_ending_at: '2026-12-01T04:59:59Z',
    });
    const applicable_usage_thresholds = [{ amount_cents: 50_000 }, { amount_cents: 100_000, recurring: true }];
    world.script({
      ...{ '/subscriptions': [row], ...record(row, { applicable_usage_thresholds }) },
      '/customers/northwind-logistics': newYork,
    });
    const answer = await get();
    expect(factsOf(answer.summary)).toContain('1 Nov · 30 Nov · New_York · 1 Dec');
    expect(answer.summary).toContain('Usage thresholds: $500.00 and $1,000.00 (recurring).');
    expect(answer.subscription).toMatchObject({ next_invoice: '2026-12-01' });
  });

  const rule = (status: string, fields = {}) => ({
    activation_rules: [{ svc_id: 'r', type: 'payment', timeout_hours: 48, status, ...fields }],
  });
  const incomplete = { status: 'incomplete', started_at: null };
  const pending = { status: 'pending', started_at: null };
  const canceled = { status: 'canceled', started_at: null, canceled_at: '2026-01-03T00:00:00Z' };
  it.each<[JsonRecord, RegExp]>([
    [{ ...incomplete, ...rule('pending', { expires_at: '2026-03-03T12:00:00Z' }) }, /payment until 3 Mar, 12:00/],
    [{ ...incomplete, ...rule('declined') }, /payment\. Its first payment was declined\./],
    [{ ...incomplete, ...rule('failed') }, /Its first payment failed\./],
    [{ ...incomplete, ...rule('satisfied') }, /Its first payment has arrived\./],
    [{ ...incomplete, ...rule('on_hold') }, /Its first payment on hold\./],
    [{ ...pending, ...rule('inactive') }, /requested when it starts/],
    [{ ...pending, ...rule('not_applicable') }, /Its first payment is not needed\./],
    [{ ...canceled, cancellation_reason: 'timeout', ...rule('expired') }, /3 Jan, 00:00 UTC, .*time ran out/],
    [{ purchase_order_number: 'PO-7' }, /Order number “PO-7”\./],
    [{ consolidate_invoice: false }, /separate invoice/],
    [{ progressive_billing_disabled: true }, /Progressive billing is off\./],
    // Nothing of a payment that an active one needed, nor of terms that are as usual.
    [
      { ...rule('satisfied'), consolidate_invoice: true, progressive_billing_disabled: false },
      /^(?!.*(first payment|order number|invoice of its own|rogressive))/,
    ],
  ])('tells %j', async (fields, expected) => {
    expect(await told(subscriptionRow('main', fields))).toMatch(expected);
  });

  it('keeps what it does not tell for the whole record', async () => {
    const activated_at = '2026-01-01T00:00:00Z';
    const fields = { activated_at, billing_entity_code: 'eu', progressive_billing_disabled: true };
    await told(subscriptionRow('main', { ...fields, ...rule('satisfied') }));
    const { more } = await get();
    expect(more).toEqual(expect.arrayContaining(['progressive_billing_disabled', 'activation_rules']));
    expect((await get({ detail: 'full' })).subscription).toMatchObject(fields);
  });

  it('reads the terminated one where there is no other', async () => {
    await told(over);
    expect(world.asked[1]).toBe('/subscriptions/main?status=terminated');
    const answer = await get();
    expect(factsOf(answer.summary)).toContain('$499.00 · 31 Dec · 2025 · 23:59');
    expect(answer.summary).not.toMatch(/usage period|Its prices/);
    expect(answer.subscription).not.toHaveProperty('others');
  });

  it('counts one that is listed twice once, and asks for the record where the list is empty and counts one', async () => {
    world.script({ '/subscriptions': [over, over, main], ...record(main) });
    expect((await get()).summary).toContain('1 ended');
    world.script({ '/subscriptions': { subscriptions: [], meta: meta(1) }, ...record(main) });
    expect((await get()).error).toBeUndefined();
  });

  it.each([
    ['unknown', undefined, [], 'has the external ID “main”.', 'list_subscriptions'],
    ['in another state', 'pending', [over], 'no pending subscription has', '1 ended'],
  ])('an id that is %s gets the next step', async (_, status, rows, message, hint) => {
    world.script({ '/subscriptions': rows });
    const answer = await get({ ...(status && { status }) });
    expect([answer.error?.code, answer.summary]).toEqual(['no_match', expect.stringContaining(message)]);
    expect(answer.error?.hint).toContain(hint);
    expect(world.asked).toHaveLength(1);
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(140);
  });

  it('reads the record itself where the service does not filter its list by external id', async () => {
    world.script({ '/subscriptions': [subscriptionRow('other')], ...record(main) });
    expect((await get()).summary).toContain('plan navigator');
    expect(world.asked[1]).toBe('/subscriptions/main');
  });

  it.each([
    [500, 'internal_error'],
    [403, 'read_action_not_allowed_for_subscription'],
    [404, 'resource_not_found'],
  ])('says that the service returned %i', async (status, code) => {
    world.script({ '/subscriptions': refusal(status, code) });
    expect((await get()).error?.code).toBe(status === 404 ? 'lookup_unavailable' : code);
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

  it('reads those of at most ten plans', async () => {
    const plans = ['a', 'b'].map(code => ({ ...bare, code }));
    world.script({ '/plans': plans, '/plans/a': { plan: { ...bare, code: 'a', fixed_charges: [seat] } } });
    expect(factsOf((await world.call('list_plans', {})).summary)).toBe(
      '2 · “Pro” · (a) · $99.00 · 3 · $50.00 · $150.00 · “Pro” · (b) · $99.00',
    );
  });

  it('says of more plans that they are not shown', async () => {
    world.script({ '/plans': Array.from({ length: 11 }, (_, n) => ({ ...bare, code: `p${n}` })) });
    expect((await world.call('list_plans', {})).summary).toContain('Fixed charges are not shown');
    expect(world.asked).toHaveLength(1);
  });
});
