/** Payments (specification, endpoint 13; service-behaviour §3.13). */
import * as z from 'zod';
import type { Payment } from '../src/contract/shown.ts';
import { recordId } from '../src/definition/args.ts';
import { defineTool } from '../src/definition/define.ts';
import { wordsOf } from '../src/words/code-words.ts';
import { isExplained, noReason } from '../src/words/payment.ts';
import { code, listed, money, opt, phrase, say, sentences } from '../src/words/summary.ts';
import { onDay } from '../src/words/zoned-times.ts';

export const getPayment = defineTool({
  name: 'get_payment',
  title: 'Get a payment',
  toolset: 'payments',
  effect: 'read',
  endpoint: 'GET /payments/{svc_id}',
  description:
    "Returns one payment: amount, invoices, provider and payment_status (status is the provider's own term). next_action holds a link while the customer still has to confirm. To find payments, use list_payments.",
  input: z.strictObject({ svc_id: recordId('payment') }),
  run: (path, api) => api.get('/payments/{svc_id}', { key: 'payment', path }),
  result: 'payment',
  brief: `
    external_customer_id payable_type?Invoice invoice_ids amount_cents amount_currency status payment_status
    provider_customer_id payment_method_id next_action{redirect_to_url{url return_url}}
  `,
  say: (payment, { now }) => {
    const status = code(payment.payment_status);
    const state = wordsOf('payment', status);
    const amount = money(payment.amount_cents, payment.amount_currency);
    const numbers = payment.invoice_numbers ?? [];
    const invoices = listed(numbers.map(code), 5);
    // The link stays in the record after the payment has ended.
    const open = status !== 'succeeded' && status !== 'failed';
    const url = (open && payment.next_action?.redirect_to_url?.url) || null;
    const waits = url !== null || (open && payment.status === 'requires_action');
    const many = numbers.length > 1;
    const provider = code(payment.payment_provider_code);
    return sentences(
      waits && describeAction(payment, url),
      phrase`A ${payment.type === 'manual' ? 'manual ' : null}payment${say` of ${amount}`}${say` by customer ${code(payment.external_customer_id)}`}${invoices === null ? null : phrase` for invoice${many ? 's' : null} ${invoices}`}${say`: ${state}`}${say`, started ${onDay(payment.created_at, null, now)}`}`,
      // What the payment waits for was said first.
      payment.type !== 'manual' &&
        !(waits && payment.status === 'requires_action') &&
        payment.status !== status &&
        say`Provider ${provider} says: ${wordsOf('provider', payment.status)}`,
      status === 'failed' && !isExplained(payment) && noReason,
      // From its deprecated field where the present one is missing.
      say`Provider payment ID: ${code(payment.provider_payment_id || payment.external_payment_id || null)}`,
      say`Reference ${code(payment.reference)}`,
    );
  },
});

/** Who must act, and where. A link is shown whole, or its field is named: a shortened link leads nowhere. */
function describeAction(payment: Payment, url: string | null): string {
  const who = say`Customer ${code(payment.external_customer_id)}` ?? 'The customer';
  const isShown = url !== null && url.length <= 2000 && /^https?:\/\/[^\s"<>]+$/.test(url);
  const where =
    url === null ? '; the answer has no link for it' : opt`, at ${isShown ? url : 'next_action.redirect_to_url.url'}`;
  return `${who} must act before this payment goes through${where}`;
}
