/** Invoices found by their customer, dates, states and amounts, and one with its lines (docs/lookups.md §4). */
import * as z from 'zod';
import { invoicePaymentStatuses, shownInvoiceStatuses } from '../../src/contract/enums.ts';
import { invoiceFilters } from '../../src/contract/list-filters.ts';
import type { Fee, Fields, Invoice } from '../../src/contract/shown.ts';
import { ascending, customerOrName, flag, idText, paging, pathText } from '../../src/tool/args.ts';
import { defineLookup, type SummaryContext } from '../../src/tool/define.ts';
import { filterArguments, rangesOf } from '../../src/tool/filter-arguments.ts';
import { explainCredits } from '../../src/words/credits.ts';
import { explainFees, explainPeriod } from '../../src/words/explain.ts';
import { describeInvoice, type PricesBeside } from '../../src/words/invoice.ts';
import { explainNoTax, explainPath } from '../../src/words/invoice-arithmetic.ts';
import {
  asInteger,
  asRecord,
  asRecords,
  asText,
  asTexts,
  code,
  listed,
  quoted,
  say,
  sentences,
} from '../../src/words/summary.ts';
import { everyRow, withoutShared } from '../reads/common-fields.ts';
import { customerField, customerNote, type ForSummary, ofWhom, readOfCustomer } from '../reads/customer.ts';
import { invoiceId, isRecordId } from '../reads/invoice-number.ts';
import { invoiceMoney, invoiceTotals, isOverdue, isOwed, notCounted } from '../reads/invoices.ts';
import { listPath, readRows, shownFields, shownNote, withMoney } from '../reads/pages.ts';
import { readPlanPrices } from '../reads/plan-prices.ts';
import { documentFields, searchRows } from '../reads/search.ts';

/** Lists with more rows than this leave out what costs most: `get_invoice` also takes the number. */
const mostWithIds = 12;

export const listInvoices = defineLookup({
  name: 'list_invoices',
  title: 'List invoices',
  toolset: 'invoices',
  endpoint: 'GET /invoices',
  description:
    'Invoices of a customer or of all, newest first, with what is owed and overdue. One with its lines: get_invoice; sums by month: get_revenue. Rows without status are finalized.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      search_term: idText().describe('Part of number or customer').optional(),
      status: z.array(z.enum(shownInvoiceStatuses)).optional(),
      payment_status: z.array(z.enum(invoicePaymentStatuses)).optional(),
      payment_overdue: flag.optional(),
      ...filterArguments(invoiceFilters),
      ...paging,
    })
    .superRefine(ascending(...rangesOf(invoiceFilters))),
  async lookup({ external_customer_id, page, per_page, all, ...filters }, reads) {
    const { search_term, ...query } = filters;
    const pages = { page, per_page, all };
    const list = await readOfCustomer(reads, external_customer_id, id => {
      const { path, values } = listPath('invoices', id);
      const get = { key: 'invoices' as const, path: values, query };
      if (search_term === undefined) return readRows(reads, path, get, pages);
      return searchRows(reads, path, get, search_term, pages, row =>
        // Below a customer, the service searches no names.
        documentFields(reads, id === undefined ? row : { ...row, customer: null }),
      );
    });
    if (!list.ok) return list;
    const totals = invoiceTotals(list.rows);
    const short = withoutShared(shortRows(list.rows), ['currency', 'payment_status', 'payment_overdue', 'customer']);
    const kind = query.payment_overdue === true ? 'overdue invoice' : 'invoice';
    const of = ofWhom(external_customer_id, list.customer, list.rows);
    const body = {
      ...customerField(list.customer),
      invoices: short.rows,
      ...everyRow(short, list.customer),
      ...(Object.keys(totals).length > 0 && { totals }),
      ...shownFields(list),
      for_summary: [
        withMoney(list, shownNote(list, `${kind}${of}`, `${kind}s${of}`), invoiceMoney(list.rows, totals, reads.now)) ??
          noInvoice({ external_customer_id, ...filters }, reads.hides('email')),
        ...notCounted(list.rows, totals),
        list.rows.length > mostWithIds && 'The numbers are for get_invoice, which has the svc_id',
      ],
    };
    return { ok: true, body };
  },
  result: 'invoices',
  list: true,
  brief: `
    svc_id number issuing_date payment_due_date status?finalized invoice_type?subscription payment_status
    payment_overdue? payment_dispute_lost_at self_billed? currency total_amount_cents total_due_amount_cents
    customer{external_id name?=external_id}
  `,
  summary: (record: ForSummary) => {
    const { for_summary: forSummary, customer } = asRecord(record);
    return sentences(...asTexts(forSummary), customerNote(customer));
  },
});

