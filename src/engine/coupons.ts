/** Coupons (§11.1): taken off before tax, one after the other, and spread over the fees. */
import type Big from 'big.js';
import type { CouponType } from '../contract/enums.ts';
import { decimal, decimalText, floatShare, round, ZERO } from '../contract/pricing/money.ts';
import { byText } from '../lib/text.ts';
import { type BillableFee, taxableCents } from './fees.ts';
import type { AppliedCouponRecord, InvoiceCredit } from './records/index.ts';

/** A coupon ready to be used on one invoice: the values of an applied coupon and the limits of its coupon. */
export interface UsableCoupon {
  coupon_id: string | null;
  applied_coupon_id?: string;
  code: string;
  name: string;
  coupon_type: CouponType;
  /** Fixed coupons: cents that may still be taken. */
  amount_cents: number;
  amount_currency: string | null;
  /** Percent. */
  percentage_rate: string | null;
  metric_codes: readonly string[];
  plan_codes: readonly string[];
  created_at: string;
  /** Whether what it takes from one invoice is gone for the next. */
  once?: boolean;
  /** The base is the total of all fees, whatever earlier coupons took: so with plan-limited coupons in previews (§12.6). */
  full_base?: boolean;
}

/** A coupon that takes nothing, and why. */
export interface SkippedCoupon {
  code: string;
  reason: string;
}

/** Stored coupons in the order of their use: limited to metrics, then limited to plans, then the rest, oldest first. */
export function inOrderOfUse(coupons: readonly UsableCoupon[]): UsableCoupon[] {
  return [...coupons].sort((a, b) => rank(a) - rank(b) || byText(a.created_at, b.created_at));
}

/**
 * Takes the coupons off the fees, in the given order, while the sub-total is positive. A fixed coupon takes at most what
 * its fees have left, and only in its own currency; a percentage takes round(base × (rate ÷ 100)). The sub-total never
 * falls below zero. `skipped` are the coupons that take nothing.
 */
export function applyCoupons(fees: readonly BillableFee[], coupons: readonly UsableCoupon[], currency: string) {
  let current = [...fees];
  const credits: InvoiceCredit[] = [];
  const skipped: SkippedCoupon[] = [];
  const feesCents = fees.reduce((total, fee) => total + fee.record.amount_cents, 0);
  let subTotal = feesCents;
  for (const coupon of coupons) {
    const covered = current.map(fee => isCovered(fee, coupon));
    const base = baseOf(coupon, current, covered, feesCents, subTotal);
    // Earlier coupons may leave fractions of a cent on limited fees; a coupon takes only whole cents.
    const whole = Number(base.round(0, 0).toFixed());
    const cents = Math.min(couponCents(coupon, base, currency), whole, subTotal);
    if (cents <= 0) {
      skipped.push({ code: coupon.code, reason: whyNothing(coupon, currency, base, subTotal) });
      continue;
    }
    current = current.map((fee, i) => (covered[i] ? withCoupon(fee, cents, base) : fee));
    credits.push({
      id: null,
      amount_cents: cents,
      amount_currency: currency,
      before_taxes: true,
      item: { item_id: coupon.coupon_id, type: 'coupon', code: coupon.code, name: coupon.name },
      ...(coupon.applied_coupon_id === undefined ? {} : { applied_coupon_id: coupon.applied_coupon_id }),
      invoice: null,
    });
    subTotal -= cents;
  }
  return { fees: current, credits, coupons_amount_cents: feesCents - subTotal, skipped };
}

/** Cents that an applied coupon may take from one invoice: what remains of a `once` coupon, the full amount of others. */
export function usableAmount(applied: AppliedCouponRecord): number {
  if (applied.frequency !== 'once') return applied.amount_cents ?? 0;
  return applied.amount_cents_remaining ?? applied.amount_cents ?? 0;
}

/** Cents that a coupon is taken from: what earlier coupons left of the fees that it covers. */
function baseOf(
  coupon: UsableCoupon,
  fees: readonly BillableFee[],
  covered: readonly boolean[],
  feesCents: number,
  subTotal: number,
): Big {
  if (coupon.full_base) return decimal(feesCents);
  // Shares are rounded: their sum may not equal the sub-total.
  if (covered.every(Boolean)) return decimal(subTotal);
  return fees.reduce((total, fee, i) => (covered[i] ? total.plus(taxableCents(fee.record)) : total), ZERO);
}

function whyNothing(coupon: UsableCoupon, currency: string, base: Big, subTotal: number): string {
  if (isInOtherCurrency(coupon, currency))
    return `its amount is in ${coupon.amount_currency}, the invoice in ${currency}`;
  return subTotal > 0 && base.gte(1) ? 'it comes to nothing' : 'nothing was left to take it from';
}

/** Whether it is a fixed coupon of another currency: it takes nothing (§11.1, §12.6). */
function isInOtherCurrency(coupon: UsableCoupon, currency: string): boolean {
  return coupon.coupon_type === 'fixed_amount' && coupon.amount_currency !== currency;
}

function rank(coupon: UsableCoupon): number {
  if (coupon.metric_codes.length > 0) return 0;
  return coupon.plan_codes.length > 0 ? 1 : 2;
}

function isCovered(fee: BillableFee, coupon: UsableCoupon): boolean {
  if (coupon.full_base) return true;
  if (coupon.metric_codes.length > 0) return fee.metric_code !== null && coupon.metric_codes.includes(fee.metric_code);
  if (coupon.plan_codes.length > 0) return fee.plan_code !== null && coupon.plan_codes.includes(fee.plan_code);
  return true;
}

function couponCents(coupon: UsableCoupon, base: Big, currency: string): number {
  if (coupon.coupon_type === 'percentage') {
    return Number(round(floatShare(decimal(coupon.percentage_rate ?? '0'), 100, Number(base))).toFixed());
  }
  return isInOtherCurrency(coupon, currency) ? 0 : coupon.amount_cents;
}

/** The fee with its share of a coupon: credit × what the fee has left ÷ base, 5 decimals. */
function withCoupon(fee: BillableFee, cents: number, base: Big): BillableFee {
  const left = taxableCents(fee.record);
  const share = round(left.times(cents).div(base), 5);
  const coupons = decimal(fee.record.precise_coupons_amount_cents).plus(share);
  return { ...fee, record: { ...fee.record, precise_coupons_amount_cents: decimalText(coupons, 5) } };
}
