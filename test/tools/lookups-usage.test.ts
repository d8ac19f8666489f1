/** get_usage (docs/lookups.md §6). */
import { describe, expect, it, vi } from 'vitest';
import { estimateOf, withoutUnused } from '../../tools/quotes/usage-parts.ts';
import { factsOf } from '../support/facts.ts';
import { meta, onOneDay, refusal, type Scripted, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();
/** The reads without that of the customer, which tells the time zone. */
const usageReads = () => world.asked.filter(path => path !== '/customers/acme');
/** Nothing is billed per event, unless a test says else. */
const usual = { '/subscriptions/sub-1/charges': [], '/invoices': [] };
const serve = (made: Record<string, Scripted>) => world.script({ ...usual, ...made });
const get = (args: object = {}) =>
  world.call('get_usage', { external_customer_id: 'acme', external_subscription_id: 'sub-1', ...args });
const args = { period: 'past' };
onOneDay();

const at = (instant: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });

const charge = (code: string, units: string, amount_cents: number, fields: object = {}) => ({
  ...{ units, total_aggregated_units: units, events_count: Number(units) > 0 ? 3 : 0, amount_cents },
  ...{
    amount_currency: 'USD',
    pricing_unit_details: null,
    filters: [],
    grouped_usage: [],
    presentation_breakdowns: [],
  },
  charge: { svc_id: 'c', code: `${code}_charge`, charge_model: 'standard', invoice_display_name: null },
  billable_metric: { svc_id: 'm', ...metricOf(code, 'count_agg') },
  ...fields,
});
const metricOf = (code: string, aggregation_type: string) => ({
  ...{ code, name: code === 'api_calls' ? 'API calls' : code, aggregation_type },
});

const usage = (...charges_usage: ReturnType<typeof charge>[]) => {
  const amount_cents = charges_usage.reduce((sum, entry) => sum + entry.amount_cents, 0);
  return {
    customer_usage: {
      ...{ from_datetime: '2026-11-01T00:00:00Z', to_datetime: '2026-11-30T23:59:59Z', issuing_date: '2026-11-30' },
      ...{ currency: 'USD', amount_cents, taxes_amount_cents: amount_cents / 5, charges_usage },
      ...{ total_amount_cents: (amount_cents * 6) / 5, svc_invoice_id: null },
    },
  };
};

const current = '/customers/acme/current_usage';
const past = '/customers/acme/past_usage';
const listed = '/customers/acme/subscriptions';
const subscriptions = (...states: [string, string][]) =>
  states.map(([external_id, status]) => ({ external_id, status, plan_code: 'pro', name: null }));

