/** Decimal text as three integers, so that a database can add the numbers without binary floats. */

/**
 * `number = int + frac_hi / 1e9 + frac_lo / 1e18`, each part carrying the sign.
 * All three are null for text that is not a number (§8), and for a number that is not `exact` (more than 15 digits
 * before, or 18 after the point), whose text has to be read instead.
 */
export interface NumberParts {
  int: number | null;
  frac_hi: number | null;
  frac_lo: number | null;
  exact: boolean;
}

const NUMERIC = /^(-?)(\d+)(?:\.(\d+))?$/;
const INTEGER_DIGITS = 15;
const FRACTION_DIGITS = 18;
const NOT_NUMERIC: NumberParts = { int: null, frac_hi: null, frac_lo: null, exact: true };

export function splitNumber(text: string | null): NumberParts {
  const [, sign, whole, fraction] = NUMERIC.exec(text ?? '') ?? [];
  if (whole === undefined) return NOT_NUMERIC;
  const integer = whole.replace(/^0+(?=\d)/, '');
  const decimals = (fraction ?? '').replace(/0+$/, '');
  if (integer.length > INTEGER_DIGITS || decimals.length > FRACTION_DIGITS) return { ...NOT_NUMERIC, exact: false };
  const padded = decimals.padEnd(FRACTION_DIGITS, '0');
  // Adding 0 turns a negative zero into zero.
  const signed = (digits: string) => (sign === '-' ? -Number(digits) : Number(digits)) + 0;
  return { int: signed(integer), frac_hi: signed(padded.slice(0, 9)), frac_lo: signed(padded.slice(9)), exact: true };
}

/**
 * value × milliseconds since 1970, in units of 1e-18: `moment_0 + moment_1 × 1e12 + moment_2 × 1e24 + moment_3 × 1e36`, each
 * part carrying the sign. All null when the value is not an exact number.
 */
export type MomentParts = Record<`moment_${0 | 1 | 2 | 3}`, number | null>;

const PART = 1_000_000_000_000n;
const NO_MOMENT: MomentParts = { moment_0: null, moment_1: null, moment_2: null, moment_3: null };

export function momentParts(value: NumberParts | null, timestamp: string): MomentParts {
  if (value === null || value.int === null) return NO_MOMENT;
  const billion = 1_000_000_000n;
  const whole = (BigInt(value.int) * billion + BigInt(value.frac_hi ?? 0)) * billion + BigInt(value.frac_lo ?? 0);
  const moment = whole * BigInt(Date.parse(timestamp));
  return {
    moment_0: Number(moment % PART),
    moment_1: Number((moment / PART) % PART),
    moment_2: Number((moment / PART ** 2n) % PART),
    moment_3: Number(moment / PART ** 3n),
  };
}
