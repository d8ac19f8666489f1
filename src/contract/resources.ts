/**
 * The tolerant reference of the interface's resources: every field with its unit and meaning, by the keys under which answers
 * hold them.
 */
import * as z from 'zod';
import { activityLog } from './activity-log.ts';
import { addOn } from './add-on.ts';
import { alert } from './alert.ts';
import { billingEntity } from './billing-entity.ts';
import { appliedCoupon, coupon } from './coupon.ts';
import { creditNote } from './credit-note.ts';
import { customer } from './customer.ts';
import { event } from './event.ts';
import { fee } from './fee.ts';
import { invoice } from './invoice.ts';
import { payment } from './payment.ts';
import { billableMetric, plan } from './plan.ts';
import { reportRow } from './report-row.ts';
import { tax } from './shared.ts';
import { subscription } from './subscription.ts';
import { lifetimeUsage, usagePeriod } from './usage-period.ts';
import { wallet } from './wallet.ts';
import { walletTransaction } from './wallet-transaction.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

const records = {
  customer,
  subscription,
  alert,
  wallet,
  wallet_transaction: walletTransaction,
  invoice,
  fee,
  credit_note: creditNote,
  add_on: addOn,
  plan,
  billable_metric: billableMetric,
  event,
  payment,
  billing_entity: billingEntity,
  webhook_endpoint: webhookEndpoint,
};

/** Schemas by the interface's name of the resource, as in an answer's wrapper key. */
export const resourceSchemas: Readonly<Record<string, z.ZodObject>> = { ...records, activity_log: activityLog };

/** Schemas of the records of single reads, by the key of their body. */
export const recordSchemas = { ...records, customer_usage: usagePeriod, lifetime_usage: lifetimeUsage };

/** Schemas of the rows of lists, by the key of their body. */
export const rowSchemas = {
  activity_logs: activityLog,
  add_ons: addOn,
  alerts: alert,
  applied_coupons: appliedCoupon,
  billable_metrics: billableMetric,
  billing_entities: billingEntity,
  charges: plan.shape.charges.unwrap().unwrap().element,
  coupons: coupon,
  credit_notes: creditNote,
  customers: customer,
  events: event,
  fees: fee,
  fixed_charges: plan.shape.fixed_charges.unwrap().unwrap().element,
  gross_revenues: reportRow,
  invoice_collections: reportRow,
  invoiced_usages: reportRow,
  invoices: invoice,
  mrrs: reportRow,
  overdue_balances: reportRow,
  payments: payment,
  plans: plan,
  subscriptions: subscription,
  taxes: tax,
  usage_periods: usagePeriod,
  wallet_transactions: walletTransaction,
  wallets: wallet,
  webhook_endpoints: webhookEndpoint,
};

/** The JSON Schema of the resource with that name; undefined when there is none. */
export function jsonSchemaOf(resource: string): object | undefined {
  const schema = Object.hasOwn(resourceSchemas, resource) ? resourceSchemas[resource] : undefined;
  return schema && z.toJSONSchema(schema, { io: 'input' });
}
