/** What is only read: lists and single records of one shape (lookups §9 to §12, service-behaviour §3.14, §3.18, §3.19). */
import type { FastifyRequest } from 'fastify';
import { feePaymentStatuses, feeTypes, invoicePaymentStatuses } from '../../contract/enums.ts';
import type { TableName, Tables } from '../../engine/records/index.ts';
import { activityLogAnswer } from '../answers/activity-log.ts';
import { addOnAnswer } from '../answers/add-on.ts';
import { countedMetricAnswer } from '../answers/billable-metric.ts';
import { couponAnswer } from '../answers/coupon.ts';
import { customerListAnswer } from '../answers/customer.ts';
import { eventAnswer } from '../answers/event.ts';
import { feeAnswer } from '../answers/fee.ts';
import { paymentRequestAnswer } from '../answers/payment-request.ts';
import { planAnswer } from '../answers/plan.ts';
import { taxWithEntitiesAnswer } from '../answers/tax.ts';
import { webhookEndpointAnswer } from '../answers/webhook-endpoint.ts';
import { notFound } from '../errors.ts';
import { pathId, pathValue } from '../operations/input.ts';
import { linkedById, recordsById, withPresentAddOns } from '../operations/lookups.ts';
import { loadAccountLists, loadPlanParts } from '../store/account-lists.ts';
import { type Column, type Condition, every, is, linksTo, range, type Where } from '../store/conditions.ts';
import type { AccountStore, ListQuery } from '../store/store.ts';
import type { Routes } from './context.ts';
import { answerInvoiceList } from './invoice-lists.ts';
import { billingEntityIds, type ListFilters, listFilters } from './list-query.ts';
import { knownWord, validInstant, validWord } from './list-values.ts';
import { listPage } from './lists.ts';

type Answers<T extends TableName> = (
  account: AccountStore,
  rows: readonly Tables[T][],
  now: Date,
) => Promise<object[]> | object[];

interface Catalogue<T extends TableName> {
  /** The key of a single record in its answer, and in the code of its 404. Without it there is only the list. */
  one?: string;
  /** What the path of a single record names. */
  by?: 'svc_id' | 'activity_id' | (Column<T> & ('code' | 'transaction_id'));
  /** Of all that are shown. */
  where?: Where<Tables[T]>;
  /** Reads the list's filters; then gives the condition, for which it may look up other records. */
  filter?: (filters: ListFilters) => (account: AccountStore) => Promise<Condition<T>>;
  order?: ListQuery<T>['order'];
  answers: Answers<T>;
}

/** `GET /<table>`, and `GET /<table>/{…}`. */
function catalogue<T extends TableName>(table: T, parts: Catalogue<T>): Routes {
  const { one, by = 'svc_id', where, filter, order, answers } = parts;
  return (app, context) => {
    app.get(`/${table}`, async (request, reply) => {
      const { account } = request;
      const filters = listFilters(request);
      const read = filter?.(filters);
      filters.finish(reply);
      const conditions = [is<T>(where ?? {}), ...(read ? [await read(account)] : [])];
      const { rows, meta } = await listPage(request, table, { where: every(...conditions), ...(order && { order }) });
      return { [table]: await answers(account, rows, context.now()), meta };
    });
    if (one === undefined) return;
    app.get(`/${table}/:${by}`, async request => {
      const { account } = request;
      const row = await account.first(table, { ...where, ...named(request, by, one) } as Where<Tables[T]>);
      if (row === undefined) throw notFound(one);
      const [answer] = await answers(account, [row], context.now());
      return { [one]: answer };
    });
  };
}

/** An id in the path is read in any case; that of a log need be no UUID. */
function named(request: FastifyRequest, by: string, resource: string): object {
  if (by === 'svc_id') return { id: pathId(request, resource) };
  const value = pathValue(request, by);
  return by === 'activity_id' ? { id: value.toLowerCase() } : { [by]: value };
}

