/** A one-time charge (specification, "Add-on"). */
import * as z from 'zod';
import { cents, currency, list, text, writable } from './fields.ts';
import { createdAt, svcId, tax } from './shared.ts';

export const addOn = z.looseObject({
  svc_id: svcId,
  code: text('Unique code, free again after deletion'),
  name: writable(text('Name'), { needed: true }),
  invoice_display_name: writable(text('Name on invoices'), {
    clears: true,
    unsentNull: true,
    label: 'name on invoices',
  }),
  description: writable(text('Description'), { clears: true, unsentNull: true }),
  amount_cents: writable(cents('Price'), { least: 1, needed: true, hint: 'Price, above 0', label: 'price' }),
  amount_currency: writable(currency(), { needed: true, label: 'currency' }),
  taxes: list(tax, 'Its own taxes'),
  created_at: createdAt,
});
