import type { PaymentRecord } from '../records/index.ts';
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
    payable_type: payment.payable_type,
    amount_cents: payment.amount_cents,
    amount_currency: payment.amount_currency,
    status: payment.status,
    payment_status: payment.payment_status,
    type: payment.type,
    reference: payment.reference ?? '',
    payment_provider_code: payment.payment_provider_code,
    payment_provider_type: payment.payment_provider_type,
    external_payment_id: payment.provider_payment_id,
    provider_payment_id: payment.provider_payment_id,
    provider_customer_id: payment.provider_customer_id,
    payment_method_id: payment.payment_method_id,
    next_action: payment.next_action,
    created_at: instant(payment.created_at),
  };
}
