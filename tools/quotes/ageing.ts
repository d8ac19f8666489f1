/** How old debts are and whose they are, from the unpaid invoices themselves (docs/lookups.md §4, §13). */
import type { Invoice } from '../../src/contract/shown.ts';
import { grouped } from '../../src/lib/collections.ts';
import { dayNumber } from '../../src/words/dates.ts';
import { count, day, listed, money, named, opt, say } from '../../src/words/summary.ts';
import { countOf, type Total, totalsOf, totalsText } from './totals.ts';

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
