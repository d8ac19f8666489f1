import { type PaymentRequestRecord, paymentRequests } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { instant } from './formats.ts';

/** A request to pay several invoices together (lookups §12). `customer` and `invoices`: as in their own lists. */
export function paymentRequestAnswer<Customer, Invoice>(
  request: PaymentRequestRecord,
  { customer, invoices }: { customer: Customer; invoices: Invoice[] },
) {
  return {
    svc_id: request.id,
    ...pick(request, paymentRequests.shown.details),
    created_at: instant(request.created_at),
    customer,
    invoices,
  };
}
