/** Credit notes by customer, invoice, dates and states (docs/lookups.md §7). */

import * as z from 'zod';
import { creditStatuses, refundStatuses } from '../../src/contract/enums.ts';
import { creditNoteFilters } from '../../src/contract/list-filters.ts';
import type { CreditNote } from '../../src/contract/shown.ts';
import { leavesAsFile } from '../../src/definition/api.ts';
import { ascending, customerOrName, idText, paging } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { filterArguments, rangesOf } from '../../src/definition/field-arguments.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { code, day, joined, money, named, phrase, say, sign } from '../../src/words/summary.ts';
import { unlistedNote } from '../../src/words/unlisted-values.ts';
import { countOf, type GroupTotals, groupTotals, totalsText } from '../quotes/totals.ts';
import { everyRow, withoutShared } from '../records/common-fields.ts';
import { newestNote, shownFields, shownNote, withMoney } from '../records/list-pages.ts';
import { customerField, customerNote, ofWhom, readOfCustomer, sayMade } from '../records/named-customer.ts';
import { documentFields, searchRows } from '../records/record-search.ts';

/** Lists with more rows than this leave the svc_id out: `search_term` takes the number. */
const mostWithIds = 12;

export const listCreditNotes = defineLookup({
  name: 'list_credit_notes',
  title: 'List credit notes',
  toolset: 'credit_notes',
  endpoint: 'GET /credit_notes',
  description:
    'Lists finalized credit notes of one customer or all, newest first, with remaining credit and refunds. To record a refund, use update_credit_note.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      search_term: idText().describe('Part of the number or the customer').optional(),
      invoice_number: idText().describe('Only notes of this invoice').optional(),
      credit_status: z.array(z.enum(creditStatuses)).describe('Default all').optional(),
      refund_status: z.enum(refundStatuses).describe('Default all').optional(),
      ...filterArguments(creditNoteFilters),
      ...paging,
    })
    .superRefine(ascending(...rangesOf(creditNoteFilters))),
  async run({ external_customer_id, page, per_page, all, ...filters }, api) {
    const pages = { page, per_page, all };
    const list = await readOfCustomer(api, external_customer_id, id =>
      searchRows(api, 'credit_notes', id, filters, pages, row => documentFields(api, row)),
    );
    if (!list.ok) return list;
    const totals = noteTotals(list.rows);
    const short = withoutShared(shortRows(list.rows), ['currency', 'customer', 'credit_status', 'refund_status']);
    const of = ofWhom(external_customer_id, list.customer, list.rows);
    const voided = list.rows.filter(isVoided).length;
    const note = withMoney(list, shownNote(list, `credit note${of}`, `credit notes${of}`), noteMoney(totals));
    const isFiltered = external_customer_id !== undefined || Object.values(filters).some(value => value !== undefined);
    const none = `No finalized credit note ${isFiltered ? 'matches' : 'was found'}; drafts are never listed`;
    const body = {
      ...customerField(list.customer),
      credit_notes: short.rows,
      ...everyRow(short, list.customer),
      ...(Object.keys(totals).length > 0 && { totals }),
      ...shownFields(list),
      for_export: { rows: list.rows },
      for_summary: [
        note ?? none,
        newestNote(
          list.rows.map(row => noteLine(row, external_customer_id === undefined, api.now)),
          list,
          page,
        ),
        voided > 0 && `Not counted: ${voided} voided`,
        unlistedNote(list.rows, 'credit_status', creditStatuses),
        unlistedNote(list.rows, 'refund_status', refundStatuses),
        list.rows.length > mostWithIds &&
          !leavesAsFile(pages) &&
          'search_term with a number shows the svc_id of the note',
        customerNote(list.customer),
      ],
    };
    return { ok: true, body };
  },
  result: 'credit_notes',
  answer: 'made list',
  brief: `
    svc_id number invoice_number issuing_date reason credit_status refund_status currency total_amount_cents
    credit_amount_cents? balance_amount_cents? refund_amount_cents? offset_amount_cents? description metadata
    customer{external_id name?=external_id}
  `,
  say: sayMade,
});

function isVoided({ credit_status }: CreditNote): boolean {
  return credit_status === 'voided';
}

/** `SKY-1-CN001 of “Acme” (acme): €5.18, issued on 13 Feb, refund of €5.18 not paid out yet, because something was charged twice`. */
function noteLine(row: CreditNote, ofMany: boolean, now: Date): string {
  const { currency: unit, refund_status, reason } = row;
  const who = ofMany ? say` of ${named(row.customer?.name, row.customer?.external_id)}` : null;
  const isOpen = row.credit_status === 'available' && sign(row.balance_amount_cents) === 1;
  const parts = [
    money(row.total_amount_cents, unit),
    say`issued on ${day(row.issuing_date, now)}`,
    isVoided(row) ? 'voided' : null,
    isOpen ? say`${money(row.balance_amount_cents, unit)} still available` : null,
    sign(row.refund_amount_cents) === 1
      ? say`refund of ${money(row.refund_amount_cents, unit)} ${wordsOf('refund', refund_status)}`
      : null,
    reason === 'other' ? null : say`because ${wordsOf('creditNoteReason', reason)}`,
  ];
  return phrase`${code(row.number) ?? code(row.svc_id) ?? 'One'}${who}: ${joined(parts, ', ')}`;
}

/** Sums in cents of notes that are not voided: of all of them, of what is left of credits, and of refunds by status. */
function noteTotals(rows: readonly CreditNote[]): GroupTotals<string> {
  const valid = rows.filter(row => !isVoided(row));
  const refunds = valid.filter(row => sign(row.refund_amount_cents) === 1);
  const available = valid.filter(row => row.credit_status === 'available');
  return groupTotals([
    ['issued', valid, 'total_amount_cents'],
    ['available', available, 'balance_amount_cents'],
    ...refundStatuses.map(
      status =>
        [`refunds_${status}`, refunds.filter(row => row.refund_status === status), 'refund_amount_cents'] as const,
    ),
  ]);
}

/** `$120.00 in total; $80.00 still available as credit on 1; refunds of $40.00 pending`. */
function noteMoney(totals: GroupTotals<string>): string | null {
  const { issued = [], available = [] } = totals;
  const parts = [
    say`${totalsText(issued, 'total_amount_cents')} in total`,
    say`${totalsText(available, 'balance_amount_cents')} still available as credit on ${String(countOf(available))}`,
    ...refundStatuses.map(
      status =>
        say`refunds of ${totalsText(totals[`refunds_${status}`] ?? [], 'refund_amount_cents')} ${wordsOf('refund', status)}`,
    ),
  ];
  return joined(parts, '; ');
}

/**
 * Rows as far as a list shows them: a refund, the other parts of the total where it has several, the unused rest of a credit
 * that can still be used. Longer lists have neither svc_id nor reason.
 */
function shortRows(rows: readonly CreditNote[]) {
  const few = rows.length <= mostWithIds;
  return rows.map(row => {
    const { external_id, name } = row.customer ?? {};
    const { number, invoice_number, total_amount_cents: total } = row;
    const { svc_id, reason, credit_amount_cents, balance_amount_cents, ...others } = row;
    const numbered = Boolean(invoice_number) && number?.startsWith(invoice_number ?? '');
    return {
      ...others,
      customer: { external_id, name },
      ...(few && { svc_id, reason }),
      // `ACM-001-CN001` credits `ACM-001`.
      invoice_number: numbered ? null : invoice_number,
      ...(credit_amount_cents !== total && { credit_amount_cents }),
      ...(row.credit_status === 'available' && { balance_amount_cents }),
    };
  });
}
