/** The invoice that another one is compared to: a certain one, the one before it, or the preview of the running period. */

import type { Invoice } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { reasonOf, refuse, type ToolError } from '../../src/definition/failure.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { creditsOf } from '../../src/words/credits.ts';
import { needsPlan, type PlanPrice, planPriceOf } from '../../src/words/fee-price.ts';
import { type InvoiceDifference, invoiceDifference } from '../../src/words/invoice-difference.ts';
import { code, count, named, say } from '../../src/words/summary.ts';
import { invoiceId } from '../records/invoice-number.ts';
import { readPlanPrices } from '../records/invoice-reads.ts';
import { readList } from '../records/list-pages.ts';
import { readOne, readOrNull } from '../records/one-record.ts';

import { comingUse } from './catalogue-kinds.ts';

/** Most earlier invoices that are read in search of one with the same subscriptions. */
const mostCandidates = 8;

export interface Comparison extends InvoiceDifference {
  compared_to: Invoice;
  isRunning: boolean;
  /** What is left today of the coupons that differ, in sentences. */
  coupon_rests?: readonly string[];
  /** Why credit notes were given, by their ids, in words. */
  note_reasons?: Readonly<Record<string, string>>;
}

type Found = { ok: true; invoice: Invoice } | { ok: true; missing: string } | { ok: false; error: ToolError };

/** The comparison, why it cannot be made although the invoice itself is known, or the error of what was named. */
export async function compareInvoice(
  api: Api,
  invoice: Invoice,
  comparedTo: string,
): Promise<{ ok: true; comparison: Comparison } | { ok: true; missing: string } | { ok: false; error: ToolError }> {
  const word = comparedTo.trim().toLowerCase();
  const { tool } = api;
  const isRunning = word === 'running';
  const read = isRunning
    ? await previewOf(api, invoice)
    : word === 'previous'
      ? await previousOf(api, invoice)
      : await namedInvoice(api, comparedTo);
  if (!read.ok || 'missing' in read) return read;
  const other = read.invoice;
  if (!isRunning && other.svc_id === invoice.svc_id)
    return { ok: false, error: refuse('invalid_arguments', { case: 'compared_with_itself', tool }) };
  if ((other.currency ?? null) !== (invoice.currency ?? null)) {
    const currencies = { first: code(other.currency), second: code(invoice.currency) };
    return { ok: false, error: refuse('invalid_arguments', { case: 'compared_currencies', tool, ...currencies }) };
  }
  const [otherOf, of] = [other, invoice].map(({ customer }) => customer?.external_id);
  if (otherOf && of && otherOf !== of)
    return {
      ok: false,
      error: refuse('invalid_arguments', { case: 'compared_customers', tool, first: code(otherOf), second: code(of) }),
    };
  const [from, to] = isRunning ? [invoice, other] : [other, invoice];
  const prices = await pricesOfBoth(api, from, to);
  const difference = invoiceDifference(from, to, isRunning, prices);
  if (difference === null) return { ok: true, missing: 'one of the two shows no total' };
  const coupon_rests = difference.coupons_cents === 0 ? [] : await couponRests(api, from, to);
  const note_reasons = await noteReasons(api, from, to);
  return { ok: true, comparison: { compared_to: other, isRunning, ...difference, coupon_rests, note_reasons } };
}

/** `Coupon “Loyalty $25” (loyal25): $10.00 left`, of the coupons of either invoice. */
async function couponRests(api: Api, from: Invoice, to: Invoice): Promise<string[]> {
  const external_customer_id = to.customer?.external_id ?? from.customer?.external_id;
  const credits = [from, to].flatMap(invoice => creditsOf(invoice, 'coupon'));
  const codes = new Set(credits.flatMap(({ item }) => item.code ?? []));
  if (!external_customer_id || codes.size === 0 || !api.mayUse('list_catalogue')) return [];
  const list = await readList(api, 'applied_coupons', external_customer_id, {}, { per_page: 100 });
  if (!list.ok) return [];
  return list.rows
    .filter(({ coupon_code }) => codes.has(coupon_code ?? ''))
    .flatMap(row => {
      const rest = row.status === 'active' ? comingUse(row, api.now, true) : wordsOf('life', row.status);
      return say`Coupon ${named(row.coupon_name, row.coupon_code)}: ${rest}` ?? [];
    });
}

