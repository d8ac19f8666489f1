/**
 * The tools in listing order: reads and previews come before the writes they prepare. Each is loaded by itself, because a
 * call needs one of them, and the modules of all together take longer to load than all else that it needs.
 */
import { ownValue } from '../src/lib/json.ts';
import type { AnyTool } from '../src/tool/define.ts';

const loaders: Readonly<Record<string, () => Promise<AnyTool>>> = {
  get_customer: async () => (await import('./customers.ts')).getCustomer,
  get_customer_portal_url: async () => (await import('./customers.ts')).getCustomerPortalUrl,
  list_plans: async () => (await import('./plans.ts')).listPlans,
  preview_invoice: async () => (await import('./invoices.ts')).previewInvoice,
  compare_plans: async () => (await import('./compare-plans.ts')).comparePlans,
  estimate_fees: async () => (await import('./events.ts')).estimateFees,
  get_event: async () => (await import('./events.ts')).getEvent,
  update_subscription: async () => (await import('./subscriptions.ts')).updateSubscription,
  list_subscription_alerts: async () => (await import('./alerts.ts')).listSubscriptionAlerts,
  create_subscription_alert: async () => (await import('./alerts.ts')).createSubscriptionAlert,
  get_wallet_alert: async () => (await import('./alerts.ts')).getWalletAlert,
  update_wallet: async () => (await import('./wallets.ts')).updateWallet,
  get_wallet_transaction: async () => (await import('./wallets.ts')).getWalletTransaction,
  update_invoice: async () => (await import('./invoices.ts')).updateInvoice,
  update_credit_note: async () => (await import('./credit-notes.ts')).updateCreditNote,
  get_payment: async () => (await import('./payments.ts')).getPayment,
  update_add_on: async () => (await import('./add-ons.ts')).updateAddOn,
  delete_add_on: async () => (await import('./add-ons.ts')).deleteAddOn,
  create_billing_entity: async () => (await import('./billing-entities.ts')).createBillingEntity,
  get_webhook_endpoint: async () => (await import('./webhook-endpoints.ts')).getWebhookEndpoint,
  find_customers: async () => (await import('./lookups/customers.ts')).findCustomers,
  get_customer_overview: async () => (await import('./lookups/overview.ts')).getCustomerOverview,
  list_subscriptions: async () => (await import('./lookups/subscriptions.ts')).listSubscriptions,
  get_subscription: async () => (await import('./lookups/subscriptions.ts')).getSubscription,
  list_invoices: async () => (await import('./lookups/invoices.ts')).listInvoices,
  get_invoice: async () => (await import('./lookups/invoices.ts')).getInvoice,
  list_credit_notes: async () => (await import('./lookups/credit-notes.ts')).listCreditNotes,
  list_payments: async () => (await import('./lookups/payments.ts')).listPayments,
  get_statement: async () => (await import('./lookups/statement.ts')).getStatement,
  get_revenue: async () => (await import('./lookups/revenue.ts')).getRevenue,
  list_wallets: async () => (await import('./lookups/wallets.ts')).listWallets,
  list_wallet_transactions: async () => (await import('./lookups/wallet-transactions.ts')).listWalletTransactions,
  get_usage: async () => (await import('./lookups/usage.ts')).getUsage,
  list_events: async () => (await import('./lookups/events.ts')).listEvents,
  list_catalogue: async () => (await import('./lookups/catalogue.ts')).listCatalogue,
  change_several: async () => (await import('./change-several.ts')).changeSeveral,
  list_activity: async () => (await import('./lookups/activity.ts')).listActivity,
};

export const toolNames: readonly string[] = Object.keys(loaders);

/** The tool of this name. Rejects for a name that is none, which is a mistake of this program. */
export async function loadTool(name: string): Promise<AnyTool> {
  const load = ownValue(loaders, name);
  if (load === undefined) throw new Error(`there is no tool ${name}`);
  return load();
}
