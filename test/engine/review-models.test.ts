/** Price models by hand, through the running service: §9. */
import { describe, expect, it } from 'vitest';
import { type Entry, previewOf } from './review-service.ts';
import { charge, chargeFees, count, NOW, sum, type Used, usageFees } from './review-usage.ts';

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
