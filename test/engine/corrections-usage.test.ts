/** Usage that was once counted or priced otherwise, through the running service. Each case has a second input. */
import { describe, expect, it } from 'vitest';
import { feesOf, inApril, recurring } from './corrections.ts';
import { chargeEntry, metricEntries, on, standard, type Used, usageFees, usedOn } from './entries.ts';
import { type Entry, estimateOf, serve } from './file-service.ts';
import { ofSubscription } from './service-world.ts';

describe('correction 7: at an upgrade the carried units of a prorated sum weigh one day less', () => {
  const prorated = chargeEntry('standard', { amount: '10' }, { prorated: true });
  it.each<[string, string, string, Entry, number]>([
    ['31 × 19/31 + 31 × 10/31 = 29', '2026-03-20T12:00:00Z', 'UTC', { '2026-02-03': 31, '2026-03-11': 31 }, 29_000],
    [
      '14 × 13/28 + 28 × 7/28 = 13.5, New York: the 14th there',
      '2026-02-15T03:00:00Z',
      'America/New_York',
      { '2026-01-03': 14, '2026-02-09': 28 },
      13_500,
    ],
  ])('%s', async (_name, now, timezone, values, cents) => {
    const given = {
      now,
      customer: { timezone },
      metrics: [recurring],
      plan: { charges: [prorated] },
      plans: [{ code: 'dear', amount_cents: 6200 }],
      events: Object.entries(values).map(([day, v]) => usedOn(day, v as number)),
    };
    const fees = await feesOf(given, ofSubscription({ plan_code: 'dear' }));
    expect(fees.map(fee => fee.amount_cents)).toEqual([cents]);
  });
});

it.each<[string, string, number, string]>([
  ['7 × 1 of 28 days: 0.25001', '2026-02-28', 7, '0.700028'],
  ['15 × 2 of 30 days: 1.00001', '2026-04-29', 15, '2.800028'],
  ['7 × 4 of 28 days: 1', '2026-02-25', 7, '2.8'],
])(
  'the share of a prorated sum is rounded at 20 decimals before the units are rounded up: %s',
  async (_name, day, v, amount) => {
    const charge = chargeEntry('standard', { amount: '2.80' }, { prorated: true });
    const given = inApril(
      { charges: [charge] },
      { now: `${day}T12:00:00Z`, metrics: [recurring], events: [usedOn(day, v)] },
    );
    expect((await feesOf(given)).map(fee => fee.precise_amount)).toEqual([amount]);
  },
);

describe('correction 8: an event counts in each filter that no other one contains', () => {
  const filters = (...list: [Entry, string][]) => list.map(([values, amount]) => ({ values, properties: { amount } }));
  const metric = {
    ...metricEntries.sum,
    filters: [
      { key: 'region', values: ['eu', 'us'] },
      { key: 'tier', values: ['free', 'pro'] },
    ],
  };
  const [eu, us] = [{ region: ['eu'] }, { region: ['us'] }];
  const anyTier = { tier: ['free', 'pro'] };
  it.each<[string, [Entry, string][], Entry, [string, number][]]>([
    [
      '{region} and {tier}: in both',
      [
        [eu, '1'],
        [anyTier, '2'],
      ],
      { region: 'eu', tier: 'pro' },
      [
        ['12.345', 1235],
        ['12.345', 2469],
      ],
    ],
    [
      'the filter with both keys contains both',
      [
        [eu, '1'],
        [anyTier, '2'],
        [{ ...eu, tier: ['pro'] }, '3'],
      ],
      { region: 'eu', tier: 'pro' },
      [['12.345', 3704]],
    ],
    [
      'two lists of one key that share a value: in both',
      [
        [{ region: ['eu', 'us'] }, '1'],
        [us, '2'],
        [{ tier: ['pro'] }, '4'],
      ],
      { region: 'us', tier: 'pro' },
      [
        ['12.345', 2469],
        ['12.345', 4938],
      ],
    ],
  ])('%s', async (_name, list, properties, expected) => {
    const charge = { ...standard, filters: filters(...list) };
    const fees = await usageFees(metric, charge, [['02', '12.345', properties]]);
    expect(fees.map(fee => [fee.units, fee.amount_cents])).toEqual(expected);
  });
});

