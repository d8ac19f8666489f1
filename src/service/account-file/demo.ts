/**
 * The demo account, as an account file: Skylark Speech turns audio into text for a podcast studio in New York, a bakery
 * in Lyon, a games company in Tokyo, a radio station in Kuwait and its new channel, and a former customer.
 */
import * as sold from './demo-catalogue.ts';
import * as bought from './demo-customers.ts';
import * as billed from './demo-documents.ts';
import { events } from './demo-events.ts';
import { invoices } from './demo-invoices.ts';
import type { AccountFile } from './schema.ts';

/** Ids are derived from codes and numbers, so every load gives the same ids. Times are relative to the load. */
export function demoAccount(): AccountFile {
  return {
    organization: sold.organization,
    billing_entities: sold.billingEntities,
    taxes: sold.taxes,
    invoice_custom_sections: sold.sections,
    billable_metrics: sold.metrics,
    add_ons: sold.addOns,
    coupons: sold.coupons,
    plans: sold.plans,
    customers: bought.customers,
    subscriptions: bought.subscriptions,
    wallets: bought.wallets,
    alerts: bought.alerts,
    invoices,
    credit_notes: billed.creditNotes,
    payment_requests: billed.paymentRequests,
    payments: billed.payments,
    webhook_endpoints: billed.webhookEndpoints,
    events,
  };
}
