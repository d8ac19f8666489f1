/** One example call a tool, on the demo account: a question as a user would put it, and the arguments. */

import { demoIds, demoRefundId } from '../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../src/lib/json.ts';

/** The documentation shows the demo account at this instant, so that it does not change from day to day. */
export const documentedAt = '2026-03-15T12:00:00Z';

const customer = { external_customer_id: demoIds.external_customer_id };
const subscription = { external_id: demoIds.external_subscription_id };
const wallet = { svc_id: demoIds.wallet_svc_id };

export const examples: Record<string, { question: string; args: JsonRecord }> = {
  get_customer: { question: 'Who is acme-podcasts, and where are they billed?', args: customer },
  get_customer_portal_url: { question: 'Send them the link to their portal.', args: customer },
  update_subscription: {
    question: 'What would be sent to rename their subscription?',
    args: { ...subscription, name: 'Acme Studio (EU)', dry_run: true },
  },
  create_subscription_alert: {
    question: 'Tell us when their usage passes $500.',
    args: {
      ...subscription,
      alerts: [
        {
          code: 'usage_500',
          name: 'Usage over $500',
          alert_type: 'lifetime_usage_amount',
          thresholds: [{ value: '50000', code: 'warn' }],
        },
      ],
    },
  },
  list_subscription_alerts: { question: 'Which alerts watch their usage?', args: subscription },
  update_wallet: {
    question: 'Rename the prepaid wallet.',
    args: { ...wallet, name: 'Prepaid 2026' },
  },
  get_wallet_alert: {
    question: 'Has the low-balance alert fired?',
    args: {
      ...customer,
      wallet_code: demoIds.wallet_code,
      code: demoIds.wallet_alert_code,
    },
  },
  get_wallet_transaction: { question: 'What was this top-up?', args: { svc_id: demoIds.wallet_transaction_svc_id } },
  preview_invoice: {
    question: 'What will their next invoice be?',
    args: {
      customer: { external_id: demoIds.external_customer_id },
      subscriptions: { external_ids: [demoIds.external_subscription_id] },
    },
  },
  update_invoice: {
    question: 'The bank transfer arrived: mark the invoice as paid.',
    args: { svc_id: demoIds.invoice_svc_id, payment_status: 'succeeded' },
  },
  update_credit_note: {
    question: 'The refund went through.',
    args: { svc_id: demoRefundId, refund_status: 'succeeded' },
  },
  list_plans: { question: 'Which plans are there?', args: { per_page: 2 } },
  compare_plans: {
    question: 'Studio or Enterprise, at 20,000 minutes of audio a month?',
    args: {
      plan_codes: ['studio', 'enterprise'],
      usage: [{ billable_metric_code: 'audio_minutes', units: 20_000 }],
      customer: { external_id: demoIds.external_customer_id },
    },
  },
  update_add_on: { question: 'Make onboarding $1,250.', args: { code: demoIds.add_on_code, amount_cents: 125_000 } },
  delete_add_on: { question: 'What would deleting onboarding do?', args: { code: demoIds.add_on_code, dry_run: true } },
  estimate_fees: {
    question: 'What would 1,000 more tokens cost right now?',
    args: {
      external_subscription_id: demoIds.external_subscription_id,
      code: demoIds.billable_metric_code,
      properties: [{ key: 'tokens', value: 1000 }],
    },
  },
  get_event: { question: 'Did this event arrive?', args: { transaction_id: demoIds.event_transaction_id } },
  get_payment: { question: 'Why is this payment stuck?', args: { svc_id: demoIds.payment_svc_id } },
  create_billing_entity: {
    question: 'Add our French subsidiary.',
    args: {
      code: 'skylark-fr',
      name: 'Skylark France',
      default_currency: 'EUR',
      country: 'FR',
      timezone: 'Europe/Paris',
    },
  },
  get_webhook_endpoint: {
    question: 'Where do our notifications go?',
    args: { svc_id: demoIds.webhook_endpoint_svc_id },
  },
  list_wallets: { question: 'What is left in their wallet?', args: customer },
  list_wallet_transactions: {
    question: 'What went in and out of it since the new year?',
    args: { ...wallet, created_at_from: '2026-01-01' },
  },
  get_usage: { question: 'How much has Acme used this month?', args: { external_customer_id: 'Acme' } },
  list_events: {
    question: 'Do their events still arrive?',
    args: { external_subscription_id: demoIds.external_subscription_id, per_page: 2 },
  },
  list_catalogue: { question: 'Which coupons are there?', args: { kind: 'coupons' } },
  find_customers: { question: 'Which customer is Acme?', args: { search_term: 'acme' } },
  get_customer_overview: { question: 'Tell me about Acme.', args: customer },
  list_subscriptions: { question: 'What are they subscribed to, and what were they before?', args: customer },
  get_subscription: { question: 'When does their current period end?', args: subscription },
  list_invoices: { question: 'Which invoices are overdue?', args: { payment_overdue: true } },
  get_invoice: { question: 'What was on that invoice?', args: { svc_id: demoIds.invoice_svc_id } },
  check_invoice: {
    question: 'Will their next invoice be right?',
    args: { running: true, external_subscription_id: demoIds.external_subscription_id },
  },
  list_credit_notes: { question: 'Which credit notes can still be used?', args: { credit_status: ['available'] } },
  list_payments: { question: 'Which payments failed?', args: { payment_status: ['failed'] } },
  get_statement: {
    question: 'Can you send them a statement of account since January?',
    args: { ...customer, from_date: '2026-01-01' },
  },
  get_revenue: { question: 'Who owes us, and since when?', args: { report: 'overdue' } },
  change_several: {
    question: 'Rename their wallet and their subscription.',
    args: {
      changes: [
        {
          tool: 'update_wallet',
          arguments: JSON.stringify({ ...wallet, name: 'Credits 2026' }),
        },
        {
          tool: 'update_subscription',
          arguments: JSON.stringify({ ...subscription, name: 'Studio 2026' }),
        },
      ],
      dry_run: true,
    },
  },
  list_activity: { question: 'Who changed this wallet, and when?', args: { resource_types: ['Wallet'] } },
};
