import { decimal } from '../../contract/pricing/money.ts';
import { type CreditNoteRecord, creditNotes, type FeeRecord, type InvoiceRecord } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import type { customerAnswer } from './customer.ts';
import { feeAnswer } from './fee.ts';
import { amount, instant, rate } from './formats.ts';
import { hasEntries } from './plan.ts';
import { appliedTaxAnswer, errorDetailAnswers } from './shared.ts';

/** A credit note with every field of the specification and the extras of §4. `invoice`: the one that it credits. */
export function creditNoteAnswer(
  note: CreditNoteRecord,
  invoice: InvoiceRecord,
  customer: ReturnType<typeof customerAnswer>,
  lists: AccountLists,
) {
  return {
    ...heading(note, invoice, lists),
    ...amounts(note),
    items: note.items.map(item => ({
      svc_id: item.id,
      amount_cents: item.amount_cents,
      precise_amount_cents: amount(item.precise_amount_cents),
      amount_currency: item.amount_currency,
      fee: itemFee(item.fee_id, invoice),
    })),
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

function heading(note: CreditNoteRecord, invoice: InvoiceRecord, lists: AccountLists) {
  return {
    svc_id: note.id,
    billing_entity_code: lists.billingEntities.get(invoice.billing_entity_id)?.code ?? null,
    ...pick(note, creditNotes.shown.heading),
    svc_invoice_id: note.invoice_id,
    invoice_number: invoice.number,
    ...pick(note, creditNotes.shown.details),
    xml_url: null,
    created_at: instant(note.created_at),
    updated_at: instant(note.updated_at),
  };
}

/** `precise_total_amount_cents` uses the items' unrounded amounts. */
function amounts(note: CreditNoteRecord) {
  const preciseItems = note.items.reduce((sum, item) => sum.plus(decimal(item.precise_amount_cents)), decimal(0));
  const roundedItems = note.items.reduce((sum, item) => sum + item.amount_cents, 0);
  const preciseTotal = decimal(note.total_amount_cents).minus(roundedItems).plus(preciseItems);
  return {
    total_amount_cents: note.total_amount_cents,
    precise_total_amount_cents: amount(preciseTotal.toFixed()),
    taxes_amount_cents: note.taxes_amount_cents,
    precise_taxes_amount_cents: amount(decimal(note.taxes_amount_cents).toFixed()),
    taxes_rate: rate(note.taxes_rate),
    ...pick(note, creditNotes.shown.amounts),
  };
}

function itemFee(feeId: string, invoice: InvoiceRecord) {
  const fee: FeeRecord | undefined = invoice.fees.find(candidate => candidate.id === feeId);
  return fee === undefined ? null : feeAnswer(fee);
}
