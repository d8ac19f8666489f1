/** A month of a report (lookups §13). */
import * as z from 'zod';
import { currency, decimal, holding, integer, text, texts } from './fields.ts';

export const reportRow = z.looseObject({
  month: text('First moment of the month'),
  currency: currency(),
  amount_cents: decimal('Amount in cents, which may be a number with decimals'),
  invoices_count: holding('decimal', integer('Invoices in it')),
  svc_invoice_ids: texts('The invoices'),
  code: text('Billable metric'),
  payment_status: text('Payment of the invoices'),
});

/** Which list page an answer is (service-behaviour §1.5). */
export const listPage = z.looseObject({
  current_page: integer('This page'),
  next_page: integer('The next one; null on the last'),
  prev_page: integer('The one before; null on the first'),
  total_pages: integer('Pages of the list'),
  total_count: integer('Records of the list'),
});
