/** Money and decimals (service-behaviour §6): no binary float anywhere between input and cents. */
import Big from 'big.js';
import { currencyDigits, minorUnits } from '../../model/currencies.ts';
import type { DecimalText } from '../records/index.ts';

// Quotients carry 40 decimals, so that a product with a later factor is still exact to the 15 that are shown.
Big.DP = 40;
// Never an exponent in text.
Big.NE = -1000;
Big.PE = 1000;

export const ZERO = new Big(0);

/** Exact decimal of a text or an integer. Refuses a binary fraction: decimals travel as text. */
export function decimal(value: DecimalText | number | Big): Big {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw new TypeError(`decimal(${value}): pass decimals as text, not as binary floats`);
  }
  return new Big(value);
}

// A third times 0.015 is half a cent, but its 40 decimals fall short of it: what lies beyond 30 decimals is such a rest.
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
