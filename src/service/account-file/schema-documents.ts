/** Entries of an account file: invoices, credit notes, payments, usage events and webhook endpoints. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import * as is from './values.ts';

const fee = z.strictObject({
  ...is.common,
  type: z.enum(enums.feeTypes).exclude(['product']),
  external_subscription_id: is.optional(is.label, 'none').describe('all types but add_on and credit'),
  charge_code: is.optional(is.label, 'none').describe('type charge'),
  filter: is.optional(z.record(z.string(), z.array(is.label)), 'none').describe('the values of the charge’s filter'),
  grouped_by: z.record(z.string(), z.string().nullable()).default({}),
  fixed_charge_code: is.optional(is.label, 'none').describe('type fixed_charge'),
  add_on_code: is.optional(is.label, 'none').describe('type add_on'),
  description: is.text,
  amount: is.optional(is.amountValue, 'units × unit_amount').describe('major units, before rounding'),
  unit_amount: is.optional(is.amountValue, 'amount ÷ units, of an event’s fee in advance the rounded amount ÷ units'),
  units: is.amountValue.default('1'),
  total_aggregated_units: is.amountValue
    .nullable()
    .default(null)
    .describe('types charge and fixed_charge')
    .meta({ absent: 'the units' }),
  events_count: z.int().nonnegative().default(0).describe('type charge'),
  event_transaction_id: is.optional(is.label, 'none'),
  pay_in_advance: is.flag(false),
  invoiceable: is.flag(true),
  from_date: is.optionalInstant,
  to_date: is.optionalInstant,
  amount_details: is.jsonObject.default({}),
  tax_codes: is.codes,
  payment_status: is.optional(z.enum(enums.feePaymentStatuses), 'the invoice’s'),
  pricing_unit_details: z
    .strictObject({
      svc_pricing_unit_id: z.uuid(),
      pricing_unit_code: is.label,
      short_name: is.label,
      amount_cents: is.cents,
      unit_amount_cents: is.cents,
      precise_amount_cents: is.amountValue,
      precise_unit_amount: is.amountValue,
      conversion_rate: is.amountValue,
    })
    .nullable()
    .default(null),
  presentation_breakdowns: is
    .optional(
      z.array(z.strictObject({ presentation_by: z.record(z.string(), z.string().nullable()), units: is.amountValue })),
      'none',
    )
    .describe('units for display'),
  true_up_of: is.optional(z.int().nonnegative(), 'none').describe('position of the fee that this one tops up'),
});

const billingPeriod = z.strictObject({
  external_subscription_id: is.label,
  from: is.instant,
  to: is.instant,
  charges_from: is.optional(is.instant, 'from'),
  charges_to: is.optional(is.instant, 'to'),
  fixed_charges_from: is.optional(is.instant, 'charges_from'),
  fixed_charges_to: is.optional(is.instant, 'charges_to'),
  invoicing_reason: z.enum(enums.invoicingReasons).default('subscription_periodic'),
});

/** Totals may be left out. Stated totals must equal those computed from the fees, coupons, taxes and credits. */
export const invoiceTotals = {
  fees_amount_cents: is.optional(is.cents, 'computed'),
  coupons_amount_cents: is.optional(is.cents, 'computed'),
  sub_total_excluding_taxes_amount_cents: is.optional(is.cents, 'computed'),
  taxes_amount_cents: is.optional(is.cents, 'computed'),
  sub_total_including_taxes_amount_cents: is.optional(is.cents, 'computed'),
  credit_notes_amount_cents: is.optional(is.cents, 'computed'),
  total_amount_cents: is.optional(is.cents, 'computed'),
};

