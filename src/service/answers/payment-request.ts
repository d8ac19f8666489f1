import type { PaymentRequestRecord } from '../records/index.ts';
import { instant } from './formats.ts';

/** A request to pay several invoices together (lookups §12). `customer` and `invoices`: as in their own lists. */
export function paymentRequestAnswer<Customer, Invoice>(
  request: PaymentRequestRecord,
  { customer, invoices }: { customer: Customer; invoices: Invoice[] },
) {
  return {
    svc_id: request.id,
    email: request.email,
    amount_cents: request.amount_cents,
    amount_currency: request.amount_currency,
    payment_status: request.payment_status,
    created_at: instant(request.created_at),
    customer,
    invoices,
  };
}
