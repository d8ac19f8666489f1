/** Aggregated usage and proration by hand, through the running service: §8. */
import { describe, expect, it } from 'vitest';
import { type Entry, previewOf } from './review-service.ts';
import { charge, chargeFees, count, standard, sum, type Used, unique, usageFees } from './review-usage.ts';

const weighted = { code: 'm', aggregation_type: 'weighted_sum_agg', field_name: 'v', weighted_interval: 'seconds' };

describe('aggregation (§8): units, cents at 1.00 each', () => {
  it.each<[string, Entry, Used[], string, number]>([
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
    ],
    ['sum below zero costs nothing', sum, [['01', -3]], '-3.0', 0],
    [
      'max: the largest',
      { ...sum, aggregation_type: 'max_agg' },
      [
        ['01', '2.5'],
        ['02', '10'],
        ['03', '9'],
      ],
      '10.0',
      1000,
    ],
    [
      'latest: by timestamp, not by value',
      { ...sum, aggregation_type: 'latest_agg' },
      [
        ['09', 3],
        ['02', 10],
      ],
      '3.0',
      300,
    ],
    [
      'latest: negative → 0',
      { ...sum, aggregation_type: 'latest_agg' },
      [
        ['02', 10],
        ['09', -3],
      ],
      '0.0',
      0,
    ],
    [
      'unique: a, b, c less b',
      unique,
      [
        ['01', 'a'],
        ['02', 'b'],
        ['03', 'c'],
        ['04', 'b', { operation_type: 'remove' }],
      ],
      '2.0',
      200,
    ],
    [
      'unique: removed and added again',
      unique,
      [
        ['01', 'a'],
        ['02', 'a', { operation_type: 'remove' }],
        ['03', 'a'],
      ],
      '1.0',
      100,
    ],
    [
      'unique, not recurring: last month’s values are gone',
      unique,
      [
        ['2026-03-10T00:00:00Z', 'a'],
        ['01', 'b'],
      ],
      '1.0',
      100,
    ],
    [
      'unique, recurring: a and b stay, c was removed last month, d was removed now',
      { ...unique, recurring: true },
      [
        ['2026-03-01T00:00:00Z', 'a'],
        ['2026-03-01T00:00:00Z', 'b'],
        ['2026-03-01T00:00:00Z', 'c'],
        ['2026-03-02T00:00:00Z', 'c', { operation_type: 'remove' }],
        ['2026-03-03T00:00:00Z', 'd'],
        ['05', 'd', { operation_type: 'remove' }],
      ],
      '2.0',
      200,
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
    ],
    ['weighted: 10 for 20 of 30 days', weighted, [['11', 10]], '6.666666666666667', 667],
    [
      'weighted, not recurring: does not carry',
      weighted,
      [
        ['2026-03-01T00:00:00Z', 30],
        ['16', 10],
      ],
      '5.0',
      500,
    ],
    [
      'weighted, recurring: 30 throughout + 10 for 15 of 30 days',
      { ...weighted, recurring: true },
      [
        ['2026-03-01T00:00:00Z', 30],
        ['16', 10],
      ],
      '35.0',
      3500,
    ],
    [
      'weighted, recurring: 30 for 15 days, then 10: 20',
      { ...weighted, recurring: true },
      [
        ['2026-03-01T00:00:00Z', 30],
        ['16', -20],
      ],
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
    ['round half up: 2.5 → 3', { ...sum, rounding_function: 'round' }, [['01', '2.5']], '3.0', 300],
    [
      'round to tens: 25 → 30',
      { ...sum, rounding_function: 'round', rounding_precision: -1 },
      [['01', 25]],
      '30.0',
      3000,
    ],
    [
      'ceil to hundreds: 101 → 200',
      { ...sum, rounding_function: 'ceil', rounding_precision: -2 },
      [['01', 101]],
      '200.0',
      20_000,
    ],
    [
      'ceil to hundreds: 200 stays',
      { ...sum, rounding_function: 'ceil', rounding_precision: -2 },
      [['01', 200]],
      '200.0',
      20_000,
    ],
    [
      'floor at 1 decimal: 2.59 → 2.5',
      { ...sum, rounding_function: 'floor', rounding_precision: 1 },
      [['01', '2.59']],
      '2.5',
      250,
    ],
    [
      'ceil at 2 decimals: 2.001 → 2.01',
      { ...sum, rounding_function: 'ceil', rounding_precision: 2 },
      [['01', '2.001']],
      '2.01',
      201,
    ],
    [
      'expression: 2 × 3 + 1',
      { ...sum, expression: 'event.properties.a * event.properties.b + 1' },
      [['01', undefined, { a: 2, b: '3' }]],
      '7.0',
      700,
    ],
  ])('%s', async (_name, metric, list, units, cents) => {
    const [fee] = await usageFees(metric, standard, list);
    expect(fee).toMatchObject({
      units,
      amount_cents: cents,
      events_count: list.filter(([day]) => isInApril(day)).length,
    });
  });

  it('weighted shows the current level: 6.67 of the period, 10 now', async () => {
    const [fee] = await usageFees(weighted, standard, [['11', 10]]);
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
});

function isInApril(day: string): boolean {
  return day.length === 2 || day.startsWith('2026-04');
}

describe('proration (§8): full units, prorated money', () => {
  const level = { ...sum, recurring: true };
  const seats = { ...unique, recurring: true };
  const prorated = charge('standard', { amount: '1' }, { prorated: true });
  it.each<[string, Entry, Used[], string, number]>([
    [
      'sum: 10 carried, 6 from the 21st, 10 of 30 days: 12',
      level,
      [
        ['2026-03-05T00:00:00Z', 10],
        ['21', 6],
      ],
      '16.0',
      1200,
    ],
    [
      'sum: an event late on a day has that whole day: 3 from the 30th, 23:00: 0.1',
      level,
      [['2026-04-30T23:00:00Z', 3]],
      '3.0',
      10,
    ],
    ['sum: up at 5 decimals: 1 × 10 ÷ 30 → 0.33334 at 1.00 → 0.33', level, [['21', 1]], '1.0', 33],
    [
      'sum: 10 less 4 from the 16th: 10 − 2',
      level,
      [
        ['2026-03-05T00:00:00Z', 10],
        ['16', -4],
      ],
      '6.0',
      800,
    ],
    [
      'unique: one carried, one from the 16th: 1.5',
      seats,
      [
        ['2026-03-05T00:00:00Z', 'a'],
        ['16', 'b'],
      ],
      '2.0',
      150,
    ],
    [
      'unique: carried, removed on the 15th, its own day included: 0.5',
      seats,
      [
        ['2026-03-05T00:00:00Z', 'a'],
        ['15', 'a', { operation_type: 'remove' }],
      ],
      '0.0',
      50,
    ],
    [
      'unique: a value known already does not start again',
      seats,
      [
        ['16', 'a'],
        ['20', 'a'],
      ],
      '1.0',
      50,
    ],
  ])('%s', async (_name, metric, list, units, cents) => {
    const [fee] = await usageFees(metric, prorated, list);
    expect(fee).toMatchObject({ units, amount_cents: cents });
  });

  it('5 decimals matter at 1000.00 each: 0.33334 → 333.34', async () => {
    const [fee] = await usageFees(level, charge('standard', { amount: '1000' }, { prorated: true }), [['21', 1]]);
    expect(fee.amount_cents).toBe(33_334);
  });

  it('volume: the range of the full 12 units prices the prorated 4: 4 × 0.5 + 2', async () => {
    const volume_ranges = [
      { from_value: 0, to_value: 10, per_unit_amount: '9', flat_amount: '9' },
      { from_value: 11, to_value: null, per_unit_amount: '0.5', flat_amount: '2' },
    ];
    const [fee] = await usageFees(level, charge('volume', { volume_ranges }, { prorated: true }), [['21', 12]]);
    expect(fee).toMatchObject({ units: '12.0', amount_cents: 400 });
  });
});
