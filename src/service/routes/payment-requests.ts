/** The list of payment requests (lookups §12). */
import { invoicePaymentStatuses } from '../../contract/enums.ts';
import type { PaymentRequestRecord } from '../../engine/records/index.ts';
import { customerListAnswer } from '../answers/customer.ts';
import { paymentRequestAnswer } from '../answers/payment-request.ts';
import { linkedById } from '../operations/lookups.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { every, is, linksTo } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { answerInvoiceList } from './invoice-lists.ts';
import { billingEntityIds, listFilters } from './list-query.ts';
import { knownWord } from './list-values.ts';
import { listPage } from './lists.ts';

export const paymentRequestRoutes: Routes = (app, context) => {
  app.get('/payment_requests', async (request, reply) => {
    const filters = listFilters(request);
    const external_id = filters.text('external_customer_id');
    const payment_status = knownWord(filters, 'payment_status', invoicePaymentStatuses);
    const amount_currency = filters.text('currency');
    const codes = filters.texts('billing_entity_codes');
    filters.finish(reply);
    // A request has no billing entity of its own: it is its customer's.
    const billing_entity_id = await billingEntityIds(request.account, codes);
    const where = every<'payment_requests'>(
      is({ payment_status, amount_currency }),
      linksTo('customer_id', 'customers', is({ external_id, billing_entity_id })),
    );
    const { rows, meta } = await listPage(request, 'payment_requests', { where });
    return { payment_requests: await answers(request.account, rows, context.now()), meta };
  });
};

async function answers(account: AccountStore, requests: readonly PaymentRequestRecord[], now: Date) {
  const lists = await loadAccountLists(account);
  const customerIds = requests.map(each => each.customer_id);
  const customerOf = await linkedById(account, 'customers', customerIds);
  const invoiceIds = [...new Set(requests.flatMap(each => each.invoice_ids))];
  const invoiceOf = await linkedById(account, 'invoices', invoiceIds);
  const invoices = await answerInvoiceList(account, invoiceIds.map(invoiceOf), now);
  const answerOf = new Map(invoices.map(invoice => [invoice.svc_id, invoice]));
  return requests.map(request =>
    paymentRequestAnswer(request, {
      customer: customerListAnswer(customerOf(request.customer_id), lists),
      invoices: request.invoice_ids.flatMap(id => answerOf.get(id) ?? []),
    }),
  );
}
