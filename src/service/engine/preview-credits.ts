/** Coupons and credit notes as a preview uses them (§12.6). No balance is changed. */
import type { CouponType } from '../../model/enums.ts';
import type { AppliedCouponRecord, CouponRecord, CreditNoteRecord, FeeRecord, InstantText } from '../records/index.ts';
import { type UsableCoupon, usableAmount } from './coupons.ts';
import type { UsableCreditNote } from './credits.ts';
import { type PlanFeeTerms, unusedPlanCents } from './fees-subscription.ts';
import { decimal, round } from './money.ts';

/** A coupon as a preview's request gives it; `code` may be that of a stored coupon. */
export interface RequestCoupon {
  code: string;
  name: string;
  coupon_type: CouponType;
  amount_cents: number;
  amount_currency: string | null;
  percentage_rate: string | null;
}

export interface PreviewCoupons {
  /** The stored customer's active coupons; if there are any, the request's are ignored. */
  applied: readonly { applied: AppliedCouponRecord; coupon: CouponRecord }[];
  requested: readonly RequestCoupon[];
  /** Stored coupons by code; a requested coupon with such a code takes the stored values. */
  stored: ReadonlyMap<string, CouponRecord>;
  /** Plan of the first subscription, which plan-limited coupons are compared with. */
  plan_code: string;
  /** The invoice's currency, also used for a requested fixed coupon without one. */
  currency: string;
  now: InstantText;
}

/**
 * The coupons of a preview. Metric-limited ones are left out; a plan-limited one counts when it names the first
 * subscription's plan, and then takes the full fee total as its base. An ended coupon is not used.
 */
export function previewCoupons(input: PreviewCoupons): UsableCoupon[] {
  const coupons =
    input.applied.length > 0 ? input.applied.map(ofApplied) : input.requested.flatMap(c => ofRequest(c, input));
  return coupons
    .filter(coupon => coupon.metric_codes.length === 0)
    .filter(coupon => coupon.plan_codes.length === 0 || coupon.plan_codes.includes(input.plan_code))
    .map(coupon => ({ ...coupon, covers_all: true }));
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
 * Cents that a termination gives back: unused days ÷ L × price as billed, at most what is left of the plan fee, less
 * their share of the coupons, rounded, plus its tax, rounded (§12.6: 6.45 + 3.23 → 6 + 3 = 9). 0 for a plan fee of 0.
 */
export function unusedPartCents(part: UnusedPart): number {
  const { billed, terms } = part;
  if (billed.amount_cents === 0) return 0;
  const unused = unusedPlanCents(terms, billedPriceCents(billed) ?? terms.plan.amount_cents, part.terminated_at);
  const left = decimal(Math.max(billed.amount_cents - part.credited_cents, 0));
  const price = unused.gt(left) ? left : unused;
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

/** The credit note of an unused part: it has no number yet, and is used before the stored ones. */
export function unusedPartNote(part: UnusedPart): UsableCreditNote {
  return { id: null, number: '', balance_amount_cents: unusedPartCents(part), invoice: null };
}

/** Cents of a fee that finalized credit notes have given back. */
export function creditedCents(fee: FeeRecord, notes: readonly CreditNoteRecord[]): number {
  return notes
    .filter(note => note.status === 'finalized')
    .flatMap(note => note.items)
    .filter(item => item.fee_id === fee.id)
    .reduce((total, item) => total + item.amount_cents, 0);
}

function ofApplied({ applied, coupon }: { applied: AppliedCouponRecord; coupon: CouponRecord }): UsableCoupon {
  return {
    coupon_id: coupon.id,
    code: coupon.code,
    name: coupon.name,
    coupon_type: coupon.coupon_type,
    amount_cents: usableAmount(applied),
    amount_currency: applied.amount_currency,
    percentage_rate: applied.percentage_rate,
    metric_codes: coupon.billable_metric_codes,
    plan_codes: coupon.plan_codes,
    created_at: applied.created_at,
  };
}

function ofRequest(requested: RequestCoupon, { stored, now, currency }: PreviewCoupons): UsableCoupon[] {
  const coupon = stored.get(requested.code);
  if (coupon === undefined) {
    const limits = { coupon_id: null, metric_codes: [], plan_codes: [], created_at: now };
    return [{ ...requested, ...limits, amount_currency: requested.amount_currency ?? currency }];
  }
  if (coupon.status !== 'active' || (coupon.expiration_at !== null && coupon.expiration_at <= now)) return [];
  return [
    {
      coupon_id: coupon.id,
      code: coupon.code,
      name: coupon.name,
      coupon_type: coupon.coupon_type,
      amount_cents: coupon.amount_cents ?? 0,
      amount_currency: coupon.amount_currency,
      percentage_rate: coupon.percentage_rate,
      metric_codes: coupon.billable_metric_codes,
      plan_codes: coupon.plan_codes,
      // A request's coupons are used in the order in which it lists them.
      created_at: now,
    },
  ];
}
