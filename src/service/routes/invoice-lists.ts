/** The lists of invoices (lookups §4). */
import { invoicePaymentStatuses, invoiceStatuses, isOneOf, shownInvoiceStatuses } from '../../contract/enums.ts';
import { invoiceFilters } from '../../contract/list-filters.ts';
import type { InvoiceRecord } from '../../engine/records/index.ts';
import { customerListAnswer } from '../answers/account.ts';
import { invoiceListAnswer, isOverdue } from '../answers/invoice.ts';
import { isUuid } from '../operations/input.ts';
import { linksOf, offsetsOf } from '../operations/lookups.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { any, type Condition, contains, equals, every, is, less, linksTo, not, range } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import { fieldConditions, type ListFilters } from './list-query.ts';
import { reads } from './lists.ts';

type InvoiceCondition = Condition<'invoices'>;

const hiddenStatuses = invoiceStatuses.filter(status => !isOneOf(shownInvoiceStatuses, status));

export const newestInvoices = [
  ['issuing_date', 'desc'],
  ['created_at', 'desc'],
] as const;

export const invoiceLists = reads('invoices', {
  ofCustomer: { filters: ['external_customer_id', 'customer_external_id'], deleted: true },
  filter: (filters, { ofCustomer, now }) =>
    every(
      ...stateConditions(filters, now),
      ...fieldConditions<'invoices'>(filters, invoiceFilters),
      equals('purchase_order_text', filters.text('purchase_order_number')),
      ...searchConditions(filters, !ofCustomer),
    ),
  entities: { of: ids => is({ billing_entity_id: ids }), scalar: 'refused' },
  order: newestInvoices,
  answers: (account, rows, { now }) => answerInvoiceList(account, rows, now),
});

/** The invoice with `payment_overdue` as of now; the stored flag is as old as the record. */
export function withOverdueAsOf<Invoice extends InvoiceRecord>(now: Date, invoice: Invoice): Invoice {
  return { ...invoice, payment_overdue: isOverdue(invoice, now) };
}

/** The answers of invoices in a list. */
export async function answerInvoiceList(account: AccountStore, invoices: readonly InvoiceRecord[], now: Date) {
  const lists = await loadAccountLists(account);
  const customerOf = await linksOf(account, invoices, 'customer_id');
  const offsets = await offsetsOf(account, invoices);
  return invoices.map(invoice => {
    const shownCustomer = customerListAnswer(customerOf(invoice), lists);
    return invoiceListAnswer(withOverdueAsOf(now, invoice), shownCustomer, offsets.get(invoice.id) ?? 0, lists);
  });
}

function stateConditions(filters: ListFilters, now: Date): InvoiceCondition[] {
  const status = filters.words('status', shownInvoiceStatuses, 'accepted');
  const statuses = filters.words('statuses', shownInvoiceStatuses, 'accepted');
  const payment_status = filters.words('payment_status', invoicePaymentStatuses, 'accepted');
  const payment_statuses = filters.words('payment_statuses', invoicePaymentStatuses, 'accepted');
  return [
    is({ status: status ?? statuses, payment_status: payment_status ?? payment_statuses }),
    not(is({ status: hiddenStatuses })),
    ...conditionIf(filters.flag('payment_overdue', 'must be boolean'), overdue(now)),
    ...conditionIf(filters.flag('partially_paid', 'must be boolean'), partiallyPaid),
    ...settledConditions(filters),
  ];
}

/** As `isOverdue`. */
function overdue(now: Date): InvoiceCondition {
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  return every(
    is({ status: 'finalized', payment_status: ['pending', 'failed'], payment_dispute_lost_at: null }),
    range('payment_due_date', undefined, yesterday),
  );
}

const partiallyPaid: InvoiceCondition = every(
  range('total_paid_amount_cents', 1),
  less('total_paid_amount_cents', 'total_amount_cents'),
);

/** Settled by a payment: something was paid. By a credit note: a finalized one is set off against it. */
function settledConditions(filters: ListFilters): InvoiceCondition[] {
  const settlements = filters.words('settlements', ['payment', 'credit_note'] as const);
  if (settlements === undefined) return [];
  const notes = every<'credit_notes'>(is({ status: 'finalized' }), range('offset_amount_cents', 1));
  const conditions: Record<(typeof settlements)[number], InvoiceCondition> = {
    payment: range('total_paid_amount_cents', 1),
    credit_note: linksTo('id', 'credit_notes', notes, 'invoice_id'),
  };
  return [any(...settlements.map(settlement => conditions[settlement]))];
}

/** Deleted customers are not searched, nor is any customer where the list is one customer's. */
function searchConditions(filters: ListFilters, ofAllCustomers: boolean): InvoiceCondition[] {
  const term = filters.term('search_term');
  if (term === undefined) return [];
  const matches: InvoiceCondition[] = [contains('number_text', term)];
  if (isUuid(term)) matches.push(is({ id: term.toLowerCase() }));
  const customers = every<'customers'>(is({ deleted_at: null }), contains('search_text', term));
  if (ofAllCustomers) matches.push(linksTo('customer_id', 'customers', customers));
  return [any(...matches)];
}

/** The condition, its negation, or nothing. */
function conditionIf(wanted: boolean | undefined, condition: InvoiceCondition): InvoiceCondition[] {
  if (wanted === undefined) return [];
  return [wanted ? condition : not(condition)];
}
