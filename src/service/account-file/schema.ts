/** The account file: all data that the embedded service starts with, in one JSON document. */
import * as z from 'zod';
import {
  addOnEntry,
  billingEntityEntry,
  couponEntry,
  metricEntry,
  planEntry,
  sectionEntry,
  taxEntry,
} from './schema-catalogue.ts';
import { alertEntry, customerEntry, subscriptionEntry, walletEntry } from './schema-customers.ts';
import {
  creditNoteEntry,
  eventEntry,
  invoiceEntry,
  paymentEntry,
  paymentRequestEntry,
  webhookEndpointEntry,
} from './schema-documents.ts';
import { instant, label, optional } from './values.ts';

const list = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).default([]);

/** Entries refer to each other by code, external id and number. Unknown keys are refused. */
export const accountFileSchema = z.strictObject({
  $schema: optional(z.string(), 'no help from editors').describe('where account.schema.json is, for editors'),
  organization: z.strictObject({
    id: z.uuid().optional(),
    name: label,
    slug_prefix: optional(z.string().min(1).max(20), 'three letters of the name and four characters of the id'),
    hmac_key: optional(label, 'random, and kept in the database').describe('signs portal links'),
    created_at: instant.optional(),
  }),
  billing_entities: z.array(billingEntityEntry).min(1),
  taxes: list(taxEntry),
  invoice_custom_sections: list(sectionEntry),
  billable_metrics: list(metricEntry),
  add_ons: list(addOnEntry),
  coupons: list(couponEntry),
  plans: list(planEntry),
  customers: list(customerEntry),
  subscriptions: list(subscriptionEntry),
  wallets: list(walletEntry),
  alerts: list(alertEntry),
  invoices: list(invoiceEntry),
  credit_notes: list(creditNoteEntry),
  payment_requests: list(paymentRequestEntry),
  payments: list(paymentEntry),
  webhook_endpoints: z.array(webhookEndpointEntry).max(10).default([]),
  events: list(eventEntry),
});

/** The file before parsing. */
export type AccountFile = z.input<typeof accountFileSchema>;
/** The file after parsing: defaults filled in, times as instants. */
export type AccountEntries = z.output<typeof accountFileSchema>;