/** Read of at most three notes; `other` is no reason. */
async function noteReasons(api: Api, ...invoices: readonly Invoice[]): Promise<Record<string, string>> {
  const credits = invoices.flatMap(invoice => creditsOf(invoice, 'credit_note'));
  const ids = new Set(credits.flatMap(({ item }) => item.svc_item_id || []));
  const reasons: Record<string, string> = {};
  if (!api.mayUse('list_credit_notes')) return reasons;
  for (const svc_id of [...ids].slice(0, Math.min(3, api.left()))) {
    const reason = (await readOrNull(api, 'credit_note', svc_id))?.reason;
    const words = reason === 'other' ? null : wordsOf('creditNoteReason', reason);
    if (words !== null) reasons[svc_id] = words;
  }
  return reasons;
}

/** Of the later invoice; those of the earlier one, too, where it has charges that the later one's plans do not. */
async function pricesOfBoth(api: Api, from: Invoice, to: Invoice): Promise<PlanPrice[]> {
  const prices = await readPlanPrices(api, to);
  const others = (from.fees ?? []).filter(fee => needsPlan(fee) && planPriceOf(fee, prices) === null);
  return others.length === 0 ? prices : [...prices, ...(await readPlanPrices(api, { ...from, fees: others }))];
}

async function namedInvoice(api: Api, idOrNumber: string): Promise<Found> {
  const resolved = await invoiceId(api, idOrNumber);
  if (!resolved.ok) {
    const { error } = resolved;
    return { ok: false, error: { ...error, hint: `compared_to takes a number, previous or running. ${error.hint}` } };
  }
  return readInvoice(api, resolved.svc_id);
}

async function readInvoice(api: Api, svc_id: string): Promise<Found> {
  const answer = await readOne(api, 'invoice', svc_id);
  return answer.ok ? { ok: true, invoice: answer.body } : answer;
}

/** The last finalized invoice before it, of the same type and with the same subscriptions. */
async function previousOf(api: Api, invoice: Invoice): Promise<Found> {
  const external_customer_id = invoice.customer?.external_id;
  const { issuing_date: issuing_date_to, invoice_type } = invoice;
  if (!external_customer_id || !issuing_date_to)
    return { ok: true, missing: 'the invoice shows no customer or no date' };
  if (!api.mayUse('list_invoices')) return { ok: true, missing: 'list_invoices is not available to this caller' };
  const query = {
    external_customer_id,
    status: ['finalized'],
    invoice_type: invoice_type || undefined,
    issuing_date_to,
  };
  const list = await api.list('/invoices', { key: 'invoices', query }, { per_page: 50 });
  if (!list.ok) return { ok: true, missing: reasonOf(list.error) };
  const earlier = list.rows.filter(row => isBefore(row, invoice));
  const wanted = subscriptionsOf(invoice);
  const candidates = earlier.slice(0, Math.min(mostCandidates, api.left()));
  for (const row of candidates) {
    if (!row.svc_id) continue;
    const read = await readInvoice(api, row.svc_id);
    if (!read.ok) return { ok: true, missing: reasonOf(read.error) };
    if ('invoice' in read && subscriptionsOf(read.invoice) === wanted) return read;
  }
  const among = earlier.length > candidates.length || list.nextPage !== null;
  const missing = among
    ? `none of the ${count(candidates.length, 'invoice')} before it that were read has the same subscriptions: send the number of one`
    : 'there is no earlier finalized invoice of its type with the same subscriptions';
  return { ok: true, missing };
}

/** The service sorts so: by the issuing date, then by the time of creation. */
function isBefore(row: Invoice, invoice: Invoice): boolean {
  if (row.status !== 'finalized' || row.svc_id === invoice.svc_id || row.invoice_type !== invoice.invoice_type)
    return false;
  const [date, other] = [row.issuing_date ?? '', invoice.issuing_date ?? ''];
  if (date !== other) return date < other;
  return (row.created_at ?? '') < (invoice.created_at ?? '');
}

/** Their external ids: a subscription whose plan changes is another record, with the same external id. */
function subscriptionIds(invoice: Invoice): string[] {
  return [...new Set(invoice.subscriptions?.flatMap(({ external_id }) => external_id || []))].sort();
}

function subscriptionsOf(invoice: Invoice): string {
  return JSON.stringify(subscriptionIds(invoice));
}

async function previewOf(api: Api, invoice: Invoice): Promise<Found> {
  const external_id = invoice.customer?.external_id;
  const external_ids = subscriptionIds(invoice);
  if (!external_id || external_ids.length === 0)
    return { ok: false, error: refuse('invalid_arguments', { case: 'compared_running', tool: api.tool }) };
  if (!api.mayUse('preview_invoice')) return { ok: true, missing: 'preview_invoice is not available to this caller' };
  const answer = await api.preview({ customer: { external_id }, subscriptions: { external_ids } });
  if (!answer.ok) return { ok: true, missing: reasonOf(answer.error) };
  return { ok: true, invoice: answer.body.invoice ?? {} };
}
