/** The demo's scenes: a user's question, and the tool call that an assistant makes for it. */

import { demoRefundId, demoIds as ids } from '../../contract/demo-ids.ts';
import type { Arguments } from '../../definition/define.ts';

export interface Scene {
  question: string;
  tool: string;
  args: Arguments;
  /** Whether the call is refused. */
  refused?: boolean;
  /** Whether people ask it first: without `--all`, only these scenes are shown. */
  first?: boolean;
}

const customer = { external_customer_id: ids.external_customer_id };

const change = (tool: string, args: Arguments) => ({ tool, arguments: JSON.stringify(args) });

export const story: readonly Scene[] = [
  { question: 'Who owes us money?', tool: 'get_revenue', args: { report: 'overdue' }, first: true },
  {
    question: 'And with what is not overdue yet?',
    tool: 'list_invoices',
    args: { status: ['finalized'], payment_status: ['pending', 'failed'] },
  },
  { question: 'Which customer is Acme?', tool: 'find_customers', args: { search_term: 'Acme' }, first: true },
  { question: 'What should we know before we call them?', tool: 'get_customer_overview', args: customer, first: true },
  {
    question: 'Did a payment of theirs fail?',
    tool: 'list_payments',
    args: { ...customer, payment_status: ['failed'] },
  },
  { question: 'What was on that invoice?', tool: 'get_invoice', args: { svc_id: 'SKY-US-001-002' } },
  {
    question: 'Why is SKY-US-001-004 higher than the one before?',
    tool: 'get_invoice',
    args: { svc_id: 'SKY-US-001-004', compared_to: 'previous' },
    first: true,
  },
  {
    question: 'Will their next bill be right?',
    tool: 'check_invoice',
    args: { running: true, external_subscription_id: ids.external_subscription_id },
  },
  { question: 'How much have they used this month?', tool: 'get_usage', args: customer },
  { question: 'What is in their wallet?', tool: 'list_wallets', args: customer, first: true },
  { question: 'How did it get there?', tool: 'list_wallet_transactions', args: { svc_id: ids.wallet_svc_id } },
  { question: 'Who is on Starter?', tool: 'list_subscriptions', args: { plan_code: 'starter' } },
  { question: 'What are their prices?', tool: 'get_subscription', args: { external_id: 'martin-starter' } },
  {
    question: 'Which coupons does Boulangerie Martin have?',
    tool: 'list_catalogue',
    args: { kind: 'applied_coupons', external_customer_id: 'Boulangerie Martin' },
  },
  {
    question: 'Can I send Acme a statement of account?',
    tool: 'get_statement',
    args: customer,
  },
  { question: 'Do we still owe anyone a refund?', tool: 'list_credit_notes', args: { refund_status: 'pending' } },
  {
    question: 'How is Gulf Radio doing?',
    tool: 'get_customer_overview',
    args: { external_customer_id: 'Gulf Radio' },
    refused: true,
  },
  {
    question: 'The station itself, I mean.',
    tool: 'get_customer_overview',
    args: { external_customer_id: 'gulf-radio' },
  },
  { question: 'Back to Acme Podcasts. Who are they?', tool: 'get_customer', args: customer },
  { question: 'Where can they see their invoices?', tool: 'get_customer_portal_url', args: customer },
  { question: 'What do we sell?', tool: 'list_plans', args: { per_page: 3 } },
  {
    question: 'What will their next invoice be?',
    tool: 'preview_invoice',
    args: {
      customer: { external_id: ids.external_customer_id },
      subscriptions: { external_ids: [ids.external_subscription_id] },
    },
    first: true,
  },
  {
    question: 'Which plan would be cheapest for a new customer in the US?',
    tool: 'compare_plans',
    args: { plan_codes: [ids.plan_code, 'enterprise'], customer: { name: 'Newcomer', currency: 'USD', country: 'US' } },
    first: true,
  },
  {
    question: 'What would a batch of another 2.5 million tokens cost them?',
    tool: 'estimate_fees',
    args: {
      external_subscription_id: ids.external_subscription_id,
      code: ids.billable_metric_code,
      properties: { tokens: '2500000' },
    },
  },
  {
    question: 'How many batches of tokens have they sent?',
    tool: 'list_events',
    args: { external_subscription_id: ids.external_subscription_id, code: ids.billable_metric_code, per_page: 3 },
  },
  {
    question: 'What was in the newest?',
    tool: 'get_event',
    args: { transaction_id: ids.event_transaction_id },
  },
  {
    question: 'Warn us when they use more than 500,000 tokens.',
    tool: 'create_subscription_alert',
    args: {
      external_id: ids.external_subscription_id,
      alerts: [
        {
          code: 'many_tokens',
          name: 'Many tokens',
          alert_type: 'billable_metric_current_usage_units',
          billable_metric_code: ids.billable_metric_code,
          thresholds: [{ code: 'warning', value: '500000' }],
        },
      ],
    },
  },
  {
    question: 'Which alerts do they have now?',
    tool: 'list_subscription_alerts',
    args: { external_id: ids.external_subscription_id },
  },
  {
    question: 'Call their subscription what they call it.',
    tool: 'update_subscription',
    args: { external_id: ids.external_subscription_id, name: 'Podcast studio' },
  },
  {
    question: 'Is their prepaid balance running low?',
    tool: 'get_wallet_alert',
    args: { ...customer, wallet_code: ids.wallet_code, code: ids.wallet_alert_code },
  },
  {
    question: 'When was it last topped up?',
    tool: 'get_wallet_transaction',
    args: { svc_id: ids.wallet_transaction_svc_id },
  },
  {
    question: 'Use this wallet first from now on. What would that do?',
    tool: 'update_wallet',
    args: { svc_id: ids.wallet_svc_id, priority: 1, dry_run: true },
  },
  { question: 'Good, do it.', tool: 'update_wallet', args: { svc_id: ids.wallet_svc_id, priority: 1 } },
  { question: 'Why is their payment stuck?', tool: 'get_payment', args: { svc_id: ids.payment_svc_id } },
  {
    question: 'Mark SKY-US-001-004 as paid: the bank transfer has arrived.',
    tool: 'update_invoice',
    args: { svc_id: ids.invoice_svc_id, payment_status: 'succeeded' },
    first: true,
  },
  {
    question: 'And the refund to Boulangerie Martin has gone out.',
    tool: 'update_credit_note',
    args: { svc_id: demoRefundId, refund_status: 'succeeded' },
  },
  {
    question: 'Make the onboarding free from now on.',
    tool: 'update_add_on',
    args: { code: ids.add_on_code, amount_cents: 0, amount_currency: 'USD' },
    refused: true,
  },
  {
    question: 'Not possible? Then make it $1,250.',
    tool: 'update_add_on',
    args: { code: ids.add_on_code, amount_cents: 125000, amount_currency: 'USD' },
  },
  { question: 'On second thoughts, we no longer sell it.', tool: 'delete_add_on', args: { code: ids.add_on_code } },
  {
    question: 'Close the month: note it on that invoice and on the refund, and call their wallet Credits.',
    tool: 'change_several',
    args: {
      changes: [
        change('update_invoice', { svc_id: ids.invoice_svc_id, metadata: [{ key: 'closed', value: '2026-03' }] }),
        change('update_credit_note', { svc_id: demoRefundId, metadata: { closed: '2026-03' } }),
        change('update_wallet', { svc_id: ids.wallet_svc_id, name: 'Credits' }),
      ],
    },
  },
  {
    question: 'We are opening an office in Madrid.',
    tool: 'create_billing_entity',
    args: {
      code: 'skylark-es',
      name: 'Skylark Speech Iberia',
      country: 'ES',
      timezone: 'Europe/Madrid',
      default_currency: 'EUR',
    },
  },
  {
    question: 'Where do our notifications go?',
    tool: 'get_webhook_endpoint',
    args: { svc_id: ids.webhook_endpoint_svc_id },
  },
  {
    question: 'Who changed the wallet of Acme, and when?',
    tool: 'list_activity',
    args: { ...customer, resource_types: ['Wallet'] },
  },
];
