import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import type { AggregationType } from '../../src/contract/enums.ts';
import { OutOfScope } from '../../src/contract/pricing/out-of-scope.ts';
import { payInAdvancePrice } from '../../src/engine/advance.ts';
import { aggregateUsage, metricRounding, type UsagePurpose } from '../../src/engine/aggregation.ts';
import type { ChargeRecord } from '../../src/engine/records/index.ts';
import { bucketOfEvent, usageBuckets, usageQuery } from '../../src/engine/usage.ts';
import { invoiced, march } from './aggregation-cases.ts';
import { chargeEntry, chargeFees, metricEntries, on, standard, type Used, usageFees } from './entries.ts';
import { type Entry, previewOf } from './file-service.ts';
import { charge, metric, usage } from './reference-records.ts';

describe('aggregated values (§8)', () => {
  const kinds: AggregationType[] = [
    'count_agg',
    'sum_agg',
    'max_agg',
    'latest_agg',
    'unique_count_agg',
    'weighted_sum_agg',
  ];
  it.each(kinds)('%s of no event at all: 0, and 0 carried', aggregation_type => {
    for (const recurring of [false, true]) {
      const [bucket] = usageBuckets(charge(), metric({ aggregation_type, recurring }), [], march);
      expect([bucket?.aggregate.units.toFixed(), bucket?.aggregate.events_count]).toEqual(['0', 0]);
    }
  });

  it.each<[AggregationType, string | null]>([
    ['count_agg', null],
    ['sum_agg', '1'],
    ['unique_count_agg', 'a'],
  ])(
    '%s: the first event of a bucket, with none before it, opens a package of two units at 1.00',
    (aggregation_type, value) => {
      const own = metric({ aggregation_type });
      const properties = { amount: '1', package_size: 2, free_units: 0 };
      const packages = charge({ charge_model: 'package', pay_in_advance: true, properties });
      const bucket = bucketOfEvent(packages, own, { amount: value }, [], march);
      const event = { timestamp: march.from, value, operation_type: 'add' as const, precise_total_amount_cents: null };
      const { units, price } = payInAdvancePrice(own, bucket, event, march, 'EUR');
      expect([units.toFixed(), price.amount.toFixed()]).toEqual(['1', '1']);
    },
  );

  it('leaves the shown level to the fee’s units: 10 carried + 2, recurring or not', () => {
    for (const recurring of [true, false]) {
      const row = usage({ sum: '2', carried_sum: '10' });
      const result = aggregateUsage(charge(), metric({ recurring }), {}, row, march, invoiced);
      expect(result.total_aggregated_units).toBeNull();
    }
  });

  it('refuses custom metrics', () => {
    const act = () => usageBuckets(charge(), metric({ aggregation_type: 'custom_agg' }), [], march);
    expect(act).toThrow(OutOfScope);
    expect(act).toThrow(expect.objectContaining({ code: 'custom_aggregation' }));
  });

  it('refuses custom and prorated graduated charges before anything is read', () => {
    const ask = (on: Partial<ChargeRecord>) => () => usageQuery(charge(on), metric({ recurring: true }), 'sub', march);
    expect(ask({ charge_model: 'custom' })).toThrow(expect.objectContaining({ code: 'custom_charge_model' }));
    const prorated = ask({ charge_model: 'graduated', prorated: true });
    expect(prorated).toThrow(expect.objectContaining({ code: 'prorated_graduated_charge' }));
  });
});

