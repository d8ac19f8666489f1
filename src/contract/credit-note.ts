/** A credit or refund on an invoice (specification, "Credit note"; service-behaviour §3.3). */
import * as z from 'zod';
import { customer } from './customer.ts';
import { creditNoteReasons, creditStatuses, refundStatuses } from './enums.ts';
import { fee } from './fee.ts';
import { cents, currency, day, decimal, flag, integer, list, number, oneOf, text, uuid } from './fields.ts';
import {
  appliedSections,
  createdAt,
  creditNoteTax,
  errorDetails,
  metadataObject,
  purchaseOrderNumber,
  svcId,
  updatedAt,
} from './shared.ts';

export const creditNote = z.looseObject({
  svc_id: svcId,
  svc_invoice_id: uuid('Invoice'),
  invoice_number: text('Number of the invoice'),
  number: text('Number: the invoice number with -CN001 and counting'),
  sequential_id: integer('Running number on the invoice'),
  billing_entity_code: text('Billing entity'),
  issuing_date: day('Date'),
  reason: oneOf('Why', ...creditNoteReasons),
  description: text('Description'),
  currency: currency(),
  total_amount_cents: cents('Total with taxes'),
  taxes_amount_cents: cents('Taxes'),
  taxes_rate: number('Tax rate in percent'),
  sub_total_excluding_taxes_amount_cents: cents('Without taxes'),
  coupons_adjustment_amount_cents: cents('Share of coupons that is given back'),
  credit_amount_cents: cents('Part that lowers later invoices'),
  balance_amount_cents: cents('Unused part of the credit'),
  refund_amount_cents: cents('Part that is refunded'),
  offset_amount_cents: cents('Part that is set against the invoice itself'),
  credit_status: oneOf('The credit', ...creditStatuses, 'null without a credit'),
  refund_status: oneOf('The refund', ...refundStatuses, 'null without a refund'),
  precise_total_amount_cents: decimal('Total, in cents, not rounded'),
  precise_taxes_amount_cents: decimal('Taxes, in cents, not rounded'),
  self_billed: flag('Of a self-billed invoice'),
  file_url: text('PDF'),
  xml_url: text('XML'),
  purchase_order_number: purchaseOrderNumber,
  customer: customer.nullish(),
  items: list(
    z.looseObject({
      svc_id: svcId,
      amount_cents: cents('Amount credited'),
      precise_amount_cents: decimal('Amount credited, in cents, not rounded'),
      amount_currency: currency(),
      fee: fee.nullish().describe('The fee that is credited'),
    }),
    'What is credited',
  ),
  applied_taxes: list(creditNoteTax, 'Taxes by rate'),
  applied_invoice_custom_sections: appliedSections,
  metadata: metadataObject,
  error_details: errorDetails,
  created_at: createdAt,
  updated_at: updatedAt,
});
