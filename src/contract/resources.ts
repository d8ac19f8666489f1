/**
 * The tolerant reference of the interface's resources: every field with its unit and meaning. Loaded only when it is
 * requested; the tools do not need it at start.
 */
import * as z from 'zod';
import { activityLog } from './activity-log.ts';
import { addOn } from './add-on.ts';
import { alert } from './alert.ts';
import { billingEntity } from './billing-entity.ts';
import { creditNote } from './credit-note.ts';
import { customer } from './customer.ts';
import { event } from './event.ts';
import { fee } from './fee.ts';
import { invoice } from './invoice.ts';
import { payment } from './payment.ts';
import { billableMetric, plan } from './plan.ts';
import { subscription } from './subscription.ts';
import { wallet } from './wallet.ts';
import { walletTransaction } from './wallet-transaction.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

/** Schemas by the interface's name of the resource, as in an answer's wrapper key. */
export const resourceSchemas: Readonly<Record<string, z.ZodObject>> = {
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
  activity_log: activityLog,
};

/** The JSON Schema of the resource with that name; undefined when there is none. */
export function jsonSchemaOf(resource: string): object | undefined {
  const schema = Object.hasOwn(resourceSchemas, resource) ? resourceSchemas[resource] : undefined;
  return schema && z.toJSONSchema(schema, { io: 'input' });
}