describe('correction 9: usage below 0 shows no units and costs nothing', () => {
  const max = { ...metricEntries.sum, aggregation_type: 'max_agg' };
  it.each<[string, Entry, Entry, number[]]>([
    ['maximum of −5 and −3', max, standard, [-5, -3]],
    ['sum of 5 and −8', metricEntries.sum, standard, [5, -8]],
    [
      'sum of −2, with the flat amount of a first tier',
      metricEntries.sum,
      chargeEntry('graduated', {
        graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '5' }],
      }),
      [-2],
    ],
  ])('%s', async (_name, metric, charge, list) => {
    const [fee] = await usageFees(
      metric,
      charge,
      list.map((v, i): Used => [`0${i + 1}`, v]),
    );
    expect(fee).toMatchObject({
      units: '0.0',
      total_aggregated_units: '0.0',
      amount_cents: 0,
      precise_amount: '0.0',
      events_count: list.length,
    });
  });

  it('groups of 10 and −2 are 10 together', async () => {
    const charge = chargeEntry('standard', { amount: '1', pricing_group_keys: ['team'] });
    const events = [10, -2].map((v, i) => ({ ...usedOn('2026-04-02', v), properties: { v, team: `t${i}` } }));
    const service = await serve(inApril({ charges: [charge] }, { events }));
    const { body } = await service.get('/customers/acme/current_usage?external_subscription_id=sub');
    expect(body.customer_usage).toMatchObject({ amount_cents: 1000, charges_usage: [{ units: '10.0' }] });
  });

  it('a weighted sum keeps its level', async () => {
    const metric = { ...metricEntries.sum, aggregation_type: 'weighted_sum_agg', weighted_interval: 'seconds' };
    const [fee] = await usageFees(metric, standard, on('01 -3'));
    expect(fee).toMatchObject({ units: '0.0', total_aggregated_units: '-3.0', amount_cents: 0 });
  });
});

describe('correction 10: each event is one transaction', () => {
  const limited = (more: Entry) => chargeEntry('percentage', { rate: '0', ...more });
  it.each<[string, Entry, Entry, Used[], number]>([
    [
      'of a unique count: remove u1, add u5, u2, u2, u5, two of them free: 3 × 0.50',
      metricEntries.unique,
      limited({ per_transaction_min_amount: '0.5', free_units_per_events: 2 }),
      on('01 u1 remove, 02 u5, 03 u2, 04 u2, 05 u5'),
      150,
    ],
    [
      'of a maximum of 4, 9, 9, 2: the first 9 is the value, the others 0: 3 × 0.50 + 0.90',
      { ...metricEntries.sum, aggregation_type: 'max_agg' },
      limited({ rate: '10', per_transaction_min_amount: '0.5' }),
      on('01 4, 02 9, 03 9, 04 2'),
      240,
    ],
  ])('%s', async (_name, metric, charge, list, cents) => {
    expect((await usageFees(metric, charge, list)).map(fee => fee.amount_cents)).toEqual([cents]);
  });

  it('values that were carried are none: 3 units, 0.00', async () => {
    const charge = limited({ rate: '1', fixed_amount: '0.84', per_transaction_min_amount: '0.5' });
    const before = ['a', 'b', 'c'].map((v): Used => ['2026-03-02T00:00:00Z', v]);
    const [fee] = await usageFees({ ...metricEntries.unique, recurring: true }, charge, before);
    expect(fee).toMatchObject({ units: '3.0', amount_cents: 0 });
  });
});

describe('correction 11: the free allowance of a recurring sum starts with the first event ever', () => {
  it.each<[string, Entry, number[], number[], number]>([
    ['10, then 40 and 7, two free events: 7 × 2.9 %', { rate: '2.9', free_units_per_events: 2 }, [10], [40, 7], 20],
    [
      '30, then 25 and 20, 50 free: 25 × 10 %',
      { rate: '10', free_units_per_total_aggregation: '50' },
      [30],
      [25, 20],
      250,
    ],
    [
      '−30, then 25 and 40: 35 of 50 are free',
      { rate: '10', free_units_per_total_aggregation: '50' },
      [-30],
      [25, 40],
      0,
    ],
  ])('%s', async (_name, properties, before, list, cents) => {
    const events = [
      ...before.map((v): Used => ['2026-03-02T00:00:00Z', v]),
      ...list.map((v, i): Used => [`0${i + 1}`, v]),
    ];
    const [fee] = await usageFees(recurring, chargeEntry('percentage', properties), events);
    expect(fee.amount_cents).toBe(cents);
  });

  it('so does that of a pay-in-advance fee: the second event ever is free, the third costs 10 × 10 %', async () => {
    const charge = chargeEntry('percentage', { rate: '10', free_units_per_events: 2 }, { pay_in_advance: true });
    const given = inApril({ charges: [charge] }, { metrics: [recurring], events: [usedOn('2026-03-02', 10)] });
    const cents = async (events: Entry[]) =>
      (await estimateOf({ ...given, events }, { code: 'm', properties: { v: 10 } })).body.fees[0].amount_cents;
    expect(await cents([usedOn('2026-03-02', 10)])).toBe(0);
    expect(await cents([usedOn('2026-03-02', 10), usedOn('2026-04-02', 10)])).toBe(100);
  });
});

