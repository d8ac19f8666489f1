/** An invoice, stored or computed (specification, "Invoice"; service-behaviour §4, §11, §12.7). */
import * as z from 'zod';
import { customer } from './customer.ts';
import { creditTypes, invoiceAnswerStatuses, invoicePaymentStatuses, invoicingReasons } from './enums.ts';
import { fee } from './fee.ts';
import { cents, currency, day, flag, instant, integer, list, number, oneOf, record, text, uuid } from './fields.ts';
import {
  createdAt,
  errorDetails,
  invoiceTax,
  metadataList,
  purchaseOrderNumber,
  svcId,
  updatedAt,
  usageThreshold,
} from './shared.ts';
import { subscription } from './subscription.ts';

const billingPeriod = z.looseObject({
  svc_subscription_id: uuid('Subscription'),
  external_subscription_id: text('Your own id of the subscription'),
  svc_plan_id: uuid('Plan'),
  subscription_from_datetime: instant('Start of the period of the plan fee'),
  subscription_to_datetime: instant('End of the period of the plan fee'),
  charges_from_datetime: instant('Start of the usage period'),
  charges_to_datetime: instant('End of the usage period'),
  fixed_charges_from_datetime: instant('Start of the period of the fixed charges'),
  fixed_charges_to_datetime: instant('End of the period of the fixed charges'),
  invoicing_reason: oneOf('Why it was billed', ...invoicingReasons),
});

const credit = z.looseObject({
  svc_id: svcId,
  amount_cents: cents('What it takes off'),
  amount_currency: currency(),
  before_taxes: flag('Taken off before taxes (coupons) or after (credit notes)'),
  item: record(
    {
      svc_item_id: uuid('Its id'),
      type: oneOf('Kind', ...creditTypes),
      code: text('Code'),
      name: text('Name'),
      description: text('Description'),
    },
    'What gives the credit',
  ),
  invoice: record({ svc_id: uuid('Invoice'), payment_status: text('Its payment') }, 'Invoice of the credit note'),
});

const section = z.looseObject({
  svc_id: svcId,
  svc_invoice_id: uuid('Invoice'),
  code: text('Code'),
  details: text('Text'),
  display_name: text('Heading'),
  created_at: createdAt,
});

export const invoice = z.looseObject({
  svc_id: svcId,
  number: text('Number; empty in a preview'),
  sequential_id: integer('Running number'),
  version_number: integer('Version of the rules that computed it (not of the interface)'),
  billing_entity_code: text('Billing entity'),
  invoice_type: oneOf(
    'Kind',
    'subscription',
    'add_on',
    'credit (wallet top-up)',
    'one_off',
    'advance_charges',
    'progressive_billing',
  ),
  status: oneOf('State', ...invoiceAnswerStatuses),
  payment_status: oneOf('Payment', ...invoicePaymentStatuses),
  payment_overdue: flag('Past its due date and not paid'),
  payment_dispute_lost_at: instant('When a dispute about its payment was lost'),
  currency: currency(),
  issuing_date: day('Date of the invoice'),
  payment_due_date: day('Due date'),
  net_payment_term: integer('Days from issuing to due'),
  fees_amount_cents: cents('All lines'),
  coupons_amount_cents: cents('Coupons, taken off before taxes'),
  sub_total_excluding_taxes_amount_cents: cents('Lines less coupons'),
  taxes_amount_cents: cents('Taxes'),
  taxes_rate: number('Average tax rate in percent'),
  sub_total_including_taxes_amount_cents: cents('With taxes'),
  progressive_billing_credit_amount_cents: cents('Billed before by usage thresholds'),
  credit_notes_amount_cents: cents('Credit notes, taken off after taxes'),
  prepaid_credit_amount_cents: cents('Paid by wallets'),
  prepaid_granted_credit_amount_cents: cents('Of that, credits that were given'),
  prepaid_purchased_credit_amount_cents: cents('Of that, credits that were bought'),
  total_amount_cents: cents('What is to be paid'),
  total_paid_amount_cents: cents('Paid so far; a payment status set by hand does not change it'),
  total_due_amount_cents: cents('Still due'),
  total_offsetted_credit_note_amount_cents: cents('Offset by credit notes'),
  self_billed: flag('Issued by the customer'),
  file_url: text('PDF'),
  xml_url: text('XML'),
  web_url: text('Page'),
  purchase_order_number: purchaseOrderNumber,
  customer: customer.nullish(),
  subscriptions: list(subscription, 'Subscriptions it bills'),
  fees: list(fee, 'Lines'),
  credits: list(credit, 'Coupons, credit notes and earlier invoices'),
  applied_taxes: list(invoiceTax, 'Taxes by rate'),
  billing_periods: list(billingPeriod, 'Periods by subscription; not in previews'),
  applied_usage_thresholds: list(
    z.looseObject({
      lifetime_usage_amount_cents: cents('Usage when it was crossed'),
      usage_threshold: usageThreshold.nullish(),
      created_at: createdAt,
    }),
    'Thresholds that made it; progressive billing only',
  ),
  applied_invoice_custom_sections: list(section, 'Custom sections'),
  metadata: metadataList,
  error_details: errorDetails,
  voided_at: instant('When it was voided'),
  created_at: createdAt,
  updated_at: updatedAt,
});
