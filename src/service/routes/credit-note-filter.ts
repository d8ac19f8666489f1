/** The filters of the lists of credit notes (lookups §7). */
import { creditNoteReasons, creditStatuses, refundStatuses } from '../../model/enums.ts';
import type { CustomerRecord } from '../records/index.ts';
import type { AccountStore, Condition } from '../store/store.ts';
import { billingEntityIds, type ListFilters } from './list-query.ts';
import { knownWords } from './list-values.ts';

type NoteCondition = Condition<'credit_notes'>;
type InvoiceCondition = Condition<'invoices'>;

/** Finalized notes only. `customers`: only theirs. Throws 404 `billing_entity_not_found`; notes refusals in `filters`. */
export async function creditNoteFilter(
  account: AccountStore,
  filters: ListFilters,
  customers: CustomerRecord[] | undefined,
): Promise<NoteCondition> {
  const of = {
    status: 'finalized' as const,
    currency: filters.text('currency'),
    credit_status: knownWords(filters, 'credit_status', creditStatuses),
    refund_status: knownWords(filters, 'refund_status', refundStatuses),
    reason: knownWords(filters, 'reason', creditNoteReasons),
    customer_id: customers?.map(customer => customer.id),
  };
  const range = { range: 'issuing_date', from: filters.date('issuing_date_from'), to: filters.date('issuing_date_to') };
  const amounts = { from: filters.integer('amount_from'), to: filters.integer('amount_to') };
  const invoice = await invoiceFilter(account, filters);
  return {
    every: [
      { is: of },
      range as NoteCondition,
      { range: 'total_amount_cents', ...amounts } as NoteCondition,
      ...ofKinds(filters),
      ...searched(filters.term('search_term')),
      ...(invoice.length > 0 ? [{ link: 'invoice_id', to: 'invoices', where: { every: invoice } } as const] : []),
    ],
  };
}

/** `types[]`: notes with an amount of one of the kinds. */
function ofKinds(filters: ListFilters): NoteCondition[] {
  const columns = {
    credit: 'credit_amount_cents',
    refund: 'refund_amount_cents',
    offset: 'offset_amount_cents',
  } as const;
  const kinds = knownWords(filters, 'types', Object.keys(columns) as (keyof typeof columns)[]);
  return kinds ? [{ any: kinds.map(kind => ({ range: columns[kind], from: 1 })) }] : [];
}

function searched(term: string | undefined): NoteCondition[] {
  if (term === undefined) return [];
  const customer = { text: 'search_text', contains: term } as const;
  return [
    {
      any: [
        { text: 'number_text', contains: term },
        { text: 'id', contains: term },
        { link: 'customer_id', to: 'customers', where: customer },
      ],
    },
  ];
}

async function invoiceFilter(account: AccountStore, filters: ListFilters): Promise<InvoiceCondition[]> {
  const number = filters.text('invoice_number');
  const order = filters.text('purchase_order_number');
  const selfBilled = filters.text('self_billed');
  if (selfBilled !== undefined && !['true', 'false'].includes(selfBilled)) filters.ignore('self_billed');
  const entities = await billingEntityIds(account, filters.texts('billing_entity_codes', 'refused'));
  return [
    ...(number === undefined ? [] : [{ is: { number } }]),
    ...(order === undefined ? [] : [{ text: 'purchase_order_text', equals: order } as const]),
    ...(selfBilled === 'true' || selfBilled === 'false' ? [{ is: { self_billed: selfBilled === 'true' } }] : []),
    ...(entities ? [{ is: { billing_entity_id: entities } }] : []),
  ];
}
