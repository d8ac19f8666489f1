/** The filters of the lists of credit notes (lookups §7). */
import { creditStatuses, refundStatuses } from '../../contract/enums.ts';
import { creditNoteFilters } from '../../contract/list-filters.ts';
import { any, type Condition, contains, equals, is, linksTo, range } from '../store/conditions.ts';
import { fieldConditions } from './field-filters.ts';
import { knownWords, type ListFilters } from './list-query.ts';

type NoteCondition = Condition<'credit_notes'>;
type InvoiceCondition = Condition<'invoices'>;

const { self_billed, ...ofNote } = creditNoteFilters;

/** The conditions of a list of finalized notes, except those on the invoice. `customers`: only their notes. */
export function noteConditions(filters: ListFilters): NoteCondition[] {
  const fields = {
    credit_status: knownWords(filters, 'credit_status', creditStatuses),
    refund_status: knownWords(filters, 'refund_status', refundStatuses),
  };
  return [
    is(fields),
    ...fieldConditions<'credit_notes'>(filters, ofNote),
    ...kindConditions(filters),
    ...searchConditions(filters.term('search_term')),
  ];
}

/** The conditions on a note's invoice, except that on its billing entity. */
export function invoiceConditions(filters: ListFilters): InvoiceCondition[] {
  const number = filters.text('invoice_number');
  const purchaseOrder = filters.text('purchase_order_number');
  return [
    ...(number === undefined ? [] : [is({ number })]),
    ...(purchaseOrder === undefined ? [] : [equals('purchase_order_text', purchaseOrder)]),
    ...fieldConditions<'invoices'>(filters, { self_billed }),
  ];
}

/** `types[]`: notes with an amount of one of the kinds. */
function kindConditions(filters: ListFilters): NoteCondition[] {
  const columns = {
    credit: 'credit_amount_cents',
    refund: 'refund_amount_cents',
    offset: 'offset_amount_cents',
  } as const;
  const kinds = knownWords(filters, 'types', Object.keys(columns) as (keyof typeof columns)[]);
  return kinds
    ? [any(...kinds.map(kind => range<'credit_notes', (typeof columns)[typeof kind]>(columns[kind], 1)))]
    : [];
}

function searchConditions(term: string | undefined): NoteCondition[] {
  if (term === undefined) return [];
  const matchingCustomers = linksTo<'credit_notes', 'customers'>(
    'customer_id',
    'customers',
    contains('search_text', term),
  );
  return [any(contains('number_text', term), contains('id', term), matchingCustomers)];
}
