/** Money as people read it: the currency's own digits (service-behaviour §6), grouped, exact. Never a binary float. */
import Big from 'big.js';
import { currencies } from '../contract/codes.ts';
import { currencyDigits, minorUnits } from '../contract/currencies.ts';
import type { Cents } from '../contract/shown.ts';

export { big, unsigned } from '../lib/decimals.ts';

const symbols: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  CNY: 'CN¥',
  KRW: '₩',
  INR: '₹',
  ILS: '₪',
  VND: '₫',
  PHP: '₱',
  NGN: '₦',
  UAH: '₴',
  CAD: 'CA$',
  AUD: 'A$',
  NZD: 'NZ$',
  HKD: 'HK$',
  TWD: 'NT$',
  MXN: 'MX$',
  BRL: 'R$',
  KWD: 'KD ',
  BHD: 'BD ',
  JOD: 'JD ',
};
const known: ReadonlySet<string> = new Set(currencies);
const DECIMAL = /^-?\d{1,60}(\.\d{1,60})?$/;

/**
 * An amount in minor units (`cents` in the interface) as text: `$1,250.00`, `¥1,250`, `KD 1.250`, `-$0.05`. An unknown
 * currency comes after the number (`1,250.00 XYZ`). Anything but an integer gives an empty text, so that a malformed
 * answer never reads like an amount.
 */
export function formatMoney(cents: number | string | bigint, currency: string): string {
  const minor = toInteger(cents);
  if (minor === null) return '';
  const digits = currencyDigits(currency);
  // MRO has five minor units in a major one: fifths are shown as two decimals.
  const scaled = (minor * BigInt(10 ** digits)) / BigInt(minorUnits(currency));
  const negative = scaled < 0n;
  const text = String(negative ? -scaled : scaled).padStart(digits + 1, '0');
  const whole = digits === 0 ? text : text.slice(0, -digits);
  return place(negative, whole, digits === 0 ? '' : text.slice(-digits), currency);
}

/**
 * Formats minor units given as decimal text, which may hold a fraction (thresholds and values of alerts): `1000.0` in
 * USD is `$10.00`, in JPY `¥1,000`. Empty for anything but a decimal.
 */
export function formatMinor(decimalText: string, currency: string): string {
  if (!DECIMAL.test(decimalText)) return '';
  const negative = decimalText.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? decimalText.slice(1) : decimalText).split('.');
  const digits = currencyDigits(currency);
  // As in formatMoney: MRO's fifths are shown as two decimals.
  const scaled = BigInt(whole + fraction) * BigInt(10 ** digits / minorUnits(currency));
  const places = digits + fraction.length;
  const text = String(scaled).padStart(places + 1, '0');
  const major = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  return formatMajor(negative ? `-${major}` : major, currency);
}

/**
 * An amount in major units given as a decimal text (a unit price): `0.0002` in USD is `$0.0002`, `12.5` is `$12.50`.
 * Shows at least the currency's digits, and no trailing zeros beyond them. Empty for anything but a decimal.
 */
export function formatMajor(decimalText: string, currency: string): string {
  if (!DECIMAL.test(decimalText)) return '';
  const negative = decimalText.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? decimalText.slice(1) : decimalText).split('.');
  const digits = currencyDigits(currency);
  const kept = fraction.replace(/0+$/, '').padEnd(digits, '0');
  return place(negative && /[1-9]/.test(decimalText), whole.replace(/^0+(?=\d)/, ''), kept, currency);
}

/** Null for an amount beyond 2^53, too: it is not computed with. */
export function centsOf(cents: Cents | null | undefined): number | null {
  return typeof cents === 'number' ? cents : null;
}

/** The exact value as decimal text, without exponent and trailing zeros. Throws for anything but a decimal. */
export function decimalText(value: string | number): string {
  return new Big(value).toFixed();
}

/** A decimal grouped by thousands, without trailing zeros: `1250.0` → `1,250`. Null for anything but a decimal. */
export function formatNumber(value: unknown): string | null {
  if (Number.isInteger(value) && Math.abs(value as number) < 1000) return String(value);
  const text = typeof value === 'number' && Number.isFinite(value) ? plain(value) : value;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return null;
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const kept = fraction.replace(/0+$/, '');
  const sign = negative && /[1-9]/.test(text) ? '-' : '';
  return `${sign}${group(whole.replace(/^0+(?=\d)/, ''))}${kept === '' ? '' : `.${kept}`}`;
}

function place(negative: boolean, whole: string, fraction: string, currency: string): string {
  const amount = fraction === '' ? group(whole) : `${group(whole)}.${fraction}`;
  const sign = negative ? '-' : '';
  if (!known.has(currency)) return currency === '' ? `${sign}${amount}` : `${sign}${amount} ${currency}`;
  return `${sign}${symbols[currency] ?? `${currency} `}${amount}`;
}

function group(whole: string): string {
  if (whole.length <= 3) return whole;
  const head = whole.length % 3;
  let text = whole.slice(0, head);
  for (let i = head; i < whole.length; i += 3)
    text += text === '' ? whole.slice(i, i + 3) : `,${whole.slice(i, i + 3)}`;
  return text;
}

function toInteger(cents: number | string | bigint): bigint | null {
  if (typeof cents === 'bigint') return cents;
  if (typeof cents === 'number') return Number.isInteger(cents) ? BigInt(cents) : null;
  return typeof cents === 'string' && /^-?\d{1,60}$/.test(cents) ? BigInt(cents) : null;
}

function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Big(text).toFixed() : text;
}
