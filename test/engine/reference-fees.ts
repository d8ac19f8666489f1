/**
 * A second, independent calculation of a charge's minimum (§10.2) and of the unused part of a plan (§12.6), written from the
 * rules alone. It uses quotients of integers instead of decimals.
 */

/** n ÷ d, rounded half up; neither is negative. */
function rounded(n: bigint, d: bigint): bigint {
  return (2n * n + d) / (2n * d);
}

const MILLION = 1_000_000n;

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
  const period = BigInt(periodDays);
  const due = BigInt(minimum) * BigInt(days);
  const billed = fees.reduce((sum, fee) => sum + rounded(fee, MILLION), 0n);
  if (billed * period >= due) return null;
  const unrounded = fees.reduce((sum, fee) => sum + fee, 0n);
  const missing = (due * MILLION - unrounded * period) * 10n ** 13n;
  const sign = missing < 0n ? -1n : 1n;
  return {
    cents: rounded(due - billed * period, period),
    precise: sign * rounded(sign * missing, period * MILLION),
  };
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
  const unused = BigInt(fee.price * days);
  const left = BigInt(Math.max(fee.billed - fee.credited, 0) * periodDays);
  const whole = BigInt(fee.billed) * 100_000n;
  const n = (unused < left ? unused : left) * (whole - BigInt(fee.coupons));
  const d = BigInt(periodDays) * whole;
  return rounded(n, d) + rounded(n * BigInt(fee.rate), d * 100n);
}
