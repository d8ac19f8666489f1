/** A one-time charge (specification, "Add-on"). */
import * as z from 'zod';
import { cents, currency, list, text } from './fields.ts';
import { createdAt, svcId, tax } from './shared.ts';

export const addOn = z.looseObject({
  svc_id: svcId,
  code: text('Unique code, free again after deletion'),
  name: text('Name'),
  invoice_display_name: text('Name on invoices'),
  description: text('Description'),
  amount_cents: cents('Price'),
  amount_currency: currency(),
  taxes: list(tax, 'Its own taxes'),
  created_at: createdAt,
});
