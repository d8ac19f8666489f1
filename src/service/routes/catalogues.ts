import {
  feePaymentStatuses,
  feeTypes,
  invoicePaymentStatuses,
  lifeStatuses,
  shownInvoiceStatuses,
} from '../../contract/enums.ts';
import type { InvoiceRecord, Tables } from '../../engine/records/index.ts';
import {
  activityLogAnswer,
  customerListAnswer,
  taxWithEntitiesAnswer,
  webhookEndpointAnswer,
} from '../answers/account.ts';
import { addOnAnswer, countedMetricAnswer, couponAnswer, planAnswer } from '../answers/catalogue.ts';
import { feeAnswer } from '../answers/fee.ts';
import { appliedCouponAnswer } from '../answers/invoice.ts';
import { paymentRequestAnswer } from '../answers/payment.ts';
import { eventAnswer } from '../answers/subscription.ts';
import { linkedById, linksOf, recordsById, withPresentAddOns } from '../operations/lookups.ts';
import { idLists, loadAccountLists, loadCatalogue } from '../store/account-lists.ts';
import { every, is, linksTo, range, type Where } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { answerInvoiceList } from './invoice-lists.ts';
import type { ListFilters } from './list-query.ts';
import { reads } from './lists.ts';

export const catalogues: readonly Routes[] = [
  reads('activity_logs', {
    one: 'activity_log',
    by: 'activity_id',
    filter: filters => {
      const fields = {
        external_customer_id: filters.text('external_customer_id'),
        external_subscription_id: filters.text('external_subscription_id'),
        activity_type: filters.texts('activity_types'),
        activity_source: filters.texts('activity_sources'),
        user_email: filters.texts('user_emails'),
        resource_id: filters.texts('resource_ids'),
        resource_type: filters.texts('resource_types'),
      };
      const logged = range<'activity_logs', 'logged_at'>('logged_at', ...moments(filters, 'from_date', 'to_date'));
      return every(is(fields as Where<Tables['activity_logs']>), logged);
    },
    order: [
      ['logged_at', 'desc'],
      ['sequence', 'desc'],
    ],
    answers: (account, rows) => rows.map(row => activityLogAnswer(row, account.organization.id)),
  }),
  reads('add_ons', {
    one: 'add_on',
    by: 'code',
    where: { deleted_at: null },
    answers: async (account, rows) => {
      const lists = await loadAccountLists(account);
      return rows.map(addOn => addOnAnswer(addOn, lists));
    },
  }),
  reads('applied_coupons', {
    ofCustomer: { deleted: false },
    filter: filters =>
      every(
        is({ status: filters.word('status', lifeStatuses, null) }),
        linksTo('customer_id', 'customers', is({ deleted_at: null })),
        linksTo('coupon_id', 'coupons', is({ code: filters.texts('coupon_code') })),
      ),
    answers: async (account, rows) => {
      const couponOf = await linksOf(account, rows, 'coupon_id');
      const customerOf = await linksOf(account, rows, 'customer_id');
      const invoicesOf = await invoicesWithCoupons(account, rows);
      return rows.map(each =>
        appliedCouponAnswer(each, couponOf(each), customerOf(each), invoicesOf.get(each.customer_id) ?? []),
      );
    },
  }),
  reads('billable_metrics', {
    one: 'billable_metric',
    by: 'code',
    answers: (_, rows) => rows.map(countedMetricAnswer),
  }),
  reads('coupons', {
    one: 'coupon',
    by: 'code',
    // Active before terminated, no expiration before a time limit: the alphabet has these words in the same order.
    order: [
      ['status', 'asc'],
      ['expiration', 'asc'],
      ['expiration_at', 'asc', 'last'],
      ['created_at', 'desc'],
    ],
    answers: (_, rows) => rows.map(couponAnswer),
  }),
  // When several subscriptions have an event with the same id, the newest is read.
  reads('events', {
    one: 'event',
    by: 'transaction_id',
    filter: async (filters, { account }) => {
      const external_subscription_id = filters.text('external_subscription_id');
      const code = filters.text('code');
      const [from, to] = moments(filters, 'timestamp_from', 'timestamp_to');
      const sinceStart = readSinceStart(filters) && external_subscription_id !== undefined && from === undefined;
      const start = sinceStart ? await startOf(account, external_subscription_id) : undefined;
      return every(is({ external_subscription_id, code }), range('timestamp', from ?? start, to));
    },
    order: [
      ['timestamp', 'desc'],
      ['transaction_id', 'asc'],
    ],
    answers: (_, rows) => rows.map(eventAnswer),
  }),
  // Those of all invoices, drafts, voided and hidden ones too.
  reads('fees', {
    one: 'fee',
    ofCustomer: { deleted: true, ownPath: false },
    filter: filters => {
      const fields = {
        external_subscription_id: filters.text('external_subscription_id'),
        billable_metric_code: filters.text('billable_metric_code'),
        fee_type: filters.word('fee_type', feeTypes, 'value_is_invalid'),
        payment_status: filters.word('payment_status', feePaymentStatuses, 'value_is_invalid'),
        event_transaction_id: filters.text('event_transaction_id'),
        amount_currency: filters.text('currency')?.toUpperCase(),
      };
      const within = (['created_at', 'succeeded_at', 'failed_at', 'refunded_at'] as const).map(field =>
        range<'fees', typeof field>(field, ...moments(filters, `${field}_from`, `${field}_to`)),
      );
      return every(is(fields), ...within);
    },
    order: [['created_at', 'asc']],
    // The fees themselves are stored in their invoices.
    answers: async (account, rows) => {
      const ids = rows.map(each => each.invoice_id);
      const invoices = await recordsById(account, 'invoices', ids);
      const renewed = await withPresentAddOns(account, invoices.values());
      return rows.map(({ id, invoice_id }) => {
        const invoice = invoices.get(invoice_id);
        const fee = invoice && renewed(invoice).fees.find(each => each.id === id);
        if (fee === undefined) throw new Error(`the fee ${id} is not in its invoice`);
        return feeAnswer(fee);
      });
    },
  }),
  reads('payment_requests', {
    ofCustomer: { deleted: true, ownPath: false },
    filter: filters => {
      const payment_status = filters.word('payment_status', invoicePaymentStatuses, null);
      return is({ payment_status, amount_currency: filters.text('currency') });
    },
    // A request has no billing entity of its own: it is its customer's.
    entities: { of: ids => linksTo('customer_id', 'customers', is({ billing_entity_id: ids })) },
    answers: async (account, rows, { now }) => {
      const lists = await loadAccountLists(account);
      const customerOf = await linksOf(account, rows, 'customer_id');
      const invoiceIds = [...new Set(rows.flatMap(each => each.invoice_ids))];
      const invoiceOf = await linkedById(account, 'invoices', invoiceIds);
      const invoices = await answerInvoiceList(account, invoiceIds.map(invoiceOf), now);
      const answerOf = new Map(invoices.map(invoice => [invoice.svc_id, invoice]));
      return rows.map(row =>
        paymentRequestAnswer(row, {
          customer: customerListAnswer(customerOf(row), lists),
          invoices: row.invoice_ids.flatMap(id => answerOf.get(id) ?? []),
        }),
      );
    },
  }),
  // Without the copies made by subscription overrides.
  reads('plans', {
    one: 'plan',
    by: 'code',
    where: { parent_id: null },
    answers: async (account, rows) => {
      const parts = await loadCatalogue(account, rows);
      const lists = await loadAccountLists(account);
      return rows.map(plan => planAnswer(plan, parts, lists));
    },
  }),
  reads('taxes', {
    one: 'tax',
    by: 'code',
    order: [
      ['name', 'asc'],
      ['created_at', 'desc'],
    ],
    answers: async (account, rows) => {
      const lists = await loadAccountLists(account);
      return rows.map(tax => taxWithEntitiesAnswer(tax, lists));
    },
  }),
  reads('webhook_endpoints', {
    one: 'webhook_endpoint',
    order: [
      ['webhook_url', 'asc'],
      ['created_at', 'desc'],
    ],
    answers: (account, rows) => rows.map(row => webhookEndpointAnswer(row, account.organization.id)),
  }),
];

