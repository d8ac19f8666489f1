/**
 * The tools in listing order: reads and previews come before the writes they prepare. Each is loaded by itself, because a
 * call needs one of them, and the modules of all together take longer to load than all else that it needs.
 */
import type { AnyTool } from '../src/definition/define.ts';
import { isObject, ownValue } from '../src/lib/json.ts';

const modules: Readonly<Record<string, () => Promise<object>>> = {
  get_customer: () => import('./customers.ts'),
  get_customer_portal_url: () => import('./customers.ts'),
  list_plans: () => import('./plans.ts'),
  preview_invoice: () => import('./invoices.ts'),
  compare_plans: () => import('./compare-plans.ts'),
  estimate_fees: () => import('./events.ts'),
  get_event: () => import('./events.ts'),
  update_subscription: () => import('./subscriptions.ts'),
  list_subscription_alerts: () => import('./alerts.ts'),
  create_subscription_alert: () => import('./alerts.ts'),
  get_wallet_alert: () => import('./alerts.ts'),
  update_wallet: () => import('./wallets.ts'),
  get_wallet_transaction: () => import('./wallets.ts'),
  update_invoice: () => import('./invoices.ts'),
  update_credit_note: () => import('./credit-notes.ts'),
  get_payment: () => import('./payments.ts'),
  update_add_on: () => import('./add-ons.ts'),
  delete_add_on: () => import('./add-ons.ts'),
  create_billing_entity: () => import('./billing-entities.ts'),
  get_webhook_endpoint: () => import('./webhook-endpoints.ts'),
  find_customers: () => import('./lookups/customers.ts'),
  get_customer_overview: () => import('./lookups/overview.ts'),
  list_subscriptions: () => import('./lookups/subscriptions.ts'),
  get_subscription: () => import('./lookups/subscriptions.ts'),
  list_invoices: () => import('./lookups/invoices.ts'),
  get_invoice: () => import('./lookups/invoices.ts'),
  check_invoice: () => import('./lookups/check-invoice.ts'),
  list_credit_notes: () => import('./lookups/credit-notes.ts'),
  list_payments: () => import('./lookups/payments.ts'),
  get_statement: () => import('./lookups/statement.ts'),
  get_revenue: () => import('./lookups/revenue.ts'),
  list_wallets: () => import('./lookups/wallets.ts'),
  list_wallet_transactions: () => import('./lookups/wallet-transactions.ts'),
  get_usage: () => import('./lookups/usage.ts'),
  list_events: () => import('./lookups/events.ts'),
  list_catalogue: () => import('./lookups/catalogue.ts'),
  change_several: () => import('./change-several.ts'),
  list_activity: () => import('./lookups/activity.ts'),
};

export const toolNames: readonly string[] = Object.keys(modules);

/** The tool of this name. Rejects for a name that is none, which is a mistake of this program. */
export async function loadTool(name: string): Promise<AnyTool> {
  const exported: unknown[] = Object.values((await ownValue(modules, name)?.()) ?? {});
  const tool = exported.find((each): each is AnyTool => isObject(each) && 'name' in each && each.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

/** A made-up read and its answer, which are run without a request so that the code is compiled before the first call. */
export const rehearsedRead = {
  tool: 'get_customer',
  args: { external_customer_id: 'nobody' },
  body: {
    customer: { external_id: 'nobody', name: 'Nobody', currency: 'EUR', taxes: [{ code: 'none', rate: 1 }] },
  },
};
