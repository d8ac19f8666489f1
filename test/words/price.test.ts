import { describe, expect, it } from 'vitest';
import { priceLine, wholePriceLine } from '../../src/words/price.ts';
import { factsOf } from '../support/facts.ts';

const charge = (charge_model: string, properties: object, more: object = {}) => ({ charge_model, properties, ...more });
const tiers = (...rows: [number | string, number | string | null, string, string?][]) =>
  rows.map(([from_value, to_value, per_unit_amount, flat_amount = '0']) => ({
    ...{ from_value, to_value, per_unit_amount, flat_amount },
  }));
const rates = (...rows: [number, number | null, string, string?][]) =>
  rows.map(([from_value, to_value, rate, flat_amount = '0']) => ({ from_value, to_value, rate, flat_amount }));
const two = tiers([0, 10000, '0.01'], [10001, null, '0.008', '20']);

describe('the price of a charge in one line', () => {
  // biome-ignore format: a table
  const rows: [line: string, charge: Record<string, unknown>][] = [
    ['$0.02 each', charge('standard', { amount: '0.02' })],
    ['$0.0002 each', charge('standard', { amount: '0.00020' })],
    ['$0.00 each', charge('standard', { amount: '0' })],
    ['$1,250,000,000,000,000,000.00 each', charge('standard', { amount: '1250000000000000000' })],
    ['$0.10 each, minimum $10.00', charge('standard', { amount: '0.1' }, { min_amount_cents: 1000 })],
    ['$0.10 each', charge('standard', { amount: '0.1', pricing_group_keys: ['region'] }, { min_amount_cents: 0 })],
    ['$5.00 each, prorated', charge('standard', { amount: '5' }, { prorated: true, pay_in_advance: false, invoiceable: true })],
    ['$5.00 each, billed per event, not on invoices', charge('standard', { amount: '5' }, { pay_in_advance: true, invoiceable: false })],
    ['packages of 1,000 at $5.00 after 500 free, minimum $10.00', charge('package', { amount: '5', package_size: 1000, free_units: 500 }, { min_amount_cents: 1000 })],
    ['packages of 100 at $1.50', charge('package', { amount: '1.5', package_size: 100, free_units: 0 })],
    ['packages of 100 at $1.50, per region and tier', charge('package', { amount: '1.5', package_size: 100, pricing_group_keys: ['region', 'tier'] })],
    ['$5.00 each after 10 free', charge('package', { amount: '5', package_size: 1, free_units: '10' })],
    ['1–10,000 at $0.01, then $0.008 + $20.00 flat', charge('graduated', { graduated_ranges: two })],
    ['1–100 free, 101–1,000 at $0.10, then $0.05', charge('graduated', { graduated_ranges: tiers([0, 100, '0'], [101, 1000, '0.1'], [1001, null, '0.05']) })],
    ['1–100 at $9.00 flat, then free', charge('graduated', { graduated_ranges: tiers([0, 100, '0', '9'], [101, null, '0']) })],
    ['unit 1 at $5.00, then $4.00', charge('graduated', { graduated_ranges: tiers([0, 1, '5'], [2, null, '4']) })],
    ['0–0.5 at $5.00, then $4.00', charge('graduated', { graduated_ranges: tiers(['0.0', '0.5', '5'], ['0.5', null, '4']) })],
    ['$0.01 each + $20.00 flat', charge('graduated', { graduated_ranges: tiers([0, null, '0.01', '20']) })],
    ['free', charge('graduated', { graduated_ranges: tiers([0, null, '0']) })],
    ['unit 1 at $6.00, unit 2 at $5.00, 2 more tiers, then $2.00', charge('graduated', { graduated_ranges: tiers([0, 1, '6'], [2, 2, '5'], [3, 3, '4'], [4, 4, '3'], [5, null, '2']) })],
    ['all units by volume: up to 100 at $0.02 + $1.00 flat, beyond at $0.01', charge('volume', { volume_ranges: tiers([0, 100, '0.02', '1'], [101, null, '0.01']) })],
    ['all units by volume: up to 100 free, beyond at $0.01', charge('volume', { volume_ranges: tiers([0, 100, '0'], [101, null, '0.01']) })],
    ['$0.01 each', charge('volume', { volume_ranges: tiers([0, null, '0.01']) })],
    ['1–1,000 at 2%, then 1.5% + $3.00 flat', charge('graduated_percentage', { graduated_percentage_ranges: rates([0, 1000, '2'], [1001, null, '1.50', '3']) })],
    ['2.5%', charge('graduated_percentage', { graduated_percentage_ranges: rates([0, null, '2.5']) })],
    ['2.9%', charge('percentage', { rate: '2.9' })],
    ['2.9% + $0.30 an event', charge('percentage', { rate: '2.9', fixed_amount: '0.3' })],
    ['2.9% + $0.30 an event, after 100 free', charge('percentage', { rate: '2.9', fixed_amount: '0.30', free_units_per_total_aggregation: '100.0' })],
    ['1%, after 1 free event', charge('percentage', { rate: '1', fixed_amount: '0', free_units_per_events: 1, free_units_per_total_aggregation: null })],
    ['1%, after 3 free events and 500 free, at least $0.50 and at most $20.00 an event', charge('percentage', { rate: '1', free_units_per_events: 3, free_units_per_total_aggregation: '500', per_transaction_min_amount: '0.5', per_transaction_max_amount: '20' })],
    ['1%, at most $20.00 an event', charge('percentage', { rate: '1', per_transaction_max_amount: '20' })],
    ['the amount sent with each event', charge('dynamic', {})],
    ['a custom price', charge('custom', { custom_properties: {} })],
  ];
  it.each(rows)('%s', (line, given) => {
    expect(priceLine(given, 'USD')).toBe(line);
  });
});

