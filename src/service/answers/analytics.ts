/** Rows of the analytics (lookups §13). Amounts are cents, computed exactly, and shown as the service shows them. */
import type Big from 'big.js';
import type { InvoicePaymentStatus } from '../../contract/enums.ts';
import { decimalText } from '../../contract/pricing/money.ts';

export interface MonthRow {
  /** `YYYY-MM`. */
  month: string;
}

export interface RevenueRow extends MonthRow {
  currency: string;
  billing_entity_id: string;
  invoices_count: number;
  cents: Big;
}

export interface CollectionRow extends MonthRow {
  /** Null in a month without invoices, like the currency. */
  payment_status: InvoicePaymentStatus | null;
  currency: string | null;
  invoices_count: number;
  cents: Big;
}

export interface OverdueRow extends MonthRow {
  currency: string;
  billing_entity_id: string;
  invoice_ids: string[];
  cents: Big;
}

export interface RecurringRow extends MonthRow {
  /** Null in a month without revenue, like the cents. */
  currency: string | null;
  cents: Big | null;
}

export interface UsageRow extends MonthRow {
  code: string;
  currency: string;
  cents: Big;
}

export function grossRevenueAnswer(row: RevenueRow) {
  return {
    month: monthStart(row),
    amount_cents: number(row.cents),
    currency: row.currency,
    invoices_count: row.invoices_count,
    billing_entity_id: row.billing_entity_id,
  };
}

export function invoiceCollectionAnswer(row: CollectionRow) {
  return {
    month: monthStart(row),
    payment_status: row.payment_status,
    invoices_count: row.invoices_count,
    amount_cents: number(row.cents),
    currency: row.currency,
  };
}

export function overdueBalanceAnswer(row: OverdueRow) {
  return {
    month: monthStart(row),
    amount_cents: decimalText(row.cents),
    currency: row.currency,
    svc_invoice_ids: row.invoice_ids,
    billing_entity_id: row.billing_entity_id,
  };
}

export function mrrAnswer(row: RecurringRow) {
  return {
    month: monthStart(row),
    amount_cents: row.cents === null ? null : decimalText(row.cents),
    currency: row.currency,
  };
}

export function invoicedUsageAnswer(row: UsageRow) {
  return { month: monthStart(row), code: row.code, currency: row.currency, amount_cents: number(row.cents) };
}

function monthStart({ month }: MonthRow): string {
  return `${month}-01T00:00:00.000Z`;
}

/** A JSON number: exact up to 15 digits. */
function number(cents: Big): number {
  return Number(cents.toFixed());
}
