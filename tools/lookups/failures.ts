/** Why invoices could not be issued or paid: of what lists leave out, and of their payments (docs/lookups.md §4, §8). */
import type { Invoice } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { problemsInWords } from '../../src/words/code-words.ts';
import { failureReason, noReason } from '../../src/words/payment.ts';
import { code, count, say } from '../../src/words/summary.ts';
import { readList } from '../records/list-pages.ts';
import { readOrNull } from '../records/one-record.ts';

/** A list tells the reasons of so many failed rows; each costs a read. */
const mostRead = 5;

/** `SKY-1 could not be issued: the tax could not be computed`, of the first failed rows; then how many were not read. */
export async function failureSentences(api: Api, rows: readonly Invoice[]): Promise<string[]> {
  const failed = rows.filter(row => readerOf(row, api) !== null);
  const left = api.left();
  const read = failed.slice(0, Math.max(Math.min(mostRead, left), 0));
  const sentences = await Promise.all(
    read.map(async row => {
      const why = await readerOf(row, api)?.();
      return say`${code(row.number) ?? code(row.svc_id)} ${why ?? null}`;
    }),
  );
  const rest = failed.length - read.length;
  return [
    ...sentences.filter(sentence => sentence !== null),
    ...(rest > 0 ? [`Why ${count(rest, 'other one')} failed was not read; get_invoice shows it`] : []),
  ];
}

/** `Its payment failed: the card was declined`; null for an invoice whose payment did not fail. */
export async function paymentFailure(api: Api, invoice: Invoice): Promise<string | null> {
  if (!isUnpaid(invoice) || !api.mayUse('list_payments')) return null;
  return `Its ${await whyUnpaid(api, invoice)}`;
}

/** Null where nothing failed, or this caller may not see why. */
function readerOf(invoice: Invoice, api: Api): (() => Promise<string>) | null {
  if (!invoice.svc_id) return null;
  if (invoice.status === 'failed' && api.mayUse('get_invoice')) return () => whyUnissued(api, invoice);
  return isUnpaid(invoice) && api.mayUse('list_payments') ? () => whyUnpaid(api, invoice) : null;
}

function isUnpaid({ status, payment_status }: Invoice): boolean {
  return status === 'finalized' && payment_status === 'failed';
}

async function whyUnissued(api: Api, { svc_id }: Invoice): Promise<string> {
  const invoice = await readOrNull(api, 'invoice', svc_id ?? '');
  if (invoice === null) return 'could not be issued; why could not be read';
  const errors = invoice.error_details ?? [];
  return `could not be issued: ${errors.length === 0 ? noReason : problemsInWords(errors)}`;
}

/** By the newest failed payment: a retry may have failed for another reason. */
async function whyUnpaid(api: Api, { svc_id }: Invoice): Promise<string> {
  const list = await readList(api, 'payments', undefined, { invoice_id: svc_id ?? '' }, {});
  if (!list.ok) return 'payment failed; why could not be read';
  const failed = list.rows.find(
    ({ payment_status, invoice_ids }) =>
      payment_status === 'failed' && (!Array.isArray(invoice_ids) || invoice_ids.includes(svc_id)),
  );
  return failed === undefined
    ? 'payment is marked as failed, but no failed payment is recorded'
    : `payment failed: ${failureReason(failed)}`;
}
