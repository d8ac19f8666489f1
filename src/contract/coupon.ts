/** Coupons, and the coupons that a customer has (lookups §10). */
import * as z from 'zod';
import { cents, currency, decimal, flag, instant, integer, list, text, texts, uuid } from './fields.ts';
import { createdAt, svcId } from './shared.ts';

const terms = {
  amount_cents: cents('What it takes off; null for a percentage'),
  amount_currency: currency(),
  percentage_rate: decimal('Percent that it takes off; null for an amount'),
  frequency: text('once, recurring or forever'),
  frequency_duration: integer('Number of periods of a recurring coupon'),
};

/** It has no status: a coupon has ended when `terminated_at` is set. */
export const coupon = z.looseObject({
  ...terms,
  svc_id: svcId,
  name: text('Name'),
  code: text('Unique code'),
  description: text('Description'),
  coupon_type: text('fixed_amount or percentage'),
  reusable: flag('A customer may have it more than once'),
  plan_codes: texts('Plans it is limited to'),
  billable_metric_codes: texts('Metrics it is limited to'),
  expiration: text('Whether it expires'),
  expiration_at: instant('When it can no longer be applied'),
  terminated_at: instant('When it was terminated'),
  created_at: createdAt,
});

export const appliedCoupon = z.looseObject({
  ...terms,
  svc_id: svcId,
  svc_coupon_id: uuid('The coupon'),
  coupon_code: text('Its code'),
  coupon_name: text('Its name'),
  external_customer_id: text('Your own id of the customer'),
  status: text('active or terminated'),
  amount_cents_remaining: cents('What is left of it; null for percentage, recurring and forever'),
  frequency_duration_remaining: integer('Periods that are left'),
  plan_codes: texts('Plans the coupon is limited to, from the list of coupons'),
  billable_metric_codes: texts('Metrics the coupon is limited to, from the list of coupons'),
  expiration_at: instant('When the coupon can no longer be applied'),
  terminated_at: instant('When it was terminated'),
  created_at: createdAt,
  credits: list(
    z.looseObject({ svc_id: svcId, amount_cents: cents('What it took off'), amount_currency: currency() }),
    'Invoices on which it was used',
  ),
});
