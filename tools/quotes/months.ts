/** Rows of the service's reports by month (docs/lookups.md §13), with amounts as whole cents. */
import Big from 'big.js';
import type { ReportRow } from '../../src/contract/answers.ts';
import type { Listed } from '../../src/contract/shown.ts';
import { byText } from '../../src/lib/text.ts';
import { formatDate } from '../../src/words/dates.ts';
import { big } from '../../src/words/money.ts';
import { exact } from './totals.ts';

/** One month of a currency: `month` is `2026-03`. */
export interface MonthRow extends Pick<ReportRow, RowField> {
  month: string;
  currency: string;
  /** Null where an amount of the month cannot be read. */
  amount_cents: number | string | null;
  invoices_count?: number;
}

/** Fields by which rows of one month and currency may differ. */
export type RowField = 'code' | 'payment_status';

/**
 * Merges rows of equal month, currency and `by` fields; the newest month comes first, in it the largest amount. Amounts
 * may be numbers, decimal texts or null; sums are exact and rounded half up to whole cents. Rows without a currency or
 * amount are for months without revenue, and are left out.
 */
export function monthRows(rows: Listed<ReportRow>, by: readonly RowField[] = []): MonthRow[] {
  const merged = new Map<string, { row: MonthRow; amount: Big | null; invoices: number | null }>();
  for (const reported of rows ?? []) {
    const { currency, svc_invoice_ids } = reported;
    const month = reported.month?.slice(0, 7);
    const amount = big(reported.amount_cents);
    if (!month || !currency || reported.amount_cents === null) continue;
    const fields = Object.fromEntries(by.map(field => [field, reported[field] ?? null]));
    const key = JSON.stringify([month, currency, fields]);
    const row = { month, ...fields, currency, amount_cents: null };
    const known = merged.get(key) ?? { row, amount: new Big(0), invoices: null };
    const listed = Number(reported.invoices_count ?? svc_invoice_ids?.length ?? Number.NaN);
    const invoices = Number.isSafeInteger(listed) ? listed : null;
    merged.set(key, {
      ...known,
      amount: amount === null ? null : (known.amount?.plus(amount) ?? null),
      invoices: invoices === null ? known.invoices : (known.invoices ?? 0) + invoices,
    });
  }
  return [...merged.values()]
    .sort((a, b) => byText(b.row.month, a.row.month) || (b.amount ?? none).cmp(a.amount ?? none))
    .map(({ row, amount, invoices }) => {
      const amount_cents = amount === null ? null : wholeCents(amount);
      return { ...row, amount_cents, ...(invoices !== null && { invoices_count: invoices }) };
    });
}

const none = new Big(0);

function wholeCents(amount: Big): number | string {
  return exact(BigInt(amount.round(0, Big.roundHalfUp).toFixed()));
}

/** The running month in UTC and those before it, the newest first: `2026-03`, `2026-02`. */
export function monthsOf(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

/** `2026-03` → `March 2026`. */
export function monthInWords(month: string): string {
  return (formatDate(`${month}-01`) ?? '').replace(/^1 /, '');
}

/** The months in which no currency has an amount, as spans: `2025-04 – 2025-12, 2026-02`. */
export function zeroMonths(rows: readonly MonthRow[], months: readonly string[]): { count: number; text: string } {
  const filled = new Set(rows.map(({ month }) => month));
  const spans: string[][] = [];
  for (const month of [...months].reverse()) {
    if (filled.has(month)) spans.push([]);
    else (spans.at(-1) ?? spans[spans.push([]) - 1])?.push(month);
  }
  const texts = spans.flatMap(span => (span.length > 1 ? `${span[0]} – ${span.at(-1)}` : span));
  return { count: months.filter(month => !filled.has(month)).length, text: texts.join(', ') };
}