describe('the price of a fixed charge', () => {
  const fixed = (units: unknown, amount: unknown, more: object = {}) =>
    charge('standard', { amount }, { units, add_on_code: 'support', ...more });
  // biome-ignore format: a table
  const rows: [line: string, charge: Record<string, unknown>][] = [
    ['10 × $5.00 = $50.00', fixed(10, '5')],
    ['$5.00', fixed(1, '5')],
    ['2.5 × $0.0001 = $0.00025', fixed('2.5', '0.0001')],
    ['0 × $5.00 = $0.00', fixed(0, '5')],
    ['3 × $0.10 = $0.30, prorated, in advance', fixed('3.0', '0.1', { prorated: true, pay_in_advance: true })],
    ['25 units: 1–10 at $5.00, then $4.00', charge('graduated', { graduated_ranges: tiers([0, 10, '5'], [11, null, '4']) }, { units: 25 })],
    ['1 unit: all units by volume: up to 10 at $5.00, beyond at $4.00', charge('volume', { volume_ranges: tiers([0, 10, '5'], [11, null, '4']) }, { units: 1 })],
  ];
  it.each(rows)('%s', (line, given) => {
    expect(priceLine(given, 'USD')).toBe(line);
  });
});

describe('filters', () => {
  const filter = (values: object, properties: object, invoice_display_name: string | null = null) => ({
    ...{ values, properties, invoice_display_name },
  });
  const eu = filter({ region: ['eu'] }, { amount: '0.03' });
  const asia = filter({ region: ['asia', 'us'], tier: ['__ALL_FILTER_VALUES__'] }, { amount: '0.04' });
  const line = (...filters: object[]) => priceLine(charge('standard', { amount: '0.02' }, { filters }), 'USD');

  it('have their own prices where they are few', () => {
    expect(line()).toBe('$0.02 each');
    expect(line(eu)).toBe('$0.02 each; region eu $0.03 each');
    expect(line(eu, asia)).toBe('$0.02 each; region eu $0.03 each; region asia or us and tier any $0.04 each');
    expect(line(filter({ region: ['eu'] }, { amount: '0.03' }, 'Europe'))).toBe('$0.02 each; “Europe” $0.03 each');
  });

  it('are counted where they are many or malformed', () => {
    expect(line(eu, asia, eu)).toBe('$0.02 each; 3 filters with other prices');
    expect(line(filter({ region: ['eu'] }, {}))).toBe('$0.02 each; 1 filter with other prices');
  });
});

