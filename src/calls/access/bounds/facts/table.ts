/**
 * Every path of the billing API that is known here, and how a request with it is judged for a caller who is bound to
 * customers. Any other path is refused. `{customer}` must be a bound customer; `{subscription}` is the external id and
 * `{wallet}` the `svc_id` of one of theirs; `{id}` is judged by the record that comes back.
 */
import {
  creditNoteFilters,
  invoiceFilters,
  type ListFilters,
  queryNames,
  subscriptionFilters,
  walletFilters,
} from '../../../../contract/list-filters.ts';
import type { Owner } from './owners.ts';

export interface RecordRule {
  by: 'record';
  /** The answer's wrapper key, which is also the word of its `…_not_found`. */
  key: string;
  owner: Owner;
  /** The field that must hold the id of the path: a proxy may have led the request elsewhere. */
  id: 'svc_id' | 'external_id' | 'transaction_id' | 'code';
}

export interface ListRule {
  by: 'list';
  key: string;
  owner: Owner;
  /** The query's names that may be sent, besides the list page and the customer. */
  filters: ReadonlySet<string>;
  /** Set where the API filters by subscription alone. */
  each?: 'subscription';
  /** The fields by which the API sorts, each descending. Lists of several customers are merged by them. */
  sortedBy: readonly string[];
  /** The log of changes: its texts may be the JSON of records, which are judged as these. */
  isLog?: true;
  /** Each ascending instead. */
  oldestFirst?: true;
}

export type Rule =
  /** The list of customers: each is read by its id, and searched here. */
  | { by: 'customers' }
  | RecordRule
  | ListRule
  /** The path proves the owner; `empty` where an unknown subscription in the query is answered with an empty list. */
  | { by: 'path'; key: string; subscription?: 'empty' | 'refused' }
  /** The record is read first, by the path `look`, whose rule judges it; then it is written. */
  | { by: 'write'; key: string; look: RecordLook | 'subscription' }
  | { by: 'preview' | 'estimate' }
  /** Plans and billable metrics: everybody's, but without counters. */
  | { by: 'shared'; key: string; resource: string }
  | { by: 'refused' };

/** The records that a write is about, by the path that reads them. */
export const recordRules = {
  'GET /wallets/{wallet}': { by: 'record', key: 'wallet', owner: 'external_customer_id', id: 'svc_id' },
  'GET /invoices/{id}': { by: 'record', key: 'invoice', owner: 'customer', id: 'svc_id' },
  'GET /credit_notes/{id}': { by: 'record', key: 'credit_note', owner: 'customer', id: 'svc_id' },
} satisfies Record<string, RecordRule>;
export type RecordLook = keyof typeof recordRules;

const refused: Rule = { by: 'refused' };

/** The list of this key; `filters`: names of its query, and those that the contract describes. */
function listRule(
  key: string,
  owner: Owner,
  filters: string,
  described: ListFilters = {},
  more: Partial<ListRule> = {},
): ListRule {
  const names = new Set([...filters.split(/\s+/).filter(Boolean), ...queryNames(described)]);
  return { by: 'list', key, owner, sortedBy: ['created_at'], filters: names, ...more };
}

const subscriptions = listRule(
  'subscriptions',
  'external_customer_id',
  'external_id plan_code status[] overridden',
  subscriptionFilters,
  { sortedBy: ['subscription_at', 'created_at'] },
);
const invoices = listRule(
  'invoices',
  'customer',
  `search_term status status[] statuses[] payment_status payment_status[] payment_statuses[] payment_overdue
   partially_paid purchase_order_number settlements[]`,
  invoiceFilters,
  { sortedBy: ['issuing_date', 'created_at'] },
);
const wallets = listRule('wallets', 'external_customer_id', '', walletFilters);
const creditNotes = listRule(
  'credit_notes',
  'customer',
  `search_term credit_status credit_status[] refund_status refund_status[] reason[] types[] invoice_number
   purchase_order_number`,
  creditNoteFilters,
);
const payments = listRule('payments', 'external_customer_id', 'invoice_id');
const appliedCoupons = listRule('applied_coupons', 'external_customer_id', 'status coupon_code[]');

