/** Payments and payment requests. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import type { InvoiceRecord, PaymentRequestRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import * as is from './values.ts';

const paymentEntry = z.strictObject({
  ...is.common,
  invoice_numbers: z.array(is.referenceTo('invoices')).min(1),
  payable_type: z.enum(enums.payableTypes).default('Invoice'),
  amount_cents: is.optional(is.positiveCents, 'the total of the invoices'),
  status: is.optional(is.label, 'payment_status').describe('the provider’s own word'),
  payment_status: z.enum(enums.paymentStatuses),
  type: z.enum(enums.paymentTypes).default('provider'),
  reference: z.string().max(40).nullable().default(null),
  ...is.fields(
    is.text,
    'payment_provider_code',
    'payment_provider_type',
    'provider_payment_id',
    'provider_customer_id',
  ),
  payment_method_id: z.uuid().nullable().default(null),
  next_action: is.jsonObject.default({}),
});

const paymentRequestEntry = z.strictObject({
  ...is.common,
  invoice_numbers: z
    .array(is.referenceTo('invoices'))
    .min(1)
    .describe('payments of type PaymentRequest for the same invoices belong to it'),
  amount_cents: is.optional(is.positiveCents, 'the total of the invoices'),
  email: is.text.meta({ absent: 'the customer’s' }),
  payment_status: z.enum(enums.invoicePaymentStatuses).default('pending'),
});

export const paymentRequestList = listOf(paymentRequestEntry, builder => entry => {
  const { invoice_numbers: numbers, ...fields } = entry;
  const { invoices, totalCents } = paidTogether(builder, numbers);
  checkShown(builder, invoices);
  builder.add('payment_requests', keyOf(invoices), {
    ...fields,
    ...builder.idAndTimes('payment_request', numbers.join(' '), entry),
    ...fieldsOfInvoices(builder, invoices, entry.email),
    amount_cents: entry.amount_cents ?? totalCents,
  });
});

export const paymentList = listOf(paymentEntry, builder => (entry, position) => {
  const { invoice_numbers: numbers, ...fields } = entry;
  const isForRequest = entry.payable_type === 'PaymentRequest';
  const isOfOne = numbers.length === 1 || isForRequest;
  builder.check(isOfOne, 'payable_type', 'must be PaymentRequest for several invoices');
  const { invoices, first, totalCents } = paidTogether(builder, numbers);
  const amount = entry.amount_cents ?? totalCents;
  if (isForRequest) checkShown(builder, invoices);
  builder.check(amount <= totalCents, 'amount_cents', `is ${amount}, more than the invoices' ${totalCents}`);
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
  const payable = entry.payable_type === 'Invoice' ? first : requestOf(builder, record, invoices, key);
  builder.add('payments', key, { ...record, payable_id: payable.id });
});

/** The invoices of a payment or a request, and their total. They have one customer and one currency. */
function paidTogether(builder: AccountBuilder, numbers: readonly string[]) {
  builder.check(new Set(numbers).size === numbers.length, 'invoice_numbers', 'names an invoice twice');
  const invoices = builder.parts(numbers, number => builder.get('invoices', number));
  builder.requireParts();
  const [first] = invoices;
  builder.require(first !== undefined, 'invoice_numbers', 'names no invoice');
  const belongTogether = invoices.every(
    each => each.customer_id === first.customer_id && each.currency === first.currency,
  );
  builder.check(belongTogether, 'invoice_numbers', 'must be of one customer and one currency');
  return { invoices, first, totalCents: invoices.reduce((sum, invoice) => sum + invoice.total_amount_cents, 0) };
}

/** A payment request shows its invoices: none may have a status that is never shown (lookups §4). */
function checkShown(builder: AccountBuilder, invoices: readonly InvoiceRecord[]): void {
  for (const [n, { status }] of invoices.entries()) {
    const isShown = enums.isOneOf(enums.shownInvoiceStatuses, status);
    builder.check(isShown, ['invoice_numbers', n], `is ${status}: never shown`);
  }
}

/** The request that the file states for the same invoices; else one made here, with the payment's amount and status. */
function requestOf(
  builder: AccountBuilder,
  payment: { amount_cents: number; payment_status: enums.PaymentStatus; created_at: string; updated_at: string },
  invoices: readonly InvoiceRecord[],
  key: string,
): PaymentRequestRecord {
  const statedRequest = builder.find('payment_requests', keyOf(invoices));
  if (statedRequest !== undefined) return statedRequest;
  const request: PaymentRequestRecord = {
    id: idOf('payment_request', key),
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    ...fieldsOfInvoices(builder, invoices, null),
    amount_cents: payment.amount_cents,
    payment_status: payment.payment_status === 'processing' ? 'pending' : payment.payment_status,
  };
  return builder.add('payment_requests', `of the payment ${key}`, request);
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