describe('metric rounding (§8)', () => {
  it.each([
    ['round', null, '2.5', '3'],
    ['round', 1, '2.25', '2.3'],
    ['ceil', null, '2.01', '3'],
    ['ceil', 2, '2.001', '2.01'],
    ['ceil', -2, '101', '200'],
    ['ceil', 0, '-2.5', '-2'],
    ['floor', null, '2.99', '2'],
    ['floor', -1, '19', '10'],
    ['floor', 0, '-2.5', '-3'],
    [null, 2, '2.12345', '2.12345'],
  ] as const)('%s at %s: %s → %s', (rounding_function, rounding_precision, value, expected) => {
    const own = metric({ rounding_function, rounding_precision });
    expect(metricRounding(new Big(value), own).toFixed()).toBe(expected);
  });

  it('applies to usage and arrears fees, not to estimates', () => {
    const own = metric({ rounding_function: 'ceil' });
    const row = usage({ events_count: 1, sum: '2.1' });
    const value = (purpose: UsagePurpose) => usageBuckets(charge(), own, [row], march, { purpose })[0]?.aggregate.units;
    expect((['invoice', 'current', 'event'] as const).map(purpose => value(purpose)?.toFixed())).toEqual([
      '3',
      '3',
      '2.1',
    ]);
  });
});

