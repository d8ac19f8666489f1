/**
 * A second, independent calculation of a charge's minimum (§10.2) and of the unused part of a plan (§12.6), written from the
 * rules alone. It uses quotients of integers instead of decimals, and the floats of §6 by their shortest text.
 */

/** n ÷ d, rounded half up; neither is negative. */
function rounded(n: bigint, d: bigint): bigint {
  return (2n * n + d) / (2n * d);
}

const MILLION = 1_000_000n;
const SCALE = 10n ** 20n;

/** Price ÷ length × days in floats, in 10⁻²⁰ of the price's unit. */
function floatOfDays(price: number, periodDays: number, days: number): bigint {
  const [int = '0', fraction = ''] = String((price / periodDays) * days).split('.');
  // It keeps 16 digits.
  const kept = fraction.slice(0, 16 - int.replace(/^0/, '').length);
  return BigInt(int + kept.padEnd(20, '0'));
}

/**
 * The true-up of a minimum in cents, over so many days of a period. Fees are in millionths of a cent, not rounded. The
 * precise amount is in 10⁻¹⁵ major units of 100 cents, rounded, and may be negative.
 */
export function trueUp(
  minimum: number,
  days: number,
  periodDays: number,
  fees: readonly bigint[],
): { cents: bigint; precise: bigint } | null {
  const due = floatOfDays(minimum, periodDays, days);
  const billed = fees.reduce((sum, fee) => sum + rounded(fee, MILLION), 0n) * SCALE;
  if (billed >= due) return null;
  const missing = due - (fees.reduce((sum, fee) => sum + fee, 0n) * SCALE) / MILLION;
  const sign = missing < 0n ? -1n : 1n;
  return { cents: rounded(due - billed, SCALE), precise: sign * rounded(sign * missing, 10n ** 7n) };
}

export interface ReferencePlanFee {
  /** The plan's whole price, the fee, and what credit notes gave back; all in cents. */
  price: number;
  billed: number;
  credited: number;
  /** 10⁻⁵ cents. */
  coupons: number;
  /** Whole percent. */
  rate: number;
}

/** Cents, tax included, that so many unused days of a period give back. */
export function unusedPart(fee: ReferencePlanFee, days: number, periodDays: number): bigint {
  if (fee.billed === 0) return 0n;
  const whole = BigInt(fee.billed) * 100_000n;
  const unused = floatOfDays(fee.price, periodDays, days) / 10n ** 15n; // cut at 5 decimals
  const left = (unused < whole ? unused : whole) - BigInt(fee.credited) * 100_000n;
  const n = (left < 0n ? 0n : left) * (whole - BigInt(fee.coupons));
  const d = 100_000n * whole;
  return rounded(n, d) + rounded(n * BigInt(fee.rate), d * 100n);
}
