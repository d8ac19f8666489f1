/** Invoices found by their customer, dates, states and amounts, and one with its lines (docs/lookups.md §4). */
import * as z from 'zod';
import { invoicePaymentStatuses, shownInvoiceStatuses } from '../../src/contract/enums.ts';
import { invoiceFilters } from '../../src/contract/list-filters.ts';
import { documentLinks, maskedFields } from '../../src/contract/masked-fields.ts';
import type { Fee, Invoice } from '../../src/contract/shown.ts';
import { type Api, leavesAsFile } from '../../src/definition/api.ts';
import { ascending, customerOrName, flag, idText, paging, pathText } from '../../src/definition/args.ts';
import { defineLookup, type SummaryContext } from '../../src/definition/define.ts';
import { filterArguments, rangesOf } from '../../src/definition/field-arguments.ts';
import { explainPeriod } from '../../src/words/billed-period.ts';
import { describeDifference } from '../../src/words/compared-invoices.ts';
import { explainCredits } from '../../src/words/credits.ts';
import { explainFees } from '../../src/words/explain.ts';
import { describeInvoice, invoiceLine, invoiceMetadata, type PricesBeside } from '../../src/words/invoice.ts';
import { explainNoTax, explainPath } from '../../src/words/invoice-arithmetic.ts';
import { isWebAddress } from '../../src/words/safe-text.ts';
import { code, listed, opt, quoted, say, sentences } from '../../src/words/summary.ts';
import { everyRow, keysAndValues, withoutShared } from '../records/common-fields.ts';
import { invoiceId, isRecordId } from '../records/invoice-number.ts';
import { readPlanPrices, readPrepaidEnd } from '../records/invoice-reads.ts';
import { newestNote, shownFields, shownNote, withMoney } from '../records/list-pages.ts';
import { customerField, customerNote, ofWhom, readOfCustomer, sayMade } from '../records/named-customer.ts';
import { readOne } from '../records/one-record.ts';
import { documentFields, searchRows } from '../records/record-search.ts';
import { type Comparison, compareInvoice } from './compared-invoice.ts';
import { failureSentences, paymentFailure } from './failures.ts';
import { daysOverdue, invoiceMoney, invoiceTotals, notCounted, totalsByCustomer } from './owed-words.ts';
import { type PendingByInvoice, pendingPayments } from './pending-payments.ts';

/** Lists with more rows than this leave out what costs most: `get_invoice` also takes the number. */
const mostWithIds = 12;

export const listInvoices = defineLookup({
  name: 'list_invoices',
  title: 'List invoices',
  toolset: 'invoices',
  endpoint: 'GET /invoices',
  description:
    'Lists invoices of one customer or all, newest first, with amounts due and overdue. A missing status means finalized; a missing total_due_amount_cents means nothing is due. For the lines of an invoice, use get_invoice; for monthly totals, get_revenue.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      search_term: idText().describe('Part of the number or the customer').optional(),
      status: z.array(z.enum(shownInvoiceStatuses)).describe('Default all').optional(),
      payment_status: z.array(z.enum(invoicePaymentStatuses)).describe('Default all').optional(),
      payment_overdue: flag.describe('Whether payment is overdue').optional(),
      partially_paid: flag.describe('Whether a part was paid').optional(),
      purchase_order_number: idText().describe('Order number').optional(),
      ...filterArguments(invoiceFilters),
      ...paging,
    })
    .superRefine(ascending(...rangesOf(invoiceFilters))),
  async run({ external_customer_id, page, per_page, all, ...filters }, api) {
    const pages = { page, per_page, all };
    const list = await readOfCustomer(api, external_customer_id, id =>
      searchRows(api, 'invoices', id, filters, pages, row =>
        // Below a customer, the service searches no names.
        documentFields(api, id === undefined ? row : { ...row, customer: null }),
      ),
    );
    if (!list.ok) return list;
    const totals = invoiceTotals(list.rows);
    const pending = api.asks('pending_payment') ? await pendingPayments(api, external_customer_id, list) : null;
    const short = withoutShared(shortRows(list.rows, api, pending?.byInvoice), [
      'currency',
      'issuing_date',
      'payment_due_date',
      'payment_status',
      'payment_overdue',
      'customer',
      'country',
    ]);
    const kind = filters.payment_overdue === true ? 'overdue invoice' : 'invoice';
    const of = ofWhom(external_customer_id, list.customer, list.rows);
    const body = {
      ...customerField(list.customer),
      invoices: short.rows,
      ...everyRow(short, list.customer),
      ...(Object.keys(totals).length > 0 && { totals }),
      ...shownFields(list),
      ...(api.asks('totals_by_customer') && { totals_by_customer: totalsByCustomer(list.rows) }),
      for_export: { rows: list.rows.map(row => ({ ...row, days_overdue: daysOverdue(row, api.now) })) },
      for_summary: [
        withMoney(list, shownNote(list, `${kind}${of}`, `${kind}s${of}`), invoiceMoney(list.rows, totals, api.now)) ??
          noInvoice({ external_customer_id, ...filters }, api.hides('email')),
        newestNote(
          list.rows.map(row => invoiceLine(row, external_customer_id === undefined, api.now)),
          list,
          page,
        ),
        pending?.sentence,
        ...(await failureSentences(api, list.rows)),
        ...notCounted(list.rows, totals),
        // The service reads false as true.
        filters.payment_dispute_lost === false && 'Invoices with lost disputes were left out after each page was read',
        list.rows.length > mostWithIds &&
          !leavesAsFile(pages) &&
          !api.asks('svc_id') &&
          'To change one, detail: svc_id shows the svc_id of each',
        customerNote(list.customer),
      ],
    };
    return { ok: true, body };
  },
  result: 'invoices',
  answer: 'made list',
  brief: `
    svc_id number issuing_date payment_due_date status?finalized invoice_type?subscription payment_status
    payment_overdue? days_overdue? payment_dispute_lost_at self_billed? currency total_amount_cents total_due_amount_cents?
    customer{external_id name?=external_id} purchase_order_number
  `,
  more: 'svc_id metadata pending_payment country days_overdue totals_by_customer',
  say: sayMade,
});

