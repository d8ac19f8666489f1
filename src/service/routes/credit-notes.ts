/** Endpoint 3 (service-behaviour §3.3), and the lookups of credit notes (lookups §7). */
import { creditStatuses, isOneOf, refundStatuses } from '../../contract/enums.ts';
import { creditNoteFilters } from '../../contract/list-filters.ts';
import type { CreditNoteRecord, JsonObject } from '../../engine/records/index.ts';
import { isGiven } from '../../lib/json.ts';
import { customerAnswer } from '../answers/account.ts';
import { creditNoteAnswer, creditNoteDetailAnswer } from '../answers/payment.ts';
import { notFound, validation } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { pathId, wrappedObject } from '../operations/input.ts';
import { linksOf, withPresentAddOns } from '../operations/lookups.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { any, type Condition, contains, equals, every, is, linksTo, range } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { checkCount, readMetadata } from './fields.ts';
import { fieldConditions, knownWords, type ListFilters } from './list-query.ts';
import { reads } from './lists.ts';

export const creditNoteRoutes: Routes = (app, context) => {
  reads('credit_notes', {
    one: 'credit_note',
    where: { status: 'finalized' },
    ofCustomer: { deleted: true },
    filter: filters =>
      every(...noteConditions(filters), linksTo('invoice_id', 'invoices', every(...invoiceConditions(filters)))),
    entities: { of: ids => linksTo('invoice_id', 'invoices', is({ billing_entity_id: ids })), scalar: 'refused' },
    answers: (account, rows) => answers(account, rows, creditNoteDetailAnswer),
  })(app, context);

  app.put('/credit_notes/:svc_id', request =>
    request.account.transaction(async account => {
      const note = await account.get('credit_notes', pathId(request, 'credit_note'), { lock: true });
      if (note === undefined || note.status !== 'finalized') throw notFound('credit_note');
      const input = wrappedObject(request, 'credit_note');
      const at = context.now().toISOString();
      const changes = { ...readChanges(note, input), updated_at: at };
      await account.update('credit_notes', note.id, changes);
      const [before, after] = await answers(account, [note, { ...note, ...changes }], creditNoteAnswer);
      const ofCustomer = { external_customer_id: after?.customer.external_id ?? null };
      await logActivity(account, ['credit_note.updated', 'CreditNote'], [before, after], at, ofCustomer);
      return { credit_note: after };
    }),
  );
};

/** Any change of the refund status is accepted. Metadata is merged into the stored metadata. Throws 422. */
function readChanges(note: CreditNoteRecord, input: JsonObject): Partial<CreditNoteRecord> {
  const changes: Partial<CreditNoteRecord> = {};
  const { refund_status: status } = input;
  if (status !== undefined) {
    if (status !== null && !isOneOf(refundStatuses, status)) throw validation({ refund_status: ['value_is_invalid'] });
    changes.refund_status = status;
  }
  if (isGiven(input.metadata)) {
    const merged = { ...note.metadata, ...readMetadata(input.metadata) };
    checkCount(merged);
    changes.metadata = merged;
  }
  return changes;
}

/** The answer of each note, in the form that `answerOf` gives it. */
async function answers<Answer>(
  account: AccountStore,
  notes: readonly CreditNoteRecord[],
  answerOf: (...parts: Parameters<typeof creditNoteAnswer>) => Answer,
): Promise<Answer[]> {
  const lists = await loadAccountLists(account);
  const invoiceOf = await linksOf(account, notes, 'invoice_id');
  const customerOf = await linksOf(account, notes, 'customer_id');
  const renewed = await withPresentAddOns(account, new Set(notes.map(invoiceOf)));
  return notes.map(note => answerOf(note, renewed(invoiceOf(note)), customerAnswer(customerOf(note), lists), lists));
}

const { self_billed, ...ofNote } = creditNoteFilters;

type AmountField = `${'credit' | 'refund' | 'offset'}_amount_cents`;

/** The conditions of a list, except those on the invoice. `types[]`: notes with an amount of one of the kinds. */
function noteConditions(filters: ListFilters): Condition<'credit_notes'>[] {
  const credit_status = knownWords(filters, 'credit_status', creditStatuses);
  const refund_status = knownWords(filters, 'refund_status', refundStatuses);
  const ofFields = fieldConditions<'credit_notes'>(filters, ofNote);
  const kinds = knownWords(filters, 'types', ['credit', 'refund', 'offset'] as const);
  const term = filters.term('search_term');
  return [
    is({ credit_status, refund_status }),
    ...ofFields,
    ...(kinds ? [any(...kinds.map(kind => range<'credit_notes', AmountField>(`${kind}_amount_cents`, 1)))] : []),
    ...(term === undefined ? [] : [named(term)]),
  ];
}

/** The note's number or id, or its customer's names, hold the term. */
function named(term: string): Condition<'credit_notes'> {
  const customers = contains<'customers'>('search_text', term);
  return any(contains('number_text', term), contains('id', term), linksTo('customer_id', 'customers', customers));
}

/** The conditions on a note's invoice, except that on its billing entity. */
function invoiceConditions(filters: ListFilters): Condition<'invoices'>[] {
  return [
    is({ number: filters.text('invoice_number') }),
    equals('purchase_order_text', filters.text('purchase_order_number')),
    ...fieldConditions<'invoices'>(filters, { self_billed }),
  ];
}
