/** Coupons (§11.1): taken off before tax, one after the other, and spread over the fees. */
import type Big from 'big.js';
import type { CouponType } from '../../model/enums.ts';
import type { AppliedCouponRecord, InvoiceCredit } from '../records/index.ts';
import { type BillableFee, taxableCents } from './fees.ts';
import { decimal, decimalText, round, ZERO } from './money.ts';

/** A coupon ready to be used on one invoice: the values of an applied coupon and the limits of its coupon. */
export interface UsableCoupon {
  coupon_id: string | null;
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
  /** The base is the whole sub-total, whatever the limits: previews use plan-limited coupons so (§12.6). */
  covers_all?: boolean;
}

export interface CouponsResult {
  fees: BillableFee[];
  credits: InvoiceCredit[];
  coupons_amount_cents: number;
}

/**
 * Takes the coupons off the fees: limited to metrics first, then limited to plans, then the rest, each group oldest
 * first, while the sub-total is positive. A fixed coupon takes at most what its fees have left, and only in its own
 * currency; a percentage takes round(base × rate ÷ 100). The sub-total never falls below zero.
 */
export function applyCoupons(
  fees: readonly BillableFee[],
  coupons: readonly UsableCoupon[],
  currency: string,
): CouponsResult {
  let current = [...fees];
  const credits: InvoiceCredit[] = [];
  let subTotal = fees.reduce((total, fee) => total + fee.record.amount_cents, 0);
  for (const coupon of [...coupons].sort(inOrder)) {
    if (subTotal <= 0) break;
    const covered = current.map(fee => isCovered(fee, coupon));
    const base = covered.every(Boolean) ? decimal(subTotal) : leftOf(current.filter((_, i) => covered[i]));
    // Earlier coupons may leave fractions of a cent on limited fees; a coupon takes only whole cents.
    const cents = Math.min(couponCents(coupon, base, currency), wholeCents(base), subTotal);
    if (cents <= 0) continue;
    current = current.map((fee, i) => (covered[i] ? withCoupon(fee, cents, base) : fee));
    credits.push(couponCredit(coupon, cents, currency));
    subTotal -= cents;
  }
  return { fees: current, credits, coupons_amount_cents: credits.reduce((total, c) => total + c.amount_cents, 0) };
}

/** Cents that an applied coupon may take from one invoice: a `once` coupon what remains, others their full amount. */
export function usableAmount(applied: AppliedCouponRecord): number {
  if (applied.frequency !== 'once') return applied.amount_cents ?? 0;
  return applied.amount_cents_remaining ?? applied.amount_cents ?? 0;
}

/** Cents of some fees after earlier coupons. Shares are rounded: for all fees this may not equal the sub-total. */
function leftOf(fees: readonly BillableFee[]): Big {
  return fees.reduce((total, fee) => total.plus(taxableCents(fee.record)), ZERO);
}

function inOrder(a: UsableCoupon, b: UsableCoupon): number {
  return rank(a) - rank(b) || (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0);
}

function rank(coupon: UsableCoupon): number {
  if (coupon.metric_codes.length > 0) return 0;
  return coupon.plan_codes.length > 0 ? 1 : 2;
}

function isCovered(fee: BillableFee, coupon: UsableCoupon): boolean {
  if (coupon.covers_all) return true;
  if (coupon.metric_codes.length > 0) return fee.metric_code !== null && coupon.metric_codes.includes(fee.metric_code);
  if (coupon.plan_codes.length > 0) return fee.plan_code !== null && coupon.plan_codes.includes(fee.plan_code);
  return true;
}

function couponCents(coupon: UsableCoupon, base: Big, currency: string): number {
  if (coupon.coupon_type === 'percentage') {
    return Number(round(base.times(decimal(coupon.percentage_rate ?? '0')).div(100)).toFixed());
  }
  return coupon.amount_currency === currency ? coupon.amount_cents : 0;
}

function wholeCents(base: Big): number {
  return Number(base.round(0, 0).toFixed());
}

/** The fee with its share of a coupon: credit × what the fee has left ÷ base, 5 decimals. */
function withCoupon(fee: BillableFee, cents: number, base: Big): BillableFee {
  const left = taxableCents(fee.record);
  const share = round(left.times(cents).div(base), 5);
  const coupons = decimal(fee.record.precise_coupons_amount_cents).plus(share);
  return { ...fee, record: { ...fee.record, precise_coupons_amount_cents: decimalText(coupons, 5) } };
}

function couponCredit(coupon: UsableCoupon, cents: number, currency: string): InvoiceCredit {
  return {
    id: null,
    amount_cents: cents,
    amount_currency: currency,
    before_taxes: true,
    item: { item_id: coupon.coupon_id, type: 'coupon', code: coupon.code, name: coupon.name },
    invoice: null,
  };
}
