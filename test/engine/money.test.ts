import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import { currencies, specifiedCurrencies } from '../../src/contract/codes.ts';
import { currencyDigits, minorUnits } from '../../src/contract/currencies.ts';
import { decimal, decimalText, fromCents, round, toCents } from '../../src/contract/pricing/money.ts';
import { type Entry, estimateOf, linesOf, previewOf } from './file-service.ts';

describe('rounding (§6)', () => {
  it.each([
    ['0.5', 0, '1'],
    ['1.5', 0, '2'],
    ['2.5', 0, '3'],
    ['-0.5', 0, '-1'],
    ['-2.5', 0, '-3'],
    ['2.4999999999', 0, '2'],
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '-1.01'],
    ['1250', -2, '1300'],
    ['-1250', -2, '-1300'],
  ])('half up, away from zero: %s at %i digits is %s', (value, digits, expected) => {
    expect(round(new Big(value), digits).toFixed()).toBe(expected);
  });

  it('refuses a binary fraction: 0.1 must be given as text', () => {
    expect(() => decimal(0.1)).toThrow(TypeError);
    expect(decimal('0.1').toFixed()).toBe('0.1');
    expect(decimal(3).toFixed()).toBe('3');
  });
});

describe('cents (§6)', () => {
  it.each([
    ['10.005', 'EUR', 1001],
    ['10.0049', 'EUR', 1000],
    ['0.3', 'USD', 30],
    ['1250.5', 'JPY', 1251],
    ['99.5', 'HUF', 100],
    ['99.4', 'MGA', 99],
    ['1.2505', 'KWD', 1251],
    ['1.00005', 'CLF', 10001],
    // MRO: 5 minor units, 2 digits: 1.2 × 5 = 6.
    ['1.2', 'MRO', 6],
    ['-10.005', 'EUR', -1001],
  ])('%s %s = %i minor units', (amount, currency, cents) => {
    expect(toCents(new Big(amount), currency)).toBe(cents);
  });

  it('back in major units: 1251 → 12.51 EUR, 1251 JPY, 1.251 KWD, 0.1251 CLF, 250.2 MRO', () => {
    const back = (currency: string) => fromCents(1251, currency).toFixed();
    expect(['EUR', 'JPY', 'KWD', 'CLF', 'MRO'].map(back)).toEqual(['12.51', '1251', '1.251', '0.1251', '250.2']);
  });

  it('knows the digits of every currency; none of the specification’s has three', () => {
    const none = 'BIF CLP DJF GNF HUF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
    const of = (digits: number) => currencies.filter(code => currencyDigits(code) === digits);
    expect(of(0)).toEqual(none);
    expect(of(3)).toEqual(['BHD', 'JOD', 'KWD']);
    expect(of(4)).toEqual(['CLF']);
    expect(of(2)).toHaveLength(currencies.length - none.length - 4);
    expect(specifiedCurrencies.filter(code => currencyDigits(code) === 3)).toEqual([]);
    expect(minorUnits('MRO')).toBe(5);
  });
});

describe('decimal text (§1.6)', () => {
  it.each([
    ['1', '1.0'],
    ['105', '105.0'],
    ['0', '0.0'],
    ['0.020', '0.02'],
    ['1e21', '1000000000000000000000.0'],
    ['0.0000000000000004', '0.0'],
    ['-0.0000000000000004', '0.0'],
    ['0.3333333333333333333', '0.333333333333333'],
  ])('%s is shown as %s', (value, expected) => {
    expect(decimalText(new Big(value))).toBe(expected);
  });
});

describe('amounts in cents (§6), through the running service', () => {
  const sum = { code: 'units', aggregation_type: 'sum_agg', field_name: 'value' };
  const used = (value: string, timestamp = '2026-03-05T00:00:00Z') => ({
    code: 'units',
    timestamp,
    properties: { value },
  });
  const priced = (amount: string, more: Entry = {}) => ({
    billable_metric_code: 'units',
    charge_model: 'standard',
    properties: { amount },
    ...more,
  });

  it('a third times 0.015 is exactly half a cent: weighted 1 for 10 of 30 days → 0.005 → 0.01', async () => {
    const metric = {
      code: 'units',
      aggregation_type: 'weighted_sum_agg',
      field_name: 'value',
      weighted_interval: 'seconds',
    };
    const plan = { amount_cents: 0, charges: [priced('0.015')] };
    const events = [used('1', '2026-04-21T00:00:00Z')];
    const answer = await previewOf({ now: '2026-04-22T00:00:00Z', plan, metrics: [metric], events });
    expect(linesOf(answer)).toBe('plan 0, charge units 1');
  });

  it('paid in advance and prorated: 1 × 10 ÷ 30, up to 0.33334, × 0.015 = 0.0050001 → 0.01', async () => {
    const metric = { ...sum, recurring: true };
    const plan = { charges: [priced('0.015', { pay_in_advance: true, prorated: true })] };
    const given = { now: '2026-04-21T10:00:00Z', plan, metrics: [metric] };
    const { body } = await estimateOf(given, { code: 'units', properties: { value: 1 } });
    expect(body.fees[0]).toMatchObject({ amount_cents: 1, units: '1.0', precise_amount: '0.0050001' });
  });
});
