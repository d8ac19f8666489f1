import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import type { ChargeModel } from '../../src/contract/enums.ts';
import { priceCharge } from '../../src/contract/pricing/models/index.ts';
import { OutOfScope } from '../../src/contract/pricing/out-of-scope.ts';
import type { Aggregate } from '../../src/contract/pricing/types.ts';
import type { Json, JsonObject } from '../../src/engine/records/index.ts';
import { chargeEntry, chargeFees, IN_APRIL, metricEntries, on, type Used, usageFees } from './entries.ts';
import { type Entry, previewOf } from './file-service.ts';
import { amount, pack, sumOf, values } from './model-cases.ts';
import { aggregate } from './reference-records.ts';

function details(model: ChargeModel, properties: JsonObject, usage: Aggregate): JsonObject {
  return priceCharge({ charge_model: model, properties }, usage).amount_details;
}

const apart = ranges('graduated_ranges', [0, 10, '1', '2'], [11, 20, '0.5', '3'], [21, null, '0.1', '4']);
const touching = ranges('graduated_ranges', [0, 10, '1', '2'], [10, 20, '0.5', '3'], [20, null, '0.1', '4']);
const mixed = ranges('graduated_ranges', [0, 10, '1', '0'], [10, 20, '1', '0'], [21, null, '1', '0']);
const shares: JsonObject = {
  graduated_percentage_ranges: [
    { from_value: 0, to_value: 10, rate: '1', flat_amount: '5' },
    { from_value: 11, to_value: null, rate: '2', flat_amount: '7' },
  ],
};
const volumes = ranges('volume_ranges', [0, 10, '2', '1'], [11, 20, '1', '3'], [21, null, '0.5', '0']);

/** `[from, to, per unit, flat]` */
function ranges(key: string, ...list: [number, number | null, string, string][]): JsonObject {
  return {
    [key]: list.map(([from_value, to_value, per_unit_amount, flat_amount]) => ({
      from_value,
      to_value,
      per_unit_amount,
      flat_amount,
    })),
  };
}

/** The same properties, with entries that are no tiers put before the tiers. */
function withStrays(properties: JsonObject): JsonObject {
  const strays = ['', 'tier', 5, true, null, [], [{ to_value: null }]];
  return Object.fromEntries(Object.entries(properties).map(([key, list]) => [key, [...strays, ...(list as Json[])]]));
}

