/**
 * What invoices owe: sums, ages and debtors, and their sentences (docs/lookups.md §4, §13). Drafts are never owed. Voided and
 * deleted invoices are never counted.
 */
import { invoiceAnswerStatuses, invoicePaymentStatuses } from '../../src/contract/enums.ts';
import type { Customer, Invoice } from '../../src/contract/shown.ts';
import { grouped } from '../../src/lib/collections.ts';
import { isGiven } from '../../src/lib/json.ts';
import { dayNumber } from '../../src/words/dates.ts';
import { count, day, listed, money, named, opt, phrase, say } from '../../src/words/summary.ts';
import { isUnlisted, unlistedNote } from '../../src/words/unlisted-values.ts';
import { countOf, type GroupTotals, groupTotals, type Total, totalsOf, totalsText } from '../quotes/totals.ts';

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

/** Days since the due date, in UTC; the first day after it is 1. What the service calls overdue is never not yet due. */
const ages = [
  { field: 'not_yet_due_cents', most: 0, label: '' },
  { field: 'days_1_30_cents', most: 30, label: '1–30 days' },
  { field: 'days_31_60_cents', most: 60, label: '31–60 days' },
  { field: 'days_61_90_cents', most: 90, label: '61–90 days' },
  { field: 'days_over_90_cents', most: Number.POSITIVE_INFINITY, label: 'more than 90 days' },
  // Without a due date no age can be told.
  { field: 'no_due_date_cents', most: null, label: 'an unknown time' },
] as const;
type AgeField = (typeof ages)[number]['field'];

/** What is due by age, in cents: one entry a currency. */
export function ageing(invoices: readonly Invoice[], now: Date): Total[] {
  const today = dayNumber(now.toISOString()) ?? 0;
  const aged = invoices.map(invoice => {
    const due = dayNumber(invoice.payment_due_date);
    const least = invoice.payment_overdue === true ? 1 : 0;
    const age = ages.find(({ most }) =>
      due === null ? most === null : most !== null && Math.max(today - due, least) <= most,
    );
    const dueByAge = ages.map(({ field }) => [field, field === age?.field ? invoice.total_due_amount_cents : 0]);
    return { ...invoice, ...(Object.fromEntries(dueByAge) as Record<AgeField, Invoice['total_due_amount_cents']>) };
  });
  return totalsOf(aged, ['total_due_amount_cents', ...ages.map(({ field }) => field)]);
}

/** `$20.00 not yet due, $300.00 for 1–30 days and $112.00 for more than 90 days`; null where nothing is due. */
export function ageSentence(total: Total, since: 'for' | 'overdue for'): string | null {
  const parts = ages.map(({ field, label }) => {
    const cents = total[field];
    return !cents ? null : say`${money(cents, total.currency)} ${label === '' ? 'not yet due' : `${since} ${label}`}`;
  });
  return listed(parts.filter(part => part !== null));
}

/** A customer's debt in one currency, by age; ages without any are left out. */
export interface Debtor extends Total {
  external_id: string | null;
  name: string | null;
  oldest_due_date: string | null;
}

const mostDebtors = 5;

export type DebtorPage = ReturnType<typeof debtorsOf>;

/**
 * The customers who owe most of these invoices, the largest first: those of one of several pages, at most five a currency; all
 * of them, and by currency how many they are.
 */
export function debtorsOf(invoices: readonly Invoice[], now: Date, page = 1) {
  const groups = grouped(invoices, ({ customer, currency }) => JSON.stringify([customer?.external_id, currency]));
  const all = groups.flatMap(group => {
    const { external_id = null, name = null } = group[0]?.customer ?? {};
    const who = { external_id, name };
    return ageing(group, now).map((total): Debtor => {
      const amounts = Object.fromEntries(Object.entries(total).filter(([, amount]) => amount !== 0));
      return { ...who, ...(amounts as unknown as Total), oldest_due_date: oldestDue(group) };
    });
  });
  all.sort((a, b) => Number(BigInt(b.total_due_amount_cents ?? 0) - BigInt(a.total_due_amount_cents ?? 0)));
  const countByCurrency = new Map<string, number>();
  const debtors = all.filter(({ currency }) => {
    const rank = countByCurrency.get(currency) ?? 0;
    countByCurrency.set(currency, rank + 1);
    return Math.floor(rank / mostDebtors) === page - 1;
  });
  const lastPage = Math.max(Math.ceil(Math.max(0, ...countByCurrency.values()) / mostDebtors), 1);
  return { debtors, all, countByCurrency, nextPage: page < lastPage ? page + 1 : null, lastPage };
}

/** `“Acme” (acme) owes $412.00 on 3 invoices, the oldest due on 1 Feb`; null without a name and id. */
export function debtorSentence(debtor: Debtor, now: Date): string | null {
  const { external_id, name, oldest_due_date } = debtor;
  const invoices = countOf([debtor]);
  const since = opt`, ${invoices === 1 ? 'due' : 'the oldest due'} on ${day(oldest_due_date, now)}`;
  return say`${named(name, external_id)} owes ${totalsText([debtor], 'total_due_amount_cents')} on ${count(invoices, 'invoice')}${since}`;
}

/** The earliest due date of these invoices; null where none has one. */
export function oldestDue(invoices: readonly Invoice[]): string | null {
  const days = invoices.flatMap(invoice => invoice.payment_due_date ?? []);
  return days.sort()[0] ?? null;
}