function moments(filters: ListFilters, from: string, to: string) {
  return [filters.instant(from), filters.instant(to)] as const;
}

/** `timestamp_from_started_at`: it needs a subscription, and takes the place of `timestamp_from`. */
function readSinceStart(filters: ListFilters): boolean {
  const sinceStart = filters.flag('timestamp_from_started_at') ?? false;
  if (sinceStart && filters.text('external_subscription_id') === undefined) {
    filters.refuse('external_subscription_id', 'required with timestamp_from_started_at');
  }
  if (sinceStart && filters.text('timestamp_from') !== undefined) {
    filters.refuse('timestamp_from', 'cannot be used with timestamp_from_started_at');
  }
  return sinceStart;
}

/** When the active subscription started, else the one that started last. Undefined when there is none. */
async function startOf(account: AccountStore, externalId: string): Promise<string | undefined> {
  const subscriptions = await account.find('subscriptions', { external_id: externalId });
  const starts = subscriptions.flatMap(({ status, started_at: at }) => (at === null ? [] : [{ status, at }]));
  const active = starts.find(({ status }) => status === 'active');
  const all = starts.map(({ at }) => at);
  return active?.at ?? all.sort().at(-1);
}

/** The customers' shown invoices that used coupons, oldest first, by customer id. */
async function invoicesWithCoupons(account: AccountStore, customers: readonly { customer_id: string }[]) {
  const invoicesByCustomer = new Map<string, InvoiceRecord[]>();
  for (const customer_id of idLists(customers.map(each => each.customer_id))) {
    const where = every<'invoices'>(
      is({ customer_id, status: shownInvoiceStatuses }),
      range('coupons_amount_cents', 1),
    );
    for (const invoice of await account.find('invoices', where, { order: 'oldest' }))
      invoicesByCustomer.set(invoice.customer_id, [...(invoicesByCustomer.get(invoice.customer_id) ?? []), invoice]);
  }
  return invoicesByCustomer;
}