describe('get_usage of the running period', () => {
  it('tells units, events, amounts, what was not used, and an estimate for the whole period', async () => {
    at('2026-11-16T00:00:00Z');
    serve({
      [current]: usage(
        charge('storage', '12.0', 240),
        charge('seats', '0.0', 0),
        charge('api_calls', '1240000.0', 31_000),
      ),
    });
    const answer = await get();
    expect(usageReads()).toEqual([
      `${current}?external_subscription_id=sub-1`,
      '/subscriptions/sub-1/charges?per_page=100',
    ]);
    expect(factsOf(factsOf(answer.summary))).toBe(
      'sub-1 · $312.40 · 1 Nov · 30 Nov · (UTC) · $374.88 · “API calls” · 1,240,000 · 3 · $310.00 · “storage” · 12 · 3 · $2.40 · $624.80 · 50.0 · preview_invoice',
    );
    expect(answer.usage).toEqual({
      ...{ external_customer_id: 'acme', external_subscription_id: 'sub-1', currency: 'USD', without_usage: ['seats'] },
      ...{ from_datetime: '2026-11-01T00:00:00Z', to_datetime: '2026-11-30T23:59:59Z' },
      ...{ amount_cents: 31_240, taxes_amount_cents: 6248, total_amount_cents: 37_488 },
      estimate: { amount_cents: 62_480, elapsed_percent: '50.0' },
      charges_usage: [
        { billable_metric_code: 'api_calls', units: '1240000.0', events_count: 3, amount_cents: 31_000 },
        { billable_metric_code: 'storage', units: '12.0', events_count: 3, amount_cents: 240 },
      ],
    });
  });

  it('says that events of earlier periods count in a sum that recurs, and counts no events of unique values', async () => {
    const metric = (...of: Parameters<typeof metricOf>) => ({ billable_metric: { ...metricOf(...of), name: null } });
    const filters = [{ values: null, units: '4.0', events_count: 4 }];
    const recurs = (code: string, recurring: boolean) => ({ billable_metric: { code, recurring } });
    serve({
      [current]: usage(
        charge('stored', '7.0', 700, { ...metric('stored', 'sum_agg'), events_count: 7 }),
        charge('calls', '5.0', 500, metric('calls', 'sum_agg')),
        charge('seats', '4.0', 400, { ...metric('seats', 'unique_count_agg'), filters }),
      ),
      '/billable_metrics/stored': recurs('stored', true),
      '/billable_metrics/calls': recurs('calls', false),
    });
    const answer = await get();
    expect(factsOf(answer.summary)).toContain('7 · 7 · $7.00 · 5 · 3 · $5.00 · 4 · $4.00');
    expect(answer.summary).toContain('carries over: stored');
    const rows = (answer.usage as { charges_usage: object[] }).charges_usage;
    expect(rows.map(row => 'events_count' in row)).toEqual([true, true, false]);
    expect(JSON.stringify(rows[2])).not.toContain('events_count');
  });

  it('names the charges that are billed per event, and says where that could not be read', async () => {
    const tokens = charge('tokens', '5.0', 50, {
      charge: { svc_id: 'adv', code: 'tokens', charge_model: 'standard', invoice_display_name: 'Summary tokens' },
    });
    const charges = [
      { svc_id: 'adv', pay_in_advance: true },
      { svc_id: 'c', pay_in_advance: false },
    ];
    const script = { [current]: usage(tokens, charge('storage', '12.0', 240)) };
    serve({ ...script, '/subscriptions/sub-1/charges': charges });
    expect(factsOf((await get()).summary)).toContain('“Summary tokens”');
    serve({ ...script, '/subscriptions/sub-1/charges': refusal(500, 'internal_server_error') });
    const { summary } = await get();
    expect(summary).toContain('could not be read');
    expect(summary).not.toContain('not with the period');
  });

  describe('of a charge that shows an amount without an event', () => {
    const flat = (type: string, fields: object = {}) =>
      charge('calls', '0.0', 200, {
        charge: { svc_id: 'calls', code: 'calls', charge_model: 'graduated', invoice_display_name: null },
        billable_metric: { svc_id: 'm', name: 'Calls', code: 'calls', aggregation_type: type },
        ...fields,
      });
    const inAdvance = (pay_in_advance: boolean) => ({
      '/subscriptions/sub-1/charges': [{ svc_id: 'calls', pay_in_advance }],
    });
    const recurs = (recurring: boolean) => ({
      '/billable_metrics/calls': { billable_metric: { code: 'calls', recurring } },
    });
    const asks = { charges: '/subscriptions/sub-1/charges', metric: '/billable_metrics/calls' };
    const free = 'Not counted: $2.00 shown for charges without events';
    const unsure = '$2.00 of this is for charges without events. It costs nothing if the service bills them per event';

    // biome-ignore format: a table
    const rows: [what: string, type: string, script: Record<string, Scripted>, cents: number, estimate: number, told: string | null, asked: string[]][] = [
      ['counts nothing of a count that is billed by event', 'count_agg', inAdvance(true), 1_000, 2_000, free, [asks.charges]],
      ['counts nothing of a sum that is billed by event', 'sum_agg', { ...inAdvance(true), ...recurs(false) }, 1_000, 2_000, free, [asks.charges, asks.metric]],
      ['counts it where the metric recurs, as it is', 'sum_agg', { ...inAdvance(true), ...recurs(true) }, 1_200, 2_200, null, [asks.charges, asks.metric]],
      ['counts it where it is billed in arrears, as it is', 'count_agg', inAdvance(false), 1_200, 2_200, null, [asks.charges]],
      ['counts it where the charges cannot be read, and says so', 'count_agg', { [asks.charges]: refusal(404, 'subscription_not_found') }, 1_200, 2_200, unsure, [asks.charges]],
      ['counts it where the metric cannot be read, and says so', 'sum_agg', { ...inAdvance(true), [asks.metric]: refusal(404, 'billable_metric_not_found') }, 1_200, 2_200, unsure, [asks.charges, asks.metric]],
    ];
    it.each(rows)('%s', async (_, type, script, cents, estimate, told, asked) => {
      at('2026-11-16T00:00:00Z');
      serve({ [current]: usage(charge('storage', '10.0', 1_000), flat(type)), ...script });
      const answer = await get();
      expect(usageReads().slice(1)).toEqual(asked.map(path => (path === asks.charges ? `${path}?per_page=100` : path)));
      expect(answer.usage).toMatchObject({ amount_cents: cents, estimate: { amount_cents: estimate } });
      const used = answer.usage as Record<string, unknown>;
      expect(used.without_usage ?? []).toEqual(cents === 1_000 ? ['calls'] : []);
      expect(used.taxes_amount_cents).toBe(cents === 1_000 ? undefined : 240);
      if (told === null) expect(answer.summary).not.toContain('without an event');
      else expect(answer.summary).toContain(told);
    });

    it('leaves out the part of a filter alone', async () => {
      const part = (units: string, amount_cents: number, model: string) => ({
        ...{ units, total_aggregated_units: units, events_count: Number(units), amount_cents },
        ...{ values: { model: [model] }, invoice_display_name: null },
      });
      const filters = [part('3.0', 700, 'large'), part('0.0', 200, 'small')];
      const fields = { units: '3.0', events_count: 3, amount_cents: 900, filters };
      serve({ [current]: usage(flat('count_agg', fields)), ...inAdvance(true) });
      const answer = await get();
      expect(answer.usage).toMatchObject({ amount_cents: 700 });
      expect(answer.usage).toMatchObject({ charges_usage: [{ amount_cents: 700, filters: [{ amount_cents: 700 }] }] });
    });
  });

  it('keeps the filters and groups that were used, tells charges on one metric apart, and never asks for a projection', async () => {
    const figures = (units: string, amount_cents: number, events_count = 1) => ({
      ...{ units, total_aggregated_units: units, events_count, amount_cents },
    });
    const groups = Array.from({ length: 25 }, (_, i) => ({
      ...{ ...figures('1.0', 100 + i), grouped_by: { region: `r${i}` }, filters: [] },
    }));
    serve({
      [current]: usage(
        charge('tokens', '3.0', 900, {
          filters: [
            { ...figures('0.0', 0, 0), values: { model: ['small'] }, invoice_display_name: null },
            { ...figures('2.0', 600), values: { model: ['large'] }, invoice_display_name: 'Large' },
            { ...figures('1.0', 300), values: null, invoice_display_name: null },
          ],
        }),
        charge('tokens', '25.0', 2800, {
          charge: { code: 'by_region', invoice_display_name: 'By region' },
          grouped_usage: groups,
        }),
      ),
    });
    const answer = await get();
    const [grouped, filtered] = (answer.usage as { charges_usage: Record<string, unknown>[] }).charges_usage;
    expect(filtered).toMatchObject({
      charge_code: 'tokens_charge',
      filters: [
        {
          values: { model: ['large'] },
          invoice_display_name: 'Large',
          units: '2.0',
          events_count: 1,
          amount_cents: 600,
        },
        { values: null, units: '1.0', events_count: 1, amount_cents: 300 },
      ],
    });
    expect(grouped).toMatchObject({ charge_code: 'by_region', name: 'By region', groups_count: 25 });
    expect(grouped!.grouped_usage).toHaveLength(20);
    expect((grouped!.grouped_usage as object[])[0]).toMatchObject({ grouped_by: { region: 'r24' }, amount_cents: 124 });
    expect(factsOf(answer.summary)).toContain('20 · 25');
    expect(world.asked.some(path => path.includes('projected'))).toBe(false);
  });

  it.each<[string, string, object | null]>([
    ['in the middle', '2026-11-16T00:00:00Z', { amount_cents: 201, elapsed_percent: '50.0' }],
    [
      'after one of 30 days: levels and distinct values stay as they are',
      '2026-11-02T00:00:00Z',
      { amount_cents: 3001, elapsed_percent: '3.3' },
    ],
    ['at its beginning', '2026-11-01T07:11:59Z', null],
    ['from its first hundredth on', '2026-11-01T07:12:00Z', { amount_cents: 10_001, elapsed_percent: '1.0' }],
    ['before its last second', '2026-11-30T23:59:59Z', { amount_cents: 101, elapsed_percent: '100.0' }],
    ['after its end', '2026-12-01T00:00:00Z', null],
  ])('estimates the whole period %s', (_, now, estimate) => {
    const level = charge('seats', '1.0', 1, { billable_metric: { code: 'seats', aggregation_type: 'max_agg' } });
    const { customer_usage } = usage(charge('api_calls', '1.0', 100), level);
    expect(estimateOf(customer_usage, new Date(now))).toEqual(estimate);
  });

  it('estimates in exact decimals, half cents up', () => {
    const estimate = (amount: number, now: string) =>
      estimateOf(usage(charge('api_calls', '1.0', amount)).customer_usage, new Date(now))?.amount_cents;
    // 2,592,000 seconds, of which 1,728,000 have passed: × 1.5.
    expect(estimate(4_503_599_627_370_497, '2026-11-21T00:00:00Z')).toBe(6_755_399_441_055_746);
    expect(estimate(1, '2026-11-21T00:00:00Z')).toBe(2);
  });

  it('says a period that does not begin at midnight UTC with its times', async () => {
    const { customer_usage } = usage(charge('api_calls', '1.0', 100));
    const bounds = { from_datetime: '2026-11-01T04:00:00Z', to_datetime: '2026-12-01T04:59:59Z' };
    serve({ [current]: { customer_usage: { ...customer_usage, ...bounds } } });
    const answer = await get();
    expect(factsOf(answer.summary)).toContain('1 Nov · 04:00 · 1 Dec · 04:59 · $1.20');
  });

  it('says that there is no usage, and estimates nothing', async () => {
    at('2026-11-16T00:00:00Z');
    serve({ [current]: usage(charge('seats', '0.0', 0)) });
    const answer = await get();
    expect(answer.summary).toContain('has no usage so far');
    expect(answer.usage).not.toHaveProperty('estimate');
  });
});

