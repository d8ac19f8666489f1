/** Why payments failed (service-behaviour §3.13). */
import type { Payment } from '../contract/shown.ts';
import { wordsOf } from './code-words.ts';

export const noReason = 'no reason is given';

/** Does the provider's own word say more than that the payment failed? */
export function isExplained({ status, payment_status }: Payment): boolean {
  return Boolean(status) && status !== payment_status;
}

/** The provider's word for why a payment failed, or that there is none: `the card was declined`. */
export function failureReason(payment: Payment): string {
  return (isExplained(payment) ? wordsOf('provider', payment.status) : null) ?? noReason;
}
