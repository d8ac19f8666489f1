/** Payments that are open: what the customer can pay now, and why not where there is no button for it. */

import type { InvoiceRecord } from '../../../engine/records/index.ts';
import { type Html, html, joined, plain, unbroken } from './html.ts';
import type { Reader } from './reader.ts';

/**
 * A payment of invoices that are still to pay. `open`: the customer confirms it at the bank or provider. `processing`: it is
 * under way. `too_much`: it would take more than is left to pay.
 */
export interface OpenPayment {
  id: string;
  standing: 'open' | 'processing' | 'too_much';
  amountCents: number;
  currency: string;
  /** What is left to pay of its invoices. */
  leftCents: number;
  /** Those of its invoices that are still to pay. */
  invoices: Pick<InvoiceRecord, 'id' | 'number'>[];
  /** The provider's http(s) address; null where the customer has nothing to confirm. */
  url: string | null;
}

/** What waits for the customer, first on a page: each payment with its button, or why it must not be made. */
export function paymentNotices(payments: readonly OpenPayment[], base: string, reader: Reader): Html {
  const { tell } = reader;
  const waiting = payments.filter(({ standing }) => standing !== 'processing');
  return html`${waiting.map(payment => {
    const { invoices } = payment;
    const numbers = joined(
      invoices.map(({ number }) => unbroken(number)),
      ', ',
    );
    const which = tell('payment_for', { count: invoices.length, numbers });
    const [title, button] =
      payment.standing === 'open'
        ? [tell('payment_waits', { amount: amountOf(payment, reader) }), payButton(payment, base, reader)]
        : [standingText(payment, reader), null];
    return html`<div class="notice"><div><b>${title}</b><p>${which}</p></div>${button}</div>`;
  })}`;
}

/** The button or sentence of the payment that is open for an invoice; null where none is. */
export function payOf(invoiceId: string, payments: readonly OpenPayment[], base: string, reader: Reader): Html | null {
  const payment = paymentOf(invoiceId, payments);
  if (payment === undefined) return null;
  if (payment.standing === 'open') return payButton(payment, base, reader);
  return html`<span class="soft">${standingText(payment, reader)}</span>`;
}

export function paymentOf(invoiceId: string, payments: readonly OpenPayment[]): OpenPayment | undefined {
  return payments.find(({ invoices }) => invoices.some(({ id }) => id === invoiceId));
}

/** Why a payment that is not open is not made. */
export function standingText(payment: OpenPayment, reader: Reader): Html {
  const amount = amountOf(payment, reader);
  if (payment.standing === 'processing') return reader.tell('payment_processing', { amount });
  return reader.tell('payment_too_much', { amount, left: reader.money(payment.leftCents, payment.currency) });
}

/** A link to the portal's address of the payment, which looks again before it leads to the provider. */
function payButton(payment: OpenPayment, base: string, reader: Reader): Html {
  const { say, tell } = reader;
  const which = payment.invoices.map(({ number }) => say('invoice', { number })).join(', ');
  const name = tell('pay', { amount: amountOf(payment, reader) });
  return html`<a class="button" href="${base}/payments/${payment.id}" rel="noopener noreferrer" aria-label="${plain(name)}, ${which}">${name}</a>`;
}

function amountOf({ amountCents, currency }: OpenPayment, { money }: Reader): Html {
  return money(amountCents, currency);
}
