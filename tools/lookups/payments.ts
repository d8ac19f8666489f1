/** Payments by customer, invoice and state (docs/lookups.md §8). */

import * as z from 'zod';
import { isOneOf, paymentStatuses } from '../../src/contract/enums.ts';
import type { Payment } from '../../src/contract/shown.ts';
import { isWhole, type Rows } from '../../src/definition/api.ts';
import { customerOrName, date, paging, pathText } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { dayNumber, isoDay } from '../../src/words/dates.ts';
import { timeZoneNote, withLocalTimes } from '../../src/words/list-time-zone.ts';
import { failureReason, isExplained, noReason } from '../../src/words/payment.ts';
import * as w from '../../src/words/summary.ts';
import { unlistedNote } from '../../src/words/unlisted-values.ts';
import { countOf, type GroupTotals, groupTotals, totalsText } from '../quotes/totals.ts';
import { everyRow, withoutShared } from '../records/common-fields.ts';
import { invoiceId } from '../records/invoice-number.ts';
import { chosenPage, newestNote, readList, remarked, shownFields, shownNote } from '../records/list-pages.ts';
import { customerField, customerNote, ofWhom, readOfCustomer, sayMade } from '../records/named-customer.ts';
import { zoneOfCustomer } from '../records/one-record.ts';
import { span } from '../records/time-filters.ts';
import { isUnderWay, pendingLine } from './pending-payments.ts';

export const listPayments = defineLookup({
  name: 'list_payments',
  title: 'List payments',
  toolset: 'payments',
  endpoint: 'GET /payments',
  description:
    'Lists payments of one customer, one invoice or all, newest first, with their outcome. A missing payment_status means succeeded. For amounts due, use list_invoices.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      invoice_id: pathText().describe('svc_id or number of the invoice').optional(),
      payment_status: z.array(z.enum(paymentStatuses)).describe('Default all').optional(),
      from_date: date().describe('From this day').optional(),
      to_date: date().describe('Up to this day').optional(),
      ...paging,
    })
    .refine(...span('from_date', 'to_date')),
  async run({ external_customer_id, invoice_id, payment_status = [], from_date, to_date, ...pages }, api) {
    const [from, to] = [dayNumber(from_date), dayNumber(to_date)];
    const isFiltered = payment_status.length > 0 || from !== null || to !== null;
    const invoice = invoice_id === undefined ? null : await invoiceId(api, invoice_id);
    if (invoice?.ok === false) return invoice;
    const query = { invoice_id: invoice?.svc_id };
    const read = isFiltered ? { all: pages.all || true } : pages;
    // The newest come first; in any time zone it is at most a day earlier than in UTC.
    const isEarlier = (row: Payment) => from !== null && (dayNumber(row.created_at) ?? from) < from - 1;
    const list = await readOfCustomer(api, external_customer_id, id =>
      readList(api, 'payments', id, query, read, isEarlier),
    );
    if (!list.ok) return list;
    const owner = list.customer?.external_id ?? external_customer_id;
    const zone =
      owner === undefined || list.rows.length === 0 ? (invoice?.zone ?? null) : await zoneOfCustomer(api, owner);
    const matching = list.rows.filter(row => {
      const at = from === null && to === null ? null : dayNumber(row.created_at, zone);
      const isWithin = at === null || ((from === null || at >= from) && (to === null || at <= to));
      return isWithin && (payment_status.length === 0 || isOneOf(payment_status, row.payment_status));
    });
    const chosen = isFiltered ? chosenPage(list, matching, pages) : list;
    const totals = groupTotals(
      paymentStatuses.map(
        status => [status, matching.filter(row => row.payment_status === status), 'amount_cents'] as const,
      ),
      'amount_currency',
    );
    const short = withoutShared(shortRows(chosen.rows, zone), [
      'amount_currency',
      'payment_status',
      'status',
      'external_customer_id',
      'payment_provider_code',
    ]);
    const of = ofWhom(external_customer_id, list.customer, []);
    const body = {
      ...customerField(list.customer),
      payments: short.rows,
      ...everyRow(short, list.customer),
      ...(Object.keys(totals).length > 0 && { totals }),
      ...shownFields(chosen),
      for_export: { rows: chosen.rows },
      for_summary: [
        paymentsNote(chosen, matching.length, { of, such: isFiltered || invoice !== null ? 'such ' : '' }, totals),
        newestNote(
          chosen.rows.map(row => paymentLine(row, external_customer_id === undefined, { zone, now: api.now })),
          chosen,
          pages.page,
        ),
        chosen.rows.length > mostWhole && pendingNote(matching, api.now),
        failuresNote(chosen.rows.slice(chosen.rows.length > mostWhole ? 0 : mostTold)),
        unlistedNote(matching, 'payment_status', paymentStatuses),
        isFiltered && readNote(list),
        chosen.rows.length > 0 && timeZoneNote(zone, zone === null || chosen.rows.length > mostWhole),
        customerNote(list.customer),
      ],
    };
    return { ok: true, body };
  },
  result: 'payments',
  answer: 'made list',
  brief: `
    svc_id created_at amount_cents amount_currency payment_status status invoice_numbers external_customer_id type?provider
    payment_provider_code reference
  `,
  say: sayMade,
});

