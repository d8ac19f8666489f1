/** How old overdue debts are and whose they are, from the overdue invoices themselves (docs/lookups.md §4, §13). */
import type { Fields, Invoice } from '../../src/contract/shown.ts';
import { dayNumber } from '../../src/words/dates.ts';
import { asRecord, asText, day, listed, money, named, quantity, say } from '../../src/words/summary.ts';
import { countOf, type Total, totalsOf, totalsText } from './totals.ts';

/** Days since the due date, in UTC; the first day after it is 1. */
const ages = [
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
    const age = ages.find(({ most }) => (due === null ? most === null : most !== null && today - due <= most));
    const dueByAge = ages.map(({ field }) => [field, field === age?.field ? invoice.total_due_amount_cents : 0]);
    return { ...invoice, ...(Object.fromEntries(dueByAge) as Fields<AgeField>) };
  });
  return totalsOf(aged, ['total_due_amount_cents', ...ages.map(({ field }) => field)]);
}

/** `$300.00 for 1–30 days and $112.00 for more than 90 days`; null where nothing is due. */
export function ageSentence(total: Total): string | null {
  const parts = ages.map(({ field, label }) => {
    const cents = total[field];
    return !cents ? null : say`${money(cents, total.currency)} for ${label}`;
  });
  return listed(parts.filter(part => part !== null));
}

/** A customer's overdue debt in one currency. */
export interface Debtor extends Total {
  external_id: string | null;
  name: string | null;
  oldest_due_date: string | null;
}

const mostDebtors = 5;

/** The customers who owe most of these invoices, the largest first: at most five a currency. */
export function debtorsOf(invoices: readonly Invoice[]): Debtor[] {
  const groups = new Map<string, Invoice[]>();
  for (const invoice of invoices) {
    const key = JSON.stringify([asRecord(invoice.customer).external_id ?? null, invoice.currency]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(invoice);
  }
  const debtors = [...groups.values()].flatMap(group => {
    const { external_id, name } = asRecord(group[0]?.customer);
    const who = { external_id: asText(external_id), name: asText(name) };
    const totals = totalsOf(group, ['total_due_amount_cents']);
    return totals.map((total): Debtor => ({ ...who, ...total, oldest_due_date: oldestDue(group) }));
  });
  debtors.sort((a, b) => Number(BigInt(b.total_due_amount_cents ?? 0) - BigInt(a.total_due_amount_cents ?? 0)));
  const countByCurrency = new Map<string, number>();
  return debtors.filter(({ currency }) => {
    const number = (countByCurrency.get(currency) ?? 0) + 1;
    countByCurrency.set(currency, number);
    return number <= mostDebtors;
  });
}

/** `“Acme” (acme) owes $412.00 on 3, the oldest due on 1 Feb`; null without a name and id. */
export function debtorSentence(debtor: Debtor, now: Date): string | null {
  const { external_id, name, oldest_due_date } = debtor;
  const since = say`, the oldest due on ${day(oldest_due_date, now)}` ?? '';
  return say`${named(name, external_id)} owes ${totalsText([debtor], 'total_due_amount_cents')} on ${quantity(countOf([debtor]))}${since}`;
}

/** The earliest due date of these invoices; null where none has one. */
export function oldestDue(invoices: readonly Invoice[]): string | null {
  const days = invoices.map(invoice => asText(invoice.payment_due_date)).filter(due => due !== null);
  return days.sort()[0] ?? null;
}
