/**
 * Revenue, overdue balances and usage by month (lookups §13), as answers show them; computed whenever they are read. Months are
 * UTC. Amounts are cents, computed exactly.
 */
import type Big from 'big.js';
import { decimal, decimalText, ZERO } from '../../contract/pricing/money.ts';
import { type MonthText, monthlyRevenue, monthOf, monthsLater } from '../../engine/mrr.ts';
import type { DateText } from '../../engine/records/index.ts';
import { byText } from '../../lib/text.ts';
import type { ReportFilter } from '../store/reports.ts';
import type { AccountStore } from '../store/store.ts';

export interface ReportRequest {
  /** This month and those before it; null: since the month in which the account was created. */
  months: number | null;
  currency: string | undefined;
  billing_entity_id: string | undefined;
  external_customer_id?: string | undefined;
  now: Date;
}

/** A plan fee pays for at most this many months before or after the month in which it was invoiced. */
const LONGEST_SPREAD = 14;

/**
 * Finalized invoices less the refunds of their credit notes, by month of issue, currency and billing entity. A
 * pay-in-advance fee is always on an invoice here.
 */
export async function grossRevenue(account: AccountStore, request: ReportRequest) {
  const rows = await account.reports.issued(filterOf(account, request));
  return groupRows(rows, ['month', 'currency', 'billing_entity_id']).map(({ keys, group }) => ({
    month: monthStart(keys.month),
    amount_cents: number(sum(group, row => decimal(row.total).minus(row.refunded))),
    currency: keys.currency,
    invoices_count: group.reduce((count, row) => count + row.invoices, 0),
    billing_entity_id: keys.billing_entity_id,
  }));
}

/** Finalized invoices by month of issue, payment status and currency. A month without any has one row of zeros. */
export async function invoiceCollection(account: AccountStore, request: ReportRequest) {
  const rows = await account.reports.issued(filterOf(account, request));
  const collections = groupRows(rows, ['month', 'payment_status', 'currency']).map(({ keys, group }) => ({
    month: monthStart(keys.month),
    payment_status: keys.payment_status,
    invoices_count: group.reduce((count, row) => count + row.invoices, 0),
    amount_cents: number(sum(group, row => decimal(row.total))),
    currency: keys.currency,
  }));
  const nothing = { payment_status: null, invoices_count: 0, amount_cents: 0, currency: null };
  const emptyRows = monthsWithout(collections, account, request).map(month => ({ month, ...nothing }));
  return [...collections, ...emptyRows].sort((a, b) => byText(a.month, b.month));
}

/** What is due on invoices past their due date today, by month of that date, currency and billing entity. */
export async function overdueBalance(account: AccountStore, request: ReportRequest) {
  const filter = filterOf(account, request);
  const yesterday = new Date(request.now.getTime() - 86_400_000).toISOString().slice(0, 10);
  const rows = await account.reports.unpaid({ ...filter, to: yesterday });
  return groupRows(rows, ['month', 'currency', 'billing_entity_id']).map(({ keys, group }) => ({
    month: monthStart(keys.month),
    amount_cents: decimalText(sum(group, row => decimal(row.due))),
    currency: keys.currency,
    svc_invoice_ids: group.map(row => row.id),
    billing_entity_id: keys.billing_entity_id,
  }));
}

/** Plan fees spread over the months that they pay for. A month without any has null, unless the request names a currency. */
export async function monthlyRecurringRevenue(account: AccountStore, request: ReportRequest) {
  const { first, last } = monthsOf(account, request);
  const from = firstDay(monthsLater(first, -LONGEST_SPREAD));
  const rows = await account.reports.planFees({ ...filterOf(account, request), from });
  const fees = rows.map(({ amount, coupons, taxes, fees: count, ...row }) => ({
    ...row,
    count,
    cents: decimal(amount).minus(coupons).plus(taxes),
  }));
  const revenues = [...monthlyRevenue(fees)].flatMap(([currency, months]) =>
    [...months]
      .filter(([month]) => month >= first && month <= last)
      .map(([month, cents]) => ({ month: monthStart(month), amount_cents: decimalText(cents), currency })),
  );
  const emptyMonths = request.currency === undefined ? monthsWithout(revenues, account, request) : [];
  const emptyRows = emptyMonths.map(month => ({ month, amount_cents: null, currency: null }));
  return [...revenues, ...emptyRows].sort(
    (a, b) => byText(a.month, b.month) || byText(a.currency ?? '', b.currency ?? ''),
  );
}

/** Usage fees less their coupons, by month of creation, metric and currency; the latest month and largest first. */
export async function invoicedUsage(account: AccountStore, request: ReportRequest) {
  const rows = await account.reports.usageFees(filterOf(account, request));
  return groupRows(rows, ['month', 'code', 'currency'])
    .map(({ keys, group }) => ({
      ...keys,
      cents: sum(group, row => decimal(row.amount).minus(decimal(row.coupons).times(row.fees))),
    }))
    .sort((a, b) => byText(b.month, a.month) || b.cents.cmp(a.cents))
    .map(({ month, cents, ...keys }) => ({ month: monthStart(month), ...keys, amount_cents: number(cents) }));
}

function filterOf(account: AccountStore, request: ReportRequest): ReportFilter {
  const { first, last } = monthsOf(account, request);
  const { currency, billing_entity_id, external_customer_id } = request;
  // No month has a later day; dates are compared as text.
  return { from: firstDay(first), to: `${last}-31`, currency, billing_entity_id, external_customer_id };
}

function monthsOf({ organization }: AccountStore, { months, now }: ReportRequest) {
  const last = monthOf(now.toISOString());
  return { first: months === null ? monthOf(organization.created_at) : monthsLater(last, 1 - months), last };
}

function firstDay(month: MonthText): DateText {
  return `${month}-01`;
}

function monthStart(month: MonthText): string {
  return `${month}-01T00:00:00.000Z`;
}

/** The report's months that have no row. */
function monthsWithout(rows: readonly { month: string }[], account: AccountStore, request: ReportRequest): string[] {
  const { first, last } = monthsOf(account, request);
  const monthsWithRows = new Set(rows.map(row => row.month));
  const months: string[] = [];
  for (let month = first; month <= last; month = monthsLater(month, 1)) months.push(monthStart(month));
  return months.filter(month => !monthsWithRows.has(month));
}

/** The rows with the same keys, in the order of the keys. */
function groupRows<Row, Key extends keyof Row>(rows: readonly Row[], names: readonly Key[]) {
  const groups = new Map<string, { keys: Pick<Row, Key>; group: Row[] }>();
  for (const row of rows) {
    const key = names.map(name => row[name]).join('\n');
    const keys = Object.fromEntries(names.map(name => [name, row[name]])) as Pick<Row, Key>;
    const known = groups.get(key);
    if (known) known.group.push(row);
    else groups.set(key, { keys, group: [row] });
  }
  return [...groups].sort(([a], [b]) => byText(a, b)).map(([, group]) => group);
}

function sum<Row>(rows: readonly Row[], cents: (row: Row) => Big): Big {
  return rows.reduce((total, row) => total.plus(cents(row)), ZERO);
}

/** A JSON number: exact up to 15 digits. */
function number(cents: Big): number {
  return Number(cents.toFixed());
}
