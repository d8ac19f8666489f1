/** A payment (specification, "Payment"; service-behaviour §3.13). */
import * as z from 'zod';
import { payableTypes, paymentStatuses, paymentTypes } from './enums.ts';
import { cents, currency, oneOf, record, text, texts, uuid } from './fields.ts';
import { createdAt, svcId } from './shared.ts';

export const payment = z.looseObject({
  svc_id: svcId,
  svc_customer_id: uuid('The customer'),
  external_customer_id: text('Your own id of the customer'),
  invoice_ids: texts('Invoices it pays (UUIDs)'),
  invoice_numbers: texts('Their numbers'),
  svc_payable_id: uuid('What it pays'),
  payable_type: oneOf('Kind of what it pays', ...payableTypes),
  amount_cents: cents('Amount'),
  amount_currency: currency(),
  payment_status: oneOf('State', ...paymentStatuses),
  status: text("The provider's own word for the state"),
  type: oneOf('How it was made', ...paymentTypes),
  reference: text('Reference of a manual payment, up to 40 characters'),
  payment_provider_code: text('Which payment provider'),
  payment_provider_type: text('Type of the provider'),
  provider_payment_id: text("The provider's id of the payment; null for manual ones"),
  external_payment_id: text('The same under its deprecated name'),
  provider_customer_id: text("The provider's id of the customer"),
  payment_method_id: uuid('Stored payment method'),
  next_action: record(
    {
      type: text('Kind of action, e.g. redirect_to_url'),
      redirect_to_url: record(
        { url: text('Where the customer must go'), return_url: text('Where it comes back to') },
        'A link',
      ),
    },
    'What the customer still has to do; {} when nothing',
  ),
  created_at: createdAt,
});