describe('aggregation (§8): units, cents at 1.00 each, through the running service', () => {
  const { sum, count, unique } = metricEntries;
  const weighted = { code: 'm', aggregation_type: 'weighted_sum_agg', field_name: 'v', weighted_interval: 'seconds' };

  it.each<[string, Entry, Used[], string, number, number?]>([
    ['count: 3 events, whatever their values', count, [['01'], ['02', 'x'], ['30', 5]], '3.0', 300],
    [
      'sum: 1.5 + 2 − 0.25; text, blanks, exponents and spaces are not numbers',
      sum,
      [
        ['01', '1.5'],
        ['02', 2],
        ['03', '-0.25'],
        ['04', 'x'],
        ['05', ''],
        ['06', '1e3'],
        ['07', ' 7'],
        ['08', '.5'],
        ['09', '+1'],
      ],
      '3.25',
      325,
      3,
    ],
    ['sum below zero: no units, and costs nothing', sum, on('01 -3'), '0.0', 0],
    ['max: the largest', { ...sum, aggregation_type: 'max_agg' }, on('01 2.5, 02 10, 03 9'), '10.0', 1000],
    ['latest: by timestamp, not by value', { ...sum, aggregation_type: 'latest_agg' }, on('09 3, 02 10'), '3.0', 300],
    ['latest: negative → 0', { ...sum, aggregation_type: 'latest_agg' }, on('02 10, 09 -3'), '0.0', 0],
    ['unique: a, b, c less b', unique, on('01 a, 02 b, 03 c, 04 b remove'), '2.0', 200, 2],
    ['unique: removed and added again', unique, on('01 a, 02 a remove, 03 a'), '1.0', 100, 1],
    ['unique: a, a, b: 2 values, 2 events', unique, on('01 a, 02 a, 03 b'), '2.0', 200, 2],
    ['unique, not recurring: last month’s values are gone', unique, on('03-10 a, 01 b'), '1.0', 100],
    [
      'unique, recurring: a and b stay, c was removed last month, d was removed now',
      { ...unique, recurring: true },
      on('03-01 a, 03-01 b, 03-01 c, 03-02 c remove, 03-03 d, 05 d remove'),
      '2.0',
      200,
      2,
    ],
    [
      'sum, recurring: 10 from March + 5',
      { ...sum, recurring: true },
      [
        ['2026-03-31T23:59:59Z', 10],
        ['01', 5],
      ],
      '15.0',
      1500,
      2,
    ],
    ['weighted: 10 for 20 of 30 days', weighted, on('11 10'), '6.66666666666666666667', 667],
    ['weighted, not recurring: does not carry', weighted, on('03-01 30, 16 10'), '5.0', 500],
    [
      'weighted, recurring: 30 throughout + 10 for 15 of 30 days',
      { ...weighted, recurring: true },
      on('03-01 30, 16 10'),
      '35.0',
      3500,
    ],
    [
      'weighted, recurring: 30 for 15 days, then 10: 20',
      { ...weighted, recurring: true },
      on('03-01 30, 16 -20'),
      '20.0',
      2000,
    ],
    [
      'an event in the last second of the period, and none after it',
      sum,
      [
        ['2026-04-30T23:59:59.999Z', 2],
        ['2026-05-01T00:00:00Z', 7],
      ],
      '2.0',
      200,
    ],
    ['round half up: 2.5 → 3', { ...sum, rounding_function: 'round' }, on('01 2.5'), '3.0', 300],
    [
      'ceil to hundreds: 101 → 200',
      { ...sum, rounding_function: 'ceil', rounding_precision: -2 },
      on('01 101'),
      '200.0',
      20_000,
    ],
    [
      'expression: 2 × 3 + 1',
      { ...sum, expression: 'event.properties.a * event.properties.b + 1' },
      [['01', undefined, { a: 2, b: '3' }]],
      '7.0',
      700,
    ],
  ])('%s', async (_name, metric, list, units, cents, events_count) => {
    const [fee] = await usageFees(metric, standard, list);
    const inApril = list.filter(([day]) => isInApril(day)).length;
    expect(fee).toMatchObject({ units, amount_cents: cents, events_count: events_count ?? inApril });
  });

  const perEvent = chargeEntry('percentage', { rate: '0', fixed_amount: '1' });
  it.each<[string, Entry, Entry, Used[], number, number]>([
    ['unique a, a, b, 0 % + 1.00: 2 values, 2.00', unique, perEvent, on('01 a, 02 a, 03 b'), 2, 200],
    [
      'unique a, a, b, at least 1.50 for each event: 2 values, 4.50',
      unique,
      chargeEntry('percentage', { rate: '0', fixed_amount: '1', per_transaction_min_amount: '1.5' }),
      on('01 a, 02 a, 03 b'),
      2,
      450,
    ],
    [
      'sum, recurring, 0 % + 1.00: 3 events in March, 1 in April: 4, 4.00',
      { ...sum, recurring: true },
      perEvent,
      on('03-01 1, 03-02 1, 03-03 1, 01 1'),
      4,
      400,
    ],
    [
      'sum of abc, 5, 3, 0 % + 1.00, 1 free event: 2 events, 1 paid, 1.00',
      sum,
      chargeEntry('percentage', { rate: '0', fixed_amount: '1', free_units_per_events: 1 }),
      on('01 abc, 02 5, 03 3'),
      2,
      100,
    ],
  ])('the fixed part of a percentage counts events_count: %s', async (_name, metric, oneCharge, list, count, cents) => {
    const [fee] = await usageFees(metric, oneCharge, list);
    expect(fee).toMatchObject({ events_count: count, amount_cents: cents });
  });

  it('unique, added and removed: 0 units, 0 events, no fee', async () => {
    expect(await usageFees(unique, standard, on('01 a, 02 a remove'))).toEqual([]);
  });

  it('weighted shows the current level: 6.67 of the period, 10 now', async () => {
    const [fee] = await usageFees(weighted, standard, on('11 10'));
    expect(fee.total_aggregated_units).toBe('10.0');
  });

  it('weighted in a month when clocks go forward: 31 × 24 − 1 hours of 31 days: 744 for the whole of March are 743', async () => {
    const answer = await previewOf({
      now: '2026-03-10T00:00:00Z',
      customer: { timezone: 'Europe/Paris' },
      metrics: [weighted],
      plan: { charges: [standard] },
      events: [{ code: 'm', timestamp: '2026-02-28T23:00:00Z', properties: { v: 744 } }],
    });
    expect(chargeFees(answer)[0].units).toBe('743.0');
  });

  it('an event without a number takes no free event: abc, 5, 3 with 1 free at 1.00 each → 1 paid event, 1.00', async () => {
    const properties = { rate: '0', fixed_amount: '1', free_units_per_events: 1 };
    const list: Used[] = on('01 abc, 02 5, 03 3');
    const [fee] = await usageFees(sum, chargeEntry('percentage', properties), list);
    expect(fee).toMatchObject({ units: '8.0', amount_cents: 100, events_count: 2, amount_details: { paid_events: 1 } });
  });

  it.each<[string, Used[], string, number]>([
    ['a, none, b, none: 3 values, 3.00', [['01', 'a'], ['02'], ['03', 'b'], ['04']], '3.0', 300],
    [
      'a, none, b, less none: 2 values, 2.00',
      [['01', 'a'], ['02'], ['03', 'b'], ['04', undefined, { operation_type: 'remove' }]],
      '2.0',
      200,
    ],
    ['none carried from March, a: 2 values, 2.00', [['2026-03-10T00:00:00Z'], ['01', 'a']], '2.0', 200],
  ])('unique: events without the property are one more value: %s', async (_name, list, units, cents) => {
    const [fee] = await usageFees({ ...unique, recurring: true }, standard, list);
    expect(fee).toMatchObject({ units, amount_cents: cents });
  });
});

