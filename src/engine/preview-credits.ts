/** Coupons and credit notes as a preview uses them (§12.6). No balance is changed. */
import { notNegative } from '../contract/pricing/models/model.ts';
import { decimal, least, round } from '../contract/pricing/money.ts';
import { inOrderOfUse, type SkippedCoupon, type UsableCoupon, usableAmount } from './coupons.ts';
import { type PlanFeeTerms, unusedPlanCents } from './fees-subscription.ts';
import type { AppliedCouponRecord, CouponRecord, CreditNoteRecord, FeeRecord, InstantText } from './records/index.ts';

/** A coupon as a preview's request gives it; `code` may be that of a stored coupon. */
export type RequestCoupon = Pick<
  UsableCoupon,
  'code' | 'name' | 'coupon_type' | 'amount_cents' | 'amount_currency' | 'percentage_rate'
>;

export interface PreviewCoupons {
  /** The stored customer's active coupons; if there are any, the request's are ignored. */
  applied: readonly { applied: AppliedCouponRecord; coupon: CouponRecord }[];
  requested: readonly RequestCoupon[];
  /** Stored coupons by code; a requested coupon with such a code takes the stored values. */
  stored: ReadonlyMap<string, CouponRecord>;
  /** Plan of the first subscription, which plan-limited coupons are compared with. */
  plan_code: string;
  now: InstantText;
}

/**
 * The coupons of a preview, in the order of their use: applied ones as in §11.1, the request's as it lists them. Left out,
 * with the reason, are metric-limited ones, plan-limited ones that do not name the first subscription's plan, ended ones,
 * and fixed ones of the request without a currency. A plan-limited one has the full fee total as its base.
 */
export function previewCoupons(input: PreviewCoupons): { coupons: UsableCoupon[]; skipped: SkippedCoupon[] } {
  const { applied, requested, stored, now } = input;
  const candidates =
    applied.length > 0
      ? inOrderOfUse(applied.map(appliedAsUsable)).map(coupon => ({ coupon, ended: false }))
      : requested.map(each => requestedAsUsable(each, stored.get(each.code), now));
  const coupons: UsableCoupon[] = [];
  const skipped: SkippedCoupon[] = [];
  for (const { coupon, ended } of candidates) {
    const reason = ended ? 'it has ended' : whyNotInPreview(coupon, input.plan_code);
    if (reason === null) coupons.push({ ...coupon, full_base: coupon.plan_codes.length > 0 });
    else skipped.push({ code: coupon.code, reason });
  }
  if (applied.length > 0) {
    const reason = "the customer's own coupons are used instead";
    skipped.push(...requested.map(({ code }) => ({ code, reason })));
  }
  return { coupons, skipped };
}

function whyNotInPreview(coupon: UsableCoupon, planCode: string): string | null {
  const { metric_codes: metrics, plan_codes: plans } = coupon;
  if (metrics.length > 0) return `limited to ${kindAndCodes('metric', metrics)}; previews omit such coupons`;
  if (plans.length > 0 && !plans.includes(planCode)) return `limited to ${kindAndCodes('plan', plans)}`;
  const isFixed = coupon.coupon_type === 'fixed_amount';
  return isFixed && coupon.amount_currency === null ? 'it has a fixed amount but no amount_currency' : null;
}

function kindAndCodes(kind: string, codes: readonly string[]): string {
  return `${kind}${codes.length > 1 ? 's' : ''} ${codes.join(', ')}`;
}

/** What the credit note for the unused part of a pay-in-advance plan is computed from. */
export interface UnusedPart {
  terms: PlanFeeTerms;
  terminated_at: InstantText;
  /** The last plan fee of the subscription on a stored invoice. */
  billed: FeeRecord;
  /** Cents of that fee that credit notes have given back already. */
  credited_cents: number;
}

/**
 * Cents that a termination gives back: unused days ÷ L × price as billed, at most the plan fee, then less what credit notes
 * took off it; less its share of the coupons, rounded, plus its tax, rounded (§12.6: 6.45 + 3.23 → 6 + 3 = 9). Never below 0.
 */
export function unusedPartCents(part: UnusedPart): number {
  const { billed, terms } = part;
  if (billed.amount_cents === 0) return 0;
  const unused = unusedPlanCents(terms, billedPriceCents(billed) ?? terms.plan.amount_cents, part.terminated_at);
  const price = notNegative(least(unused, decimal(billed.amount_cents)).minus(part.credited_cents));
  const coupons = decimal(billed.precise_coupons_amount_cents).times(price).div(billed.amount_cents);
  const cents = price.minus(coupons);
  return Number(
    round(cents)
      .plus(round(cents.times(decimal(billed.taxes_rate)).div(100)))
      .toFixed(),
  );
}

/** The plan's price as a plan fee was billed; null when the fee does not say it. */
function billedPriceCents(fee: FeeRecord): number | null {
  const price = fee.amount_details.plan_amount_cents;
  return Number.isInteger(price) ? (price as number) : null;
}

/** Cents of a fee that finalized credit notes have given back. */
export function creditedCents(fee: FeeRecord, notes: readonly CreditNoteRecord[]): number {
  return notes
    .filter(note => note.status === 'finalized')
    .flatMap(note => note.items)
    .filter(item => item.fee_id === fee.id)
    .reduce((total, item) => total + item.amount_cents, 0);
}

function appliedAsUsable({ applied, coupon }: { applied: AppliedCouponRecord; coupon: CouponRecord }): UsableCoupon {
  return {
    ...termsOf(coupon),
    amount_cents: usableAmount(applied),
    amount_currency: applied.amount_currency,
    percentage_rate: applied.percentage_rate,
    created_at: applied.created_at,
    once: applied.frequency === 'once',
  };
}

function requestedAsUsable(
  requested: RequestCoupon,
  stored: CouponRecord | undefined,
  now: InstantText,
): { coupon: UsableCoupon; ended: boolean } {
  if (stored === undefined) {
    const limits = { coupon_id: null, metric_codes: [], plan_codes: [], created_at: now };
    return { coupon: { ...requested, ...limits }, ended: false };
  }
  const coupon = {
    ...termsOf(stored),
    amount_cents: stored.amount_cents ?? 0,
    amount_currency: stored.amount_currency,
    percentage_rate: stored.percentage_rate,
    created_at: stored.created_at,
  };
  const ended = stored.status !== 'active' || (stored.expiration_at !== null && stored.expiration_at <= now);
  return { coupon, ended };
}

/** What is the coupon's own, also where it is applied at another price. */
function termsOf({ id, code, name, coupon_type, billable_metric_codes, plan_codes }: CouponRecord) {
  return { coupon_id: id, code, name, coupon_type, metric_codes: billable_metric_codes, plan_codes };
}