/** Which filters let nothing through, and which fields the search reads (§4). */
function noInvoice(
  { external_customer_id, search_term, ...filters }: { external_customer_id?: string; search_term?: string },
  emailsHidden: boolean,
): string {
  const of = external_customer_id === undefined ? '' : ' of this customer';
  const term = quoted(search_term);
  const filterNames = Object.keys(filters);
  const matching = opt` with ${listed(filterNames)}`;
  if (term === null) return `No invoice${of}${matching} was found`;
  const fields =
    of === ''
      ? `in its number, as its svc_id, or in the customer’s name, first or last name${emailsHidden ? ' or external ID; email addresses are hidden and not searched' : ', external ID or email'}`
      : 'in its number or as its svc_id';
  return `No invoice${of}${matching} has ${term} ${fields}`;
}

/**
 * Rows with what a list shows: once the invoice is issued its payment status, when it is due and what is still due of it. Longer
 * lists leave out the svc_id, except that of drafts, which may share a number.
 */
function shortRows(rows: readonly Invoice[], api: Api, pending: PendingByInvoice | undefined) {
  const few = rows.length <= mostWithIds;
  return rows.map(row => {
    const { svc_id, payment_status, payment_due_date, total_due_amount_cents, customer, ...others } = row;
    const { external_id, name, country } = customer ?? {};
    const issued = row.status === 'finalized';
    return {
      ...others,
      customer: { external_id, name: name || undefined },
      ...((few || api.asks('svc_id') || !issued || !row.number) && { svc_id }),
      ...(issued && { payment_status, payment_due_date, total_due_amount_cents }),
      ...((few || api.asks('days_overdue')) && { days_overdue: daysOverdue(row, api.now) }),
      ...(api.asks('metadata') && { metadata: keysAndValues(row.metadata) }),
      ...(api.asks('country') && { country: country ?? null }),
      ...(pending !== undefined && { pending_payment: pending.get(svc_id ?? '') ?? null }),
    };
  });
}