function isInApril(day: string): boolean {
  return day.length === 2 || day.startsWith('2026-04');
}

describe('proration (§8): full units, prorated money, through the running service', () => {
  const { sum, unique } = metricEntries;

  const level = { ...sum, recurring: true };
  const seats = { ...unique, recurring: true };
  const prorated = chargeEntry('standard', { amount: '1' }, { prorated: true });
  it.each<[string, Entry, Used[], string, number]>([
    ['sum: 10 carried, 6 from the 21st, 10 of 30 days: 12', level, on('03-05 10, 21 6'), '16.0', 1200],
    [
      'sum: an event late on a day has that whole day: 3 from the 30th, 23:00: 0.1',
      level,
      [['2026-04-30T23:00:00Z', 3]],
      '3.0',
      10,
    ],
    ['sum: up at 5 decimals: 1 × 10 ÷ 30 → 0.33334 at 1.00 → 0.33', level, on('21 1'), '1.0', 33],
    ['sum: 10 less 4 from the 16th: 10 − 2', level, on('03-05 10, 16 -4'), '6.0', 800],
    ['unique: one carried, one from the 16th: 1.5', seats, on('03-05 a, 16 b'), '2.0', 150],
    ['unique: carried, removed on the 15th, its own day included: 0.5', seats, on('03-05 a, 15 a remove'), '0.0', 50],
    ['unique: a value known already does not start again', seats, on('16 a, 20 a'), '1.0', 50],
  ])('%s', async (_name, metric, list, units, cents) => {
    const [fee] = await usageFees(metric, prorated, list);
    expect(fee).toMatchObject({ units, amount_cents: cents });
  });

  it('the metric rounds prorated units after their 5 decimals: 10 × 7 ÷ 29 = 2.4138, ceil 3 → 3.00, shown 10', async () => {
    const answer = await previewOf({
      now: '2024-02-24T00:00:00Z',
      subscription: { subscription_at: '2024-01-01' },
      metrics: [{ ...level, rounding_function: 'ceil' }],
      plan: { amount_cents: 0, charges: [prorated] },
      events: [{ code: 'm', timestamp: '2024-02-23T00:00:00Z', properties: { v: 10 } }],
    });
    expect(chargeFees(answer)[0]).toMatchObject({ units: '10.0', amount_cents: 300, precise_unit_amount: '0.3' });
  });

  it('5 decimals matter at 1000.00 each: 0.33334 → 333.34', async () => {
    const [fee] = await usageFees(level, chargeEntry('standard', { amount: '1000' }, { prorated: true }), on('21 1'));
    expect(fee.amount_cents).toBe(33_334);
  });

  it('volume: the range of the full 12 units prices the prorated 4: 4 × 0.5 + 2', async () => {
    const volume_ranges = [
      { from_value: 0, to_value: 10, per_unit_amount: '9', flat_amount: '9' },
      { from_value: 11, to_value: null, per_unit_amount: '0.5', flat_amount: '2' },
    ];
    const [fee] = await usageFees(level, chargeEntry('volume', { volume_ranges }, { prorated: true }), on('21 12'));
    expect(fee).toMatchObject({ units: '12.0', amount_cents: 400 });
  });
});
