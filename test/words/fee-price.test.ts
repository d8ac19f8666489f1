/** How a line is told as priced, where its details or today's plan give exactly its amount. */
import { describe, expect, it } from 'vitest';
import type { Charge, Fee } from '../../src/contract/shown.ts';
import { explainFees } from '../../src/words/explain.ts';

const item = { type: 'charge', name: 'Minutes' };
const fee = (fields: Fee): Fee => ({ svc_charge_id: 'c', item, amount_currency: 'USD', ...fields });
const graduated_ranges = [
  { from_value: 0, to_value: 500, per_unit_amount: '0.06', flat_amount: '0' },
  { from_value: 501, to_value: null, per_unit_amount: '0.045', flat_amount: '0' },
];
const charge = (charge_model: string, properties: object, fields: Charge = {}): Charge => ({
  ...{ svc_id: 'c', charge_model, properties, prorated: false, filters: [] },
  ...fields,
});
const told = (one: Fee, ...prices: Charge[]) => explainFees([fee(one)], 'USD', 5, { prices })[0];

describe('by its details', () => {
  const amount_details = { paid_units: '100.0', rate: '1.5', paid_events: 2, fixed_fee_total_amount: '3.0' };
  it.each([
    ['1.5', '1.5% of 100 + 2 events × $1.50'],
    ['1.0', '100 units'],
  ])('tells the price of %s an event as priced only where it gives the amount', (fixed_fee_unit_amount, text) => {
    const details = { ...amount_details, fixed_fee_unit_amount };
    expect(told({ units: '100.0', amount_cents: 450, amount_details: details })).toContain(text);
  });
});

describe('by the plan of today', () => {
  const used = (units: string, amount_cents: number, more: Fee = {}): Fee => ({ units, amount_cents, ...more });
  const volume_ranges = [{ from_value: 0, to_value: null, per_unit_amount: '100', flat_amount: '1000' }];
  /** Of eight units in March in New York. */
  const shared = (events_count: number) => {
    const days = { from_date: '2026-03-01T05:00:00Z', to_date: '2026-04-01T03:59:59Z' };
    return used('8.0', 9561, { precise_amount: '95.613', events_count, ...days });
  };
  it.each<[string, Fee, Charge, string]>([
    ['tiers', used('900.0', 4800), charge('graduated', { graduated_ranges }), '500 × $0.06 + 400 × $0.045'],
    [
      'tiers of its filter',
      used('900.0', 4800, { svc_charge_filter_id: 'f', item: { ...item, filters: { model: ['a'] } } }),
      charge('graduated', { amount: '1' }, { filters: [{ svc_id: 'f', properties: { graduated_ranges } }] }),
      '500 × $0.06 + 400 × $0.045',
    ],
    [
      'packages',
      used('3240.0', 750),
      charge('package', { amount: '2.5', package_size: 1000, free_units: 500 }),
      '3 packages of 1,000 at $2.50 after 500 free',
    ],
    ['a price for each unit', used('120.0', 480), charge('standard', { amount: '0.04' }), '120 × $0.04'],
    [
      'a price for all units',
      used('180.0', 1_900_000),
      charge('volume', { volume_ranges }),
      'all 180 units at $100.00 ($18,000.00) + $1,000.00 flat',
    ],
    ['a share', shared(7), charge('standard', { amount: '12' }, { prorated: true }), '8 units at $12.00, prorated'],
    [
      'a plan of one subscription alone',
      used('120.0', 480),
      charge('standard', { amount: '0.04' }, { svc_id: 'own', svc_parent_id: 'c' }),
      '120 × $0.04',
    ],
  ])('tells %s', (_, one, price, said) => {
    expect(told(one, price)).toMatch(`“Minutes”`);
    expect(told(one, price)).toContain(`: ${said} = `);
  });

  const plain = { units: '120.0', amount_cents: 480, precise_amount: '4.8' };
  it.each<[string, Fee, Charge]>([
    ['whose price is another one now', plain, charge('standard', { amount: '0.05' })],
    ['that gives the same cents alone', { ...plain, precise_amount: '4.804' }, charge('standard', { amount: '0.04' })],
    ['of another charge', plain, charge('standard', { amount: '0.04' }, { svc_id: 'd' })],
    ['without the filter of the line', { ...plain, svc_charge_filter_id: 'f' }, charge('standard', { amount: '0.04' })],
    ['in a pricing unit', plain, charge('standard', { amount: '0.04' }, { applied_pricing_unit: { code: 'credits' } })],
    ['whose events have amounts of their own', plain, charge('dynamic', {})],
    ['with free units, counted event by event', plain, charge('percentage', { rate: '4', free_units_per_events: 3 })],
    ['with a price that is no number', plain, charge('package', { amount: 'much', package_size: 10 })],
    ['whose share is of no whole days', shared(7), charge('standard', { amount: '14' }, { prorated: true })],
    ['with shares of any of many events', shared(400), charge('standard', { amount: '12' }, { prorated: true })],
  ])('tells units alone of a plan %s', (_, one, price) => {
    expect(told(one, price)).toMatch(/^“Minutes”[^:]*: \d+ units = \$\d+\.\d\d$/);
  });
});

it('tells details that do not add up to the amount as units alone', () => {
  const details = { graduated_ranges: [{ units: '10.0', per_unit_amount: '1.0', flat_unit_amount: '0.0' }] };
  const one = { units: '10.0', amount_details: details };
  expect(told({ ...one, amount_cents: 1000 })).toBe('“Minutes”: 10 × $1.00 = $10.00');
  expect(told({ ...one, amount_cents: 1001 })).toBe('“Minutes”: 10 units = $10.01');
});
