/** The account file: all data that the embedded service starts with, in one JSON document. */
import * as z from 'zod';
import { billingEntityEntry, organizationEntry, sectionEntry, taxEntry } from './account-entries.ts';
import { alertEntry } from './alert-entries.ts';
import { addOnEntry, couponEntry, metricEntry } from './catalogue-entries.ts';
import { creditNoteEntry } from './credit-note-entries.ts';
import { customerEntry } from './customer-entries.ts';
import { eventEntry, webhookEndpointEntry } from './event-entries.ts';
import { invoiceEntry } from './invoice-entries.ts';
import { paymentEntry, paymentRequestEntry } from './payment-entries.ts';
import { planEntry } from './plan-entries.ts';
import { subscriptionEntry } from './subscription-entries.ts';
import { optional } from './values.ts';
import { walletEntry } from './wallet-entries.ts';

/** The entries of each list. */
export const entrySchemas = {
  billing_entities: billingEntityEntry,
  taxes: taxEntry,
  invoice_custom_sections: sectionEntry,
  billable_metrics: metricEntry,
  add_ons: addOnEntry,
  coupons: couponEntry,
  plans: planEntry,
  customers: customerEntry,
  subscriptions: subscriptionEntry,
  wallets: walletEntry,
  alerts: alertEntry,
  invoices: invoiceEntry,
  credit_notes: creditNoteEntry,
  payment_requests: paymentRequestEntry,
  payments: paymentEntry,
  webhook_endpoints: webhookEndpointEntry,
  events: eventEntry,
};
type EntrySchemas = typeof entrySchemas;
type Lists = { [Name in keyof EntrySchemas]: z.ZodDefault<z.ZodArray<EntrySchemas[Name]>> };

const lists = Object.fromEntries(
  Object.entries(entrySchemas).map(([name, entry]) => [name, z.array<z.ZodType>(entry).default([])]),
) as unknown as Lists;

/** Entries refer to each other by code, external id and number. Unknown keys are refused. */
export const accountFileSchema = z.strictObject({
  $schema: optional(z.string(), 'no help from editors').describe('where account.schema.json is, for editors'),
  organization: organizationEntry,
  ...lists,
  billing_entities: z.array(billingEntityEntry).min(1),
  webhook_endpoints: z.array(webhookEndpointEntry).max(10).default([]),
});

/** The file before parsing. */
export type AccountFile = z.input<typeof accountFileSchema>;
