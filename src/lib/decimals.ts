/** Decimals of answers and properties, read exactly. */
import Big from 'big.js';

const NUMBER = /^[+-]?(?:\d{1,60}\.?\d{0,60}|\.\d{1,60})(?:e[+-]?\d{1,3})?$/i;

/** The exact value; null where there is none, and for a text that is no number or has more digits than any amount. */
export function big(value: string | number | null | undefined): Big | null {
  const text = String(value ?? '');
  return NUMBER.test(text) ? new Big(text.replace(/^\+/, '')) : null;
}

/** The same for what is never negative: quantities and prices. */
export function unsigned(value: string | number | null | undefined): Big | null {
  const exact = big(value);
  return exact?.gte(0) ? exact : null;
}

/** Are they the same amount? Answers show 15 decimals. */
export function isSame(a: Big, b: Big): boolean {
  return a.minus(b).abs().lt('0.0000000001');
}