describe('price models (§9)', () => {
  it.each<[string, ChargeModel, JsonObject, string, string]>([
    ['standard: 12.5 × 0.4 = 5', 'standard', { amount: '0.4' }, '12.5', '5'],
    ['standard: negative units count as 0', 'standard', { amount: '0.4' }, '-3', '0'],
    ['standard: an amount left blank is 0', 'standard', { amount: ' ' }, '12.5', '0'],
    ['package: 5 − 5 free = 0 → 0', 'package', pack(5, 10, '3'), '5', '0'],
    ['package: 4 − 5 free < 0 → 0', 'package', pack(5, 10, '3'), '4', '0'],
    ['package: ceil((16 − 5) ÷ 10) × 3 = 2 × 3 = 6', 'package', pack(5, 10, '3'), '16', '6'],
    ['package: ceil((15 − 5) ÷ 10) × 3 = 1 × 3 = 3', 'package', pack(5, 10, '3'), '15', '3'],
    ['package: ceil(0.1 ÷ 10) × 3 = 1 × 3 = 3', 'package', pack(0, 10, '3'), '0.1', '3'],
    ['graduated: the first flat is charged at 0 units: 0 + 2 = 2', 'graduated', apart, '0', '2'],
    ['graduated: 10 × 1 + 2 = 12', 'graduated', apart, '10', '12'],
    ['graduated: (10 + 2) + ((11 − 11 + 1) × 0.5 + 3) = 15.5', 'graduated', apart, '11', '15.5'],
    ['graduated: 12 + ((10.5 − 11 + 1) × 0.5 + 3) = 15.25', 'graduated', apart, '10.5', '15.25'],
    ['graduated: 12 + (10 × 0.5 + 3) + ((25 − 21 + 1) × 0.1 + 4) = 24.5', 'graduated', apart, '25', '24.5'],
    ['graduated, shared boundaries: 12 + ((15 − 10) × 0.5 + 3) = 17.5', 'graduated', touching, '15', '17.5'],
    ['graduated, shared boundaries: 12 + 8 + ((25 − 20) × 0.1 + 4) = 24.5', 'graduated', touching, '25', '24.5'],
    ['graduated, only some shared: 10 + (15 − 10 + 1) = 16', 'graduated', mixed, '15', '16'],
    ['graduated: what is no tier is none: 10 × 1 + 2 = 12', 'graduated', withStrays(apart), '10', '12'],
    ['volume: what is no tier is none: 15 × 1 + 3 = 18', 'volume', withStrays(volumes), '15', '18'],
    ['graduated: negative units cost 0, the first flat too', 'graduated', apart, '-4', '0'],
    ['graduated percentage: 0 × 1 % + 5 = 5', 'graduated_percentage', shares, '0', '5'],
    ['graduated percentage: 4 × 1 % + 5 = 5.04', 'graduated_percentage', shares, '4', '5.04'],
    [
      'graduated percentage: (10 × 1 % + 5) + ((30 − 11 + 1) × 2 % + 7) = 12.5',
      'graduated_percentage',
      shares,
      '30',
      '12.5',
    ],
    ['volume: 10 × 2 + 1 = 21', 'volume', volumes, '10', '21'],
    ['volume: 11 × 1 + 3 = 14', 'volume', volumes, '11', '14'],
    ['volume: 10.5 is in 11–20, as 11 ≤ ceil(10.5) and 10.5 ≤ 20: 10.5 + 3 = 13.5', 'volume', volumes, '10.5', '13.5'],
    ['volume: 100 × 0.5 + 0 = 50', 'volume', volumes, '100', '50'],
    ['volume: 0 × 2 + 1 = 1', 'volume', volumes, '0', '1'],
    ['volume without ranges: 0', 'volume', {}, '5', '0'],
  ])('%s', (_name, model, properties, units, expected) => {
    expect(amount(model, properties, aggregate(units))).toBe(expected);
  });

  it('volume picks the range by full units and prices prorated ones: 6 × 1 + 3 = 9', () => {
    expect(amount('volume', volumes, aggregate('6', { full_units: new Big(12) }))).toBe('9');
  });

  it('dynamic sums the cents of the events: 1234.5 ÷ 100 = 12.345; JPY: ÷ 1; KWD: ÷ 1000', () => {
    const usage = aggregate('3', { precise_total_amount_cents: new Big('1234.5') });
    expect(amount('dynamic', {}, usage)).toBe('12.345');
    expect(amount('dynamic', {}, usage, 'JPY')).toBe('1234.5');
    expect(amount('dynamic', {}, usage, 'KWD')).toBe('1.2345');
  });

  it('a negative amount counts as 0', () => {
    expect(amount('dynamic', {}, aggregate('2', { precise_total_amount_cents: new Big(-500) }))).toBe('0');
  });

  it('unit amount = amount ÷ units, 0 when there are none; package: ÷ paid units: 6 ÷ 11', () => {
    const unitAmount = (model: ChargeModel, properties: JsonObject, units: string) =>
      priceCharge({ charge_model: model, properties }, { units }).unit_amount.round(10).toFixed();
    expect(unitAmount('graduated', apart, '25')).toBe('0.98');
    expect(unitAmount('graduated', apart, '0')).toBe('0');
    expect(unitAmount('package', pack(5, 10, '3'), '16')).toBe('0.5454545455');
  });

  it('needs the currency of cents, and no binary fractions', () => {
    expect(() => priceCharge({ charge_model: 'dynamic', properties: {} }, { units: 1 })).toThrow('pass the currency');
    expect(() => priceCharge({ charge_model: 'volume', properties: volumes }, { units: 0.1 })).toThrow('as text');
  });

  it.each<[ChargeModel, boolean, string]>([
    ['custom', false, 'custom_charge_model'],
    ['graduated', true, 'prorated_graduated_charge'],
  ])('refuses %s charges (prorated: %s) by name', (charge_model, prorated, code) => {
    const act = () => priceCharge({ charge_model, prorated, properties: apart }, { units: 1 });
    expect(act).toThrow(OutOfScope);
    expect(act).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a prorated graduated charge under its code, and prices it when nothing is prorated: 10 × 1 + 2', () => {
    const charge = { code: 'seats', charge_model: 'graduated', properties: apart } as const;
    expect(() => priceCharge({ ...charge, prorated: true }, { units: 10 })).toThrow('The charge "seats" is graduated');
    expect(priceCharge({ ...charge, prorated: false }, { units: 10 }).amount.toFixed()).toBe('12');
  });
});

