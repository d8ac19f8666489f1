/** Amounts and days are found as every usual language writes them, and no others are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { saidIn } from '../../src/rehearse/grade/facts.ts';
import { numbersIn } from '../../src/rehearse/grade/numbers.ts';
import { plain } from '../../src/rehearse/grade/plain.ts';
import type { Fact } from '../../src/rehearse/types.ts';
import { runs } from '../support/extent.ts';

const isSaid = (fact: Fact, text: string) => saidIn(text, 'says')(fact);

describe('an amount', () => {
  it('is found in every usual language, and no other amount is', () => {
    const cases = fc.record({
      locale: fc.constantFrom('en', 'en-GB', 'de', 'de-CH', 'fr', 'ja', 'es', 'it', 'nl'),
      currency: fc.constantFrom('USD', 'EUR', 'GBP', 'JPY', 'CHF', 'KWD', 'CAD', 'SEK'),
      display: fc.constantFrom('symbol' as const, 'code' as const),
      minor: fc.integer({ min: 0, max: 999_999_999 }),
      other: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(cases, ({ locale, currency, display, minor, other }) => {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: display });
        const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
        const major = (value: number) => {
          const text = String(value).padStart(digits + 1, '0');
          return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
        };
        const text = `Total: ${format.format(Number(major(minor)))}, thank you.`;
        expect(isSaid({ amount: major(minor), currency }, text), text).toBe(true);
        // "1.234" may be read both ways: not as a third.
        const wrong = { amount: major(minor + other), currency };
        const readings = numbersIn(plain(text)).flatMap(({ values }) => values);
        if (!readings.includes(String(Number(wrong.amount)))) {
          expect(isSaid(wrong, text), text).toBe(false);
        }
        expect(readings.length, text).toBeLessThanOrEqual(2);
      }),
      runs(500),
    );
  });
});

describe('a day', () => {
  it('is found in English, German and French, and the next day is not', () => {
    const days = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true });
    const locales = fc.constantFrom('en-US', 'en-GB', 'de', 'de-CH', 'fr');
    const styles = fc.constantFrom('full' as const, 'long' as const, 'medium' as const);
    fc.assert(
      fc.property(days, locales, styles, (day, locale, dateStyle) => {
        const text = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(day);
        const iso = (ms: number) => new Date(ms).toISOString().slice(0, 10);
        expect(isSaid({ date: iso(day.getTime()) }, `Until ${text}.`), text).toBe(true);
        const next = iso(day.getTime() + 86_400_000);
        expect(isSaid({ date: next }, `Until ${text}.`), `${text} is not ${next}`).toBe(false);
      }),
      runs(400),
    );
  });
});

describe('a list of all figures', () => {
  it('says none of them in any script of digits', () => {
    const digits = Array.from({ length: 0x110000 }, (_, code) => code).filter(
      code => (code < 0xd800 || code > 0xdfff) && /\p{N}/u.test(String.fromCodePoint(code)),
    );
    const one = fc.constantFrom(...digits).map(code => String.fromCodePoint(code));
    fc.assert(
      fc.property(one, fc.constantFrom('; ', '\n', ' ', ', $', ' | '), (digit, between) => {
        const all = Array.from({ length: 1001 }, () => digit).join(between);
        const read = numbersIn(plain(digit)).flatMap(({ values }) => values);
        for (const number of read) expect(isSaid({ number }, all), `${digit} ${between}`).toBe(false);
      }),
      runs(1000),
    );
  });
});
