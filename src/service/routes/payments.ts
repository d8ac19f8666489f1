/** Endpoint 13 (service-behaviour §3.13), and the lists of payments (lookups §8). */
import { shownInvoiceStatuses } from '../../contract/enums.ts';
import type { PaymentRecord } from '../../engine/records/index.ts';
import { paymentAnswer } from '../answers/payment.ts';
import { notFound, orNotFound } from '../errors.ts';
import { pathId } from '../operations/input.ts';
import { isVisible, linkedById, linksOf } from '../operations/lookups.ts';
import { any, type Condition, every, is, linksTo, lists } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { reads } from './lists.ts';

export const paymentRoutes: Routes = (app, context) => {
  reads('payments', {
    ofCustomer: { deleted: true },
    filter: filters => {
      const invoiceId = filters.id('invoice_id');
      return every(shownPayments, ...(invoiceId === undefined ? [] : [ofInvoice(invoiceId)]));
    },
    answers,
  })(app, context);

  app.get('/payments/:svc_id', async request => {
    const { account } = request;
    const payment = orNotFound(await account.get('payments', pathId(request, 'payment')), 'payment');
    const invoices = await account.find('invoices', { id: payment.invoice_ids });
    // The payment of a hidden invoice is hidden too.
    if (invoices.some(invoice => !isVisible(invoice))) throw notFound('payment');
    const [answer] = await answers(account, [payment]);
    return answer;
  });
};

/** Payments of hidden invoices are left out. */
const shownPayments = any<'payments'>(
  is({ payable_type: 'PaymentRequest' }),
  linksTo('payable_id', 'invoices', is({ status: shownInvoiceStatuses })),
);

/** Payments of the invoice, and of payment requests that contain it. */
function ofInvoice(id: string): Condition<'payments'> {
  return any(is({ payable_id: id }), every(is({ payable_type: 'PaymentRequest' }), lists('invoice_ids', id)));
}

async function answers(account: AccountStore, payments: readonly PaymentRecord[]) {
  const invoiceIds = payments.flatMap(each => each.invoice_ids);
  const invoiceOf = await linkedById(account, 'invoices', invoiceIds);
  const customerOf = await linksOf(account, payments, 'customer_id');
  return payments.map(payment => {
    const numbers = payment.invoice_ids.map(id => invoiceOf(id).number);
    return paymentAnswer(payment, customerOf(payment).external_id, numbers);
  });
}
