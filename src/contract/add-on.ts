/** A one-time charge (specification, "Add-on"). */
import * as z from 'zod';
import { cents, currency, list, text, writable } from './fields.ts';
import { createdAt, svcId, tax } from './shared.ts';

export const addOn = z.looseObject({
  svc_id: svcId,
  code: text('Unique code, free again after deletion'),
  name: writable(text('Name of the add-on'), { needed: true }),
  invoice_display_name: writable(text('Name on invoices; default name'), {
    clears: true,
    unsentNull: true,
    label: 'name on invoices',
  }),
  description: writable(text('Description for your own use'), { clears: true, unsentNull: true }),
  amount_cents: writable(cents('Price, above 0'), { least: 1, needed: true, label: 'price' }),
  amount_currency: writable(currency(), { needed: true, label: 'currency' }),
  taxes: list(tax, 'Its own taxes'),
  created_at: createdAt,
});