describe('amount details (§9)', () => {
  it('package: 5 free, 16 − 5 = 11 paid', () => {
    expect(details('package', pack(5, 10, '3'), aggregate(16))).toEqual({
      free_units: '5.0',
      paid_units: '11.0',
      per_package_size: 10,
      per_package_unit_amount: '3.0',
    });
  });

  it('package: of 0 units all are zero, the size 10 and the price 3.00 included', () => {
    expect(details('package', pack(5, 10, '3'), aggregate(0))).toEqual({
      free_units: '0.0',
      paid_units: '0.0',
      per_package_size: 0,
      per_package_unit_amount: '0.0',
    });
  });

  it('package: 3 units of 5 free: 0 paid, the rest as the charge has it', () => {
    expect(details('package', pack(5, 10, '3'), aggregate(3))).toEqual({
      free_units: '5.0',
      paid_units: '0.0',
      per_package_size: 10,
      per_package_unit_amount: '3.0',
    });
  });

  it('graduated: one entry for each range that is reached', () => {
    expect(details('graduated', apart, aggregate('12'))).toEqual({
      graduated_ranges: [
        tier(0, 10, '10.0', '2.0', '10.0', '12.0', { per_unit_amount: '1.0' }),
        tier(11, 20, '2.0', '3.0', '1.0', '4.0', { per_unit_amount: '0.5' }),
      ],
    });
  });

  it('graduated percentage: 20 × 2 % = 0.4, with 7 flat 7.4', () => {
    expect(details('graduated_percentage', shares, aggregate('30'))).toEqual({
      graduated_percentage_ranges: [
        tier(0, 10, '10.0', '5.0', '0.1', '5.1', { rate: '1.0' }),
        tier(11, null, '20.0', '7.0', '0.4', '7.4', { rate: '2.0' }),
      ],
    });
  });

  it('volume: 10.5 × 1 = 10.5 and 3 flat', () => {
    expect(details('volume', volumes, aggregate('10.5'))).toEqual({
      flat_unit_amount: '3.0',
      per_unit_amount: '1.0',
      per_unit_total_amount: '10.5',
    });
  });

  it('percentage: every key of the specification', () => {
    const usage = aggregate('300', { events_count: 3, event_values: values('100', '100', '100') });
    expect(details('percentage', { rate: '1', fixed_amount: '2', free_units_per_events: 1 }, usage)).toEqual({
      units: '300.0',
      free_units: '100.0',
      paid_units: '200.0',
      free_events: 1,
      paid_events: 2,
      rate: '1.0',
      per_unit_total_amount: '2.0',
      fixed_fee_unit_amount: '2.0',
      fixed_fee_total_amount: '4.0',
      min_max_adjustment_total_amount: '0.0',
    });
  });

  it('percentage per transaction: 3 × 1 % = 0.03, raised to 3 × 1 by 2.97', () => {
    const usage = aggregate('3', { events_count: 3, event_values: values('1', '1', '1') });
    const shown = details('percentage', { rate: '1', per_transaction_min_amount: '1' }, usage);
    expect(shown).toMatchObject({ per_unit_total_amount: '0.03', min_max_adjustment_total_amount: '2.97' });
  });
});

