/** What is owed and overdue among invoices (docs/lookups.md §4): drafts are never owed, and voided and deleted ones never counted. */
import { invoiceAnswerStatuses, invoicePaymentStatuses } from '../../src/contract/enums.ts';
import type { Customer, Invoice } from '../../src/contract/shown.ts';
import { grouped } from '../../src/lib/collections.ts';
import { isGiven } from '../../src/lib/json.ts';
import { dayNumber } from '../../src/words/dates.ts';
import { count, day, listed, opt, phrase, say } from '../../src/words/summary.ts';
import { isUnlisted, unlistedNote } from '../../src/words/unlisted-values.ts';
import { oldestDue } from '../quotes/ageing.ts';
import { countOf, type GroupTotals, groupTotals, totalsText } from '../quotes/totals.ts';

/** Sums in cents for each currency; empty groups are left out. Wallet top-ups are a part of what was invoiced. */
export type InvoiceTotals = GroupTotals<'invoiced' | 'wallet_top_ups' | 'owed' | 'overdue' | 'drafts'>;

/** Is the invoice finalized and its payment pending or failed? Self-billed invoices are owed by the account itself. */
export function isOwed({ status, payment_status, self_billed }: Invoice): boolean {
  if (self_billed === true) return false;
  return status === 'finalized' && (payment_status === 'pending' || payment_status === 'failed');
}

/** Is it owed, and does the service say that its due date has passed? */
export function isOverdue(invoice: Invoice): boolean {
  return isOwed(invoice) && invoice.payment_overdue === true;
}

/** Whole days since the due date, in UTC; undefined where it is not overdue, or has no due date. */
export function daysOverdue(invoice: Invoice, now: Date): number | undefined {
  const due = isOverdue(invoice) ? dayNumber(invoice.payment_due_date) : null;
  return due === null ? undefined : Math.max((dayNumber(now.toISOString()) ?? 0) - due, 1);
}

/** A customer's invoices in one currency, in minor units; zeros are left out. */
interface CustomerTotals extends Pick<Customer, 'external_id' | 'name'> {
  readonly currency: string;
  readonly count: number;
  readonly invoiced_cents?: number | string;
  readonly owed_cents?: number | string;
  readonly overdue_cents?: number | string;
}

/** One entry a customer and currency, in the order of the rows; drafts and voided invoices are in no sum. */
export function totalsByCustomer(rows: readonly Invoice[]): CustomerTotals[] {
  const groups = grouped(rows, row => JSON.stringify([row.customer?.external_id, row.currency]));
  return groups.map(group => {
    const { external_id, name } = group[0]?.customer ?? {};
    const { invoiced, owed, overdue } = invoiceTotals(group);
    const sums = {
      invoiced_cents: invoiced?.[0]?.total_amount_cents,
      owed_cents: owed?.[0]?.total_due_amount_cents,
      overdue_cents: overdue?.[0]?.total_due_amount_cents,
    };
    const known = Object.entries(sums).filter(([, cents]) => cents !== undefined && cents !== 0);
    const who = { external_id, ...(name && name !== external_id && { name }) };
    return { ...who, currency: group[0]?.currency ?? '', count: group.length, ...Object.fromEntries(known) };
  });
}

/** Sums over these invoices, of their totals; of what is owed and overdue, the amounts still due. */
export function invoiceTotals(rows: readonly Invoice[]): InvoiceTotals {
  const finalized = rows.filter(isInvoiced);
  const owed = rows.filter(isOwed);
  const overdue = rows.filter(isOverdue);
  return groupTotals([
    ['invoiced', finalized, 'total_amount_cents'],
    ['wallet_top_ups', finalized.filter(({ invoice_type }) => invoice_type === 'credit'), 'total_amount_cents'],
    ['owed', owed, 'total_due_amount_cents'],
    ['overdue', overdue, 'total_due_amount_cents'],
    ['drafts', rows.filter(({ status }) => status === 'draft'), 'total_amount_cents'],
  ]);
}

/** Does it count as invoiced (definitions.ts)? */
export function isInvoiced({ status, self_billed, payment_dispute_lost_at }: Invoice): boolean {
  return status === 'finalized' && self_billed !== true && !isGiven(payment_dispute_lost_at);
}

/** `$1,200.00 invoiced, including $50.00 for wallet top-ups; $412.00 owed on 3, all overdue, the oldest due on 1 Feb`; null without any. */
export function invoiceMoney(rows: readonly Invoice[], totals: InvoiceTotals, now: Date): string | null {
  const { invoiced = [], wallet_top_ups = [], owed = [], overdue = [] } = totals;
  const all = countOf(owed);
  const late = countOf(overdue);
  const amount = totalsText(owed, 'total_due_amount_cents');
  const oldest = day(oldestDue(rows.filter(isOverdue)), now);
  const since = opt`, ${late === 1 ? 'due' : 'the oldest due'} on ${oldest}`;
  if (late > 0 && late === rows.length) return phrase`${amount} owed${late === 1 ? null : ' in all'}${since}`;
  const toppedUp = opt`, including ${totalsText(wallet_top_ups, 'total_amount_cents')} for wallet top-ups`;
  const sum = say`${totalsText(invoiced, 'total_amount_cents')} invoiced${toppedUp}`;
  if (sum === null && all === 0) return null;
  const how =
    late === 0
      ? ', nothing overdue'
      : late === all
        ? `, all overdue${since}`
        : `, with ${totalsText(overdue, 'total_due_amount_cents')} overdue on ${late}${since}`;
  const unlisted = rows.some(row => isUnlisted(row, 'payment_status', invoicePaymentStatuses));
  const owing = all === 0 ? !unlisted && 'nothing owed' : `${amount} owed on ${all}${how}`;
  return [sum, owing].filter(part => typeof part === 'string').join('; ');
}

const unissued = { voided: 'voided', failed: 'failed to issue', pending: 'not issued yet', deleted: 'deleted' };

/** Which of the rows are in no sum and why, and lost disputes; nulls where there are none. */
export function notCounted(rows: readonly Invoice[], { drafts = [] }: InvoiceTotals): (string | null)[] {
  const others = Object.entries(unissued).map(([status, label]) => {
    const rowCount = rows.filter(row => row.status === status).length;
    return rowCount === 0 ? null : `${rowCount} ${label}`;
  });
  const selfBilled = rows.filter(({ status, self_billed }) => status === 'finalized' && self_billed === true).length;
  const disputed = rows.filter(row => isGiven(row.payment_dispute_lost_at) && row.status === 'finalized').length;
  return [
    say`Not counted: ${count(countOf(drafts), 'draft')} of ${totalsText(drafts, 'total_amount_cents')}, which may still change`,
    say`Not counted: ${listed(others.filter(part => part !== null))}`,
    selfBilled === 0 ? null : `Not counted: ${selfBilled} self-billed, which the account owes to the customer`,
    unlistedNote(rows, 'status', invoiceAnswerStatuses),
    unlistedNote(rows.filter(isInvoiced), 'payment_status', invoicePaymentStatuses),
    disputed === 0 ? null : `Not counted as invoiced: ${disputed} with a lost payment dispute`,
  ];
}
