/** What changes or settles invoices: credit notes, payments, and requests to pay. */
import { decimal, ZERO } from '../../contract/pricing/money.ts';
import {
  type CreditNoteRecord,
  creditNotes,
  type InvoiceRecord,
  type PaymentRecord,
  type PaymentRequestRecord,
  paymentRequests,
  payments,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import type { customerAnswer } from './account.ts';
import { feeAnswer } from './fee.ts';
import { amount, instants } from './formats.ts';
import { appliedTaxAnswer, errorDetailAnswers, hasEntries } from './shared.ts';

/** A credit note with every field of the specification and the extras of §4. `invoice`: the one that it credits. */
export function creditNoteAnswer(
  note: CreditNoteRecord,
  invoice: InvoiceRecord,
  customer: ReturnType<typeof customerAnswer>,
  lists: AccountLists,
) {
  const preciseItems = note.items.reduce((sum, item) => sum.plus(item.precise_amount_cents), ZERO);
  const roundedItems = note.items.reduce((sum, item) => sum + item.amount_cents, 0);
  const preciseTotal = decimal(note.total_amount_cents).minus(roundedItems).plus(preciseItems);
  return {
    svc_id: note.id,
    billing_entity_code: lists.billingEntities.get(invoice.billing_entity_id)?.code ?? null,
    ...pick(note, creditNotes.shown.heading),
    svc_invoice_id: note.invoice_id,
    invoice_number: invoice.number,
    ...pick(note, creditNotes.shown.details),
    xml_url: null,
    ...instants(note, 'created_at', 'updated_at'),
    total_amount_cents: note.total_amount_cents,
    precise_total_amount_cents: amount(preciseTotal.toFixed()),
    taxes_amount_cents: note.taxes_amount_cents,
    precise_taxes_amount_cents: amount(decimal(note.taxes_amount_cents).toFixed()),
    taxes_rate: Number(note.taxes_rate),
    ...pick(note, creditNotes.shown.amounts),
    items: note.items.map(item => {
      const fee = invoice.fees.find(each => each.id === item.fee_id);
      return {
        svc_id: item.id,
        amount_cents: item.amount_cents,
        precise_amount_cents: amount(item.precise_amount_cents),
        amount_currency: item.amount_currency,
        fee: fee === undefined ? null : feeAnswer(fee),
      };
    }),
    applied_taxes: note.applied_taxes.map(tax => ({
      ...appliedTaxAnswer(tax),
      svc_credit_note_id: note.id,
      base_amount_cents: tax.base_amount_cents ?? 0,
    })),
    customer,
    metadata: note.metadata ?? {},
    error_details: errorDetailAnswers(note.error_details),
  };
}

/** A credit note that is looked up: `metadata` only if it has entries (lookups §7). */
export function creditNoteDetailAnswer(...args: Parameters<typeof creditNoteAnswer>) {
  const { metadata, ...answer } = creditNoteAnswer(...args);
  return hasEntries(metadata) ? { ...answer, metadata } : answer;
}

/** A payment without wrapper key, as endpoint 13 answers it. */
export function paymentAnswer(payment: PaymentRecord, externalCustomerId: string, invoiceNumbers: string[]) {
  return {
    svc_id: payment.id,
    svc_customer_id: payment.customer_id,
    external_customer_id: externalCustomerId,
    invoice_ids: payment.invoice_ids,
    invoice_numbers: invoiceNumbers,
    svc_payable_id: payment.payable_id,
    ...pick(payment, payments.shown.heading),
    reference: payment.reference ?? '',
    ...pick(payment, payments.shown.provider),
    external_payment_id: payment.provider_payment_id,
    ...pick(payment, payments.shown.details),
    ...instants(payment, 'created_at'),
  };
}

/** A request to pay several invoices together (lookups §12). `customer` and `invoices`: as in their own lists. */
export function paymentRequestAnswer<Customer, Invoice>(
  request: PaymentRequestRecord,
  { customer, invoices }: { customer: Customer; invoices: Invoice[] },
) {
  return {
    svc_id: request.id,
    ...pick(request, paymentRequests.shown.details),
    ...instants(request, 'created_at'),
    customer,
    invoices,
  };
}