describe('percentage charges (§9)', () => {
  const terms = { rate: '10', fixed_amount: '1' };
  it.each<[string, JsonObject, string[], string]>([
    ['300 × 10 % + 3 × 1 = 33', {}, ['100', '100', '100'], '33'],
    ['no units: no fixed part either', {}, ['0', '0'], '0'],
    ['E = 2: (300 − 200) × 10 % + (3 − 2) × 1 = 11', { free_units_per_events: 2 }, ['100', '100', '100'], '11'],
    ['E = 5 of 3 events: nothing is paid', { free_units_per_events: 5 }, ['100', '100', '100'], '0'],
    // Totals 60, 130 are kept (130 > 100); free units 100; one total is below 100.
    ['A = 100: (180 − 100) × 10 % + (3 − 1) × 1 = 10', amountFree('100'), ['60', '70', '50'], '10'],
    ['A = 200 is not used up: 130 units free; both totals < 200: 0', amountFree('200'), ['60', '70'], '0'],
    // Kept: 60, 130. Last 130 > 100 → 100 free. Smallest of 2 events and 1 total below 100 → 1.
    [
      'E = 2, A = 100: (180 − 100) × 10 % + (3 − 1) × 1 = 10',
      { ...amountFree('100'), free_units_per_events: 2 },
      ['60', '70', '50'],
      '10',
    ],
    [
      'E = 1, A = 100: (180 − 60) × 10 % + (3 − 1) × 1 = 14',
      { ...amountFree('100'), free_units_per_events: 1 },
      ['60', '70', '50'],
      '14',
    ],
    ['negative total: 0', {}, ['-5'], '0'],
  ])('%s', (_name, properties, list, expected) => {
    expect(amount('percentage', { ...terms, ...properties }, sumOf(list))).toBe(expected);
  });

  it.each<[string, JsonObject, number, string]>([
    ['counts run 1 … 10; E = 3: (10 − 3) × 10 % + (10 − 3) × 1 = 7.7', { free_units_per_events: 3 }, 10, '7.7'],
    ['counts: A = 4: (10 − 4) × 10 % + (10 − 3 below 4) × 1 = 7.6', amountFree('4'), 10, '7.6'],
    ['counts: E = 20 of 10: all free', { free_units_per_events: 20 }, 10, '0'],
    ['counts without allowances: 10 × 10 % + 10 = 11', {}, 10, '11'],
  ])('%s', (_name, properties, count, expected) => {
    const usage = aggregate(count, { events_count: count, growth: 'one' });
    expect(amount('percentage', { ...terms, ...properties }, usage)).toBe(expected);
  });

  it.each<[string, JsonObject, string[], string]>([
    ['10 % + 1: 11, 1.1 raised to 2: 13', { per_transaction_min_amount: '2' }, ['100', '1'], '13'],
    ['10 % + 1: 11 cut to 5, 1.1: 6.1', { per_transaction_max_amount: '5' }, ['100', '1'], '6.1'],
    [
      'E = 1: the first is free, then 11 cut to 5',
      { per_transaction_max_amount: '5', free_units_per_events: 1 },
      ['1000', '100'],
      '5',
    ],
    // 60 free, 40 of 70 free, 30 priced: 4; 50 priced: 6.
    [
      'A = 100: 30 × 10 % + 1 = 4; 50 × 10 % + 1 = 6; 10',
      { per_transaction_max_amount: '50', ...amountFree('100') },
      ['60', '70', '50'],
      '10',
    ],
    [
      'A = 100 makes E idle: 10',
      { per_transaction_max_amount: '50', ...amountFree('100'), free_units_per_events: 9 },
      ['60', '70', '50'],
      '10',
    ],
    [
      'A used up exactly: the next event is priced in full: 6',
      { per_transaction_max_amount: '50', ...amountFree('100') },
      ['100', '50'],
      '6',
    ],
  ])('per transaction: %s', (_name, properties, list, expected) => {
    expect(amount('percentage', { ...terms, ...properties }, sumOf(list))).toBe(expected);
  });
});

