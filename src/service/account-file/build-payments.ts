/** Entries of payments and payment requests, as records. */
import { type InvoicePaymentStatus, isOneOf, type PaymentStatus, shownInvoiceStatuses } from '../../contract/enums.ts';
import type { InvoiceRecord, PaymentRequestRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, type Path, requireThat } from './account-builder.ts';
import type { AccountEntries } from './schema.ts';

export function buildPaymentRequests(builder: AccountBuilder, entries: AccountEntries['payment_requests']): void {
  builder.each('payment_requests', entries, (entry, path) => {
    const { invoice_numbers: numbers, ...fields } = entry;
    const { invoices, totalCents } = paidTogether(builder, numbers, path);
    requireShown(builder, invoices, path);
    const record = {
      ...fields,
      ...builder.idAndTimes('payment_request', numbers.join(' '), entry),
      ...fieldsOfInvoices(builder, invoices, entry.email),
      amount_cents: entry.amount_cents ?? totalCents,
    };
    builder.add('payment_requests', keyOf(invoices), record, path);
  });
}

export function buildPayments(builder: AccountBuilder, entries: AccountEntries['payments']): void {
  builder.each('payments', entries, (entry, path, position) => {
    const { invoice_numbers: numbers, ...fields } = entry;
    const isForRequest = entry.payable_type === 'PaymentRequest';
    const several = 'must be PaymentRequest for several invoices';
    const [{ invoices, first, totalCents }] = builder.all(
      () => paidTogether(builder, numbers, path),
      () => requireThat(numbers.length === 1 || isForRequest, [...path, 'payable_type'], several),
    );
    const amount = entry.amount_cents ?? totalCents;
    const above = `is ${amount}, more than the invoices' ${totalCents}`;
    builder.all(
      () => isForRequest && requireShown(builder, invoices, path),
      () => requireThat(amount <= totalCents, [...path, 'amount_cents'], above),
    );
    const key = `${numbers.join(' ')} ${position}`;
    const record = {
      ...fields,
      ...builder.idAndTimes('payment', key, entry),
      customer_id: first.customer_id,
      invoice_ids: invoices.map(invoice => invoice.id),
      amount_cents: amount,
      amount_currency: first.currency,
      status: entry.status ?? entry.payment_status,
    };
    const payable = entry.payable_type === 'Invoice' ? first : requestOf(builder, record, invoices, key, path);
    builder.add('payments', key, { ...record, payable_id: payable.id }, path);
  });
}

/** The invoices of a payment or a request, and their total. Throws unless they have one customer and one currency. */
function paidTogether(builder: AccountBuilder, numbers: readonly string[], path: Path) {
  const isUnique = new Set(numbers).size === numbers.length;
  const [invoices] = builder.all(
    () => builder.parts(numbers, (number, n) => builder.need('invoices', number, [...path, 'invoice_numbers', n])),
    () => requireThat(isUnique, [...path, 'invoice_numbers'], 'names an invoice twice'),
  );
  const [first] = invoices;
  requireThat(first !== undefined, [...path, 'invoice_numbers'], 'names no invoice');
  const belongTogether = invoices.every(
    each => each.customer_id === first.customer_id && each.currency === first.currency,
  );
  requireThat(belongTogether, [...path, 'invoice_numbers'], 'must be of one customer and one currency');
  return { invoices, first, totalCents: invoices.reduce((sum, invoice) => sum + invoice.total_amount_cents, 0) };
}

/** Throws for invoices of a status that is never shown (lookups §4): a payment request shows its invoices. */
function requireShown(builder: AccountBuilder, invoices: readonly InvoiceRecord[], path: Path): void {
  builder.parts(invoices, ({ status }, n) =>
    requireThat(isOneOf(shownInvoiceStatuses, status), [...path, 'invoice_numbers', n], `is ${status}: never shown`),
  );
}

/** The request that the file states for the same invoices; else one made here, with the payment's amount and status. */
function requestOf(
  builder: AccountBuilder,
  payment: { amount_cents: number; payment_status: PaymentStatus; created_at: string; updated_at: string },
  invoices: readonly InvoiceRecord[],
  key: string,
  path: Path,
): PaymentRequestRecord {
  const statedRequest = builder.find('payment_requests', keyOf(invoices));
  if (statedRequest !== undefined) return statedRequest;
  const request: PaymentRequestRecord = {
    id: idOf('payment_request', key),
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    ...fieldsOfInvoices(builder, invoices, null),
    amount_cents: payment.amount_cents,
    payment_status: requestStatus(payment.payment_status),
  };
  return builder.add('payment_requests', `of the payment ${key}`, request, path);
}

function fieldsOfInvoices(builder: AccountBuilder, invoices: readonly InvoiceRecord[], email: string | null) {
  const [first] = invoices as [InvoiceRecord, ...InvoiceRecord[]];
  return {
    customer_id: first.customer_id,
    invoice_ids: invoices.map(invoice => invoice.id),
    amount_currency: first.currency,
    email: email ?? builder.byId('customers', first.customer_id).email,
  };
}

/** The key of the request for these invoices, in whatever order they are stated. */
function keyOf(invoices: readonly InvoiceRecord[]): string {
  return invoices
    .map(invoice => invoice.number)
    .sort()
    .join(' ');
}

function requestStatus(status: PaymentStatus): InvoicePaymentStatus {
  return status === 'processing' ? 'pending' : status;
}