describe('a part of the usage', () => {
  it.each([
    [{ charge_id: 'c 1' }, 'charge_id=c%201', 'charge c 1 alone'],
    [{ charge_code: 'api&x=1' }, 'charge_code=api%26x%3D1', 'charge api&x=1 alone'],
    [{ billable_metric_code: 'api+é' }, 'billable_metric_code=api%2B%C3%A9', 'has used'],
    [{ group: { region: 'eu/west' } }, 'group%5Bregion%5D=eu%2Fwest', 'group region eu/west alone'],
    [{ group: '{"region":"eu"}' }, 'group%5Bregion%5D=eu', 'group region eu alone'],
    [
      { charge_code: 'api', group: { region: 'eu' } },
      'charge_code=api&group%5Bregion%5D=eu',
      'charge api, group region eu alone',
    ],
    [
      { filter_by_presentation: ['region', 'team "a"'] },
      'filter_by_presentation=%5B%22region%22%2C%22team%20%5C%22a%5C%22%22%5D',
      'has used',
    ],
    [{ charge_code: 'api', full_usage: true }, 'charge_code=api&full_usage=true', 'since it began'],
  ])('%j is sent to the byte, and told', async (args, query, told) => {
    serve({ [current]: usage(charge('api_calls', '12.0', 1200)) });
    const answer = await get({ ...args });
    expect(answer.summary).toContain(told);
    const reads = world.sent.filter(request => request.includes('_usage?'));
    expect(reads).toEqual([`${current}?external_subscription_id=sub-1&${query}`]);
  });

  it('has no estimate where it is all usage since the subscription began', async () => {
    at('2026-11-16T00:00:00Z');
    serve({ [current]: usage(charge('api_calls', '12.0', 1200)) });
    const answer = await get({ charge_code: 'api', full_usage: true });
    expect(factsOf(answer.summary)).toContain('$12.00 · 1 Nov · 30 Nov · (UTC) · $14.40');
    expect(answer.usage).not.toHaveProperty('estimate');
  });

  it('has its units divided for display', async () => {
    const presentation_breakdowns = [{ presentation_by: { region: 'eu' }, units: '12.0' }];
    serve({ [current]: usage(charge('api_calls', '12.0', 1200, { presentation_breakdowns })) });
    const answer = await get();
    expect(answer.usage).toMatchObject({ charges_usage: [{ presentation_breakdowns }] });
  });
});

