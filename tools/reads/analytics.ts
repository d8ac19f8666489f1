/** Rows of the service's reports by month (docs/lookups.md §13), with amounts as whole cents. */
import Big from 'big.js';
import { isGiven, type JsonRecord } from '../../src/lib/json.ts';
import { exactDecimal } from '../../src/words/money.ts';
import { asInteger, asRecords, asText } from '../../src/words/summary.ts';

/** One month of a currency: `month` is `2026-03`. */
export interface MonthRow extends JsonRecord {
  month: string;
  currency: string;
  /** Null where an amount of the month cannot be read. */
  amount_cents: number | string | null;
}

/**
 * Merges rows of equal month, currency and `by` fields; the newest month comes first, in it the largest amount. Amounts
 * may be numbers, decimal texts or null; sums are exact and rounded half up to whole cents. Rows without a currency or
 * amount are for months without revenue, and are left out.
 */
export function monthRows(rows: unknown, by: readonly string[] = []): MonthRow[] {
  const merged = new Map<string, { row: JsonRecord; amount: Big | null; invoices: number | null }>();
  for (const row of asRecords(rows)) {
    const month = asText(row.month)?.slice(0, 7);
    const currency = asText(row.currency);
    const amount = exactDecimal(row.amount_cents);
    if (month === undefined || currency === null || !isGiven(row.amount_cents)) continue;
    const fields = Object.fromEntries(by.map(field => [field, row[field] ?? null]));
    const key = JSON.stringify([month, currency, fields]);
    const known = merged.get(key) ?? { row: { month, ...fields, currency }, amount: new Big(0), invoices: null };
    const ids = Array.isArray(row.svc_invoice_ids) ? row.svc_invoice_ids.length : null;
    const invoices = asInteger(row.invoices_count) ?? ids;
    merged.set(key, {
      ...known,
      amount: amount === null ? null : (known.amount?.plus(amount) ?? null),
      invoices: invoices === null ? known.invoices : (known.invoices ?? 0) + invoices,
    });
  }
  return [...merged.values()]
    .sort((a, b) => byText(String(b.row.month), String(a.row.month)) || (b.amount ?? none).cmp(a.amount ?? none))
    .map(({ row, amount, invoices }) => {
      const amount_cents = amount === null ? null : wholeCents(amount);
      return { ...row, amount_cents, ...(invoices !== null && { invoices_count: invoices }) } as unknown as MonthRow;
    });
}

const none = new Big(0);

function wholeCents(amount: Big): number | string {
  const text = amount.round(0, Big.roundHalfUp).toFixed();
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
