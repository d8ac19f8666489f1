/** Usage and prices by hand, through the running service: §8, §9, §10.1 to §10.3, §13. */
import { describe, expect, it } from 'vitest';
import { type Answer, type Entry, estimateOf, previewOf } from './review-service.ts';

const NOW = '2026-04-21T12:00:00Z';
const sum = { code: 'm', aggregation_type: 'sum_agg', field_name: 'v' };
const count = { code: 'm', aggregation_type: 'count_agg' };
const unique = { code: 'm', aggregation_type: 'unique_count_agg', field_name: 'v' };
const weighted = { code: 'm', aggregation_type: 'weighted_sum_agg', field_name: 'v', weighted_interval: 'seconds' };

/** `[day, value, more properties]`: an event on that day of April 2026, 00:00 UTC; a full date-time is taken as it is. */
type Used = [day: string, value?: unknown, more?: Entry];

function events(list: Used[]): Entry[] {
  return list.map(([day, v, more]) => ({
    code: 'm',
    timestamp: day.length > 2 ? day : `2026-04-${day}T00:00:00Z`,
    properties: { ...(v === undefined ? {} : { v }), ...more },
  }));
}

function charge(charge_model: string, properties: Entry, more: Entry = {}) {
  return { billable_metric_code: 'm', charge_model, properties, ...more };
}

const standard = charge('standard', { amount: '1' });

async function usageFees(metric: Entry, oneCharge: Entry, list: Used[], more: { plan?: Entry; start?: string } = {}) {
  const answer = await previewOf({
    now: NOW,
    metrics: [metric],
    plan: { amount_cents: 0, charges: [oneCharge], ...more.plan },
    subscription: { subscription_at: more.start ?? '2025-01-01' },
    events: events(list),
  });
  return chargeFees(answer);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
function chargeFees(answer: Answer): any[] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.invoice.fees.filter((fee: { item: { type: string } }) => fee.item.type === 'charge');
}

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
      events: events([['2026-02-28T23:00:00Z', 744]]),
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

const touching = [
  { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '0' },
  { from_value: 10, to_value: 20, per_unit_amount: '2', flat_amount: '5' },
  { from_value: 20, to_value: null, per_unit_amount: '3', flat_amount: '7' },
];
const apart = [
  { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '4' },
  { from_value: 11, to_value: 20, per_unit_amount: '2', flat_amount: '5' },
  { from_value: 21, to_value: null, per_unit_amount: '3', flat_amount: '7' },
];
const mixed = [apart[0], { ...apart[1], from_value: 10 }, apart[2]];
const percents = apart.map(({ per_unit_amount, ...range }) => ({ ...range, rate: `${Number(per_unit_amount) * 10}` }));
const free = (terms: Entry) => charge('percentage', { rate: '10', fixed_amount: '1', ...terms });

