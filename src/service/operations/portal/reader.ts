/** The person who reads a portal page: labels, amounts and dates as written in their language. */

import { runtimeZone } from '../../../contract/codes.ts';
import { currencyDigits } from '../../../contract/currencies.ts';
import { languageOf, type Say, sayIn } from '../../../contract/labels/labels.ts';
import { decimal, fromCents } from '../../../contract/pricing/money.ts';
import type { DecimalText, InstantText } from '../../../engine/records/index.ts';
import { figure, type Html, html } from './html.ts';

export interface Reader {
  /** Of the labels, for the page's `lang`. */
  language: string;
  timezone: string;
  say: Say<'portal'>;
  /** The same where values are HTML, such as figures. */
  tell(key: Parameters<Say<'portal'>>[0], values: { readonly [name: string]: Html | number }): Html;
  /** Cents as an amount: `$1,250.00`, `1.250,00 €`, `¥1,250`. */
  money(cents: number, currency: string): Html;
  /** A decimal text in major units, with all its digits: `$0.00002`; `sign` stands before it. */
  major(amount: DecimalText, currency: string, sign?: string): Html;
  /** A number, with at most four decimals; below 0.01, with all of them. */
  quantity(decimal: DecimalText): Html;
  /** `1 unit`, `5,200 units`. */
  units(decimal: DecimalText): Html;
  /** `312.5 credits`. */
  credits(count: DecimalText): Html;
  /** A rate in percent: `8.875%`, `20 %`. */
  percent(rate: DecimalText): Html;
  /** `1 Nov 2026`, of an instant in the reader's zone, or of a date. */
  day(instant: InstantText): Html;
  /** `1 Nov 2026, 19:00` in the reader's zone. */
  moment(instant: InstantText): Html;
  /** From and to as days: `1 – 30 Nov 2026`. */
  period(from: InstantText, to: InstantText): Html;
  /** The country of a two-letter code; an unknown code as it is. */
  country(code: string): string;
}

/** `documentLocale`: BCP 47; one without labels is English altogether. `timezone`: as stored. */
export function readerOf(documentLocale: string, timezone: string): Reader {
  const language = languageOf(documentLocale);
  const locale = language === undefined ? 'en' : documentLocale;
  const say = sayIn('portal', locale);
  const number = (options: Intl.NumberFormatOptions, text: string): string =>
    // Text keeps every digit; a number would not.
    withToolCurrencySymbol(new Intl.NumberFormat(locale, options).format(text as `${number}`), locale).replace(
      '-',
      '−',
    );
  const quantity = (text: string): string =>
    number({ maximumFractionDigits: decimal(text).abs().gte('0.01') ? 4 : 15 }, text);
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  return {
    language: language ?? 'en',
    timezone,
    say,
    tell: (key, values) => withValues(say, key, values),
    money(cents, currency) {
      const digits = currencyDigits(currency);
      return figure(number(moneyFormat(currency, digits, digits), fromCents(cents, currency).toFixed(digits)));
    },
    major: (amount, currency, sign = '') =>
      figure(`${sign}${number(moneyFormat(currency, currencyDigits(currency), 15), amount)}`),
    quantity: text => figure(quantity(text)),
    units: text => figure(say('units', { count: text, units: quantity(text) })),
    credits: count => figure(say('credits', { count })),
    percent: rate => figure(number({ style: 'unit', unit: 'percent', maximumFractionDigits: 15 }, rate)),
    day: instant => figure(withToolDateSigns(dateFormat(locale, instant, timezone).format(new Date(instant)))),
    moment: instant =>
      figure(withToolDateSigns(dateFormat(locale, instant, timezone, clock).format(new Date(instant)))),
    period: (from, to) =>
      figure(withToolDateSigns(dateFormat(locale, from, timezone).formatRange(new Date(from), new Date(to)))),
    country(code) {
      try {
        return countries.of(code) ?? code;
      } catch {
        return code;
      }
    },
  };
}

/** The label's text around its values. Signs that no label has stand for them until then. */
function withValues(
  say: Say<'portal'>,
  key: Parameters<Say<'portal'>>[0],
  values: Parameters<Reader['tell']>[1],
): Html {
  const entries = Object.entries(values);
  const signs = entries.map(([name, value], i) => [name, typeof value === 'number' ? value : `\0${i}\0`]);
  const parts = say(key, Object.fromEntries(signs)).split('\0');
  return html`${parts.map((text, i) => (i % 2 === 0 ? text : entries[Number(text)]?.[1]))}`;
}

function moneyFormat(currency: string, least: number, most: number): Intl.NumberFormatOptions {
  return { style: 'currency', currency, minimumFractionDigits: least, maximumFractionDigits: Math.max(least, most) };
}

/** In English, dinars are written as the tools' summaries write them: `KD 1.250`. */
function withToolCurrencySymbol(amount: string, locale: string): string {
  return /^en\b/.test(locale) ? amount.replace(/\b([KBJ])[WHO]D\b/, '$1D') : amount;
}

/** English without a country writes dates as the tools' summaries do. A date without a time is the same in every zone. */
function dateFormat(
  locale: string,
  instant: InstantText,
  timezone: string,
  time: Intl.DateTimeFormatOptions = {},
): Intl.DateTimeFormat {
  const timeZone = instant.includes('T') ? runtimeZone(timezone) : 'UTC';
  const parts = { year: 'numeric', month: 'short', day: 'numeric', timeZone, ...time } as const;
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, parts);
}

const clock = { hour: '2-digit', minute: '2-digit' } as const;

/** `1–30 Sept 2026` → `1 – 30 Sep 2026`, as the summaries write it. */
function withToolDateSigns(text: string): string {
  return text.replace('Sept ', 'Sep ').replace(/\s*–\s*/, ' – ');
}
