/** A company that issues invoices (specification, "Billing entity"; service-behaviour §3.12). */
import * as z from 'zod';
import { documentLocales, documentNumberings } from './enums.ts';
import { currency, flag, integer, oneOf, text, texts, writable } from './fields.ts';
import { address, createdAt, svcId, updatedAt } from './shared.ts';

const optional = { clears: true, unsentNull: true } as const;

export const billingEntity = z.looseObject({
  svc_id: svcId,
  code: text('Unique code'),
  name: text('Name'),
  is_default: flag('The oldest active one, used when none is given; cannot be changed'),
  default_currency: currency('Currency where nothing else decides'),
  timezone: writable(text('Default time zone of its customers, e.g. Europe/Paris; default UTC'), {
    form: 'timezone',
    initially: 'UTC',
    label: 'time zone',
  }),
  document_locale: oneOf('Language of documents', ...documentLocales),
  document_numbering: oneOf('Numbering', ...documentNumberings),
  document_number_prefix: text('Beginning of document numbers, 1 to 10 characters'),
  finalize_zero_amount_invoice: writable(flag('Issue invoices that total zero; default true'), {
    initially: true,
    label: 'zero-amount invoices',
  }),
  invoice_grace_period: integer('Days a draft stays open'),
  net_payment_term: writable(integer('Days from issue to due date; default 0'), {
    least: 0,
    initially: 0,
    label: 'payment due',
  }),
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
  address_line1: writable(address.address_line1, optional),
  address_line2: writable(address.address_line2, optional),
  city: writable(address.city, optional),
  state: writable(address.state, optional),
  country: writable(address.country, { ...optional, form: 'country' }),
  zipcode: writable(address.zipcode, optional),
  email: writable(text('Contact email'), { ...optional, form: 'email' }),
  phone: writable(text('Contact phone'), optional),
  legal_name: writable(text('Legal company name'), optional),
  legal_number: writable(text('Company registration number'), optional),
  tax_identification_number: writable(text('Tax or VAT number'), optional),
  email_settings: texts('Emails sent to customers: invoice.finalized, credit_note.created, payment_receipt.created'),
  eu_tax_management: writable(flag('Apply EU tax rules; EU countries only; default false'), { label: 'EU taxes' }),
  einvoicing: writable(flag('Issue electronic invoices; default false'), { label: 'electronic invoices' }),
  logo_url: text('Logo'),
  created_at: createdAt,
  updated_at: updatedAt,
});
