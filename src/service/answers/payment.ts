import { type PaymentRecord, payments } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { instant } from './formats.ts';

/** A payment without wrapper key, as endpoint 13 answers it. */
export function paymentAnswer(payment: PaymentRecord, externalCustomerId: string, invoiceNumbers: string[]) {
  return {
    svc_id: payment.id,
    svc_customer_id: payment.customer_id,
    external_customer_id: externalCustomerId,
    invoice_ids: payment.invoice_ids,
    invoice_numbers: invoiceNumbers,
    svc_payable_id: payment.payable_id,
    ...pick(payment, payments.shown.heading),
    reference: payment.reference ?? '',
    ...pick(payment, payments.shown.provider),
    external_payment_id: payment.provider_payment_id,
    ...pick(payment, payments.shown.details),
    created_at: instant(payment.created_at),
  };
}
