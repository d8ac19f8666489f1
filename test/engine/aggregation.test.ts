import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payInAdvancePrice } from '../../src/service/engine/advance.ts';
import { aggregateUsage, metricRounding } from '../../src/service/engine/aggregation.ts';
import { OutOfScope } from '../../src/service/engine/out-of-scope.ts';
import type { UsageRow, UsageWindow } from '../../src/service/engine/types.ts';
import {
  ALL_FILTER_VALUES,
  bucketOfEvent,
  matchingFilter,
  usageBuckets,
  usageQuery,
} from '../../src/service/engine/usage.ts';
import type { BillableMetricRecord, ChargeRecord, JsonObject } from '../../src/service/records/index.ts';
import { charge, events, filter, metric, month, usage } from './reference-records.ts';

const march = month('2026-03-05');
const april = month('2026-04-05');

function units(
  of: Partial<BillableMetricRecord>,
  row: Partial<UsageRow>,
  on: Partial<ChargeRecord> = {},
  window: UsageWindow = march,
): string {
  const own = charge(on);
  return aggregateUsage(own, metric(of), own.properties, usage(row), window, true).units.toFixed();
}

describe('aggregated values (§8)', () => {
  it.each<[string, string, Partial<UsageRow>, string]>([
    ['count: the number of events', 'count_agg', { events_count: 7, sum: '99' }, '7'],
    ['sum: of the numeric property', 'sum_agg', { events_count: 3, sum: '12.5' }, '12.5'],
    ['max: the largest', 'max_agg', { max: '8.25' }, '8.25'],
    ['max: 0 if none', 'max_agg', {}, '0'],
    ['latest: of the latest event', 'latest_agg', { latest: { timestamp: '', transaction_id: '', value: '4' } }, '4'],
    ['latest: negative → 0', 'latest_agg', { latest: { timestamp: '', transaction_id: '', value: '-4' } }, '0'],
    ['unique count: distinct values still added', 'unique_count_agg', { unique_count: 5, known_count: 9 }, '5'],
  ])('%s', (_name, aggregation_type, row, expected) => {
    expect(units({ aggregation_type }, row)).toBe(expected);
  });

  const kinds = ['count_agg', 'sum_agg', 'max_agg', 'latest_agg', 'unique_count_agg', 'weighted_sum_agg'];
  it.each(kinds)('%s of no event at all: 0, and 0 carried', aggregation_type => {
    for (const recurring of [false, true]) {
      const [bucket] = usageBuckets(charge(), metric({ aggregation_type, recurring }), [], march);
      expect([bucket?.aggregate.units.toFixed(), bucket?.aggregate.events_count]).toEqual(['0', 0]);
    }
  });

  it.each([
    ['count_agg', null],
    ['sum_agg', '1'],
    ['unique_count_agg', 'a'],
  ])(
    '%s: the first event of a bucket opens a package of two units at 1.00, none coming before it',
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

  it('recurring sums carry: 10 + 2.5 = 12.5, others do not: 2.5', () => {
    expect(units({ recurring: true }, { sum: '2.5', carried_sum: '10' })).toBe('12.5');
    expect(units({ recurring: false }, { sum: '2.5', carried_sum: '10' })).toBe('2.5');
  });

  it('shows the current level of recurring metrics', () => {
    const of = (recurring: boolean) => {
      const row = usage({ sum: '2', carried_sum: '10' });
      const level = aggregateUsage(charge(), metric({ recurring }), {}, row, march, true).total_aggregated_units;
      return level?.toFixed() ?? null;
    };
    expect([of(true), of(false)]).toEqual(['12', null]);
  });

  it.each([
    ['custom_agg', 'custom_aggregation'],
    ['other_agg', 'unknown_aggregation'],
  ])('refuses %s', (type, code) => {
    const own = metric({ aggregation_type: type });
    const act = () => usageBuckets(charge(), own, [], march);
    expect(act).toThrow(OutOfScope);
    expect(act).toThrow(expect.objectContaining({ code }));
  });

  it('refuses custom and prorated graduated charges before anything is read', () => {
    const ask = (on: Partial<ChargeRecord>) => () => usageQuery(charge(on), metric({ recurring: true }), 'sub', march);
    expect(ask({ charge_model: 'custom' })).toThrow(expect.objectContaining({ code: 'custom_charge_model' }));
    const prorated = ask({ charge_model: 'graduated', prorated: true });
    expect(prorated).toThrow(expect.objectContaining({ code: 'prorated_graduated_charge' }));
  });
});

describe('weighted sums (§8)', () => {
  const weighted = { aggregation_type: 'weighted_sum_agg', recurring: true };
  it('10 for half of the 30 days of April, 0 before: 10 × 15 ÷ 30 = 5', () => {
    expect(units(weighted, weightedRow('0', ['2026-04-16T00:00', '10']), {}, april)).toBe('5');
  });
  it('starts from the carried value: 4 × 30 ÷ 30 + 6 × 15 ÷ 30 = 7', () => {
    expect(units(weighted, weightedRow('4', ['2026-04-16T00:00', '6']), {}, april)).toBe('7');
  });
  it('falls again: 10 for 10 days, 4 for 20: (100 + 80) ÷ 30 = 6', () => {
    const row = weightedRow('0', ['2026-04-01T00:00', '10'], ['2026-04-11T00:00', '-6']);
    expect(units(weighted, row, {}, april)).toBe('6');
  });
  it('lasts until an end within a day, to the millisecond: 6 for 14.5 days of 30 = 2.9', () => {
    const noon = { ...april, to: '2026-04-15T12:00:00.000Z' };
    expect(units(weighted, weightedRow('6'), {}, noon)).toBe('2.9');
  });
  it('shows the current level: 4 + 6 = 10', () => {
    const row = usage(weightedRow('4', ['2026-04-16T00:00', '6']));
    const result = aggregateUsage(charge(), metric(weighted), {}, row, april, true);
    expect(result.total_aggregated_units?.toFixed()).toBe('10');
  });
});

describe('proration (§8)', () => {
  const sum = { recurring: true };
  const prorated = { prorated: true };
  it('sum: 10 from 16 March: 10 × 16 ÷ 31 = 5.161290… → 5.1613, up at 5 decimals', () => {
    const row = { events_count: 1, sum: '10', events: events(['2026-03-16T13:00', '10']) };
    expect(units(sum, row, prorated)).toBe('5.1613');
  });
  it('carried units weigh 1: 4 + 10 × 15 ÷ 30 = 9', () => {
    const row = { sum: '10', carried_sum: '4', events: events(['2026-04-16T00:00', '10']) };
    expect(units(sum, row, prorated, april)).toBe('9');
  });
  it('shows full units: 14, and prices prorated ones', () => {
    const row = usage({ sum: '10', carried_sum: '4', events: events(['2026-04-16T00:00', '10']) });
    const result = aggregateUsage(charge(prorated), metric(sum), {}, row, april, true);
    expect([result.full_units.toFixed(), result.units.toFixed()]).toEqual(['14', '9']);
  });
  it('unique: one carried and one from 16 April: 1 + 15 ÷ 30 = 1.5', () => {
    const row = { unique_count: 2, carried_values: ['a'], events: events(['2026-04-16T08:00', 'b']) };
    expect(units({ aggregation_type: 'unique_count_agg', ...sum }, row, prorated, april)).toBe('1.5');
  });
  it('unique: removed on the 10th, its own day included: 10 ÷ 30 = 0.33333… → 0.33334', () => {
    const row = { carried_values: ['a'], events: events(['2026-04-10T08:00', 'a', 'remove']) };
    expect(units({ aggregation_type: 'unique_count_agg', ...sum }, row, prorated, april)).toBe('0.33334');
  });
  it('unique: removed and added again on one day counts that day once: 30 ÷ 30 = 1', () => {
    const row = {
      events: events(['2026-04-01T00:00', 'a'], ['2026-04-10T08:00', 'a', 'remove'], ['2026-04-10T09:00', 'a']),
    };
    expect(units({ aggregation_type: 'unique_count_agg', ...sum }, row, prorated, april)).toBe('1');
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

  it('is for usage and arrears fees, not for estimates', () => {
    const own = metric({ rounding_function: 'ceil' });
    const row = usage({ events_count: 1, sum: '2.1' });
    const value = (rounded: boolean) => usageBuckets(charge(), own, [row], march, { rounded })[0]?.aggregate.units;
    expect([value(true)?.toFixed(), value(false)?.toFixed()]).toEqual(['3', '2.1']);
  });
});

describe('filters and groups (§8)', () => {
  const regions = metric({
    filters: [
      { key: 'region', values: ['eu', 'us'] },
      { key: 'tier', values: ['gold', 'free'] },
    ],
  });
  const own = charge({
    properties: { amount: '1' },
    filters: [
      filter('eu', { region: ['eu'] }, { amount: '2' }),
      filter('eu gold', { region: ['eu'], tier: ['gold'] }, { amount: '3' }),
      filter('any tier', { tier: [ALL_FILTER_VALUES] }, { amount: '4' }),
    ],
  });
  it.each([
    ['every key listed, most keys win', { region: 'eu', tier: 'gold' }, 'eu gold'],
    ['of as many keys the first in the plan', { region: 'eu', tier: 'free' }, 'eu'],
    ['all values stands for those the metric declares', { region: 'us', tier: 'free' }, 'any tier'],
    ['and for no others', { region: 'us', tier: 'silver' }, null],
    ['a missing property matches nothing', { region: null, tier: null }, null],
  ])('%s', (_name, dimensions, id) => {
    expect(matchingFilter(own, regions, dimensions)?.id ?? null).toBe(id);
  });

  it('one bucket per filter and one for the rest, usage or not', () => {
    const rows = [
      usage({ dimensions: { region: 'eu', tier: null }, events_count: 1, sum: '5' }),
      usage({ dimensions: { region: 'eu', tier: 'silver' }, events_count: 1, sum: '6' }),
      usage({ dimensions: { region: 'asia', tier: null }, events_count: 1, sum: '7' }),
    ];
    const buckets = usageBuckets(own, regions, rows, march);
    const shown = buckets.map(bucket => [
      bucket.filter?.id ?? null,
      bucket.properties.amount,
      bucket.aggregate.units.toFixed(),
    ]);
    expect(shown).toEqual([
      ['eu', '2', '11'],
      ['eu gold', '3', '0'],
      ['any tier', '4', '0'],
      [null, '1', '7'],
    ]);
  });

  it.each([
    ['the later event', '2026-03-09T00:00:00.000Z', 'a', '2026-03-08T00:00:00.000Z', 'b'],
    [
      'of two at one instant the one with the larger transaction id',
      '2026-03-09T00:00:00.000Z',
      'b',
      '2026-03-09T00:00:00.000Z',
      'a',
    ],
  ])(
    'a bucket of several combinations has the latest value of them all: %s',
    (_name, timestamp, transaction_id, at, id) => {
      const latest = metric({ ...regions, aggregation_type: 'latest_agg' });
      const rows = [
        usage({
          dimensions: { region: 'eu', tier: null },
          events_count: 1,
          latest: { timestamp, transaction_id, value: '5' },
        }),
        usage({
          dimensions: { region: 'eu', tier: 'silver' },
          events_count: 1,
          latest: { timestamp: at, transaction_id: id, value: '6' },
        }),
      ];
      for (const order of [rows, rows.toReversed()]) {
        expect(usageBuckets(own, latest, order, march)[0]?.aggregate.units.toFixed()).toBe('5');
      }
    },
  );

  it('one bucket per combination of grouping values; a missing property is null', () => {
    for (const key of ['grouped_by', 'pricing_group_keys']) {
      const grouped = charge({ properties: { amount: '1', [key]: ['cloud'] } });
      const rows = [null, 'aws'].map(cloud => usage({ dimensions: { cloud }, events_count: 1, sum: '1' }));
      const groups = usageBuckets(grouped, metric(), rows, march).map(bucket => bucket.grouped_by);
      expect(groups).toEqual([{ cloud: 'aws' }, { cloud: null }]);
      expect(usageQuery(grouped, metric(), 'sub', march).dimensions).toEqual(['cloud']);
    }
  });

  it('finds the group of one event', () => {
    const grouped = charge({ properties: { amount: '1', pricing_group_keys: ['cloud'] } });
    const rows = ['aws', 'gcp'].map((cloud, i) =>
      usage({ dimensions: { cloud }, events_count: 1, sum: String(i + 5) }),
    );
    const of = (event: JsonObject) => {
      const bucket = bucketOfEvent(grouped, metric(), event, rows, march);
      return [bucket.grouped_by, bucket.usage.sum];
    };
    expect(of({ cloud: 'gcp' })).toEqual([{ cloud: 'gcp' }, '6']);
    expect(of({ cloud: 'new' })).toEqual([{ cloud: 'new' }, '0']);
    expect(of({})).toEqual([{ cloud: null }, '0']);
  });

  it('counts a distinct value once, also when two combinations of a bucket have it', () => {
    const counted = metric({ ...regions, aggregation_type: 'unique_count_agg' });
    const both = charge({ filters: [filter('f', { region: ['eu', 'us'] }, { amount: '1' })] });
    const history = { value: 'a', added_before: null, removed_before: null, removed_within: null };
    const row = (region: string) =>
      usage({
        dimensions: { region },
        events_count: 1,
        unique_count: 1,
        values: [{ ...history, added_within: '2026' }],
      });
    const [bucket] = usageBuckets(both, counted, [row('eu'), row('us')], march);
    expect(bucket?.aggregate.units.toFixed()).toBe('1');
  });

  it('takes the peak of a bucket from the events of all its combinations: 10 − 10 + 10 peaks at 10, so 5 more cost 5', () => {
    const both = charge({ pay_in_advance: true, filters: [filter('f', { region: ['eu', 'us'] }, { amount: '1' })] });
    const eu = events(['2026-03-02T00:00', '10'], ['2026-03-03T00:00', '-10']);
    const us = events(['2026-03-04T00:00', '10']);
    const rows = [
      usage({ dimensions: { region: 'eu' }, events_count: 2, sum: '0', highest_sum: '10', events: eu }),
      usage({ dimensions: { region: 'us' }, events_count: 1, sum: '10', highest_sum: '10', events: us }),
    ];
    const bucket = bucketOfEvent(both, regions, { region: 'us' }, rows, march);
    expect(bucket.usage.highest_sum).toBe('10');
    const event = { timestamp: march.to, value: '5', operation_type: 'add' as const, precise_total_amount_cents: null };
    expect(payInAdvancePrice(regions, bucket, event, march, 'EUR').price.amount.toFixed()).toBe('5');
  });

  it('finds the bucket of one event', () => {
    const rows = [usage({ dimensions: { region: 'eu', tier: null }, events_count: 1, sum: '5' })];
    const found = bucketOfEvent(own, regions, { region: 'eu', amount: '3' }, rows, march);
    expect([found.filter?.id, found.usage.sum]).toEqual(['eu', '5']);
    expect(bucketOfEvent(own, regions, { region: 'asia' }, rows, march).filter).toBeNull();
  });
});

describe('what is asked of the events (§8, §9)', () => {
  const need = (on: Partial<ChargeRecord>, of: Partial<BillableMetricRecord> = {}) => {
    const { need: asked, first_events, until_total } = usageQuery(charge(on), metric(of), 'sub', march);
    return [asked, first_events, until_total];
  };
  const percentage = (properties: ChargeRecord['properties']) => ({ charge_model: 'percentage', properties });
  it.each<[string, Partial<ChargeRecord>, Partial<BillableMetricRecord>, unknown[]]>([
    ['totals for most charges', {}, {}, ['totals', null, null]],
    ['totals for a plain percentage', percentage({ rate: '1' }), {}, ['totals', null, null]],
    ['the free events only', percentage({ rate: '1', free_units_per_events: 3 }), {}, ['events', 3, null]],
    [
      'events until the free amount',
      percentage({ rate: '1', free_units_per_total_aggregation: '50' }),
      {},
      ['events', null, '50'],
    ],
    [
      'all events for limits per transaction',
      percentage({ rate: '1', per_transaction_max_amount: '5' }),
      {},
      ['events', null, null],
    ],
    [
      'totals when events are counted',
      percentage({ rate: '1', free_units_per_events: 3 }),
      { aggregation_type: 'count_agg' },
      ['totals', null, null],
    ],
    ['all events for proration', { prorated: true }, { recurring: true }, ['events', null, null]],
  ])('%s', (_name, on, of, expected) => {
    expect(need(on, of)).toEqual(expected);
  });
});

describe('proration of a split period', () => {
  it('adds up: a value for the first days and its removal is what those days weigh', () => {
    const property = fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1000 }), (day, value) => {
      const at = `2026-04-${String(day).padStart(2, '0')}T10:00`;
      const row = { sum: '0', carried_sum: String(value), events: events([at, String(-value)]) };
      // value × 30 ÷ 30 − value × (31 − day) ÷ 30
      const expected = new Big(value).times(day - 1).div(30);
      const actual = new Big(units({ recurring: true }, row, { prorated: true }, april));
      expect(actual.minus(expected).gte(0) && actual.minus(expected).lt('0.00001')).toBe(true);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});

function weightedRow(carried: string, ...list: [string, string][]): Partial<UsageRow> {
  const sum = list.reduce((total, [, value]) => total.plus(value), new Big(0)).toFixed();
  const since = (at: string) => Date.parse(`${at}:00.000Z`) - Date.parse(april.from);
  const moment = list.reduce((total, [at, value]) => total.plus(new Big(value).times(since(at))), new Big(0)).toFixed();
  return { events_count: list.length, sum, carried_sum: carried, moment };
}
