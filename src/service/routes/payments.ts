/** Endpoint 13 (service-behaviour §3.13). */
import { paymentAnswer } from '../answers/payment.ts';
import { notFound } from '../errors.ts';
import { pathId } from '../operations/input.ts';
import type { Routes } from './context.ts';
import { isVisible, linked } from './lookups.ts';

export const paymentRoutes: Routes = app => {
  app.get('/payments/:svc_id', async request => {
    const { account } = request;
    const payment = await account.get('payments', pathId(request, 'payment'));
    if (payment === undefined) throw notFound('payment');
    const invoices = await account.find('invoices', { id: payment.invoice_ids });
    // The payment of a hidden invoice is hidden too.
    if (invoices.some(invoice => !isVisible(invoice))) throw notFound('payment');
    const customer = await linked(account, 'customers', payment.customer_id);
    const numberById = new Map(invoices.map(invoice => [invoice.id, invoice.number]));
    const numbers = payment.invoice_ids.flatMap(id => numberById.get(id) ?? []);
    return paymentAnswer(payment, customer.external_id, numbers);
  });
};
