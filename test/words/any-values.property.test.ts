/** Amounts and sentences of any values: what holds for all of them. */
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../src/contract/codes.ts';
import { currencyDigits } from '../../src/contract/currencies.ts';
import { explainAlert } from '../../src/words/alert.ts';
import { formOf, inForm, leftOut } from '../../src/words/default-fields.ts';
import { withTiers } from '../../src/words/estimate-tiers.ts';
import { explainPath } from '../../src/words/invoice-arithmetic.ts';
import { formatMoney } from '../../src/words/money.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { runs } from '../support/extent.ts';

describe('money in minor units', () => {
  it('keeps every digit of any amount in any currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.constantFrom(...currencies.filter(code => code !== 'MRO')),
        (cents, currency) => {
          const text = formatMoney(cents, currency);
          expect(BigInt(text.replace(/[^0-9]/g, ''))).toBe(cents < 0n ? -cents : cents);
          expect(text.startsWith('-')).toBe(cents < 0n);
          expect(/\.(\d+)$/.exec(text)?.[1]?.length ?? 0).toBe(currencyDigits(currency));
        },
      ),
      runs(100),
    );
  });
});

describe('the way to the total', () => {
  it('adds up wherever it is written with signs', () => {
    const cents = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(
        cents,
        cents,
        cents,
        cents,
        cents,
        fc.integer({ min: -1, max: 1 }),
        (fees, off, taxes, a, b, wrong) => {
          const total = fees - off + taxes - a - b + wrong;
          const text = explainPath({
            ...{ currency: 'USD', fees_amount_cents: fees, coupons_amount_cents: off, taxes_amount_cents: taxes },
            ...{ credit_notes_amount_cents: a, prepaid_credit_amount_cents: b, total_amount_cents: total },
          });
          if (off + taxes + a + b === 0) return expect(text).toBeNull();
          expect(/[−=+]/.test(text ?? ''), text ?? '').toBe(wrong === 0);
        },
      ),
      runs(100),
    );
  });
});

describe('what comes next', () => {
  /** The values that a sentence holds after `words`. */
  const valuesAfter = (text: string, words: string) =>
    [...(text.split(words)[1]?.split(/, (?!\d)/)[0] ?? '').matchAll(/-?[\d,.]*\d/g)].map(
      ([value]) => new Big(value.replaceAll(',', '')),
    );
  const values = fc.integer({ min: 1, max: 500 });

  it('is the value at which the service would fire, and what is past would have fired', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(values, { maxLength: 4 }),
        fc.option(values, { nil: undefined }),
        fc.integer({ min: 1, max: 2000 }),
        fc.boolean(),
        (once, step, at, falling) => {
          fc.pre(once.length > 0 || step !== undefined);
          const mirrored = (value: number) => (falling ? -value : value);
          const thresholds = [
            ...once.map(value => ({ value: String(mirrored(value)), recurring: false, code: null })),
            ...(step === undefined ? [] : [{ value: String(step), recurring: true, code: null }]),
          ];
          const direction = falling ? 'decreasing' : 'increasing';
          const value = new Big(mirrored(at));
          const steps = Array.from({ length: 3000 }, (_, k) => Math.max(0, ...once) + (k + 1) * (step ?? 0));
          const rising = [...once, ...(step === undefined ? [] : steps)];
          /** What a change of the value crosses (service-behaviour §14). */
          const fired = (from: Big, to: Big) => {
            const [low, high] = [mirrored(Number(from)), mirrored(Number(to))];
            if (once.length > 0 && high < Math.min(...once)) return [];
            return rising.filter(each => each > low && each <= high).map(each => new Big(mirrored(each)));
          };
          const text = explainAlert(
            { alert_type: 'billable_metric_current_usage_units', direction, thresholds },
            'It',
            { currency: null, now: new Date('2026-03-15T12:00:00Z'), value },
          );
          const past = valuesAfter(text, 'already past ').map(String);
          const all = fired(new Big(0), value).map(String);
          expect(
            past.every(one => all.includes(one)),
            text,
          ).toBe(true);
          const [next] = valuesAfter(text, 'next at ');
          if (next === undefined) {
            expect(step, text).toBeUndefined();
            return;
          }
          const almost = falling ? next.plus(1) : next.minus(1);
          expect(fired(value, next).map(String), text).toContain(String(next));
          expect(
            falling ? almost.lt(value) && fired(value, almost).length : almost.gt(value) && fired(value, almost).length,
          ).toBeFalsy();
        },
      ),
      runs(100),
    );
  });
});

describe('an estimated event of a graduated charge', () => {
  it('is told exactly, for any units used before', () => {
    const tier = (from_value: number, to_value: number | null, per_unit_amount: string, flat_amount: string) => ({
      ...{ from_value, to_value, per_unit_amount, flat_amount },
    });
    const graduated_ranges = [tier(0, 100, '0.05', '1'), tier(101, 250, '0.031', '2'), tier(251, null, '0.02', '0.5')];
    const charge = { charge_model: 'graduated', properties: { graduated_ranges } };
    const bounds = [100, 250, Number.POSITIVE_INFINITY];
    const prices = ['0.05', '0.031', '0.02'];
    const flats = ['1', '2', '0.5'];
    const price = (units: number) =>
      bounds.reduce((sum, to, index) => {
        const from = bounds[index - 1] ?? 0;
        if (units <= from) return sum;
        return sum.plus(new Big(Math.min(units, to) - from).times(prices[index]!)).plus(flats[index]!);
      }, new Big(0));
    fc.assert(
      fc.property(fc.nat(400), fc.integer({ min: 1, max: 300 }), (before, units) => {
        const amount = price(before + units).minus(price(before));
        const fee = {
          units: String(units),
          precise_amount: amount.toFixed(),
          amount_currency: 'USD',
          amount_details: {},
        };
        const { amount_details } = withTiers({ ...fee, amount_cents: amount.times(100).toNumber() }, charge);
        const ranges = (amount_details as { graduated_ranges?: Record<string, string>[] }).graduated_ranges;
        if (ranges === undefined) return;
        const total = ranges.reduce(
          (sum, range) => sum.plus(new Big(range.units!).times(range.per_unit_amount!)).plus(range.flat_unit_amount!),
          new Big(0),
        );
        expect(total.toFixed()).toBe(amount.toFixed());
        expect(ranges.reduce((sum, range) => sum.plus(range.units!), new Big(0)).toFixed()).toBe(String(units));
      }),
      runs(100),
    );
  });
});

describe('the default form', () => {
  it.each(toolDefinitions.map(tool => [tool.name, tool] as const))('of %s takes any JSON', (_, tool) => {
    const form = formOf(tool);
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const before = JSON.stringify(value);
        inForm(form, value);
        leftOut(form, [value]);
        expect(JSON.stringify(value)).toBe(before);
      }),
      runs(40),
    );
  });

  /** Any code point but half a pair. `unit: 'binary'` draws the same, and takes a second to be made. */
  const character = fc
    .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
    .map(code => String.fromCodePoint(code));

  it('keeps any text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1 }), value => {
        expect(inForm(formOf({ brief: 'x' }), { x: value })).toEqual({ x: value });
      }),
      runs(100),
    );
  });
});