/** Lists with more rows than this leave out what get_payment tells. */
const mostWhole = 12;

/**
 * With moments in the time zone, and of failed payments the provider's own word. Longer lists have days instead of moments,
 * neither provider nor reference, and no status of what succeeded.
 */
function shortRows(rows: readonly Payment[], zone: string | null): readonly Payment[] {
  const long = rows.length > mostWhole;
  const zonedRows = withLocalTimes(rows, ['created_at'], zone, long).map(row =>
    row.payment_status === 'failed' && isExplained(row) ? row : { ...row, status: undefined },
  );
  if (!long) return zonedRows;
  return zonedRows.map(({ payment_provider_code: _, reference: __, payment_status, ...row }) => ({
    ...row,
    ...(payment_status !== 'succeeded' && { payment_status }),
  }));
}

/** Payments that the sentence tells one by one, with why they failed. */
const mostTold = 3;

/** `SKY-1 of acme: $100.00 of 2 Jan, failed: the card was declined`. */
function paymentLine(payment: Payment, ofMany: boolean, { zone, now }: { zone: string | null; now: Date }): string {
  const { amount_cents, amount_currency, payment_status, created_at } = payment;
  const who = ofMany ? w.say` of ${w.code(payment.external_customer_id)}` : null;
  const at = w.opt` on ${w.day(isoDay(dayNumber(created_at, zone)), now)}`;
  const why = payment_status === 'failed' ? w.say`: ${failureReason(payment)}` : null;
  const parts = [
    w.say`${w.money(amount_cents, amount_currency)}${at}`,
    w.say`${wordsOf('payment', payment_status)}${why ?? ''}`,
  ];
  return w.phrase`${labelOf(payment)}${who}: ${w.joined(parts, ', ')}`;
}

function labelOf(payment: Payment): string {
  return w.listedCodes(payment.invoice_numbers, 3) ?? w.code(payment.svc_id) ?? 'One';
}

/** `Pending: $305.81 for SKY-1 since 14 Mar`; null where nothing is under way. */
function pendingNote(rows: readonly Payment[], now: Date): string | null {
  return w.say`Pending: ${w.firstOf(rows.filter(isUnderWay).map(row => pendingLine(row, now)))}`;
}

/** `Failed: SKY-1, the card was declined`; of more, where their rows tell it. */
function failuresNote(rows: readonly Payment[]): string | null {
  const failed = rows.filter(({ payment_status }) => payment_status === 'failed');
  if (failed.length > mostTold) return `The status in each row is why it failed; without one, ${noReason}`;
  const reasons = failed.map(payment => `${labelOf(payment)}, ${failureReason(payment)}`);
  return reasons.length === 0 ? null : `Failed: ${reasons.join('; ')}`;
}

function readNote(list: Rows): string {
  const { rows, stopped, total } = list;
  const read = w.count(rows.length, 'payment');
  const looked = `searched${remarked(list)}`;
  if (!stopped) return `${read} ${rows.length === 1 ? 'was' : 'were'} ${looked}`;
  return w.phrase`Only the newest ${read}${w.say` of ${w.quantity(total)}`} were ${looked}`;
}

/** `3 payments of acme: $200.00 succeeded on 2, $50.00 failed on 1`; the sums are over all that were read and match. */
function paymentsNote(
  chosen: Rows,
  matching: number,
  { of, such }: { of: string; such: string },
  totals: GroupTotals<string>,
): string {
  const note = shownNote(chosen, `payment${of}`, `payments${of}`);
  if (note === null)
    return chosen.total === null ? `No such payment${of} among those read` : `No ${such}payment${of} was found`;
  const money = paymentStatuses.map(status => {
    const sums = totals[status] ?? [];
    return w.say`${totalsText(sums, 'amount_cents')} ${wordsOf('payment', status)} (${String(countOf(sums))})`;
  });
  const sumsText = w.joined(money, '; ');
  if (sumsText === null) return note;
  return `${note}${isWhole(chosen) && chosen.rows.length === matching ? ': ' : `. These ${w.quantity(matching)}: `}${sumsText}`;
}