export const catalogues: readonly Routes[] = [
  catalogue('activity_logs', {
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
      return async () => every(is(fields as Where<Tables['activity_logs']>), logged);
    },
    order: [
      ['logged_at', 'desc'],
      ['sequence', 'desc'],
    ],
    answers: (account, rows) => rows.map(row => activityLogAnswer(row, account.organization.id)),
  }),
  catalogue('add_ons', {
    one: 'add_on',
    by: 'code',
    where: { deleted_at: null },
    answers: async (account, rows) => {
      const lists = await loadAccountLists(account);
      return rows.map(addOn => addOnAnswer(addOn, lists));
    },
  }),
  catalogue('billable_metrics', {
    one: 'billable_metric',
    by: 'code',
    answers: (_, rows) => rows.map(countedMetricAnswer),
  }),
  catalogue('coupons', {
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
  catalogue('events', {
    one: 'event',
    by: 'transaction_id',
    filter: filters => {
      const external_subscription_id = filters.text('external_subscription_id');
      const code = filters.text('code');
      const [from, to] = moments(filters, 'timestamp_from', 'timestamp_to');
      const sinceStart = readSinceStart(filters);
      return async account => {
        const start = sinceStart ? await startOf(account, external_subscription_id ?? '') : undefined;
        return every(is({ external_subscription_id, code }), range('timestamp', from ?? start, to));
      };
    },
    order: [
      ['timestamp', 'desc'],
      ['transaction_id', 'asc'],
    ],
    answers: (_, rows) => rows.map(eventAnswer),
  }),
  // Those of all invoices, drafts, voided and hidden ones too.
  catalogue('fees', {
    one: 'fee',
    filter: filters => {
      const fields = {
        external_subscription_id: filters.text('external_subscription_id'),
        billable_metric_code: filters.text('billable_metric_code'),
        fee_type: validWord(filters, 'fee_type', feeTypes),
        payment_status: validWord(filters, 'payment_status', feePaymentStatuses),
        event_transaction_id: filters.text('event_transaction_id'),
        amount_currency: filters.text('currency')?.toUpperCase(),
      };
      const within = (['created_at', 'succeeded_at', 'failed_at', 'refunded_at'] as const).map(field =>
        range<'fees', typeof field>(field, ...moments(filters, `${field}_from`, `${field}_to`)),
      );
      const external_id = filters.text('external_customer_id');
      return async account => {
        const customers = external_id === undefined ? undefined : await account.find('customers', { external_id });
        return every(is({ ...fields, customer_id: customers?.map(customer => customer.id) }), ...within);
      };
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
  catalogue('payment_requests', {
    filter: filters => {
      const external_id = filters.text('external_customer_id');
      const payment_status = knownWord(filters, 'payment_status', invoicePaymentStatuses);
      const amount_currency = filters.text('currency');
      const codes = filters.texts('billing_entity_codes');
      return async account => {
        // A request has no billing entity of its own: it is its customer's.
        const billing_entity_id = await billingEntityIds(account, codes);
        const customers = is<'customers'>({ external_id, billing_entity_id });
        return every(is({ payment_status, amount_currency }), linksTo('customer_id', 'customers', customers));
      };
    },
    answers: async (account, rows, now) => {
      const lists = await loadAccountLists(account);
      const customerIds = rows.map(each => each.customer_id);
      const customerOf = await linkedById(account, 'customers', customerIds);
      const invoiceIds = [...new Set(rows.flatMap(each => each.invoice_ids))];
      const invoiceOf = await linkedById(account, 'invoices', invoiceIds);
      const invoices = await answerInvoiceList(account, invoiceIds.map(invoiceOf), now);
      const answerOf = new Map(invoices.map(invoice => [invoice.svc_id, invoice]));
      return rows.map(row =>
        paymentRequestAnswer(row, {
          customer: customerListAnswer(customerOf(row.customer_id), lists),
          invoices: row.invoice_ids.flatMap(id => answerOf.get(id) ?? []),
        }),
      );
    },
  }),
  // Without the copies made by subscription overrides.
  catalogue('plans', {
    one: 'plan',
    by: 'code',
    where: { parent_id: null },
    answers: async (account, rows) => {
      const parts = await loadPlanParts(account, rows);
      const lists = await loadAccountLists(account);
      return rows.map(plan => planAnswer(plan, parts, lists));
    },
  }),
  catalogue('taxes', {
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
  catalogue('webhook_endpoints', {
    one: 'webhook_endpoint',
    order: [
      ['webhook_url', 'asc'],
      ['created_at', 'desc'],
    ],
    answers: (account, rows) => rows.map(row => webhookEndpointAnswer(row, account.organization.id)),
  }),
];

function moments(filters: ListFilters, from: string, to: string) {
  return [validInstant(filters, from), validInstant(filters, to)] as const;
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
  const [last] = starts
    .map(({ at }) => at)
    .sort()
    .reverse();
  return active?.at ?? last;
}
