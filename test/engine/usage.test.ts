import { describe, expect, it } from 'vitest';
import { ALL_FILTER_VALUES, filterOfEvent, matchingFilters } from '../../src/contract/pricing/filters.ts';
import { payInAdvancePrice } from '../../src/engine/advance.ts';
import type {
  BillableMetricRecord,
  ChargeFilterRecord,
  ChargeRecord,
  JsonObject,
} from '../../src/engine/records/index.ts';
import { bucketOfEvent, usageBuckets, usageQuery } from '../../src/engine/usage.ts';
import { chargeEntry, IN_APRIL, metricEntries, used } from './entries.ts';
import { type Entry, estimateOf, previewOf } from './file-service.ts';
import { charge, events, filter, metric, month, usage } from './reference-records.ts';

const march = month('2026-03-05');
const idsOf = (filters: readonly (ChargeFilterRecord | null)[]) => filters.map(one => one?.id ?? null);

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
    ['every key listed, most keys win', { region: 'eu', tier: 'gold' }, ['eu gold'], 'eu gold'],
    [
      'of as many keys both in usage, the first in the fee of one event',
      { region: 'eu', tier: 'free' },
      ['eu', 'any tier'],
      'eu',
    ],
    ['all values stands for those the metric declares', { region: 'us', tier: 'free' }, ['any tier'], 'any tier'],
    ['and for no others', { region: 'us', tier: 'silver' }, [null], null],
    ['a missing property matches nothing', { region: null, tier: null }, [null], null],
  ])('%s', (_name, dimensions, inUsage, ofOneEvent) => {
    expect(idsOf(matchingFilters(own, regions, dimensions))).toEqual(inUsage);
    expect(idsOf(filterOfEvent(own, regions, dimensions))).toEqual([ofOneEvent]);
  });

  describe('of filters with the same keys', () => {
    const all = filter('all', { region: [ALL_FILTER_VALUES] }, { amount: '2' });
    const us = filter('us', { region: ['us'] }, { amount: '3' });
    const both = filter('both', { region: ['us', 'eu'] }, { amount: '4' });
    const gold = filter('gold', { tier: ['gold'] }, { amount: '5' });
    const cross = filter('cross', { region: ['us', 'asia'] }, { amount: '6' });
    it.each<[string, ChargeFilterRecord[], string[], string]>([
      ['all values, us: the narrower us in usage, the first in the fee of one event', [all, us], ['us'], 'all'],
      ['us, all values: us in both', [us, all], ['us'], 'us'],
      ['all values and the same values listed: the first', [both, all], ['both'], 'both'],
      ['all values, both, us: us', [all, both, us], ['us'], 'all'],
      ['correction 8: all values, another key, us: gold and us', [all, gold, us], ['gold', 'us'], 'all'],
      ['correction 8: two that share one value: both', [cross, both], ['cross', 'both'], 'cross'],
    ])('%s', (_name, filters, inUsage, ofOneEvent) => {
      const one = charge({ filters });
      const dimensions = { region: 'us', tier: 'gold' };
      expect(idsOf(matchingFilters(one, regions, dimensions))).toEqual(inUsage);
      expect(idsOf(filterOfEvent(one, regions, dimensions))).toEqual([ofOneEvent]);
    });
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

  it('divides counts and sums by presentation keys, which change no bucket', () => {
    const divided = charge({ properties: { amount: '1', presentation_group_keys: [{ value: 'cloud' }] } });
    const sums = metric({ aggregation_type: 'sum_agg' });
    const rows = [null, 'aws'].map((cloud, i) => usage({ dimensions: { cloud }, events_count: 1, sum: `${i + 1}.5` }));
    const [bucket, ...others] = usageBuckets(divided, sums, rows, march);
    expect(others).toEqual([]);
    expect(bucket!.aggregate.shown_units.toFixed()).toBe('4');
    expect(bucket!.presentation_breakdowns).toEqual([
      { presentation_by: { cloud: 'aws' }, units: '2.5' },
      { presentation_by: { cloud: null }, units: '1.5' },
    ]);
    expect(usageQuery(divided, sums, 'sub', march).dimensions).toEqual(['cloud']);
    expect(usageQuery(divided, metric({ aggregation_type: 'max_agg' }), 'sub', march).dimensions).toEqual([]);
    expect(usageQuery(divided, sums, 'sub', march, { purpose: 'event' }).dimensions).toEqual([]);
  });

  it('reads all events of a divided charge, because the first of a part are not the first of the whole', () => {
    const sums = metric({ aggregation_type: 'sum_agg' });
    for (const free of [{ free_units_per_events: 2 }, { free_units_per_total_aggregation: '10' }]) {
      const plain = charge({ charge_model: 'percentage', properties: { rate: '1', ...free } });
      const divided = { ...plain, properties: { ...plain.properties, presentation_group_keys: [{ value: 'cloud' }] } };
      const { first_events, until_total } = usageQuery(plain, sums, 'sub', march);
      expect(first_events ?? until_total).not.toBeNull();
      expect(usageQuery(divided, sums, 'sub', march)).toMatchObject({
        ...{ need: 'events', first_events: null, until_total: null, dimensions: ['cloud'] },
      });
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

  it('counts a distinct value once, even if two combinations of a bucket have it', () => {
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
      usage({ dimensions: { region: 'eu' }, events_count: 2, sum: '0', net: '0', peak: '10', events: eu }),
      usage({ dimensions: { region: 'us' }, events_count: 1, sum: '10', net: '10', peak: '10', events: us }),
    ];
    const bucket = bucketOfEvent(both, regions, { region: 'us' }, rows, march);
    expect([bucket.usage.net, bucket.usage.peak]).toEqual(['10', '10']);
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

describe('what the queries ask of the events (§8, §9)', () => {
  const need = (on: Partial<ChargeRecord>, of: Partial<BillableMetricRecord> = {}) => {
    const { need: asked, first_events, until_total } = usageQuery(charge(on), metric(of), 'sub', march);
    return [asked, first_events, until_total];
  };
  const percentage = (properties: ChargeRecord['properties']) => ({ charge_model: 'percentage', properties }) as const;
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
    [
      'totals for limits per transaction when values are counted',
      percentage({ rate: '1', per_transaction_max_amount: '5' }),
      { aggregation_type: 'unique_count_agg' },
      ['totals', null, null],
    ],
    ['all events for proration', { prorated: true }, { recurring: true }, ['events', null, null]],
  ])('%s', (_name, on, of, expected) => {
    expect(need(on, of)).toEqual(expected);
  });
});

describe('filters and groups (§8), through the running service', () => {
  const tiers = [
    { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '4' },
    { from_value: 11, to_value: null, per_unit_amount: '2', flat_amount: '5' },
  ];
  const places = {
    ...metricEntries.sum,
    filters: [
      { key: 'region', values: ['eu', 'us'] },
      { key: 'tier', values: ['1', '2'] },
    ],
  };
  const filters = [
    { values: { region: ['eu'] }, properties: { amount: '2' } },
    { values: { region: ['__ALL_FILTER_VALUES__'], tier: ['1'] }, properties: { amount: '3' } },
  ];

  it('most keys win; numbers match their text; an undeclared value falls to the default', async () => {
    const plan = { charges: [chargeEntry('standard', { amount: '1' }, { filters })] };
    const events = [
      ...used([1], { region: 'eu', tier: 2 }),
      ...used([10], { region: 'eu', tier: 1 }),
      ...used([100], { region: 'us', tier: '1' }),
      ...used([1000], { region: 'asia', tier: '1' }),
      ...used([10_000], { tier: '1' }),
      ...used([100_000], { region: null }),
    ];
    const answer = await previewOf({ now: IN_APRIL, metrics: [places], plan, events });
    const fees = answer.body.invoice.fees.slice(1);
    expect(fees.map((fee: { units: string; amount_cents: number }) => [fee.units, fee.amount_cents])).toEqual([
      ['1.0', 200],
      ['110.0', 33_000],
      ['111000.0', 11_100_000],
    ]);
    expect(fees.map((fee: { svc_charge_filter_id: string | null }) => fee.svc_charge_filter_id === null)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([
    [
      'all values 2.00, us 3.00: usage in us 3.00, its estimate in the first 2.00',
      ['__ALL_FILTER_VALUES__', 'us'],
      200,
    ],
    ['us 3.00, all values 2.00: both 3.00', ['us', '__ALL_FILTER_VALUES__'], 300],
  ])('%s', async (_name, regions, estimated) => {
    const price = (region: string) => ({
      values: { region: [region] },
      properties: { amount: region === 'us' ? '3' : '2' },
    });
    const charges = [chargeEntry('standard', { amount: '1' }, { filters: regions.map(price) })];
    const given = { now: IN_APRIL, metrics: [places], events: used([1], { region: 'us' }) };
    const preview = await previewOf({ ...given, plan: { charges } });
    expect(preview.body.invoice.fees.slice(1).map((fee: { amount_cents: number }) => fee.amount_cents)).toEqual([300]);
    const advance = { charges: charges.map(one => ({ ...one, pay_in_advance: true })) };
    const estimate = await estimateOf({ ...given, plan: advance }, { code: 'm', properties: { v: 1, region: 'us' } });
    expect(estimate.body.fees[0].amount_cents).toBe(estimated);
  });

  it('an estimate uses the filter’s properties, and counts only earlier events of this filter', async () => {
    const plan = {
      charges: [
        chargeEntry(
          'graduated',
          { graduated_ranges: tiers },
          { pay_in_advance: true, filters: [{ values: { region: ['eu'] }, properties: { graduated_ranges: tiers } }] },
        ),
      ],
    };
    const given = { now: IN_APRIL, metrics: [places], plan, events: used([4], { region: 'eu' }) };
    expect((await estimateOf(given, { code: 'm', properties: { v: 1, region: 'eu' } })).body.fees[0].amount_cents).toBe(
      100,
    );
    expect((await estimateOf(given, { code: 'm', properties: { v: 1, region: 'us' } })).body.fees[0].amount_cents).toBe(
      500,
    );
  });

  it.each(['pricing_group_keys', 'grouped_by'])(
    '%s: a fee per combination, each with its own price; a missing property is null',
    async key => {
      const plan = {
        charges: [chargeEntry('package', { amount: '5', package_size: 10, free_units: 0, [key]: ['region', 'tier'] })],
      };
      const events = [
        ...used([1, 2], { region: 'eu', tier: '1' }),
        ...used([4], { region: 'eu' }),
        ...used([15], { region: 'us', tier: '1' }),
      ];
      const { body } = await previewOf({
        now: IN_APRIL,
        metrics: [places],
        plan,
        events: events.map((event, i) => ({ ...event, transaction_id: `g${i}` })),
      });
      const fees = body.invoice.fees
        .slice(1)
        .map((fee: { item: { grouped_by: Entry }; units: string; amount_cents: number }) => [
          fee.item.grouped_by,
          fee.units,
          fee.amount_cents,
        ]);
      expect(fees).toHaveLength(3);
      expect(fees).toEqual(
        expect.arrayContaining([
          [{ region: 'eu', tier: '1' }, '3.0', 500],
          [{ region: 'eu', tier: null }, '4.0', 500],
          [{ region: 'us', tier: '1' }, '15.0', 1000],
        ]),
      );
    },
  );
});
