import { describe, expect, it } from 'vitest';
import { formatMajor, formatMinor, formatMoney, formatNumber } from '../../src/words/money.ts';

describe('money in minor units', () => {
  it.each<[number | string | bigint, string, string]>([
    [125_000, 'USD', '$1,250.00'],
    [1250, 'JPY', '¥1,250'],
    [1250, 'KWD', 'KD 1.250'],
    [5, 'USD', '$0.05'],
    [-5, 'USD', '-$0.05'],
    [0, 'EUR', '€0.00'],
    [125_000, 'CHF', 'CHF 1,250.00'],
    [125_000, 'HUF', 'HUF 125,000'],
    [12_345, 'CLF', 'CLF 1.2345'],
    [7, 'MRO', 'MRO 1.40'],
    [125_000, 'XYZ', '1,250.00 XYZ'],
    ['9007199254740993', 'USD', '$90,071,992,547,409.93'],
    [10n ** 20n, 'JPY', '¥100,000,000,000,000,000,000'],
  ])('%s %s is %s', (cents, currency, text) => {
    expect(formatMoney(cents, currency)).toBe(text);
  });

  it.each([
    ['GBP', '£1.00'],
    ['CNY', 'CN¥1.00'],
    ['KRW', '₩100'],
    ['INR', '₹1.00'],
    ['ILS', '₪1.00'],
    ['VND', '₫100'],
    ['PHP', '₱1.00'],
    ['NGN', '₦1.00'],
    ['UAH', '₴1.00'],
    ['CAD', 'CA$1.00'],
    ['AUD', 'A$1.00'],
    ['NZD', 'NZ$1.00'],
    ['HKD', 'HK$1.00'],
    ['TWD', 'NT$1.00'],
    ['MXN', 'MX$1.00'],
    ['BRL', 'R$1.00'],
    ['BHD', 'BD 0.100'],
    ['JOD', 'JD 0.100'],
  ])('100 minor units of %s are %s', (currency, text) => {
    expect(formatMoney(100, currency)).toBe(text);
  });

  it.each([[12.5], [Number.NaN], [Number.POSITIVE_INFINITY], ['12.50'], ['abc'], ['']])(
    '%s is not an amount',
    value => {
      expect(formatMoney(value as never, 'USD')).toBe('');
    },
  );
});

describe('money in minor units with a fraction', () => {
  it.each([
    ['1000.0', 'USD', '$10.00'],
    ['1000.0', 'JPY', '¥1,000'],
    ['1000.00000', 'KWD', 'KD 1.000'],
    ['900.5', 'USD', '$9.005'],
    ['900.5', 'JPY', '¥900.5'],
    ['-0.25', 'EUR', '-€0.0025'],
    ['7.5', 'MRO', 'MRO 1.50'],
    ['12345678901234567890.5', 'CLF', 'CLF 1,234,567,890,123,456.78905'],
    ['1000', 'XYZ', '10.00 XYZ'],
    ['1e3', 'USD', ''],
    ['', 'USD', ''],
  ])('%s %s is "%s"', (value, currency, text) => {
    expect(formatMinor(value, currency)).toBe(text);
  });
});

describe('money in major units', () => {
  it.each([
    ['12.5', 'USD', '$12.50'],
    ['0.0002', 'USD', '$0.0002'],
    ['0.0', 'USD', '$0.00'],
    ['-0.5', 'EUR', '-€0.50'],
    ['1250.0', 'JPY', '¥1,250'],
    ['0.10000', 'KWD', 'KD 0.100'],
    ['12.5', 'XYZ', '12.50 XYZ'],
    ['1e5', 'USD', ''],
    ['', 'USD', ''],
  ])('%s %s is "%s"', (value, currency, text) => {
    expect(formatMajor(value, currency)).toBe(text);
  });
});

describe('quantities', () => {
  it.each<[unknown, string | null]>([
    ['1250.0', '1,250'],
    ['0.50', '0.5'],
    ['-0.0', '0'],
    [1e-7, '0.0000001'],
    [1.23456789e-12, '0.00000000000123456789'],
    [1e-20, '0.00000000000000000001'],
    [1e21, '1,000,000,000,000,000,000,000'],
    [1234567, '1,234,567'],
    [null, null],
    [Number.NaN, null],
  ])('%s is "%s"', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});
