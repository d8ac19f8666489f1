/** Money and decimals (service-behaviour §6): exact, except for `floatShare`, and for the figures shown next to the cents. */
import Big from 'big.js';
import type { DecimalText } from '../../lib/json.ts';
import { currencyDigits, minorUnits } from '../currencies.ts';

// Quotients have 40 decimals, so that their products are still exact to the 15 decimals that are shown.
Big.DP = 40;
// Text never has an exponent.
Big.NE = -1000;
Big.PE = 1000;

export const ZERO = new Big(0);

/** Exact decimal of a text or integer. Throws `TypeError` for a number with a fraction: decimals are passed as text. */
export function decimal(value: DecimalText | number | Big): Big {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw new TypeError(`decimal(${value}): pass decimals as text, not as binary floats`);
  }
  return new Big(value);
}

/** Decimals of units (§1.6). */
export const UNIT_DIGITS = 20;

const NUMERIC = /^-?\d+(\.\d+)?$/;

/** Whether a property is a number as text; sums, max, latest and weighted sums leave out events without one (§8). */
export function isNumeric(text: string | null): text is string {
  return text !== null && NUMERIC.test(text);
}

// 1 ÷ 3 × 0.015 is half a cent, but slightly less with 40 decimals: rounding to 30 decimals first corrects that.
const TRUE_DECIMALS = 30;

/** Rounds half up, away from zero. `digits` may be negative (tens, hundreds). */
export function round(value: Big, digits = 0): Big {
  const exact = digits < TRUE_DECIMALS ? value.round(TRUE_DECIMALS, Big.roundHalfUp) : value;
  if (digits >= 0) return exact.round(digits, Big.roundHalfUp);
  const unit = new Big(10).pow(-digits);
  return exact.div(unit).round(0, Big.roundHalfUp).times(unit);
}

/** Major units, unrounded → cents: rounded to the currency's digits, then counted in minor units. */
export function toCents(amount: Big, currency: string): number {
  return Number(round(round(amount, currencyDigits(currency)).times(minorUnits(currency))).toFixed());
}

/** Cents → major units, exact. */
export function fromCents(cents: number | Big, currency: string): Big {
  return decimal(cents).div(minorUnits(currency));
}

/** Decimal text as the service shows it: no exponent, trailing zeros cut, at least one decimal (`1.0`, `0.02`). */
export function decimalText(value: Big, maxDigits = 15): DecimalText {
  const text = round(value, maxDigits).toFixed();
  const plain = text === '-0' ? '0' : text;
  return plain.includes('.') ? plain : `${plain}.0`;
}

/**
 * amount ÷ `of` × `parts` in 64-bit floats: the service computes amounts of days and coupons in percent this way, and
 * nothing else (§6). 995 ÷ 30 × 15 is 497.4999999999999: it keeps 16 digits.
 */
export function floatShare(amount: Big | number, of: number, parts: number): Big {
  return new Big((Number(amount) / of) * parts).prec(16, Big.roundDown);
}

/** A decimal that the service keeps in a 64-bit float on its way, cut to 16 digits: exact taxes and totals of fees (§6). */
export function throughFloat(value: Big): Big {
  return new Big(Number(value)).prec(16, Big.roundDown);
}

/** A price that the service shows with the 16 digits of its float: 9.22 is 9.220000000000001 (§6). */
export function asFloat(value: Big): Big {
  return new Big(Number(value).toPrecision(16));
}

export function least(a: Big, b: Big): Big {
  return a.lt(b) ? a : b;
}
