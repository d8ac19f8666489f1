/** Every tool, in listing order. Reads and previews come before the writes they prepare. */

import type { AnyTool } from '../src/tool/define.ts';
import { deleteAddOn, updateAddOn } from './add-ons.ts';
import { createSubscriptionAlert, getWalletAlert, listSubscriptionAlerts } from './alerts.ts';
import { createBillingEntity } from './billing-entities.ts';
import { comparePlans } from './compare-plans.ts';
import { updateCreditNote } from './credit-notes.ts';
import { getCustomer, getCustomerPortalUrl } from './customers.ts';
import { estimateFees, getEvent } from './events.ts';
import { previewInvoice, updateInvoice } from './invoices.ts';
import { listCatalogue } from './lookups/catalogue.ts';
import { listCreditNotes } from './lookups/credit-notes.ts';
import { findCustomers } from './lookups/customers.ts';
import { listEvents } from './lookups/events.ts';
import { getInvoice, listInvoices } from './lookups/invoices.ts';
import { getCustomerOverview } from './lookups/overview.ts';
import { listPayments } from './lookups/payments.ts';
import { getRevenue } from './lookups/revenue.ts';
import { getSubscription, listSubscriptions } from './lookups/subscriptions.ts';
import { getUsage } from './lookups/usage.ts';
import { listWallets, listWalletTransactions } from './lookups/wallets.ts';
import { getPayment } from './payments.ts';
import { listPlans } from './plans.ts';
import { updateSubscription } from './subscriptions.ts';
import { getWalletTransaction, updateWallet } from './wallets.ts';
import { getWebhookEndpoint } from './webhook-endpoints.ts';

export const toolDefinitions: readonly AnyTool[] = [
  getCustomer,
  getCustomerPortalUrl,
  listPlans,
  previewInvoice,
  comparePlans,
  estimateFees,
  getEvent,
  updateSubscription,
  listSubscriptionAlerts,
  createSubscriptionAlert,
  getWalletAlert,
  updateWallet,
  getWalletTransaction,
  updateInvoice,
  updateCreditNote,
  getPayment,
  updateAddOn,
  deleteAddOn,
  createBillingEntity,
  getWebhookEndpoint,
  findCustomers,
  getCustomerOverview,
  listSubscriptions,
  getSubscription,
  listInvoices,
  getInvoice,
  listCreditNotes,
  listPayments,
  getRevenue,
  listWallets,
  listWalletTransactions,
  getUsage,
  listEvents,
  listCatalogue,
];

/** The nineteen operations of docs/interface.md: one request each. The other tools are made of reads and previews. */
export const operations: readonly AnyTool[] = toolDefinitions.filter(tool => !tool.fanOut && !tool.lookup);

export const toolByName: ReadonlyMap<string, AnyTool> = new Map(toolDefinitions.map(tool => [tool.name, tool]));
