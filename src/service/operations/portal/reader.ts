/** The person who reads a portal page: labels, amounts and dates as written in their language. */

import { runtimeZone } from '../../../contract/codes.ts';
import { currencyDigits } from '../../../contract/currencies.ts';
import { languageOf, type Say, sayIn } from '../../../contract/labels/index.ts';
import { decimal, fromCents } from '../../../contract/pricing/money.ts';
import type { DecimalText, InstantText } from '../../records/index.ts';

export interface Reader {
  /** Of the labels, for the page's `lang`. */
  language: string;
  timezone: string;
  say: Say<'portal'>;
  /** Cents as an amount: `$1,250.00`, `1.250,00 €`, `¥1,250`. */
  money(cents: number, currency: string): string;
  /** A decimal text in major units, with all its digits: `$0.00002`. */
  major(amount: DecimalText, currency: string): string;
  /** A number of units, with at most four decimals; below 0.01, with all of them. */
  quantity(decimal: DecimalText): string;
  /** A rate in percent: `8.875%`, `20 %`. */
  percent(rate: DecimalText): string;
  /** `1 Nov 2026`, of an instant in the reader's zone, or of a date. */
  day(instant: InstantText): string;
  /** From and to as days: `1 – 30 Nov 2026`. */
  period(from: InstantText, to: InstantText): string;
  /** The country of a two-letter code; an unknown code as it is. */
  country(code: string): string;
}

/** `locale`: BCP 47, such as a document locale. `timezone`: as stored. */
export function readerOf(locale: string, timezone: string): Reader {
  const number = (options: Intl.NumberFormatOptions, text: string): string =>
    // Text keeps every digit; a number would not.
    withToolCurrencySymbol(new Intl.NumberFormat(locale, options).format(text as `${number}`), locale).replace(
      '-',
      '−',
    );
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  return {
    language: languageOf(locale) ?? 'en',
    timezone,
    say: sayIn('portal', locale),
    money(cents, currency) {
      const digits = currencyDigits(currency);
      return number(moneyFormat(currency, digits, digits), fromCents(cents, currency).toFixed(digits));
    },
    major: (amount, currency) => number(moneyFormat(currency, currencyDigits(currency), 15), amount),
    quantity: text => number({ maximumFractionDigits: decimal(text).abs().gte('0.01') ? 4 : 15 }, text),
    percent: rate => number({ style: 'unit', unit: 'percent', maximumFractionDigits: 15 }, rate),
    day: instant => withToolDateSigns(dateFormat(locale, instant, timezone).format(new Date(instant))),
    period: (from, to) =>
      withToolDateSigns(dateFormat(locale, from, timezone).formatRange(new Date(from), new Date(to))),
    country(code) {
      try {
        return countries.of(code) ?? code;
      } catch {
        return code;
      }
    },
  };
}

function moneyFormat(currency: string, least: number, most: number): Intl.NumberFormatOptions {
  return { style: 'currency', currency, minimumFractionDigits: least, maximumFractionDigits: Math.max(least, most) };
}

/** In English, dinars are written as the tools' summaries write them: `KD 1.250`. */
function withToolCurrencySymbol(amount: string, locale: string): string {
  return /^en\b/.test(locale) ? amount.replace(/\b([KBJ])[WHO]D\b/, '$1D') : amount;
}

/** English without a country writes dates as the tools' summaries do. A date without a time is the same in every zone. */
function dateFormat(locale: string, instant: InstantText, timezone: string): Intl.DateTimeFormat {
  const timeZone = instant.includes('T') ? runtimeZone(timezone) : 'UTC';
  const parts = { year: 'numeric', month: 'short', day: 'numeric', timeZone } as const;
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, parts);
}

/** `1–30 Sept 2026` → `1 – 30 Sep 2026`, as the summaries write it. */
function withToolDateSigns(text: string): string {
  return text.replace('Sept ', 'Sep ').replace(/\s*–\s*/, ' – ');
}