export const invoiceEntry = z.strictObject({
  ...is.common,
  external_customer_id: is.label,
  billing_entity_code: is.optional(is.label, 'the customer’s'),
  number: is.label,
  sequential_id: is.optional(z.int().positive().nullable(), 'counts the customer’s invoices'),
  issuing_date: is.day,
  payment_due_date: is.optional(is.day, 'issuing_date and the net payment term'),
  invoice_type: z.enum(enums.invoiceTypes).default('subscription'),
  status: z.enum(enums.invoiceStatuses).default('finalized'),
  payment_status: z.enum(enums.invoicePaymentStatuses).default('pending'),
  payment_overdue: is.flag(false),
  payment_dispute_lost_at: is.optionalInstant,
  currency: is.optional(is.currency, 'the customer’s'),
  fees: z.array(fee).min(1),
  billing_periods: z.array(billingPeriod).default([]),
  coupons: z
    .array(
      z.strictObject({
        code: is.label,
        amount_cents: is.positiveCents,
        applied_coupon: is
          .optional(z.int().nonnegative(), 'the first with the code')
          .describe('position among the customer’s applied_coupons'),
      }),
    )
    .default([]),
  credit_notes: z.array(z.strictObject({ number: is.label, amount_cents: is.positiveCents })).default([]),
  prepaid_credit_amount_cents: z.int().nonnegative().default(0),
  prepaid_granted_credit_amount_cents: z.int().nonnegative().nullable().default(null),
  prepaid_purchased_credit_amount_cents: z.int().nonnegative().nullable().default(null),
  ...invoiceTotals,
  total_paid_amount_cents: z.int().nonnegative().default(0),
  file_url: is.text,
  voided_at: is.optionalInstant,
  purchase_order_number: is.text,
  metadata: is
    .withUniqueKeys(z.array(z.strictObject({ key: z.string().min(1).max(20), value: z.string().max(140) })).max(5))
    .default([]),
  invoice_custom_section_codes: is.codes,
  error_details: is.errorDetails,
});

export const creditNoteEntry = z.strictObject({
  ...is.common,
  invoice_number: is.label,
  number: is.optional(is.label, '`<invoice number>-CN001` and counting'),
  issuing_date: is.day,
  status: z.enum(enums.creditNoteStatuses).default('finalized'),
  reason: z.enum(enums.creditNoteReasons).default('other'),
  description: is.text,
  items: z
    .array(
      z.strictObject({
        fee: z.int().nonnegative().describe('position among the invoice’s fees'),
        amount_cents: is.positiveCents,
      }),
    )
    .min(1),
  coupons_adjustment_amount_cents: z.int().nonnegative().default(0),
  refund_amount_cents: z.int().nonnegative().default(0),
  offset_amount_cents: z.int().nonnegative().default(0),
  credit_amount_cents: is.optional(z.int().nonnegative(), 'the rest of the total'),
  balance_amount_cents: is.optional(z.int().nonnegative(), 'credit_amount_cents'),
  total_amount_cents: is.optional(is.cents, 'computed'),
  credit_status: is.optional(z.enum(enums.creditStatuses).nullable(), 'follows from the balance'),
  refund_status: z.enum(enums.refundStatuses).nullable().default(null),
  file_url: is.text,
  purchase_order_number: is.text,
  metadata: is.metadataObject,
  error_details: is.errorDetails,
});

export const paymentEntry = z.strictObject({
  ...is.common,
  invoice_numbers: z.array(is.label).min(1),
  payable_type: z.enum(enums.payableTypes).default('Invoice'),
  amount_cents: is.optional(is.positiveCents, 'the total of the invoices'),
  status: is.optional(is.label, 'payment_status').describe('the provider’s own word'),
  payment_status: z.enum(enums.paymentStatuses),
  type: z.enum(enums.paymentTypes).default('provider'),
  reference: z.string().max(40).nullable().default(null),
  payment_provider_code: is.text,
  payment_provider_type: is.text,
  provider_payment_id: is.text,
  provider_customer_id: is.text,
  payment_method_id: z.uuid().nullable().default(null),
  next_action: is.jsonObject.default({}),
});

export const paymentRequestEntry = z.strictObject({
  ...is.common,
  invoice_numbers: z
    .array(is.label)
    .min(1)
    .describe('payments of type PaymentRequest for the same invoices belong to it'),
  amount_cents: is.optional(is.positiveCents, 'the total of the invoices'),
  email: is.text.meta({ absent: 'the customer’s' }),
  payment_status: z.enum(enums.invoicePaymentStatuses).default('pending'),
});

export const webhookEndpointEntry = z.strictObject({
  ...is.common,
  webhook_url: is.httpUrl,
  signature_algo: z.enum(enums.signatureAlgorithms).default('jwt'),
  name: is.text,
  event_types: z.array(is.label).nullable().default(null),
});

export const eventEntry = z.strictObject({
  ...is.common,
  transaction_id: is.label,
  code: is.label,
  timestamp: is.instant,
  external_subscription_id: is.label,
  properties: is.jsonObject.default({}),
  precise_total_amount_cents: is.decimalValue.nullable().default(null),
});