describe('price models (§9): cents of the usage', () => {
  it.each<[string, Entry, Used[], number]>([
    ['package: 0 paid', charge('package', { amount: '5', package_size: 10, free_units: 3 }), [['01', 3]], 0],
    [
      'package: 3.5 − 3 = 0.5 is one package',
      charge('package', { amount: '5', package_size: 10, free_units: 3 }),
      [['01', '3.5']],
      500,
    ],
    [
      'package: 13 − 3 = 10 is one',
      charge('package', { amount: '5', package_size: 10, free_units: 3 }),
      [['01', 13]],
      500,
    ],
    [
      'package: 13.01 − 3 are two',
      charge('package', { amount: '5', package_size: 10, free_units: 3 }),
      [['01', '13.01']],
      1000,
    ],
    ['graduated, gaps: 10: 10 + 4', charge('graduated', { graduated_ranges: apart }), [['01', 10]], 1400],
    ['graduated, gaps: 11: 10 + 4 + 1 × 2 + 5', charge('graduated', { graduated_ranges: apart }), [['01', 11]], 2100],
    [
      'graduated, gaps: 10.5: 14 + 0.5 × 2 + 5',
      charge('graduated', { graduated_ranges: apart }),
      [['01', '10.5']],
      2000,
    ],
    [
      'graduated, gaps: 22: 14 + 10 × 2 + 5 + 2 × 3 + 7',
      charge('graduated', { graduated_ranges: apart }),
      [['01', 22]],
      5200,
    ],
    ['graduated, no usage: the first flat', charge('graduated', { graduated_ranges: apart }), [], 400],
    [
      'graduated, shared boundaries: 10 stays in the first',
      charge('graduated', { graduated_ranges: touching }),
      [['01', 10]],
      1000,
    ],
    [
      'graduated, shared boundaries: 10.5: 10 + 0.5 × 2 + 5',
      charge('graduated', { graduated_ranges: touching }),
      [['01', '10.5']],
      1600,
    ],
    [
      'graduated, shared boundaries: 25: 10 + 20 + 5 + 15 + 7',
      charge('graduated', { graduated_ranges: touching }),
      [['01', 25]],
      5700,
    ],
    [
      'graduated, not all shared: each from counts: 22: 14 + 11 × 2 + 5 + 2 × 3 + 7',
      charge('graduated', { graduated_ranges: mixed }),
      [['01', 22]],
      5400,
    ],
    [
      'graduated percentage: 5 at 10 %: 0.5 + 4',
      charge('graduated_percentage', { graduated_percentage_ranges: percents }),
      [['01', 5]],
      450,
    ],
    [
      'graduated percentage: 22: 1 + 4, 10 × 20 % + 5, 2 × 30 % + 7',
      charge('graduated_percentage', { graduated_percentage_ranges: percents }),
      [['01', 22]],
      1960,
    ],
    [
      'graduated percentage, shared: a full tier has to − from + 1: 11 × 20 % + 5; 1 + 0; 25 − 20 + 1 = 6 × 30 % + 7',
      charge('graduated_percentage', {
        graduated_percentage_ranges: touching.map(({ per_unit_amount, ...range }) => ({
          ...range,
          rate: `${Number(per_unit_amount) * 10}`,
        })),
      }),
      [['01', 25]],
      1700,
    ],
    [
      'volume: 10.4: ceil 11 is above 10, and 10.4 ≤ 20: 10.4 × 2 + 5',
      charge('volume', { volume_ranges: apart }),
      [['01', '10.4']],
      2580,
    ],
    ['volume: 10: 10 × 1 + 4', charge('volume', { volume_ranges: apart }), [['01', 10]], 1400],
    ['volume: 9.5: ceil 10, first range: 9.5 + 4', charge('volume', { volume_ranges: apart }), [['01', '9.5']], 1350],
    ['volume: 21: 63 + 7', charge('volume', { volume_ranges: apart }), [['01', 21]], 7000],
    [
      'percentage: 10 % of 60 + 3 × 1',
      free({}),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      900,
    ],
    [
      'percentage: nothing when the units are 0',
      free({}),
      [
        ['01', 5],
        ['02', -5],
      ],
      0,
    ],
    [
      'percentage, 2 free events: 10 % of 60 − 30, 1 × 1',
      free({ free_units_per_events: 2 }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      400,
    ],
    [
      'percentage, 5 free events of 3: nothing',
      free({ free_units_per_events: 5 }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      0,
    ],
    [
      'percentage, A = 25: totals 10, 30 kept, 30 > 25 → 25 free; 1 total below 25: 10 % of 35 + 2 × 1',
      free({ free_units_per_total_aggregation: '25' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      550,
    ],
    [
      'percentage, A = 100: 60 free; 3 totals below: nothing',
      free({ free_units_per_total_aggregation: '100' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      0,
    ],
    [
      'percentage, E = 2, A = 25: T2 = 30 > 25 → 25; events min(2, 1): 3.5 + 2',
      free({ free_units_per_events: 2, free_units_per_total_aggregation: '25' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      550,
    ],
    [
      'percentage, E = 2, A = 40: T2 = 30 ≤ 40 → 30; events min(2, 2): 3 + 1',
      free({ free_units_per_events: 2, free_units_per_total_aggregation: '40' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      400,
    ],
    [
      'percentage, E = 2, A = 5: T2 = 30 > 5 → 5; no total below 5, so E = 2: 5.5 + 1',
      free({ free_units_per_events: 2, free_units_per_total_aggregation: '5' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      650,
    ],
    [
      'percentage, maximum 2: 10 % + 1 each: 2, 3 → 2, 4 → 2',
      free({ per_transaction_max_amount: '2' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      600,
    ],
    [
      'percentage, minimum 2.5: 2 → 2.5, 3, 4',
      free({ per_transaction_min_amount: '2.5' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      950,
    ],
    [
      'percentage, in order of time: the free event is the first, 30: 2 and 3 → 2.5 and 3',
      free({ per_transaction_min_amount: '2.5', free_units_per_events: 1 }),
      [
        ['03', 20],
        ['02', 10],
        ['01', 30],
      ],
      550,
    ],
    [
      'percentage, A = 15 per event: 10 free, 5 of 20 free: 15 → 2.5; 30 → 4 held at 3',
      free({ per_transaction_max_amount: '3', free_units_per_total_aggregation: '15' }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      550,
    ],
    [
      'percentage, A = 15, E = 3 per event: E has no effect',
      free({ per_transaction_max_amount: '3', free_units_per_total_aggregation: '15', free_units_per_events: 3 }),
      [
        ['01', 10],
        ['02', 20],
        ['03', 30],
      ],
      550,
    ],
  ])('%s', async (_name, oneCharge, list, cents) => {
    const fees = await usageFees(sum, oneCharge, list);
    expect(fees.reduce((total, fee) => total + fee.amount_cents, 0)).toBe(cents);
  });

  it.each<[string, Entry, number]>([
    ['E = 3 of 10: T3 = 3 free, 3 events: 10 % of 7 + 7', { free_units_per_events: 3 }, 770],
    ['A = 5 of 10: 5 free, totals below 5 are 4: 0.5 + 6', { free_units_per_total_aggregation: '5' }, 650],
    [
      'E = 3, A = 2: T3 = 3 free, min(3, 1) = 1: 0.7 + 9',
      { free_units_per_events: 3, free_units_per_total_aggregation: '2' },
      970,
    ],
    ['E = 20: all free', { free_units_per_events: 20 }, 0],
    ['minimum 2: each 0.1 + 1 → 2', { per_transaction_min_amount: '2' }, 2000],
    ['minimum 2, E = 4: 6 × 2', { per_transaction_min_amount: '2', free_units_per_events: 4 }, 1200],
  ])('percentage of a count of 10: %s', async (_name, terms, cents) => {
    const list = Array.from({ length: 10 }, (_, i): Used => [`${i + 10}`]);
    const fees = await usageFees(count, free(terms), list);
    expect(fees.reduce((total, fee) => total + fee.amount_cents, 0)).toBe(cents);
  });

  it('dynamic: 123.4 + 200.2 cents, nothing with 0 units', async () => {
    const list = [
      { amount: '123.4', v: 2 },
      { amount: '200.2', v: 1 },
    ].map(({ amount, v }, i) => ({
      code: 'm',
      timestamp: `2026-04-0${i + 1}T00:00:00Z`,
      properties: { v },
      precise_total_amount_cents: amount,
    }));
    const given = { now: NOW, metrics: [sum], plan: { charges: [charge('dynamic', {})] } };
    const [fee] = chargeFees(await previewOf({ ...given, events: list }));
    expect(fee).toMatchObject({ units: '3.0', amount_cents: 324, precise_amount: '3.236' });
    const zero = list.map((event, i) => ({ ...event, properties: { v: i === 0 ? 1 : -1 } }));
    expect(chargeFees(await previewOf({ ...given, events: zero }))[0].amount_cents).toBe(0);
  });
});
