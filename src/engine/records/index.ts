/**
 * The records that the embedded billing service stores: one declaration per table, with the API's field names.
 * The engine computes from them, the store persists them, the routes turn them into answers.
 *
 * Conventions
 * - `id` is the record's UUID (answered as `svc_id`); `<resource>_id` links to another record's `id`.
 * - Instants are ISO 8601 UTC text with exactly three decimals (`2026-01-31T23:59:59.000Z`), so text order is time order.
 * - Dates are `YYYY-MM-DD`. Cents are integers in the minor unit. Decimals are text (`"12.5"`), never binary floats.
 * - Rates (`20` for 20 %) are decimal text too; answers show them as JSON numbers.
 */
import { activityLogs, billingEntities, customers, invoiceCustomSections, organizations, taxes } from './account.ts';
import { creditNotes, fees, invoices, paymentRequests, payments } from './billing.ts';
import { addOns, appliedCoupons, billableMetrics, coupons, plans } from './catalogue.ts';
import { alerts, events, subscriptions, wallets, walletTransactions, webhookEndpoints } from './subscription.ts';
import type { RecordOf } from './table.ts';

export * from './account.ts';
export * from './billing.ts';
export * from './catalogue.ts';
export * from './subscription.ts';
export type * from './values.ts';

/** Every stored table, by name. */
export const tables = {
  organizations,
  billing_entities: billingEntities,
  taxes,
  invoice_custom_sections: invoiceCustomSections,
  customers,
  billable_metrics: billableMetrics,
  add_ons: addOns,
  plans,
  subscriptions,
  wallets,
  wallet_transactions: walletTransactions,
  coupons,
  applied_coupons: appliedCoupons,
  invoices,
  fees,
  credit_notes: creditNotes,
  payments,
  payment_requests: paymentRequests,
  alerts,
  webhook_endpoints: webhookEndpoints,
  events,
  activity_logs: activityLogs,
};
export type TableName = keyof typeof tables;
export type Tables = { [Name in TableName]: RecordOf<(typeof tables)[Name]> };
