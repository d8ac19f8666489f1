/** Endpoint 3 (service-behaviour §3.3). */
import { isGiven } from '../../lib/json.ts';
import { isOneOf, refundStatuses } from '../../model/enums.ts';
import { creditNoteAnswer } from '../answers/credit-note.ts';
import { customerAnswer } from '../answers/customer.ts';
import { notFound, validation } from '../errors.ts';
import { pathId, wrapped } from '../operations/input.ts';
import type { CreditNoteRecord, JsonObject } from '../records/index.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { linked } from './lookups.ts';
import { checkCount, readMetadata } from './metadata.ts';

export const creditNoteRoutes: Routes = (app, context) => {
  app.put('/credit_notes/:svc_id', request => {
    const input = wrapped(request, 'credit_note');
    return request.account.transaction(async account => {
      const note = await account.get('credit_notes', pathId(request, 'credit_note'), { lock: true });
      if (note === undefined || note.status !== 'finalized') throw notFound('credit_note');
      const changes = { ...readChanges(note, input), updated_at: context.now().toISOString() };
      await account.update('credit_notes', note.id, changes);
      return { credit_note: await answer(account, { ...note, ...changes }) };
    });
  });
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

async function answer(account: AccountStore, note: CreditNoteRecord) {
  const lists = await loadAccountLists(account);
  const invoice = await linked(account, 'invoices', note.invoice_id);
  const customer = await linked(account, 'customers', note.customer_id);
  return creditNoteAnswer(note, invoice, customerAnswer(customer, lists), lists);
}
