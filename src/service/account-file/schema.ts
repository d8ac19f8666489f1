/** The account file: all data that the embedded service starts with, in one JSON document. */
import * as z from 'zod';
import { mapEntries } from '../../lib/collections.ts';
import { billingEntityList, invoiceSectionList, organizationEntry, taxList } from './account-entries.ts';
import { alertList } from './alert-entries.ts';
import { addOnList, couponList, metricList } from './catalogue-entries.ts';
import { creditNoteList } from './credit-note-entries.ts';
import { customerList } from './customer-entries.ts';
import { eventList, webhookEndpointList } from './event-entries.ts';
import { invoiceList } from './invoice-entries.ts';
import { paymentList, paymentRequestList } from './payment-entries.ts';
import { planList } from './plan-entries.ts';
import { subscriptionList } from './subscription-entries.ts';
import { optional } from './values.ts';
import { walletList } from './wallet-entries.ts';

export const lists = {
  billing_entities: billingEntityList,
  taxes: taxList,
  invoice_custom_sections: invoiceSectionList,
  billable_metrics: metricList,
  add_ons: addOnList,
  coupons: couponList,
  plans: planList,
  customers: customerList,
  subscriptions: subscriptionList,
  wallets: walletList,
  alerts: alertList,
  invoices: invoiceList,
  credit_notes: creditNoteList,
  payment_requests: paymentRequestList,
  payments: paymentList,
  webhook_endpoints: webhookEndpointList,
  events: eventList,
};
type Lists = typeof lists;

const schemas = mapEntries<{ entry: z.ZodType }, z.ZodType>(lists, ({ entry }) => z.array(entry).default([]));

/** Entries refer to each other by code, external id and number. Unknown keys are refused. */
export const accountFileSchema = z.strictObject({
  $schema: optional(z.string(), 'no help from editors').describe('where account.schema.json is, for editors'),
  organization: organizationEntry,
  ...(schemas as unknown as { [Name in keyof Lists]: z.ZodDefault<z.ZodArray<Lists[Name]['entry']>> }),
  billing_entities: z.array(billingEntityList.entry).min(1),
  webhook_endpoints: z.array(webhookEndpointList.entry).max(10).default([]),
});

/** The file before parsing. */
export type AccountFile = z.input<typeof accountFileSchema>;
