/** Which payments the portal's buttons lead to. None is offered that would pay an invoice twice or more than is left to pay. */

import type { CustomerRecord, InvoiceRecord, PaymentRecord } from '../../engine/records/index.ts';
import { offsetsOf, recordsById } from '../operations/lookups.ts';
import type { OpenPayment } from '../operations/portal/payments.ts';
import type { AccountStore } from '../store/store.ts';

/**
 * The customer's payments that are open, for invoices that the customer still owes. Of several for an invoice, the one that
 * is under way at the provider, else the newest: whoever confirmed another one would pay twice.
 */
export async function openPayments(account: AccountStore, customer: CustomerRecord): Promise<OpenPayment[]> {
  const open = { customer_id: customer.id, payment_status: ['pending', 'processing'] as const };
  const payments = await account.find('payments', open);
  const ids = payments.flatMap(payment => payment.invoice_ids);
  const invoices = [...(await recordsById(account, 'invoices', ids)).values()];
  const due = new Map((await withDue(account, invoices)).map(each => [each.invoice.id, each]));
  const addressed = payments.map(payment => ({ payment, url: confirmationUrl(payment) }));
  const candidates = [
    ...addressed.filter(({ payment, url }) => url === null && payment.payment_status === 'processing'),
    ...addressed.filter(({ url }) => url !== null),
  ];
  const paidFor = new Set<string>();
  return candidates.flatMap(({ payment, url }) => {
    const owed = payment.invoice_ids
      .flatMap(id => due.get(id) ?? [])
      .filter(({ invoice, dueCents }) => isOwed(invoice) && dueCents > 0);
    if (owed.length === 0 || owed.some(({ invoice }) => paidFor.has(invoice.id))) return [];
    if (owed.some(({ invoice }) => invoice.currency !== payment.amount_currency)) return [];
    for (const { invoice } of owed) paidFor.add(invoice.id);
    const leftCents = owed.reduce((sum, { dueCents }) => sum + dueCents, 0);
    const confirmable = payment.amount_cents > leftCents ? 'too_much' : 'open';
    return {
      id: payment.id,
      standing: url === null ? 'processing' : confirmable,
      amountCents: payment.amount_cents,
      currency: payment.amount_currency,
      leftCents,
      invoices: owed.map(({ invoice }) => invoice),
      url,
    };
  });
}

/** A payment with a button, now; `closed` where it has none any more, and null where it never had one here. */
export async function paymentBehindButton(
  account: AccountStore,
  customer: CustomerRecord,
  id: string,
): Promise<OpenPayment | 'closed' | null> {
  const open = (await openPayments(account, customer)).find(payment => payment.id === id);
  if (open !== undefined) return open;
  const payment = await account.first('payments', { id, customer_id: customer.id });
  return payment === undefined || confirmationUrl(payment) === null ? null : 'closed';
}

/** The invoices with what credit notes settled of them and what is left to pay (service-behaviour §4). */
export async function withDue(account: AccountStore, invoices: readonly InvoiceRecord[]) {
  const offsets = await offsetsOf(account, invoices);
  return invoices.map(invoice => {
    const offsetCents = offsets.get(invoice.id) ?? 0;
    const dueCents = invoice.total_amount_cents - invoice.total_paid_amount_cents - offsetCents;
    return { invoice, offsetCents, dueCents };
  });
}

/** Is it finalized, not paid, not in dispute, and not issued by the customer? */
function isOwed(invoice: InvoiceRecord): boolean {
  const { status, payment_status, payment_dispute_lost_at, self_billed } = invoice;
  return status === 'finalized' && payment_status !== 'succeeded' && payment_dispute_lost_at === null && !self_billed;
}

/** The address of `next_action`, if it is one that a browser may open: text from a provider could also be a script. */
function confirmationUrl({ next_action: action }: PaymentRecord): string | null {
  const { redirect_to_url: redirect } = action as { redirect_to_url?: { url?: unknown } | null };
  const url = redirect?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}
