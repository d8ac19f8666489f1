/** Invoices and credit notes, read strictly: see schemas.ts for the rules. */
import { z } from 'zod';
import { subscription } from './plans.ts';
import {
  appliedTax,
  cents,
  currency,
  customer,
  date,
  decimal,
  errorDetail,
  fee,
  flag,
  instant,
  invoiceSection,
  listedCustomer,
  metadataObject,
  onlyWhen,
  orNull,
  preciseInstant,
  rate,
  text,
  usageThreshold,
  uuid,
} from './schemas.ts';

export const credit = z.strictObject({
  svc_id: orNull(uuid, '§12.7'),
  amount_cents: cents,
  amount_currency: currency,
  before_taxes: flag,
  item: z.strictObject({
    svc_item_id: orNull(uuid, '§12.7'),
    type: z.enum(['coupon', 'credit_note', 'invoice']),
    code: text,
    name: text,
    description: orNull(text, 'not given'),
  }),
  invoice: z.strictObject({
    svc_id: orNull(uuid, '§12.7'),
    payment_status: z.enum(['pending', 'succeeded', 'failed']),
  }),
});

const billingPeriod = z.strictObject({
  svc_subscription_id: uuid,
  svc_plan_id: uuid,
  external_subscription_id: text,
  subscription_from_datetime: instant,
  subscription_to_datetime: instant,
  charges_from_datetime: instant,
  charges_to_datetime: instant,
  invoicing_reason: z.enum([
    'subscription_starting',
    'subscription_periodic',
    'subscription_terminating',
    'in_advance_charge',
    'in_advance_charge_periodic',
    'progressive_billing',
  ]),
});

const metadataEntry = z.strictObject({ svc_id: uuid, key: text, value: text, created_at: instant });

export const invoice = z.strictObject({
  svc_id: uuid,
  billing_entity_code: text,
  number: text,
  issuing_date: date,
  invoice_type: z.enum(['subscription', 'add_on', 'credit', 'one_off', 'advance_charges', 'progressive_billing']),
  status: z.enum(['draft', 'finalized', 'voided', 'failed', 'pending']),
  payment_status: z.enum(['pending', 'succeeded', 'failed']),
  currency,
  fees_amount_cents: cents,
  coupons_amount_cents: cents,
  credit_notes_amount_cents: cents,
  sub_total_excluding_taxes_amount_cents: cents,
  taxes_amount_cents: cents,
  sub_total_including_taxes_amount_cents: cents,
  prepaid_credit_amount_cents: cents,
  progressive_billing_credit_amount_cents: cents,
  total_amount_cents: cents,
  prepaid_granted_credit_amount_cents: cents,
  prepaid_purchased_credit_amount_cents: cents,
  version_number: z.int(),
  sequential_id: orNull(z.int(), '§12.7'),
  net_payment_term: z.int(),
  created_at: instant,
  updated_at: instant,
  payment_dispute_lost_at: orNull(preciseInstant, 'not yet'),
  payment_due_date: date,
  payment_overdue: flag,
  self_billed: flag,
  file_url: orNull(text, '§12.7'),
  customer,
  billing_periods: z.array(billingPeriod),
  metadata: z.array(metadataEntry),
  applied_taxes: z.array(
    z.strictObject({ ...appliedTax, svc_invoice_id: orNull(uuid, '§12.7'), fees_amount_cents: cents }),
  ),
  applied_invoice_custom_sections: z.array(invoiceSection),
  applied_usage_thresholds: z.array(
    z.strictObject({ lifetime_usage_amount_cents: cents, created_at: instant, usage_threshold: usageThreshold }),
  ),
  credits: z.array(credit),
  fees: z.array(fee),
  subscriptions: z.array(subscription),
  error_details: z.array(errorDetail),
  // §4
  total_due_amount_cents: cents,
  total_paid_amount_cents: cents,
  total_offsetted_credit_note_amount_cents: cents,
  xml_url: z.null(),
  web_url: z.null(),
  voided_at: orNull(instant, 'not yet'),
  purchase_order_number: orNull(text, 'not given'),
});

/** The single invoice (lookups §4). */
export const invoiceDetail = invoice.extend({
  billing_periods: z.array(
    billingPeriod.extend({ fixed_charges_from_datetime: instant, fixed_charges_to_datetime: instant }),
  ),
});

/** An invoice of a list (lookups §4). */
export const listedInvoice = invoice
  .omit({
    fees: true,
    subscriptions: true,
    billing_periods: true,
    credits: true,
    error_details: true,
    applied_invoice_custom_sections: true,
  })
  .extend({
    customer: listedCustomer.omit({ taxes: true }),
    applied_usage_thresholds: onlyWhen(invoice.shape.applied_usage_thresholds, 'lookups §4'),
  })
  .refine(
    listed => (listed.invoice_type === 'progressive_billing') === (listed.applied_usage_thresholds !== undefined),
    'thresholds are of progressive billing only',
  );

/** A previewed invoice (§12.7). */
export const invoicePreview = invoice.omit({ billing_periods: true, metadata: true, error_details: true }).extend({
  svc_id: z.null(),
  number: z.literal(''),
  sequential_id: z.null(),
  status: z.literal('finalized'),
  payment_status: z.literal('pending'),
  invoice_type: z.literal('subscription'),
  version_number: z.literal(4),
  file_url: z.null(),
});

export const creditNote = z.strictObject({
  svc_id: uuid,
  svc_invoice_id: uuid,
  billing_entity_code: text,
  sequential_id: z.int(),
  number: text,
  invoice_number: text,
  issuing_date: date,
  reason: z.enum([
    'duplicated_charge',
    'product_unsatisfactory',
    'order_change',
    'order_cancellation',
    'fraudulent_charge',
    'other',
  ]),
  currency,
  total_amount_cents: cents,
  taxes_amount_cents: cents,
  sub_total_excluding_taxes_amount_cents: cents,
  balance_amount_cents: cents,
  credit_amount_cents: cents,
  refund_amount_cents: cents,
  offset_amount_cents: cents,
  coupons_adjustment_amount_cents: cents,
  taxes_rate: rate,
  created_at: instant,
  updated_at: instant,
  credit_status: orNull(z.enum(['available', 'consumed', 'voided']), '§2'),
  refund_status: orNull(z.enum(['pending', 'succeeded', 'failed']), '§2'),
  description: orNull(text, 'not given'),
  file_url: orNull(text, 'not yet'),
  items: z.array(
    z.strictObject({
      svc_id: uuid,
      amount_cents: cents,
      amount_currency: currency,
      fee,
      precise_amount_cents: decimal, // §4
    }),
  ),
  applied_taxes: z.array(z.strictObject({ ...appliedTax, svc_credit_note_id: uuid, base_amount_cents: cents })),
  self_billed: flag,
  customer,
  metadata: metadataObject,
  error_details: z.array(errorDetail),
  // §4
  precise_total_amount_cents: decimal,
  precise_taxes_amount_cents: decimal,
  xml_url: z.null(),
  purchase_order_number: orNull(text, 'not given'),
});