export const getInvoice = defineLookup({
  name: 'get_invoice',
  title: 'Get an invoice',
  toolset: 'invoices',
  endpoint: 'GET /invoices/{svc_id}',
  description:
    'Returns one invoice with its lines, largest first, credits, taxes and the amount still due. For what comes next, use preview_invoice.',
  input: z.strictObject({
    svc_id: pathText().describe('svc_id or number of the invoice'),
    compared_to: pathText()
      .describe('Explain how it differs from another invoice: its number, previous or running')
      .optional(),
  }),
  async run({ svc_id: idOrNumber, compared_to }, api) {
    const resolved = await invoiceId(api, idOrNumber);
    if (!resolved.ok) return resolved;
    const answer = await readOne(api, 'invoice', resolved.svc_id);
    if (!answer.ok) return answer;
    const { body: invoice } = answer;
    const compared = compared_to === undefined ? null : await compareInvoice(api, invoice, compared_to);
    if (compared !== null && !compared.ok) return compared;
    const fees = [...(invoice.fees ?? [])].sort((a, b) => size(b) - size(a));
    const whole = { ...invoice, ...(fees.length > 0 && { fees }) };
    if (compared !== null && 'comparison' in compared)
      return { ...answer, body: { invoice: headOf(invoice, compared.comparison) }, beside: { whole, ...compared } };
    const [prices, failure, prepaidEnd] = await Promise.all([
      readPlanPrices(api, invoice),
      paymentFailure(api, invoice),
      readPrepaidEnd(api, invoice),
    ]);
    const shown = withoutDocuments(whole, api);
    const documents = shown === whole;
    return { ...answer, body: { invoice: shown }, beside: { prices, failure, prepaidEnd, documents, ...compared } };
  },
  result: 'invoice',
  answer: 'made record',
  brief: `
    svc_id number status invoice_type?subscription payment_status payment_overdue? payment_dispute_lost_at issuing_date
    payment_due_date file_url currency customer{external_id name?=external_id} fees{item{type?charge name
    invoice_display_name?=name code?=name filter_invoice_display_name filters grouped_by} units amount_cents}
    fees_amount_cents coupons_amount_cents? taxes_amount_cents? progressive_billing_credit_amount_cents?
    credit_notes_amount_cents? prepaid_credit_amount_cents? total_amount_cents total_paid_amount_cents?
    total_offsetted_credit_note_amount_cents? total_due_amount_cents
    comparison{compared_to{svc_id number preview} difference_cents quantity_cents? price_cents? new_or_gone_cents?
    undivided_cents? coupons_cents? taxes_cents? already_billed_cents? credit_notes_cents? prepaid_cents?
    unexplained_cents?}
  `,
  more: `
    subscriptions fees{precise_unit_amount events_count from_date to_date amount_details pricing_unit_details
    presentation_breakdowns} credits applied_taxes
    billing_periods purchase_order_number voided_at applied_usage_thresholds applied_invoice_custom_sections metadata
    error_details comparison{lines}
  `,
  say: (invoice, { args, now, beside }: SummaryContext<InvoiceBeside>) => {
    const { whole, comparison, missing } = beside ?? {};
    const matched = !isRecordId(args.svc_id) && 'Matched by number';
    if (whole !== undefined && comparison !== undefined) {
      const { compared_to, isRunning } = comparison;
      const [from, to] = isRunning ? [whole, compared_to] : [compared_to, whole];
      return describeDifference({ from, to, isRunning }, comparison, now);
    }
    const fees = invoice.fees ?? [];
    return sentences(
      say`Not compared: ${missing ?? null}`,
      describeInvoice(invoice, now),
      beside?.failure,
      explainPath(invoice),
      explainNoTax(invoice),
      explainPeriod(invoice, fees, now),
      say`Order number ${code(invoice.purchase_order_number)}`,
      ...explainFees(fees, invoice.currency, mostLines, { prices: beside?.prices ?? [] }),
      explainCredits(invoice, beside?.prepaidEnd),
      invoiceMetadata(invoice),
      beside?.documents === false && 'Its document is not linked, because it shows hidden data',
      matched,
    );
  },
});

/** What was read next to the invoice; `documents`: its links are those that the service sent. */
interface InvoiceBeside extends PricesBeside {
  readonly failure?: string | null;
  readonly documents?: boolean;
  /** With `compared_to`: the whole invoice and what it was compared with, or why it was not. */
  readonly whole?: Invoice;
  readonly comparison?: Comparison;
  readonly missing?: string;
}

/** A document shows the customer's whole address: where fields are hidden, its links are too. Other links than web addresses never pass. */
function withoutDocuments(invoice: Invoice, api: Api): Invoice {
  const hides = maskedFields.some(field => api.hides(field));
  const left = documentLinks.filter(name => {
    const link = invoice[name];
    return Boolean(link) && (hides || !isWebAddress(link));
  });
  return left.length === 0 ? invoice : { ...invoice, ...Object.fromEntries(left.map(name => [name, null])) };
}

/** What a comparison shows of the invoice itself, whose lines its sentences tell. */
function headOf(invoice: Invoice, { compared_to: other, isRunning, ...comparison }: Comparison) {
  const { svc_id, number, status, currency, total_amount_cents } = invoice;
  // A preview has neither id nor number.
  const compared_to = isRunning ? { preview: true } : { svc_id: other.svc_id, number: other.number };
  return { svc_id, number, status, currency, total_amount_cents, comparison: { compared_to, ...comparison } };
}

/** How many fees the summary explains one by one. */
const mostLines = 8;

function size({ amount_cents }: Fee): number {
  return Math.abs(Number(amount_cents ?? 0));
}
