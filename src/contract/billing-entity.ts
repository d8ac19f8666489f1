/** A company that issues invoices (specification, "Billing entity"; service-behaviour §3.12). */
import * as z from 'zod';
import { documentLocales, documentNumberings } from './enums.ts';
import { currency, flag, integer, oneOf, text, texts } from './fields.ts';
import { address, createdAt, svcId, updatedAt } from './shared.ts';

export const billingEntity = z.looseObject({
  svc_id: svcId,
  code: text('Unique code'),
  name: text('Name'),
  is_default: flag('The oldest active one, used when none is given; cannot be changed'),
  default_currency: currency('Currency where nothing else decides'),
  timezone: text('Time zone of customers without their own'),
  document_locale: oneOf('Language of documents', ...documentLocales),
  document_numbering: oneOf('Numbering', ...documentNumberings),
  document_number_prefix: text('Beginning of document numbers, 1 to 10 characters'),
  finalize_zero_amount_invoice: flag('Invoices over nothing are issued'),
  invoice_grace_period: integer('Days a draft stays open'),
  net_payment_term: integer('Days from issuing to due'),
  invoice_footer: text('Footer of invoices, up to 600 characters'),
  subscription_invoice_issuing_date_anchor: oneOf(
    'Base of the issuing date',
    'current_period_end',
    'next_period_start (default)',
  ),
  subscription_invoice_issuing_date_adjustment: oneOf(
    'Change of the issuing date',
    'align_with_finalization_date (default)',
    'keep_anchor',
  ),
  ...address,
  email: text('E-mail'),
  phone: text('Phone'),
  legal_name: text('Legal name'),
  legal_number: text('Registration number'),
  tax_identification_number: text('Tax number'),
  email_settings: texts('E-mails sent to customers: invoice.finalized, credit_note.created, payment_receipt.created'),
  eu_tax_management: flag('Taxes follow the EU rules'),
  einvoicing: flag('Electronic invoices'),
  logo_url: text('Logo'),
  created_at: createdAt,
  updated_at: updatedAt,
});
