/** The lookups of fees (lookups §11): those of all invoices, drafts, voided and hidden ones too. */
import { feePaymentStatuses, feeTypes } from '../../contract/enums.ts';
import type { ListedFeeRecord } from '../../engine/records/index.ts';
import { feeAnswer } from '../answers/fee.ts';
import { notFound } from '../errors.ts';
import { pathId } from '../operations/input.ts';
import { recordsById, withPresentAddOns } from '../operations/lookups.ts';
import { type Condition, every, is, range } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { type ListFilters, listFilters } from './list-query.ts';
import { validInstant, validWord } from './list-values.ts';
import { listPage } from './lists.ts';

export const feeRoutes: Routes = app => {
  app.get('/fees', async (request, reply) => {
    const filters = listFilters(request);
    const fields = readFilter(filters);
    const moments = readMoments(filters);
    const external_id = filters.text('external_customer_id');
    filters.finish(reply);
    const customers = external_id === undefined ? undefined : await request.account.find('customers', { external_id });
    const customer_id = customers?.map(customer => customer.id);
    const where = every(is({ ...fields, customer_id }), ...moments);
    const { rows, meta } = await listPage(request, 'fees', { where, order: [['created_at', 'asc']] });
    return { fees: await answers(request.account, rows), meta };
  });

  app.get('/fees/:svc_id', async request => {
    const row = await request.account.get('fees', pathId(request, 'fee'));
    if (row === undefined) throw notFound('fee');
    const [answer] = await answers(request.account, [row]);
    return { fee: answer };
  });
};

function readFilter(filters: ListFilters) {
  return {
    external_subscription_id: filters.text('external_subscription_id'),
    billable_metric_code: filters.text('billable_metric_code'),
    fee_type: validWord(filters, 'fee_type', feeTypes),
    payment_status: validWord(filters, 'payment_status', feePaymentStatuses),
    event_transaction_id: filters.text('event_transaction_id'),
    amount_currency: filters.text('currency')?.toUpperCase(),
  };
}

function readMoments(filters: ListFilters): Condition<'fees'>[] {
  return (['created_at', 'succeeded_at', 'failed_at', 'refunded_at'] as const).map(field =>
    range(field, validInstant(filters, `${field}_from`), validInstant(filters, `${field}_to`)),
  );
}

/** The fees themselves are stored in their invoices. */
async function answers(account: AccountStore, listed: readonly ListedFeeRecord[]) {
  const ids = listed.map(each => each.invoice_id);
  const invoices = await recordsById(account, 'invoices', ids);
  const renewed = await withPresentAddOns(account, invoices.values());
  return listed.map(({ id, invoice_id }) => {
    const invoice = invoices.get(invoice_id);
    const fee = invoice && renewed(invoice).fees.find(each => each.id === id);
    if (fee === undefined) throw new Error(`the fee ${id} is not in its invoice`);
    return feeAnswer(fee);
  });
}
