import { describe, expect, it } from 'vitest';
import { withTiers } from '../../src/words/estimate-tiers.ts';
import { explainFee } from '../../src/words/explain.ts';

const tiers = (...rows: [number, number | null, string, string?][]) =>
  rows.map(([from_value, to_value, per_unit_amount, flat_amount = '0']) => ({
    ...{ from_value, to_value, per_unit_amount, flat_amount },
  }));
const graduated = (...rows: Parameters<typeof tiers>) => ({
  charge_model: 'graduated',
  properties: { graduated_ranges: tiers(...rows) },
});
const two = graduated([0, 1000, '0.03'], [1001, null, '0.02']);
const fee = (units: string, precise_amount: string, more: object = {}) => ({
  ...{ units, precise_amount, amount_cents: Math.round(Number(precise_amount) * 100), amount_currency: 'USD' },
  ...{ item: { name: 'Tokens' }, amount_details: {}, svc_charge_filter_id: null, ...more },
});
const told = (given: Record<string, unknown>, charge: Record<string, unknown> | null) =>
  explainFee(withTiers(given, charge));

describe('an estimated event of a graduated charge', () => {
  it.each([
    ['across two tiers', '100', '2.5', two, '50 × $0.03 + 50 × $0.02 = $2.50'],
    ['in the first tier', '100', '3', two, '100 × $0.03 = $3.00'],
    ['in the last tier', '100', '2', two, '100 × $0.02 = $2.00'],
    ['across three tiers', '30', '0.55', graduated([0, 10, '0.03'], [11, 20, '0.02'], [21, null, '0.01']), null],
    [
      'with the flat amount of a tier that it reaches first',
      ...['10', '5.25', graduated([0, 1000, '0.03'], [1001, null, '0.02', '5']), '5 × $0.03 + 5 × $0.02 + $5.00 flat'],
    ],
    ['as the first of all, with its flat', '10', '1.3', graduated([0, null, '0.03', '1']), '10 × $0.03 + $1.00 flat'],
  ] as [string, string, string, typeof two, string | null][])('%s', (_, units, amount, charge, said) => {
    if (said === null) expect(told(fee(units, amount), charge)).toMatch(/^“Tokens”: /);
    else expect(told(fee(units, amount), charge)).toContain(said);
  });

  it('with percentages', () => {
    const ranges = [
      { from_value: 0, to_value: 1000, rate: '2', flat_amount: '0' },
      { from_value: 1001, to_value: null, rate: '1', flat_amount: '0' },
    ];
    const charge = { charge_model: 'graduated_percentage', properties: { graduated_percentage_ranges: ranges } };
    expect(told(fee('100', '1.5'), charge)).toContain('50 × 2% + 50 × 1% = $1.50');
  });

  it('says no tiers that the amount does not show, nor an average', () => {
    const same = graduated([0, 10, '0.01'], [11, 20, '0.01'], [21, null, '0.02']);
    expect(told(fee('5', '0.05'), same)).toBe('“Tokens”: 5 units = $0.05');
    expect(told(fee('100', '9'), two)).toBe('“Tokens”: 100 units = $9.00');
    expect(told(fee('100', '2.5', { svc_charge_filter_id: 'f' }), two)).toBe('“Tokens”: 100 units = $2.50');
    expect(told(fee('100', '2.5'), null)).toBe('“Tokens”: 100 units = $2.50');
  });
});

it.each([{}, { units: 'x', precise_amount: '1' }, { units: '0', precise_amount: '0' }])('leaves %j as it is', given => {
  expect(withTiers(given, two)).toBe(given);
});
