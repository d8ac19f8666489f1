/** The lookups of applied coupons (lookups §10). */
import { lifeStatuses, shownInvoiceStatuses } from '../../contract/enums.ts';
import type { AppliedCouponRecord, InvoiceRecord } from '../../engine/records/index.ts';
import { appliedCouponAnswer } from '../answers/invoice.ts';
import { linkedById } from '../operations/lookups.ts';
import { MOST_IDS } from '../store/account-lists.ts';
import { every, is, linksTo, range } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import { reads } from './lists.ts';

export const appliedCouponRoutes = reads('applied_coupons', {
  ofCustomer: { deleted: false },
  filter: filters => {
    const status = filters.word('status', lifeStatuses, null);
    const code = filters.texts('coupon_code');
    const conditions = every<'applied_coupons'>(
      is({ status }),
      linksTo('customer_id', 'customers', is({ deleted_at: null })),
      linksTo('coupon_id', 'coupons', is({ code })),
    );
    return () => conditions;
  },
  answers,
});

async function answers(account: AccountStore, appliedCoupons: readonly AppliedCouponRecord[]) {
  const ids = {
    coupons: appliedCoupons.map(each => each.coupon_id),
    customers: appliedCoupons.map(each => each.customer_id),
  };
  const couponOf = await linkedById(account, 'coupons', ids.coupons);
  const customerOf = await linkedById(account, 'customers', ids.customers);
  const invoices = await invoicesWithCoupons(account, ids.customers);
  return appliedCoupons.map(each =>
    appliedCouponAnswer(
      each,
      couponOf(each.coupon_id),
      customerOf(each.customer_id),
      invoices.get(each.customer_id) ?? [],
    ),
  );
}

/** The customers' shown invoices that used coupons, oldest first, by customer id. */
async function invoicesWithCoupons(
  account: AccountStore,
  customerIds: readonly string[],
): Promise<Map<string, InvoiceRecord[]>> {
  const distinctIds = [...new Set(customerIds)];
  const invoicesByCustomer = new Map<string, InvoiceRecord[]>();
  for (let at = 0; at < distinctIds.length; at += MOST_IDS) {
    const shownOfCustomers = { customer_id: distinctIds.slice(at, at + MOST_IDS), status: shownInvoiceStatuses };
    const { rows } = await account.list('invoices', {
      where: every(is(shownOfCustomers), range('coupons_amount_cents', 1)),
      order: [['created_at', 'asc']],
    });
    for (const invoice of rows)
      invoicesByCustomer.set(invoice.customer_id, [...(invoicesByCustomer.get(invoice.customer_id) ?? []), invoice]);
  }
  return invoicesByCustomer;
}
