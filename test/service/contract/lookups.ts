/** Records of lookups that no other endpoint answers, read strictly: see schemas.ts for the rules. */
import { z } from 'zod';
import { creditNote, credit as invoiceCredit, listedInvoice } from './invoices.ts';
import { billableMetric, billingEntity as listedBillingEntity } from './records.ts';
import {
  cents,
  currency,
  decimal,
  flag,
  instant,
  listedCustomer,
  metadataObject,
  tax as nestedTax,
  onlyWhen,
  orNull,
  section,
  text,
  uuid,
} from './schemas.ts';
import { walletTransaction } from './wallets.ts';

const zero = z.literal(0);

export const listedTransaction = walletTransaction.omit({ applied_invoice_custom_sections: true });

export const readCreditNote = creditNote.extend({ metadata: onlyWhen(metadataObject, '§7') });

export const countedMetric = billableMetric.extend({
  active_subscriptions_count: zero,
  draft_invoices_count: zero,
  plans_count: zero,
});

export const tax = nestedTax.extend({
  applied_to_billing_entities_codes: z.array(text),
  add_ons_count: zero,
  charges_count: zero,
  commitments_count: zero,
  customers_count: zero,
  plans_count: zero,
});

export const billingEntity = listedBillingEntity.extend({
  taxes: z.array(nestedTax),
  selected_invoice_custom_sections: z.array(section),
});

const terms = {
  amount_cents: orNull(cents, '§10'),
  amount_currency: orNull(currency, '§10'),
  percentage_rate: orNull(decimal, '§10'),
  frequency: z.enum(['once', 'recurring', 'forever']),
  frequency_duration: orNull(z.int(), '§10'),
};

export const coupon = z.strictObject({
  svc_id: uuid,
  name: text,
  code: text,
  description: orNull(text, 'not given'),
  coupon_type: z.enum(['fixed_amount', 'percentage']),
  ...terms,
  reusable: flag,
  limited_plans: flag,
  limited_billable_metrics: flag,
  plan_codes: z.array(text),
  billable_metric_codes: z.array(text),
  created_at: instant,
  expiration: z.enum(['no_expiration', 'time_limit']),
  expiration_at: orNull(instant, 'not given'),
  terminated_at: orNull(instant, 'not yet'),
});

export const appliedCoupon = z.strictObject({
  svc_id: uuid,
  svc_coupon_id: uuid,
  coupon_code: text,
  coupon_name: text,
  coupon_description: orNull(text, 'not given'),
  coupon_status: z.enum(['active', 'terminated']),
  coupon_deleted_at: orNull(instant, 'not yet'),
  svc_customer_id: uuid,
  external_customer_id: text,
  status: z.enum(['active', 'terminated']),
  ...terms,
  amount_cents_remaining: orNull(cents, '§10'),
  frequency_duration_remaining: orNull(z.int(), '§10'),
  expiration_at: orNull(instant, 'not given'),
  created_at: instant,
  terminated_at: orNull(instant, 'not yet'),
  credits: z.array(
    invoiceCredit.extend({ item: invoiceCredit.shape.item.extend({ description: orNull(text, 'not given') }) }),
  ),
});

export const paymentRequest = z.strictObject({
  svc_id: uuid,
  email: orNull(text, 'not given'),
  amount_cents: cents,
  amount_currency: currency,
  payment_status: z.enum(['pending', 'succeeded', 'failed']),
  created_at: instant,
  customer: listedCustomer,
  invoices: z.array(listedInvoice).min(1),
});