/** Which filters let nothing through, and which fields the search reads (§4). */
function noInvoice(
  { external_customer_id, search_term, ...filters }: Fields<'external_customer_id' | 'search_term'>,
  emailsHidden: boolean,
): string {
  const of = external_customer_id === undefined ? '' : ' of this customer';
  const term = quoted(search_term);
  const filterNames = Object.keys(filters);
  const matching =
    filterNames.length === 0 ? '' : ` that ${listed(filterNames)} ${filterNames.length === 1 ? 'lets' : 'let'} through`;
  if (term === null) return `There is no invoice${of}${matching}`;
  const fields =
    of === ''
      ? `in its number, as its svc_id, or in the customer’s name, first or last name${emailsHidden ? ' or external id; e-mail addresses are hidden here, and not searched' : ', external id or e-mail'}`
      : 'in its number or as its svc_id';
  return `No invoice${of}${matching} has ${term} ${fields}`;
}

/**
 * Rows with what a list shows: the payment status once the invoice is issued, the amount due if it differs from what
 * the statuses tell, the due date if payment is due. Longer lists leave out the svc_id, except that of drafts, which
 * may share a number; for overdue invoices they have the due date in place of the date of issue.
 */
function shortRows(rows: readonly Invoice[]) {
  const few = rows.length <= mostWithIds;
  return rows.map(row => {
    const { svc_id, issuing_date, payment_status, payment_due_date, total_due_amount_cents, customer, ...others } = row;
    const { external_id, name: customerName } = asRecord(customer);
    const name = asText(customerName) ?? undefined;
    const issued = row.status === 'finalized';
    const owed = isOwed(row);
    const overdue = isOverdue(row);
    const usualDue = owed ? row.total_amount_cents : 0;
    return {
      ...others,
      customer: { external_id, name },
      ...((few || !issued || asText(row.number) === null) && { svc_id }),
      ...((few || !overdue) && { issuing_date }),
      ...(issued && { payment_status }),
      ...((few ? owed : overdue) && { payment_due_date }),
      ...(issued && (total_due_amount_cents !== usualDue || (few && owed)) && { total_due_amount_cents }),
    };
  });
}

export const getInvoice = defineLookup({
  name: 'get_invoice',
  title: 'Get an invoice',
  toolset: 'invoices',
  endpoint: 'GET /invoices/{svc_id}',
  description: 'One invoice with its lines, largest first, credits, taxes and what is still due.',
  input: z.strictObject({ svc_id: pathText().describe('Or its number') }),
  async lookup({ svc_id: idOrNumber }, reads) {
    const resolved = await invoiceId(reads, idOrNumber);
    if (!resolved.ok) return resolved;
    const answer = await reads.get('/invoices/{svc_id}', { key: 'invoice', path: { svc_id: resolved.svc_id } });
    if (!answer.ok) return answer;
    const invoice = asRecord(answer.body.invoice);
    const fees = asRecords(invoice.fees).sort((a, b) => size(b) - size(a));
    const prices = await readPlanPrices(reads, invoice);
    return { ...answer, body: { invoice: { ...invoice, ...(fees.length > 0 && { fees }) } }, beside: { prices } };
  },
  result: 'invoice',
  brief: `
    svc_id number status invoice_type?subscription payment_status payment_overdue? payment_dispute_lost_at issuing_date
    payment_due_date currency customer{external_id name?=external_id} fees{item{type?charge name
    invoice_display_name?=name code?=name filter_invoice_display_name filters grouped_by} units amount_cents}
    fees_amount_cents coupons_amount_cents? taxes_amount_cents? progressive_billing_credit_amount_cents?
    credit_notes_amount_cents? prepaid_credit_amount_cents? total_amount_cents total_paid_amount_cents?
    total_offsetted_credit_note_amount_cents? total_due_amount_cents
  `,
  more: `
    subscriptions fees{precise_unit_amount events_count from_date to_date amount_details pricing_unit_details
    presentation_breakdowns} credits applied_taxes
    billing_periods purchase_order_number voided_at applied_usage_thresholds applied_invoice_custom_sections metadata
    error_details
  `,
  summary: (record, { args, now, beside }: SummaryContext<PricesBeside>) => {
    const invoice = asRecord(record);
    const fees = asRecords(invoice.fees);
    return sentences(
      !isRecordId(args.svc_id) && 'Matched by number',
      describeInvoice(invoice, now),
      explainPath(invoice),
      explainNoTax(invoice),
      explainPeriod(invoice, fees, now),
      say`Order number ${code(invoice.purchase_order_number)}`,
      ...explainFees(fees, invoice.currency, mostLines, { prices: beside?.prices ?? [] }),
      explainCredits(invoice),
    );
  },
});

/** How many fees the summary explains one by one. */
const mostLines = 8;

function size({ amount_cents }: Fee): number {
  return Math.abs(asInteger(amount_cents) ?? 0);
}