describe('correction 12: maxima and weighted sums have no free units', () => {
  const max = { ...metricEntries.sum, aggregation_type: 'max_agg' };
  const weighted = { ...metricEntries.sum, aggregation_type: 'weighted_sum_agg', weighted_interval: 'seconds' };
  const terms = { rate: '10', fixed_amount: '1' };
  it.each<[string, Entry, Entry, number]>([
    ['maximum 30 of two events, one free: 3.00 + 1.00', max, { ...terms, free_units_per_events: 1 }, 400],
    [
      'maximum 30 of two events, 50 units free: 3.00 + 2.00',
      max,
      { ...terms, free_units_per_total_aggregation: '50' },
      500,
    ],
    [
      'weighted 20 + 30 × 15/30 = 35, 50 free: 3.50 + 2.00',
      weighted,
      { ...terms, free_units_per_total_aggregation: '50' },
      550,
    ],
  ])('%s', async (_name, metric, properties, cents) => {
    const [fee] = await usageFees(metric, chargeEntry('percentage', properties), on('01 20, 16 30'));
    expect(fee.amount_cents).toBe(cents);
    expect(fee.amount_details.free_units).toBe('0.0');
  });
});

describe('correction 14: an override starts the peaks of its charges at 0', () => {
  const inAdvance = (amount: string, more: Entry = {}) =>
    chargeEntry('standard', { amount }, { pay_in_advance: true, ...more });
  const path = '/customers/acme/current_usage?external_subscription_id=sub';
  /** Cents and units of current usage: before the override, after it, and of the estimate of one more event. */
  async function around(metric: Entry, charge: Entry, list: Used[], v: unknown) {
    const events = list.map(([day, value, more]) => ({ ...usedOn(`2026-04-${day}`, value as string), ...more }));
    const service = await serve(inApril({ charges: [charge] }, { metrics: [metric], events }));
    const usage = async () => {
      const { body } = await service.get(path);
      return [body.customer_usage.amount_cents, body.customer_usage.charges_usage[0].units];
    };
    const before = await usage();
    await service.put('/subscriptions/sub', { subscription: { plan_overrides: { name: 'Own' } } });
    const event = { code: 'm', external_subscription_id: 'sub', properties: { v } };
    const estimate = await service.post('/events/estimate_fees', { event });
    return [...before, ...(await usage()), estimate.body.fees[0].amount_cents];
  }
  const removed = (v: string) => ({ properties: { v, operation_type: 'remove' } });
  it.each<[string, Entry, Entry, Used[], unknown, unknown[]]>([
    [
      '−2, then 7, at 7.21: peak 7, then 5 units; the next unit costs 7.21',
      metricEntries.sum,
      inAdvance('7.21'),
      on('02 -2, 03 7'),
      1,
      [5047, '5.0', 3605, '5.0', 721],
    ],
    [
      'a, b, without b at 3.00: peak 2, then 1 value; the next value costs 3.00',
      metricEntries.unique,
      inAdvance('3'),
      [
        ['02', 'a'],
        ['03', 'b'],
        ['04', 'b', removed('b')],
      ],
      'c',
      [600, '1.0', 300, '1.0', 300],
    ],
    [
      'the groups of 4, −1 and of 2 at 1.00: peaks 4 and 2, then 3 and 2',
      metricEntries.sum,
      { ...inAdvance('1'), properties: { amount: '1', pricing_group_keys: ['team'] } },
      [
        ['02', 4, { properties: { v: 4, team: 'a' } }],
        ['03', -1, { properties: { v: -1, team: 'a' } }],
        ['04', 2],
      ],
      1,
      [600, '5.0', 500, '5.0', 100],
    ],
  ])('%s', async (_name, metric, charge, list, v, expected) => {
    expect(await around(metric, charge, list, v)).toEqual(expected);
  });
});