describe('the subscription of get_usage', () => {
  const inactive = refusal(405, 'no_active_subscription');
  it.each<[string, Record<string, Scripted>, object, string, RegExp, RegExp]>([
    [
      'has to be chosen among several active ones',
      { [listed]: subscriptions(['a', 'active'], ['b', 'active'], ['c', 'terminated']) },
      {},
      'invalid_arguments',
      /2 active subscriptions/,
      /a on plan pro and b on plan pro/,
    ],
    [
      'is said to be none where none is active',
      { [listed]: subscriptions(['c', 'terminated']) },
      {},
      'no_match',
      /customer acme has no active subscription/,
      /c on plan pro, ended.*period: "past"/,
    ],
    [
      'is said not to be the customer’s',
      { [current]: inactive, [listed]: subscriptions(['a', 'active']) },
      { external_subscription_id: 'zz' },
      'no_active_subscription',
      /no active subscription “zz”/,
      /none of the customer’s.*Active: a on plan pro/,
    ],
    [
      'is told apart from a metric that no charge is on',
      { [current]: refusal(404, 'charge_not_found') },
      { external_subscription_id: 'a', billable_metric_code: 'zz' },
      'charge_not_found',
      /charge_not_found/,
      /on this metric/,
    ],
    [
      'is said not to be the customer’s where its past is empty',
      { [past]: [], [listed]: subscriptions(['a', 'active']) },
      { external_subscription_id: 'zz', period: 'past' },
      'no_match',
      /customer acme has no subscription “zz”/,
      /^It has a on plan pro\./,
    ],
  ])('%s', async (_, script, args, code, message, hint) => {
    serve(script);
    const answer = await world.call('get_usage', { external_customer_id: 'acme', ...args });
    expect(answer.error?.code).toBe(code);
    expect(answer.summary).toMatch(message);
    expect(answer.error?.hint).toMatch(hint);
  });

  it('is not looked for by a caller who may not list subscriptions', async () => {
    await world.renew({ BILLING_EXCLUDE_TOOLS: 'list_subscriptions' });
    serve({ '/customers/acme': { customer: { external_id: 'acme' } } });
    const answer = await world.call('get_usage', { external_customer_id: 'acme' });
    expect(answer.error).toMatchObject({ code: 'invalid_arguments', hint: 'Ask the user for the subscription.' });
    expect(world.asked).toEqual(['/customers/acme']);
    await world.renew();
  });
});

