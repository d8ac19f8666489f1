import { describe, expect, it } from 'vitest';
import { chargeProblems, fixedChargeProblems } from '../../src/service/engine/charge-problems.ts';
import type { BillableMetricRecord, ChargeRecord, FixedChargeRecord, JsonObject } from '../../src/service/records.ts';
import { charge, filter, metric } from './reference-records.ts';

function ranges(...bounds: [number, number | null][]): JsonObject {
  const list = bounds.map(([from_value, to_value]) => ({
    from_value,
    to_value,
    per_unit_amount: '1',
    flat_amount: '0',
  }));
  return { graduated_ranges: list, volume_ranges: list };
}
const open = ranges([0, 10], [11, null]);
const graduated = (properties: JsonObject) => ({ charge_model: 'graduated', properties });
const pack = (properties: JsonObject) => ({ charge_model: 'package', properties: { amount: '1', ...properties } });

describe('validity of plan data (§9)', () => {
  it.each<[string, Partial<ChargeRecord>, Partial<BillableMetricRecord>, string | null]>([
    ['a plain charge', {}, {}, null],
    ['an amount that is a number', { properties: { amount: 1 } }, {}, 'amount must be'],
    ['a negative amount', { properties: { amount: '-1' } }, {}, 'amount must be'],
    ['ranges that follow on', graduated(open), {}, null],
    ['ranges that share boundaries', graduated(ranges([0, 10], [10, null])), {}, null],
    ['ranges that do not start at 0', graduated(ranges([1, 10], [11, null])), {}, 'start at 0'],
    ['ranges with a gap', graduated(ranges([0, 10], [13, null])), {}, 'follow on'],
    ['ranges that end', graduated(ranges([0, 10], [11, 20])), {}, 'must be null'],
    ['no ranges', graduated({}), {}, 'at least one range'],
    ['a package size of 0', pack({ package_size: 0 }), {}, 'package_size'],
    ['a broken package size', pack({ package_size: 1.5 }), {}, 'package_size'],
    ['free units of 0', pack({ package_size: 1, free_units: 0 }), {}, null],
    ['negative free units', pack({ package_size: 1, free_units: -1 }), {}, 'free_units'],
    ['volume in advance', { charge_model: 'volume', properties: open, pay_in_advance: true }, {}, 'volume is never'],
    ['a maximum in advance', { pay_in_advance: true }, { aggregation_type: 'max_agg' }, 'max_agg is never'],
    ['a count in advance', { pay_in_advance: true }, { aggregation_type: 'count_agg' }, null],
    ['a minimum in advance', { pay_in_advance: true, min_amount_cents: 1 }, {}, 'min_amount_cents'],
    ['a minimum in arrears', { min_amount_cents: 1 }, {}, null],
    ['prorated without recurrence', { prorated: true }, {}, 'only recurring'],
    ['prorated standard', { prorated: true }, { recurring: true }, null],
    ['prorated package', { ...pack({ package_size: 1 }), prorated: true }, { recurring: true }, 'not package'],
    [
      'prorated graduated in advance',
      { ...graduated(open), prorated: true, pay_in_advance: true },
      { recurring: true },
      'not graduated',
    ],
    [
      'prorated weighted sum',
      { prorated: true },
      { recurring: true, aggregation_type: 'weighted_sum_agg' },
      'weighted sums',
    ],
    [
      'a percentage of the latest',
      { charge_model: 'percentage', properties: { rate: '1' } },
      { aggregation_type: 'latest_agg' },
      'latest_agg',
    ],
    ['not invoiceable in arrears', { invoiceable: false }, {}, 'invoiceable false'],
    ['not invoiceable in advance', { invoiceable: false, pay_in_advance: true }, {}, null],
    ['regrouped and both', { invoiceable: false, pay_in_advance: true, regroup_paid_fees: 'invoice' }, {}, null],
    ['regrouped but invoiceable', { pay_in_advance: true, regroup_paid_fees: 'invoice' }, {}, 'regroup_paid_fees'],
    [
      'a filter on a key the metric lacks',
      { filters: [filter('f', { region: ['eu'] }, { amount: '1' })] },
      {},
      'region',
    ],
    ['an unknown model', { charge_model: 'gold' }, {}, 'gold does not exist'],
  ])('%s: %4$s', (_name, on, of, problem) => {
    const problems = chargeProblems(charge(on), metric(of));
    if (problem === null) expect(problems).toEqual([]);
    else expect(problems.join('; ')).toContain(problem);
  });

  it.each<[string, Partial<FixedChargeRecord>, string | null]>([
    ['standard', {}, null],
    ['volume in advance', { charge_model: 'volume', properties: open, pay_in_advance: true }, 'volume is never'],
    ['package', { charge_model: 'package', properties: { amount: '1', package_size: 1 } }, 'not package'],
    ['negative units', { units: '-1' }, 'units'],
  ])('fixed charges: %s', (_name, fields, problem) => {
    const fixed: FixedChargeRecord = {
      id: 'f',
      code: 'f',
      parent_id: null,
      add_on_id: 'a',
      charge_model: 'standard',
      invoice_display_name: null,
      pay_in_advance: false,
      prorated: false,
      properties: { amount: '1' },
      units: '1',
      tax_codes: [],
      created_at: '2026-01-01T00:00:00.000Z',
      ...fields,
    };
    const problems = fixedChargeProblems(fixed).join('; ');
    if (problem === null) expect(problems).toBe('');
    else expect(problems).toContain(problem);
  });
});
