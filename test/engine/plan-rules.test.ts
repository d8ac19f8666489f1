import { describe, expect, it } from 'vitest';
import { type BrokenRule, rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../../src/engine/plan-rules.ts';
import type { BillableMetricRecord, ChargeRecord, JsonObject } from '../../src/engine/records/index.ts';
import { charge, filter, metric } from './reference-records.ts';

function ranges(...bounds: [number, number | null][]): JsonObject[] {
  return bounds.map(([from_value, to_value]) => ({ from_value, to_value, per_unit_amount: '1', flat_amount: '0' }));
}
const open = ranges([0, 10], [11, null]);
const graduated = (list: JsonObject[]) =>
  ({ charge_model: 'graduated', properties: { graduated_ranges: list } }) as const;
const volume = { charge_model: 'volume', properties: { volume_ranges: open } } as const;
const pack = (properties: JsonObject) =>
  ({ charge_model: 'package', properties: { amount: '1', ...properties } }) as const;

/** Where the broken rules lie. */
const places = (broken: BrokenRule[]) => broken.map(({ path }) => path.join('.'));

describe('validity of plan data (§9)', () => {
  it.each<[string, Partial<ChargeRecord>, Partial<BillableMetricRecord>, string | null]>([
    ['a plain charge', {}, {}, null],
    ['an amount that is a number', { properties: { amount: 1 } }, {}, 'properties.amount'],
    ['a negative amount', { properties: { amount: '-1' } }, {}, 'properties.amount'],
    ['ranges that follow on', graduated(open), {}, null],
    ['ranges that share boundaries', graduated(ranges([0, 10], [10, null])), {}, null],
    ['ranges that do not start at 0', graduated(ranges([1, 10], [11, null])), {}, 'from_value'],
    ['ranges with a gap', graduated(ranges([0, 10], [13, null])), {}, 'from_value'],
    ['ranges that end', graduated(ranges([0, 10], [11, 20])), {}, 'to_value'],
    ['no ranges', graduated([]), {}, 'graduated_ranges'],
    ['a package size of 0', pack({ package_size: 0 }), {}, 'package_size'],
    ['a broken package size', pack({ package_size: 1.5 }), {}, 'package_size'],
    ['free units of 0', pack({ package_size: 1, free_units: 0 }), {}, null],
    ['negative free units', pack({ package_size: 1, free_units: -1 }), {}, 'free_units'],
    ['volume in advance', { ...volume, pay_in_advance: true }, {}, 'pay_in_advance'],
    ['a maximum in advance', { pay_in_advance: true }, { aggregation_type: 'max_agg' }, 'pay_in_advance'],
    ['a count in advance', { pay_in_advance: true }, { aggregation_type: 'count_agg' }, null],
    ['a minimum in advance', { pay_in_advance: true, min_amount_cents: 1 }, {}, 'min_amount_cents'],
    ['a minimum in arrears', { min_amount_cents: 1 }, {}, null],
    ['prorated without recurrence', { prorated: true }, {}, 'prorated'],
    ['prorated standard', { prorated: true }, { recurring: true }, null],
    ['prorated package', { ...pack({ package_size: 1 }), prorated: true }, { recurring: true }, 'prorated'],
    [
      'prorated graduated in advance',
      { ...graduated(open), prorated: true, pay_in_advance: true },
      { recurring: true },
      'prorated',
    ],
    [
      'prorated weighted sum',
      { prorated: true },
      { recurring: true, aggregation_type: 'weighted_sum_agg' },
      'prorated',
    ],
    [
      'a percentage of the latest',
      { charge_model: 'percentage', properties: { rate: '1' } },
      { aggregation_type: 'latest_agg' },
      'charge_model',
    ],
    ['not invoiceable in arrears', { invoiceable: false }, {}, 'invoiceable'],
    ['not invoiceable in advance', { invoiceable: false, pay_in_advance: true }, {}, null],
    ['regrouped and both', { invoiceable: false, pay_in_advance: true, regroup_paid_fees: 'invoice' }, {}, null],
    ['regrouped but invoiceable', { pay_in_advance: true, regroup_paid_fees: 'invoice' }, {}, 'regroup_paid_fees'],
    [
      'a filter on a key the metric lacks',
      { filters: [filter('f', { region: ['eu'] }, { amount: '1' })] },
      {},
      'region',
    ],
  ])('%s: %4$s', (_name, on, of, problem) => {
    const found = places(rulesBrokenByCharge(charge(on), metric(of)));
    if (problem === null) expect(found).toEqual([]);
    else expect(found[0]).toContain(problem);
  });

  it('fixed charges by volume are never paid in advance', () => {
    expect(places(rulesBrokenByFixedCharge({ ...volume, prorated: false, pay_in_advance: true }))).toEqual([
      'pay_in_advance',
    ]);
    expect(places(rulesBrokenByFixedCharge({ ...volume, prorated: false, pay_in_advance: false }))).toEqual([]);
  });

  it('all broken rules of a charge are told, but no rule of ranges whose start depends on a broken one', () => {
    const list = ranges([1, 10], [11, null], [50, 40]);
    const on = { ...graduated(list), pay_in_advance: true, min_amount_cents: 1, filters: [filter('f', {}, {})] };
    expect(places(rulesBrokenByCharge(charge(on), metric({ aggregation_type: 'max_agg' })))).toEqual([
      'pay_in_advance',
      'min_amount_cents',
      'properties.graduated_ranges.0.from_value',
      'properties.graduated_ranges.1.to_value',
      'properties.graduated_ranges.2.to_value',
      'properties.graduated_ranges.2.to_value',
      'filters.0.properties.graduated_ranges',
      'filters.0.values',
    ]);
  });
});