const period = (month: string, ...charges_usage: object[]) => ({
  ...{ from_datetime: `2026-${month}-01T00:00:00Z`, to_datetime: `2026-${month}-28T23:59:59Z` },
  ...{ issuing_date: `2026-${month}-28`, currency: 'USD', svc_invoice_id: `invoice-${month}`, amount_cents: 99_999 },
  ...{ taxes_amount_cents: 1, total_amount_cents: 100_000, charges_usage },
});
const calls = (month: string, units: string, cents: number) => period(month, charge('api_calls', units, cents));

it('an amount beyond 2^53 stays as it is once the unused parts are taken off', () => {
  const unused = { units: '0.0', events_count: 0, amount_cents: 200 };
  const large = '9007199254740993';
  expect(withoutUnused({ amount_cents: large, filters: [unused] })).toMatchObject({ amount_cents: large });
  expect(withoutUnused({ amount_cents: 500, filters: [unused] })).toMatchObject({ amount_cents: 300 });
});

describe('get_usage of past periods', () => {
  it('adds up the invoices of one period, and names drafts and invoices of single events', async () => {
    const single = { ...period('09', charge('calls', '0.5', 0)), svc_invoice_id: 'i-3', issuing_date: '2026-09-01' };
    serve({
      [past]: [
        { ...period('10', charge('calls', '5.0', 17_736)), issuing_date: '2999-10-31' },
        { ...period('09', charge('calls', '3.0', 978)), svc_invoice_id: 'i-2' },
        period('09', charge('calls', '3.0', 1304)),
        { ...single, to_datetime: single.from_datetime },
      ],
    });
    const { summary } = await get({ ...args, periods_count: 4 });
    expect(factsOf(summary)).toContain(
      '$177.36 · 1 Oct · 28 Oct · (UTC) · 31 Oct · 2999 · $22.82 · 1 Sep · 28 Sep · (UTC) · 2 · $0.00 · 3 · $200.18',
    );
  });

  it('sums the entries shown, not the invoices, newest first, and says how many there are', async () => {
    serve({
      [past]: {
        usage_periods: [
          period('10', charge('api_calls', '5.0', 500), charge('storage', '1.0', 20)),
          calls('09', '3.0', 300),
        ],
        meta: meta(7, { pages: 4 }),
      },
    });
    const answer = await get({ ...args, periods_count: 2, billable_metric_code: 'api_calls' });
    expect(usageReads()).toEqual([
      `${past}?external_subscription_id=sub-1&billable_metric_code=api_calls&periods_count=2&page=1&per_page=2`,
      '/invoices?external_customer_id=acme&status[]=finalized&issuing_date_from=2026-09-01&page=1&per_page=100',
    ]);
    expect(factsOf(answer.summary)).toBe(
      'sub-1 · api_calls · $5.20 · 1 Oct · 28 Oct · (UTC) · $3.00 · 1 Sep · 28 Sep · (UTC) · 2 · $8.20 · 2 · 7 · periods_count',
    );
    expect(answer.usage).toMatchObject({
      shown: '2 of 7',
      totals: [{ currency: 'USD', count: 2, amount_cents: 820 }],
      usage_periods: [
        {
          svc_invoice_id: 'invoice-10',
          amount_cents: 520,
          charges_usage: [{ amount_cents: 500 }, { amount_cents: 20 }],
        },
        { svc_invoice_id: 'invoice-09', amount_cents: 300 },
      ],
    });
    expect(JSON.stringify(answer)).not.toMatch(/99999|100000/);
  });

  it('counts a period once that comes twice, and says so', async () => {
    const october = calls('10', '5.0', 500);
    serve({ [past]: [october, october] });
    const answer = await get(args);
    expect(answer.usage).toMatchObject({ totals: [{ count: 1, amount_cents: 500 }], usage_periods: [{}] });
    expect(factsOf(answer.summary)).toContain('$5.00 · 1 Oct · 28 Oct · (UTC) · 1 · 2');
  });

  it('counts two periods of the same dates that were invoiced apart', async () => {
    const october = calls('10', '5.0', 500);
    const again = { ...october, svc_invoice_id: 'invoice-10b' };
    serve({ [past]: [october, again] });
    expect((await get(args)).usage).toMatchObject({ totals: [{ count: 2, amount_cents: 1000 }] });
  });

  it('names the period whose amount is no whole number', async () => {
    const odd = period('10', { ...charge('api_calls', '5.0', 0), amount_cents: 12.5 });
    serve({ [past]: [odd, calls('09', '3.0', 300)] });
    const answer = await get(args);
    expect(answer.summary).toContain('$3.00 without 2026-10-01 (its amount');
    expect(answer.usage).toMatchObject({ totals: [{ count: 1, left_out: ['2026-10-01'], amount_cents: 300 }] });
  });

  it('does not say that there is no period where the service counts some', async () => {
    serve({ [past]: { usage_periods: [], meta: meta(3) }, [listed]: subscriptions(['sub-1', 'active']) });
    expect((await get(args)).summary).toContain('listed (the service counts 3)');
  });

  it('says nothing of bounds that the service does not give', async () => {
    const [customer_usage, periods] = [{ charges_usage: [] }, [{ amount_cents: 5, charges_usage: [] }]];
    serve({ [current]: { customer_usage }, [past]: periods });
    expect((await get()).summary).toContain('has no usage so far');
    expect((await get({ period: 'past' })).summary).toContain(' in a period without dates. ');
  });

  it('checks that the customer exists when nothing comes, and then finds it by name', async () => {
    serve({
      '/customers/Acme/past_usage': [],
      '/customers/Acme/subscriptions': refusal(404, 'customer_not_found'),
      '/customers': [{ external_id: 'acme', name: 'Acme Inc' }],
      [past]: [calls('10', '5.0', 500)],
    });
    const answer = await get({ ...args, external_customer_id: 'Acme' });
    expect(factsOf(answer.summary)).toContain('“Acme Inc” · (acme) · sub-1 · $5.00');
    expect(answer.usage).toMatchObject({ customer: { external_id: 'acme' } });
  });

  it.each<[string, object, boolean]>([
    ['that none was invoiced yet', subscriptions(['sub-1', 'active']), false],
    ['that neither could be checked', refusal(500, 'internal_error'), true],
  ])('says %s', async (_, subscriptionsAnswer, unchecked) => {
    serve({ [past]: [], [listed]: subscriptionsAnswer });
    const { summary } = await get(args);
    expect(summary).toContain('no invoiced usage period');
    expect(summary.includes('could not be checked')).toBe(unchecked);
  });
});

