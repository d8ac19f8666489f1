/** Payments that are under way: of unpaid invoices, so that no one is reminded of what is on its way (docs/lookups.md §8). */
import type { Invoice, Payment } from '../../src/contract/shown.ts';
import { type Api, isWhole, type Rows } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { dayNumber, isoDay } from '../../src/words/dates.ts';
import { day, firstOf, listedCodes, money, opt, phrase, quantity } from '../../src/words/summary.ts';
import { readList } from '../records/list-pages.ts';

/** What an invoice shows of a payment that may still fail. */
type PendingPayment = Pick<Payment, 'svc_id' | 'amount_cents' | 'created_at'>;
/** By the invoice's svc_id; the newest of each. */
export type PendingByInvoice = ReadonlyMap<string, PendingPayment>;

/** Of one request, which looks at the newest payments first. */
const mostRead = 100;

/** The pending payments of these invoices, of one customer or all; none with the reason where they cannot be read. */
export async function pendingPayments(
  api: Api,
  idOrName: string | undefined,
  { rows, customer }: Pick<Rows<Invoice>, 'rows'> & { customer: { external_id: string } | null },
): Promise<{ byInvoice: PendingByInvoice; sentence: string | null }> {
  const none = new Map<string, PendingPayment>();
  if (!api.mayUse('list_payments'))
    return {
      byInvoice: none,
      sentence: 'Pending payments are not shown: list_payments is not available to this caller',
    };
  const list = await readList(api, 'payments', customer?.external_id ?? idOrName, {}, { per_page: mostRead });
  if (!list.ok) return { byInvoice: none, sentence: `Pending payments could not be read: ${reasonOf(list.error)}` };
  const ids = new Set(rows.map(({ svc_id }) => svc_id));
  const pending = list.rows.filter(row => isUnderWay(row) && (row.invoice_ids ?? []).some(id => ids.has(id)));
  const byInvoice = new Map<string, PendingPayment>();
  for (const { svc_id, amount_cents, created_at, invoice_ids } of [...pending].reverse())
    for (const id of invoice_ids ?? []) byInvoice.set(id, { svc_id, amount_cents, created_at });
  const lines = pending.map(row => pendingLine(row, api.now));
  const part = isWhole(list) ? '' : ` among the newest ${quantity(list.rows.length)} payments`;
  return { byInvoice, sentence: `Payments under way${part}: ${lines.length === 0 ? 'none' : firstOf(lines)}` };
}

/** Was it made, and can it still fail? */
export function isUnderWay({ payment_status }: Payment): boolean {
  return payment_status === 'pending' || payment_status === 'processing';
}

/** `$305.81 for SKY-1 and SKY-2 since 14 Mar`; the day is in UTC. */
export function pendingLine(
  { amount_cents, amount_currency, invoice_numbers, created_at }: Payment,
  now: Date,
): string {
  const since = opt` since ${day(isoDay(dayNumber(created_at)), now)}`;
  return phrase`${money(amount_cents, amount_currency) ?? 'an unknown amount'}${opt` for ${listedCodes(invoice_numbers, 5)}`}${since}`;
}
