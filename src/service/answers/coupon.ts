import {
  type AppliedCouponRecord,
  type CouponRecord,
  type CustomerRecord,
  coupons,
  type InvoiceRecord,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { amount, instant } from './formats.ts';
import { creditAnswer } from './invoice.ts';

/** A coupon (lookups §10). It has no `status`: it is terminated when `terminated_at` is set. */
export function couponAnswer(coupon: CouponRecord) {
  return {
    svc_id: coupon.id,
    ...pick(coupon, coupons.shown.heading),
    ...terms(coupon),
    ...pick(coupon, coupons.shown.kind),
    limited_plans: coupon.plan_codes.length > 0,
    limited_billable_metrics: coupon.billable_metric_codes.length > 0,
    ...pick(coupon, coupons.shown.limits),
    created_at: instant(coupon.created_at),
    expiration: coupon.expiration,
    expiration_at: instant(coupon.expiration_at),
    terminated_at: instant(coupon.terminated_at),
  };
}

export interface AppliedCouponRelations {
  coupon: CouponRecord;
  customer: CustomerRecord;
  /** The customer's shown invoices with coupons. */
  invoices: readonly InvoiceRecord[];
}

/** A coupon that a customer has, with the credits that invoices took from it (lookups §10). */
export function appliedCouponAnswer(
  applied: AppliedCouponRecord,
  { coupon, customer, invoices }: AppliedCouponRelations,
) {
  // A credit that names no applied coupon is found by its coupon.
  const credits = invoices.flatMap(invoice =>
    invoice.credits
      .filter(({ item, applied_coupon_id: id }) =>
        id === undefined ? item.type === 'coupon' && item.item_id === coupon.id : id === applied.id,
      )
      .map(credit => {
        const answer = creditAnswer(credit, invoice);
        return { ...answer, item: { ...answer.item, description: coupon.description } };
      }),
  );
  const lasting = coupon.coupon_type === 'percentage' || applied.frequency !== 'once';
  return {
    svc_id: applied.id,
    svc_coupon_id: coupon.id,
    coupon_code: coupon.code,
    coupon_name: coupon.name,
    coupon_description: coupon.description,
    coupon_status: coupon.status,
    coupon_deleted_at: null,
    svc_customer_id: customer.id,
    external_customer_id: customer.external_id,
    status: applied.status,
    ...terms(applied),
    amount_cents_remaining: lasting ? null : applied.amount_cents_remaining,
    frequency_duration_remaining: applied.frequency_duration_remaining,
    expiration_at: instant(coupon.expiration_at),
    created_at: instant(applied.created_at),
    terminated_at: instant(applied.terminated_at),
    credits,
  };
}

function terms(owner: CouponRecord | AppliedCouponRecord) {
  return {
    ...pick(owner, coupons.shown.price),
    percentage_rate: amount(owner.percentage_rate),
    ...pick(owner, coupons.shown.frequency),
  };
}