describe('get_usage of invoices that state no period', () => {
  const row = (svc_id: string, fields: object = {}) => ({
    ...{ svc_id, number: svc_id.toUpperCase(), status: 'finalized', invoice_type: 'subscription', currency: 'USD' },
    customer: { external_id: 'acme' },
    ...fields,
  });
  const fee = (month: string, units: string, amount_cents: number, fields: object = {}, item: object = {}) => ({
    item: { type: 'charge', code: 'api_calls', name: 'API calls', invoice_display_name: null, ...item },
    ...{ units, events_count: 2, amount_cents, svc_charge_id: 'c', external_subscription_id: 'sub-1' },
    ...{ from_date: `2026-${month}-01T00:00:00+00:00`, to_date: `2026-${month}-28T23:59:59+00:00` },
    ...fields,
  });
  const script = (
    invoices: (ReturnType<typeof row> & { fees?: object[] })[],
    usage_periods: object[] = [],
    more = {},
  ) =>
    serve({
      [past]: usage_periods,
      [listed]: subscriptions(['sub-1', 'active']),
      '/invoices': { invoices: invoices.map(({ fees: _, ...rest }) => rest), meta: meta(invoices.length) },
      ...Object.fromEntries(invoices.map(invoice => [`/invoices/${invoice.svc_id}`, { invoice }])),
      ...more,
    });

  it('tells their usage by the days of their fees, among the listed periods', async () => {
    const fees = [
      fee('09', '1.5', 150),
      fee('09', '2.5', 250),
      fee('09', '1.0', 999, { svc_true_up_parent_fee_id: 'parent' }),
      fee('09', '1.0', 7, { external_subscription_id: 'sub-2' }),
      fee('09', '1.0', 4900, {}, { type: 'subscription', code: 'pro' }),
      fee('08', '3.0', 300, { svc_charge_id: 'd' }, { code: 'storage', name: 'Storage' }),
    ];
    script([row('invoice-10', { fees: [fee('10', '5.0', 500)] }), row('inv-9', { fees })], [calls('10', '5.0', 500)]);
    const answer = await get(args);
    expect(world.asked).not.toContain('/invoices/invoice-10');
    expect(factsOf(answer.summary)).toBe(
      'sub-1 · $5.00 · 1 Oct · 28 Oct · (UTC) · $4.00 · 1 Sep · 28 Sep · (UTC) · $3.00 · 1 Aug · 28 Aug · (UTC) · 3 · $12.00 · INV-9',
    );
    expect(answer.usage).toMatchObject({
      shown: '3 of 3',
      totals: [{ currency: 'USD', count: 3, amount_cents: 1200 }],
      usage_periods: [
        { svc_invoice_id: 'invoice-10' },
        {
          svc_invoice_id: 'inv-9',
          amount_cents: 400,
          charges_usage: [{ billable_metric_code: 'api_calls', units: '4', events_count: 4, amount_cents: 400 }],
        },
        { svc_invoice_id: 'inv-9', amount_cents: 300, charges_usage: [{ billable_metric_code: 'storage' }] },
      ],
    });
  });

  it('shows groups and filters apart, and of one metric alone where that is asked for', async () => {
    const hot = { code: 'storage', filters: { tier: ['hot'] } };
    const fees = [
      fee('09', '1.0', 100, {}, { grouped_by: { region: 'eu' } }),
      fee('09', '2.0', 300, {}, { grouped_by: { region: 'us' } }),
      fee('09', '4.0', 40, { svc_charge_id: 'd', svc_charge_filter_id: 'f' }, hot),
    ];
    script([row('inv-9', { fees })]);
    const groups = (await get({ ...args, billable_metric_code: 'api_calls' })).usage;
    const grouped_usage = [
      { grouped_by: { region: 'us' }, units: '2', amount_cents: 300 },
      { grouped_by: { region: 'eu' }, units: '1', amount_cents: 100 },
    ];
    const usage_periods = [{ charges_usage: [{ units: '3', grouped_usage }] }];
    expect(groups).toMatchObject({ totals: [{ amount_cents: 400 }], usage_periods });
    const storage = (await get({ ...args, billable_metric_code: 'storage' })).usage;
    expect(storage).toMatchObject({
      usage_periods: [{ charges_usage: [{ filters: [{ values: { tier: ['hot'] }, units: '4' }] }] }],
    });
  });

  it.each<[string, object]>([
    ['a voided invoice', { status: 'voided' }],
    ['a draft', { status: 'draft' }],
    ['a wallet top-up', { invoice_type: 'credit' }],
    ['usage that the invoice of the period bills again', { invoice_type: 'progressive_billing' }],
    ['an invoice that states the period', { billing_periods: [{ external_subscription_id: 'sub-1' }] }],
    ['an invoice of another subscription', { fees: [fee('09', '1.0', 7, { external_subscription_id: 'sub-2' })] }],
  ])('does not count %s', async (_, fields) => {
    script([row('inv-9', { fees: [fee('09', '1.0', 100)], ...fields })]);
    const { summary } = await get(args);
    expect(summary).toContain('no invoiced usage period');
  });

  it('counts an invoice whose list row was finalized and which is voided now, no more', async () => {
    const fees = [fee('09', '1.0', 100)];
    script([row('inv-9', { fees })], [], { '/invoices/inv-9': { invoice: row('inv-9', { fees, status: 'voided' }) } });
    expect((await get(args)).summary).toContain('has no invoiced usage period yet.');
  });

  it('leaves out what is older than the listed periods where there are more of those', async () => {
    script([row('inv-9', { fees: [fee('09', '1.0', 100)] })], [], {
      [past]: {
        usage_periods: [calls('10', '5.0', 500)],
        meta: meta(4, { pages: 4 }),
      },
    });
    const { summary } = await get({ ...args, periods_count: 1 });
    expect(factsOf(summary)).toContain('$5.00 · 1 Oct · 28 Oct · (UTC) · 1 · 4');
  });

  it.each<[string, object, string]>([
    ['of which the service has no list', { '/invoices': refusal(404, 'resource_not_found') }, 'has no GET /invoices'],
    ['that the key may not read', { '/invoices': refusal(403, 'forbidden') }, '403'],
    ['that could not be read', { '/invoices/inv-9': refusal(500, 'internal_error') }, '500'],
  ])('answers the rest, and says that usage of invoices may be missing %s', async (_, more, why) => {
    script([row('inv-9', { fees: [fee('09', '1.0', 100)] })], [calls('10', '5.0', 500)], more);
    const { summary } = await get(args);
    await world.renew();
    expect(summary).toMatch(/\$5\.00 in 1 – 28 Oct.*invoices that state no period/);
    expect(summary).toContain(why);
  });

  it('reads at most twenty times, and says how many invoices it has not read', async () => {
    const invoices = Array.from({ length: 30 }, (_, i) => row(`inv-${i}`, { fees: [fee('09', '1.0', 100)] }));
    script(invoices);
    const { summary } = await get({ ...args, periods_count: 100 });
    expect(world.asked.length).toBeLessThanOrEqual(20);
    expect(factsOf(summary)).toContain('$8.00 · 1 Sep · 28 Sep · (UTC) · 8');
    expect(summary).toContain('22 invoices not read');
  });
});
