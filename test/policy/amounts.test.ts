import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config.ts';
import { checkAmounts, readAmountLimits } from '../../src/policy/amounts.ts';
import type { JsonRecord, Known } from '../../tools/define.ts';

const limits = readAmountLimits('USD:1000,EUR:500.50,JPY:100000,KWD:300');
const check = (args: JsonRecord, known: Known = null) => {
  const verdict = checkAmounts('update_add_on', args, known, limits);
  return verdict === true ? true : verdict.message;
};

describe('the largest amount of a write', () => {
  it.each([
    ['USD', 100_000],
    ['EUR', 50_050],
    ['JPY', 100_000],
    ['KWD', 300_000],
  ])('counts %s in its own minor unit: %i is the last that passes', (amount_currency, most) => {
    expect(check({ amount_cents: most, amount_currency })).toBe(true);
    expect(check({ amount_cents: most + 1, amount_currency })).toContain('BILLING_MAX_AMOUNT');
    expect(check({ amount_cents: -most - 1, amount_currency })).toContain('BILLING_MAX_AMOUNT');
  });

  it('names argument, amount and limit', () => {
    expect(check({ amount_cents: 125_000, amount_currency: 'USD' })).toBe(
      'update_add_on was refused before anything was sent: amount_cents: $1,250.00 is more than the $1,000.00 allowed (BILLING_MAX_AMOUNT).',
    );
  });

  it('refuses a currency that is not listed, however small the amount', () => {
    expect(check({ amount_cents: 1, amount_currency: 'GBP' })).toContain('GBP, has no limit');
  });

  it('finds every *_cents argument, at any depth, with the currency above it', () => {
    const args = { plan_overrides: { amount_currency: 'USD', charges: [{}, { min_amount_cents: 100_001 }] } };
    expect(check(args)).toContain('plan_overrides.charges[1].min_amount_cents');
    expect(check({ usage_thresholds: [{ amount_cents: '999999999' }] })).toContain('usage_thresholds[0].amount_cents');
  });

  it('takes the currency of the record where the arguments name none', () => {
    const wallet = { currency: 'EUR' };
    expect(check({ paid_top_up_max_amount_cents: 50_050 }, wallet)).toBe(true);
    expect(check({ paid_top_up_max_amount_cents: 50_051 }, wallet)).toContain('€500.50');
    expect(check({ paid_top_up_max_amount_cents: 1 }, { currency: 'GBP' })).toContain('GBP');
    expect(check({ plan_overrides: { amount_cents: 50_051 } }, { plan: { amount_currency: 'EUR' } })).toContain(
      '€500.50',
    );
  });

  it('cannot be avoided by naming a currency with a higher limit than the record’s own', () => {
    expect(check({ amount_cents: 60_000, amount_currency: 'JPY' }, { amount_currency: 'EUR' })).toContain('€500.50');
  });

  it('is the smallest limit where the currency is not known', () => {
    expect(check({ paid_top_up_min_amount_cents: 50_050 })).toBe(true);
    expect(check({ paid_top_up_min_amount_cents: 50_051 })).toContain('currency is not known');
  });

  it('leaves nulls, other numbers and absent amounts alone', () => {
    expect(check({ paid_top_up_max_amount_cents: null, priority: 999_999_999, name: '999999999' })).toBe(true);
  });

  it('refuses what is no number', () => {
    expect(check({ amount_cents: 'a lot', amount_currency: 'USD' })).toContain('BILLING_MAX_AMOUNT');
  });

  it('never lets more pass when the same amount stands deeper', () => {
    const nest = (depth: number, value: JsonRecord): JsonRecord =>
      depth === 0 ? value : { list: [nest(depth - 1, value)] };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 6 }), (amount_cents, depth) => {
        const passes = check(nest(depth, { amount_cents, amount_currency: 'USD' })) === true;
        expect(passes).toBe(amount_cents <= 100_000);
      }),
    );
  });
});

describe('BILLING_MAX_AMOUNT', () => {
  it.each([
    ['UDS:1000', 'did you mean'],
    ['EURO:1000', '"EURO" is not a currency code'],
    ['USD:', '"" is not an amount'],
    ['USD:-5', 'not an amount'],
    ['USD:1,000', '"000" is not a currency code'],
    ['USD:1,USD:2', 'named twice'],
  ])('%s stops the start', (text, reason) => {
    expect(() => readAmountLimits(text)).toThrow(ConfigError);
    expect(() => readAmountLimits(text)).toThrow(reason);
  });
});