/** The 19 operations, the lookups (docs/lookups.md §1, §12), and analytics. */
export const table: Readonly<Record<string, Rule>> = {
  ...recordRules,
  'GET /customers': { by: 'customers' },
  'GET /customers/{customer}': { by: 'record', key: 'customer', owner: 'external_id', id: 'external_id' },
  'GET /customers/{customer}/portal_url': { by: 'path', key: 'customer' },
  'GET /customers/{customer}/current_usage': { by: 'path', key: 'customer_usage', subscription: 'refused' },
  'GET /customers/{customer}/past_usage': { by: 'path', key: 'usage_periods', subscription: 'empty' },
  'GET /customers/{customer}/projected_usage': refused,
  'GET /customers/{customer}/payment_methods': refused,

  'GET /subscriptions': subscriptions,
  'GET /customers/{customer}/subscriptions': subscriptions,
  'GET /subscriptions/{subscription}': {
    by: 'record',
    key: 'subscription',
    owner: 'external_customer_id',
    id: 'external_id',
  },
  'PUT /subscriptions/{subscription}': { by: 'write', key: 'subscription', look: 'subscription' },
  'GET /subscriptions/{subscription}/alerts': { by: 'path', key: 'alerts' },
  'POST /subscriptions/{subscription}/alerts': { by: 'write', key: 'alert', look: 'subscription' },
  'GET /subscriptions/{subscription}/lifetime_usage': { by: 'path', key: 'lifetime_usage' },
  'GET /subscriptions/{subscription}/entitlements': { by: 'path', key: 'entitlements' },
  'GET /subscriptions/{subscription}/charges': { by: 'path', key: 'charges' },
  'GET /subscriptions/{subscription}/fixed_charges': { by: 'path', key: 'fixed_charges' },

  'GET /wallets': wallets,
  'GET /customers/{customer}/wallets': wallets,
  'GET /customers/{customer}/wallets/{id}': { by: 'record', key: 'wallet', owner: 'external_customer_id', id: 'code' },
  'PUT /wallets/{wallet}': { by: 'write', key: 'wallet', look: 'GET /wallets/{wallet}' },
  'GET /customers/{customer}/wallets/{wallet_code}/alerts/{id}': { by: 'path', key: 'alert' },
  'GET /wallets/{wallet}/wallet_transactions': {
    by: 'path',
    key: 'wallet_transactions',
  },
  'GET /wallet_transactions/{id}': {
    by: 'record',
    key: 'wallet_transaction',
    owner: 'svc_wallet_id',
    id: 'svc_id',
  },
  // The rows name other transactions, but not their owners: no one could tell whether they are the caller's own.
  'GET /wallet_transactions/{id}/consumptions': refused,
  'GET /wallet_transactions/{id}/fundings': refused,

  'GET /invoices': invoices,
  'GET /customers/{customer}/invoices': invoices,
  'PUT /invoices/{id}': { by: 'write', key: 'invoice', look: 'GET /invoices/{id}' },
  'POST /invoices/preview': { by: 'preview' },
  'POST /invoices/{id}/download_pdf': refused,

  'GET /credit_notes': creditNotes,
  'GET /customers/{customer}/credit_notes': creditNotes,
  'PUT /credit_notes/{id}': { by: 'write', key: 'credit_note', look: 'GET /credit_notes/{id}' },

  'GET /payments': payments,
  'GET /customers/{customer}/payments': payments,
  'GET /payments/{id}': { by: 'record', key: 'payment', owner: 'external_customer_id', id: 'svc_id' },

  'GET /events': listRule(
    'events',
    'event',
    'code timestamp_from timestamp_to timestamp_from_started_at',
    {},
    { each: 'subscription', sortedBy: ['timestamp'] },
  ),
  'GET /events/{id}': { by: 'record', key: 'event', owner: 'event', id: 'transaction_id' },
  'POST /events/estimate_fees': { by: 'estimate' },

  'GET /fees': listRule(
    'fees',
    'fee',
    `external_subscription_id billable_metric_code fee_type payment_status event_transaction_id currency
     created_at_from created_at_to succeeded_at_from succeeded_at_to failed_at_from failed_at_to refunded_at_from
     refunded_at_to`,
    {},
    { oldestFirst: true },
  ),
  'GET /fees/{id}': { by: 'record', key: 'fee', owner: 'fee', id: 'svc_id' },
  'GET /applied_coupons': appliedCoupons,
  'GET /customers/{customer}/applied_coupons': appliedCoupons,

  'GET /activity_logs': listRule(
    'activity_logs',
    'external_customer_id',
    `external_subscription_id activity_types[] activity_sources[] user_emails[] resource_ids[] resource_types[] from_date
     to_date`,
    {},
    { sortedBy: ['logged_at'], isLog: true },
  ),

  'GET /plans': { by: 'shared', key: 'plans', resource: 'plan' },
  'GET /plans/{id}': { by: 'shared', key: 'plan', resource: 'plan' },
  'GET /billable_metrics': { by: 'shared', key: 'billable_metrics', resource: 'billable_metric' },
  'GET /billable_metrics/{id}': { by: 'shared', key: 'billable_metric', resource: 'billable_metric' },

  // What belongs to the whole account.
  'GET /add_ons': refused,
  'GET /add_ons/{id}': refused,
  'PUT /add_ons/{id}': refused,
  'DELETE /add_ons/{id}': refused,
  'GET /coupons': refused,
  'GET /coupons/{id}': refused,
  'GET /taxes': refused,
  'GET /taxes/{id}': refused,
  'GET /billing_entities': refused,
  'GET /billing_entities/{id}': refused,
  'POST /billing_entities': refused,
  'GET /webhook_endpoints': refused,
  'GET /webhook_endpoints/{id}': refused,
  'GET /payment_requests': refused,
  'GET /payment_receipts': refused,
  'GET /features': refused,
  'GET /activity_logs/{id}': refused,
  'GET /api_logs': refused,
  'GET /analytics/gross_revenue': refused,
  'GET /analytics/mrr': refused,
  'GET /analytics/overdue_balance': refused,
  'GET /analytics/invoiced_usage': refused,
  'GET /analytics/invoice_collection': refused,
  'GET /analytics/usage': refused,
};

const accountWideEndpoints: ReadonlySet<string> = new Set(
  Object.entries(table).flatMap(([endpoint, rule]) => (rule === refused ? [withoutValueNames(endpoint)] : [])),
);

/** Is this endpoint refused to every bound caller? `PUT /add_ons/{code}` */
export function isAccountWide(endpoint: string): boolean {
  return accountWideEndpoints.has(withoutValueNames(endpoint));
}

function withoutValueNames(endpoint: string): string {
  return endpoint.replace(/\{\w+\}/g, '{}');
}