describe('price models (§9): cents of the usage, through the running service', () => {
  const { sum, count } = metricEntries;
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
  const percents = apart.map(({ per_unit_amount, ...range }) => ({
    ...range,
    rate: `${Number(per_unit_amount) * 10}`,
  }));
  const free = (terms: Entry) => chargeEntry('percentage', { rate: '10', fixed_amount: '1', ...terms });

  const three: Used[] = on('01 10, 02 20, 03 30');

  it.each<[string, Entry, Used[], number]>([
    [
      'package: 13.01 − 3 are two',
      chargeEntry('package', { amount: '5', package_size: 10, free_units: 3 }),
      on('01 13.01'),
      1000,
    ],
    [
      'graduated, gaps: 22: 14 + 10 × 2 + 5 + 2 × 3 + 7',
      chargeEntry('graduated', { graduated_ranges: apart }),
      on('01 22'),
      5200,
    ],
    [
      'graduated, shared boundaries: 25: 10 + 20 + 5 + 15 + 7',
      chargeEntry('graduated', { graduated_ranges: touching }),
      on('01 25'),
      5700,
    ],
    [
      'graduated percentage: 22: 1 + 4, 10 × 20 % + 5, 2 × 30 % + 7',
      chargeEntry('graduated_percentage', { graduated_percentage_ranges: percents }),
      on('01 22'),
      1960,
    ],
    [
      'graduated percentage, shared: a full tier has to − from + 1: 11 × 20 % + 5; 1 + 0; 25 − 20 + 1 = 6 × 30 % + 7',
      chargeEntry('graduated_percentage', {
        graduated_percentage_ranges: touching.map(({ per_unit_amount, ...range }) => ({
          ...range,
          rate: `${Number(per_unit_amount) * 10}`,
        })),
      }),
      on('01 25'),
      1700,
    ],
    ['volume: 21: 63 + 7', chargeEntry('volume', { volume_ranges: apart }), on('01 21'), 7000],
    ['percentage: 10 % of 60 + 3 × 1', free({}), three, 900],
    ['percentage, 2 free events: 10 % of 60 − 30, 1 × 1', free({ free_units_per_events: 2 }), three, 400],
    [
      'percentage, E = 2, A = 5: T2 = 30 > 5 → 5; no total below 5, so E = 2: 5.5 + 1',
      free({ free_units_per_events: 2, free_units_per_total_aggregation: '5' }),
      three,
      650,
    ],
    [
      'percentage, in order of time: the free event is the first, 30: 2 and 3 → 2.5 and 3',
      free({ per_transaction_min_amount: '2.5', free_units_per_events: 1 }),
      on('03 20, 02 10, 01 30'),
      550,
    ],
  ])('%s', async (_name, oneCharge, list, cents) => {
    const fees = await usageFees(sum, oneCharge, list);
    expect(fees.reduce((total, fee) => total + fee.amount_cents, 0)).toBe(cents);
  });

  it.each<[string, Entry, number]>([
    ['E = 3 of 10: T3 = 3 free, 3 events: 10 % of 7 + 7', { free_units_per_events: 3 }, 770],
    ['minimum 2: each 0.1 + 1 → 2', { per_transaction_min_amount: '2' }, 2000],
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
    const given = { now: IN_APRIL, metrics: [sum], plan: { charges: [chargeEntry('dynamic', {})] } };
    const [fee] = chargeFees(await previewOf({ ...given, events: list }));
    expect(fee).toMatchObject({ units: '3.0', amount_cents: 324, precise_amount: '3.236' });
    const zero = list.map((event, i) => ({ ...event, properties: { v: i === 0 ? 1 : -1 } }));
    expect(chargeFees(await previewOf({ ...given, events: zero }))[0].amount_cents).toBe(0);
  });
});

function amountFree(free_units_per_total_aggregation: string): JsonObject {
  return { free_units_per_total_aggregation };
}
function tier(
  from: number,
  to: number | null,
  units: string,
  flat: string,
  part: string,
  total: string,
  rate: JsonObject,
) {
  return {
    from_value: from,
    to_value: to,
    units,
    flat_unit_amount: flat,
    per_unit_total_amount: part,
    total_with_flat_amount: total,
    ...rate,
  };
}
