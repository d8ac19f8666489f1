/** One valid call of every tool, and for every write the same call with changed arguments. */
import type { JsonRecord } from '../../../src/lib/json.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';

export const samples: Readonly<Record<string, JsonRecord>> = {
  get_customer: { external_customer_id: 'acme' },
  get_customer_portal_url: { external_customer_id: 'acme' },
  list_plans: { page: 1 },
  compare_plans: { plan_codes: ['pro', 'basic'] },
  preview_invoice: { plan_code: 'pro', customer: { external_id: 'acme' } },
  estimate_fees: { external_subscription_id: 'sub-1', code: 'calls' },
  get_event: { transaction_id: 'tx-1' },
  update_subscription: { external_id: 'sub-1', name: 'Main' },
  list_subscription_alerts: { external_id: 'sub-1' },
  create_subscription_alert: {
    external_id: 'sub-1',
    code: 'spend',
    alert_type: 'current_usage_amount',
    thresholds: [{ value: 1000 }],
  },
  get_wallet_alert: { external_customer_id: 'acme', wallet_code: 'main', code: 'low' },
  update_wallet: { svc_id: id, name: 'Main', applies_to: {} },
  get_wallet_transaction: { svc_id: id },
  update_invoice: { svc_id: id, payment_status: 'succeeded' },
  update_credit_note: { svc_id: id, refund_status: 'succeeded' },
  get_payment: { svc_id: id },
  update_add_on: { code: 'setup', name: 'Setup fee' },
  delete_add_on: { code: 'setup' },
  create_billing_entity: { code: 'fr', name: 'France' },
  get_webhook_endpoint: { svc_id: id },
  find_customers: { search_term: 'acme' },
  get_customer_overview: { external_customer_id: 'acme' },
  list_subscriptions: { external_customer_id: 'acme' },
  get_subscription: { external_id: 'sub-1' },
  list_invoices: { external_customer_id: 'acme' },
  get_invoice: { svc_id: id },
  check_invoice: { svc_id: id },
  list_wallets: { external_customer_id: 'acme' },
  list_wallet_transactions: { svc_id: id },
  get_usage: { external_customer_id: 'acme', external_subscription_id: 'sub-1' },
  list_credit_notes: { external_customer_id: 'acme' },
  list_payments: { external_customer_id: 'acme' },
  get_statement: { external_customer_id: 'acme' },
  list_events: { external_subscription_id: 'sub-1' },
  list_catalogue: { kind: 'coupons' },
  get_revenue: { report: 'gross_revenue' },
  change_several: {
    changes: [
      { tool: 'update_add_on', arguments: '{"code":"setup","name":"Setup fee"}' },
      { tool: 'update_invoice', arguments: `{"svc_id":"${id}","payment_status":"succeeded"}` },
    ],
  },
  list_activity: { external_customer_id: 'acme' },
};

/** The same write with other arguments than those that were confirmed. */
export const changedSamples: Readonly<Record<string, JsonRecord>> = {
  update_subscription: { external_id: 'sub-2', name: 'Main' },
  create_subscription_alert: { ...samples.create_subscription_alert, thresholds: [{ value: 1 }] },
  update_wallet: { ...samples.update_wallet, name: 'Other' },
  update_invoice: { ...samples.update_invoice, payment_status: 'failed' },
  update_credit_note: { ...samples.update_credit_note, refund_status: 'failed' },
  update_add_on: { ...samples.update_add_on, amount_cents: 1 },
  delete_add_on: { code: 'other' },
  create_billing_entity: { ...samples.create_billing_entity, name: 'Other' },
};