it('of a question also says by which keys usage is divided for display', () => {
  const presentation_group_keys = [{ value: 'region' }, { value: 'team', options: { display_in_invoice: true } }];
  const divided = charge('standard', { amount: '0.1', presentation_group_keys });
  expect(wholePriceLine(divided, 'USD')).toBe('$0.10 each, displayed by region and team (on invoices)');
  expect(priceLine(divided, 'USD')).toBe('$0.10 each');
});

describe('the currency', () => {
  const given = charge('standard', { amount: '12.5' }, { min_amount_cents: 1000 });
  it.each([
    ['JPY', '¥12.5 each, minimum ¥1,000'],
    ['KWD', 'KD 12.500 each, minimum KD 1.000'],
    ['CLF', 'CLF 12.5000 each, minimum CLF 0.1000'],
    ['XYZ', '12.50 XYZ each, minimum 10.00 XYZ'],
  ])('%s gives %s', (currency, line) => {
    expect(priceLine(given, currency)).toBe(line);
  });

  it('is the pricing unit of a charge that has one', () => {
    const own = { ...given, min_amount_cents: 0, applied_pricing_unit: { code: 'credits', conversion_rate: '0.5' } };
    expect(priceLine(own, 'USD')).toBe('12.50 credits each');
    expect(priceLine({ ...own, applied_pricing_unit: {} }, 'USD')).toBeNull();
  });

  it('must be known, but for percentages', () => {
    expect(priceLine(given, null)).toBeNull();
    expect(priceLine(charge('percentage', { rate: '1' }), null)).toBe('1%');
  });
});

describe('what cannot be read', () => {
  const ranged = (graduated_ranges: unknown) => charge('graduated', { graduated_ranges });
  // biome-ignore format: a table
  const rows: Record<string, unknown>[] = [
    {},
    { charge_model: 'standard' },
    charge('barter', { amount: '1' }),
    charge('standard', {}),
    charge('standard', { amount: 'free' }),
    charge('standard', { amount: '-1' }),
    charge('standard', { amount: '1' }, { min_amount_cents: 'ten' }),
    charge('standard', { amount: '1' }, { units: 'many' }),
    charge('standard', { amount: '1' }, { add_on_code: 'a', units: null }),
    charge('package', { amount: '1' }),
    charge('package', { amount: '1', package_size: 0 }),
    charge('package', { amount: '1', package_size: 10, free_units: -1 }),
    charge('percentage', { rate: '1', fixed_amount: 'x' }),
    charge('percentage', { fixed_amount: '1' }),
    charge('percentage', { rate: '1', free_units_per_events: 'x' }),
    charge('percentage', { rate: '1', per_transaction_max_amount: 'x' }),
    charge('volume', { volume_ranges: tiers([0, 10, '1']) }),
    ranged(undefined), ranged([]), ranged([{}]),
    ranged(tiers([5, 10, '1'], [11, null, '1'])),
    ranged(tiers([0, null, '1'], [11, null, '1'])),
    ranged(tiers([0, 10, '1'], [5, null, '1'])),
    ranged(tiers([10, 0, '1'], [11, null, '1'])),
    ranged(tiers([0, 10, '1', 'x'], [11, null, '1'])),
    ranged(tiers([0, 10, '1'], [11, 20, '1'])),
  ];
  it.each(rows)('gives nothing rather than nonsense: %j', given => {
    expect(priceLine(given, 'USD')).toBeNull();
  });

  it.each([1e-7, '1e-7'])('takes %j for a decimal, exactly', amount => {
    expect(priceLine(charge('standard', { amount }), 'USD')).toBe('$0.0000001 each');
  });

  it('shows no hidden characters of names', () => {
    const hidden = charge('package', { amount: '1', package_size: 10, pricing_group_keys: ['a\u200bb'] });
    expect(factsOf(priceLine(hidden, 'USD'))).toBe('10 · $1.00 · 20');
  });
});
