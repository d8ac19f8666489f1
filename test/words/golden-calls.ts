/** Calls over the demo account, good and bad, by tool, in the order of a page that is read from its top. */

import { demoRefundId, demoIds as ids } from '../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../src/lib/json.ts';

/** What is asked, and with which arguments. `fails`: the answer is a refusal. */
export type Case = readonly [asked: string, args: JsonRecord, fails?: 'fails'];

const acme = ids.external_customer_id;
const studio = ids.external_subscription_id;
const unknown = '12345678-1234-4321-8765-123456789abc';
const martin = 'boulangerie-martin';
const preview = (external_id: string, subscription: string, changes: JsonRecord = {}) => ({
  customer: { external_id },
  subscriptions: { external_ids: [subscription], ...changes },
});

const plan_codes = ['studio', 'enterprise'];

/** The invoices of the demo that failed and that wait, by their numbers. */
const invoices = [ids.invoice_svc_id, 'SKY-US-001-001', 'SKY-US-001-002', 'SKY-US-001-003', 'SKY-US-005-001'];
const others = ['SKY-US-005-002', 'SKY-EU-002-001', 'SKY-US-003-001', 'SKY-EU-004-001', 'SKY-EU-004-002'];

/** Each is answered on one account, since none changes anything. */
export const reads: Readonly<Record<string, readonly Case[]>> = {
  find_customers: [
    ['All', {}],
    ['One', { search_term: 'Nora' }],
    ['Several', { search_term: 'gulf' }],
    ['None', { search_term: 'bakery' }],
    ['By country', { countries: ['FR', 'JP'] }],
  ],
  get_customer: [
    ['A company', { external_customer_id: acme }],
    ['With a failed tax', { external_customer_id: 'gulf-radio' }],
    ['A person', { external_customer_id: 'nora-lund' }],
    ['Paid after 45 days', { external_customer_id: 'sakura-games' }],
    ['A typing error', { external_customer_id: 'acme-podcast' }, 'fails'],
    ['The id of the service', { external_customer_id: unknown }, 'fails'],
    ['Nothing', {}, 'fails'],
  ],
  get_customer_overview: [
    ['Everything', { external_customer_id: 'Acme' }],
    ['In yen', { external_customer_id: 'sakura-games' }],
    ['Who has left', { external_customer_id: 'nora-lund' }],
    ['Several of this name', { external_customer_id: 'Gulf Radio' }, 'fails'],
    ['Nobody', { external_customer_id: 'bakery' }, 'fails'],
  ],
  get_customer_portal_url: [
    ['A link', { external_customer_id: acme }],
    ['A typing error', { external_customer_id: 'acme-podcast' }, 'fails'],
  ],
  list_subscriptions: [
    ['All', {}],
    ['Of a customer', { external_customer_id: 'nora-lund' }],
    ['On a plan', { plan_code: 'starter' }],
    ['On a plan that is called otherwise', { plan_code: 'Starter plan' }],
    ['What ends this quarter', { ending_before: '2026-04-01' }],
    ['Trials that end', { trial_ends_before: '2026-12-31' }],
    ['Both at once', { ending_before: '2026-04-01', trial_ends_before: '2026-04-01' }, 'fails'],
  ],
  get_subscription: [
    ['Active', { external_id: studio }],
    ['Of a year', { external_id: 'gulf-broadcast' }],
    ['In yen', { external_id: 'sakura-arcade' }],
    ['With a fixed charge', { external_id: 'martin-starter' }],
    ['Pending', { external_id: 'acme-enterprise' }],
    ['Terminated', { external_id: 'nora-studio' }],
    ['Canceled', { external_id: 'nora-enterprise' }],
    ['Unknown', { external_id: 'acme' }, 'fails'],
  ],
  list_subscription_alerts: [
    ['Two alerts', { external_id: studio }],
    ['None', { external_id: 'martin-starter' }],
    ['Of one that has ended', { external_id: 'nora-studio' }, 'fails'],
    ['Unknown', { external_id: 'acme' }, 'fails'],
  ],
  get_wallet_alert: [
    ['Of money', { external_customer_id: acme, wallet_code: 'prepaid', code: 'low_balance' }],
    ['Of credits', { external_customer_id: 'boulangerie-martin', wallet_code: 'credits', code: 'presque_vide' }],
    ['Unknown', { external_customer_id: acme, wallet_code: 'prepaid', code: 'low' }, 'fails'],
    ['Of an unknown wallet', { external_customer_id: acme, wallet_code: 'savings', code: 'low' }, 'fails'],
  ],
  list_wallets: [
    ['Of a customer', { external_customer_id: acme }],
    ['At two credits for a euro', { external_customer_id: 'boulangerie-martin' }],
    ['Limited to a metric', { external_customer_id: 'sakura-games' }],
    ['All', {}],
    ['None that is active', { external_customer_id: 'nora-lund' }],
    ['Those that have ended', { status: 'terminated' }],
    ['Whose money will not last', { runway: true }],
    ['When one is empty', { external_customer_id: acme, runway: true }],
    ['Of a status that none has', { status: 'expired' }, 'fails'],
  ],
  list_wallet_transactions: [
    ['All', { svc_id: ids.wallet_svc_id }],
    ['Of these days', { svc_id: ids.wallet_svc_id, created_at_from: '2025-12-01', created_at_to: '2025-12-31' }],
    ['Of an unknown wallet', { svc_id: unknown }, 'fails'],
  ],
  list_activity: [
    ['Nothing was changed', {}],
    ['Of a customer', { external_customer_id: 'Acme' }],
    ['Of a kind that nobody knows', { resource_types: ['Nothing'] }],
  ],
  get_wallet_transaction: [
    ['Bought', { svc_id: ids.wallet_transaction_svc_id }],
    ['Unknown', { svc_id: unknown }, 'fails'],
  ],
  preview_invoice: [
    ['This period', preview(acme, studio)],
    ['This period, and without coupons', { ...preview(acme, studio), without_coupons: true }],
    ['In yen', preview('sakura-games', 'sakura-arcade')],
    ['Exempt', preview('gulf-radio', 'gulf-broadcast')],
    ['With a coupon', preview(martin, 'martin-starter')],
    ['Another plan', preview(acme, studio, { plan_code: 'enterprise' })],
    ['An end', preview(martin, 'martin-starter', { terminated_at: '2026-03-20T10:00:00Z' })],
    ['A new subscription', { plan_code: 'studio' }],
    ['A new subscription with a coupon', { plan_code: 'studio', coupons: [{ code: 'loyal25' }] }],
    ['Without a plan and a subscription', { customer: { external_id: acme } }, 'fails'],
    ['Nothing', {}, 'fails'],
    ['An unknown plan', { plan_code: 'startup-2024', customer: { external_id: acme } }, 'fails'],
    ['A subscription that has ended', preview('nora-lund', 'nora-studio'), 'fails'],
    ['A subscription of somebody else', preview(acme, 'martin-starter'), 'fails'],
  ],
  list_invoices: [
    ['All', {}],
    ['Overdue', { payment_overdue: true }],
    ['Of a customer', { external_customer_id: 'boulangerie-martin' }],
    ['Drafts', { status: ['draft'] }],
    ['None', { search_term: 'INV-1' }],
  ],
  get_invoice: [
    ...[...invoices, ...others].map((svc_id): Case => [svc_id, { svc_id }]),
    ['Unknown', { svc_id: 'SKY-1' }, 'fails'],
    ['Compared with the one before', { svc_id: 'SKY-US-001-004', compared_to: 'previous' }],
    ['Compared with the running period', { svc_id: 'SKY-US-001-004', compared_to: 'running' }],
    ['Compared with another one', { svc_id: 'SKY-EU-002-002', compared_to: 'SKY-EU-002-001' }],
    ['Without one before it', { svc_id: 'SKY-US-001-002', compared_to: 'previous' }],
    ['Compared with one in yen', { svc_id: 'SKY-US-001-004', compared_to: 'SKY-US-003-001' }, 'fails'],
  ],
  check_invoice: [
    ['With differences', { svc_id: 'SKY-US-001-004' }],
    ['Without its events', { svc_id: 'SKY-US-003-001' }],
    ['One line', { svc_id: 'SKY-US-001-004', lines: ['Accurate'], explain: 'Accurate' }],
    ['The running period', { running: true, external_subscription_id: 'acme-studio' }],
    ['Days of seats', { running: true, external_subscription_id: 'acme-studio', explain: 'Seats' }],
    ['Unknown', { svc_id: 'SKY-1' }, 'fails'],
  ],
  get_usage: [
    ['This period', { external_customer_id: acme }],
    ['In yen', { external_customer_id: 'sakura-games' }],
    ['The periods before', { external_customer_id: acme, period: 'past' }],
    ['Of one that has ended', { external_customer_id: 'nora-lund', external_subscription_id: 'nora-studio' }, 'fails'],
    ['Without an active subscription', { external_customer_id: 'gulf-radio-kids' }, 'fails'],
  ],
  list_events: [
    ['Of a subscription', { external_subscription_id: studio, code: 'tokens' }],
    ['None', { external_subscription_id: 'martin-starter', code: 'seats' }],
  ],
  get_event: [
    ['A usage event', { transaction_id: ids.event_transaction_id }],
    ['Unknown', { transaction_id: 'evt_123456789' }, 'fails'],
  ],
  estimate_fees: [
    ['One event', { external_subscription_id: studio, code: 'tokens', properties: { tokens: 1000 } }],
    ['In tiers', { external_subscription_id: 'martin-starter', code: 'tokens', properties: { tokens: 200_000 } }],
    ['Billed at the end of the period', { external_subscription_id: studio, code: 'api_calls' }, 'fails'],
    ['Unknown', { external_subscription_id: 'acme', code: 'tokens' }, 'fails'],
  ],
  list_plans: [
    ['All', {}],
    ['Two', { per_page: 2 }],
  ],
  compare_plans: [
    ['Two plans', { plan_codes }],
    ['With usage', { plan_codes, usage: [{ billable_metric_code: 'audio_minutes', units: 40_000 }] }],
    ['An unknown plan', { plan_codes: ['starter', 'gigantic'] }],
  ],
  list_catalogue: [
    'add_ons coupons applied_coupons billable_metrics billing_entities taxes webhook_endpoints fees'
      .split(' ')
      .map((kind): Case => [kind.replaceAll('_', ' '), { kind }]),
  ].flat(),
  list_credit_notes: [
    ['All', {}],
    ['None', { external_customer_id: 'sakura-games' }],
  ],
  list_payments: [
    ['All', {}],
    ['Of a customer', { external_customer_id: acme }],
    ['Failed', { payment_status: ['failed'] }],
  ],
  get_statement: [
    ['All of it', { external_customer_id: acme }],
    ['Of a span', { external_customer_id: 'Boulangerie Martin', from_date: '2026-02-01', to_date: '2026-02-28' }],
    ['Voided, and marked as paid', { external_customer_id: 'nora-lund' }],
    ['None', { external_customer_id: 'gulf-radio' }],
  ],
  get_payment: [
    ['Waiting', { svc_id: ids.payment_svc_id }],
    ['Failed', { svc_id: '6646a7ca-5e38-51c5-9fe6-282d6db15b61' }],
    ['Unknown', { svc_id: unknown }, 'fails'],
  ],
  get_revenue: 'overdue receivables gross_revenue mrr invoiced_usage invoice_collection'
    .split(' ')
    .map((report): Case => [report.replaceAll('_', ' '), { report }]),
  get_webhook_endpoint: [
    ['An address', { svc_id: ids.webhook_endpoint_svc_id }],
    ['Unknown', { svc_id: unknown }, 'fails'],
  ],
};

const wallet = { svc_id: ids.wallet_svc_id };
const invoice = { svc_id: ids.invoice_svc_id };
const note = { svc_id: ids.credit_note_svc_id };
const refund = { svc_id: demoRefundId };
const threshold = (value: number, recurring = false) => ({ value, ...(recurring && { recurring }) });
const alert = (external_id: string, code: string, alert_type: string, ...values: number[]) => ({
  ...{ external_id, code, alert_type },
  thresholds: values.map(value => threshold(value)),
});
const change = (tool: string, args: JsonRecord) => ({ tool, arguments: JSON.stringify(args) });
const price = (amount_cents: number) => change('update_add_on', { code: ids.add_on_code, amount_cents });

/** The next of a tool to the same record, its first argument, is answered on another demo account, unless it fails. */
export const writes: Readonly<Record<string, readonly Case[]>> = {
  update_subscription: [
    ['A name', { external_id: studio, name: 'Studio of Acme' }],
    ['An end', { external_id: studio, ending_at: '2026-06-01T04:00:00Z' }],
    ['A price', { external_id: studio, plan_overrides: { amount_cents: 8900 } }],
    ['The status of one that is pending', { external_id: 'acme-enterprise', status: 'pending', name: 'All of Acme' }],
    ['An end in the past', { external_id: studio, ending_at: '2026-03-01T00:00:00Z' }, 'fails'],
    ['One that has ended', { external_id: 'nora-studio', name: 'Nora' }],
    ['Unknown', { external_id: 'acme', name: 'A' }, 'fails'],
  ],
  create_subscription_alert: [
    [
      'Of money',
      {
        ...{ external_id: studio, code: 'ever', name: 'All usage', alert_type: 'lifetime_usage_amount' },
        thresholds: [threshold(75_000), threshold(10_000, true), threshold(25_000)],
      },
    ],
    ['In yen', alert('sakura-arcade', 'spend', 'current_usage_amount', 5_000, 50_000)],
    [
      'Of units',
      {
        ...{ external_id: studio, code: 'seats', alert_type: 'billable_metric_current_usage_units' },
        ...{ billable_metric_code: 'seats', thresholds: [threshold(5), threshold(20)] },
      },
    ],
    ['A code that is taken', alert(studio, 'spend', 'lifetime_usage_amount', 1000), 'fails'],
    ['What is watched already', alert(studio, 'b', 'current_usage_amount', 1000), 'fails'],
    ['A word of our own', alert(studio, 'b', 'budget', 1000), 'fails'],
    ['On one that has ended', alert('nora-studio', 'b', 'current_usage_amount', 1000), 'fails'],
  ],
  update_wallet: [
    ['A name', { ...wallet, name: 'Prepaid 2026', applies_to: { fee_types: ['charge'] } }],
    ['An expiry', { ...wallet, expiration_at: '2027-12-31T23:59:59Z' }],
    ['Unknown', { svc_id: unknown, name: 'A' }, 'fails'],
    ['A priority that does not exist', { ...wallet, priority: 90 }, 'fails'],
  ],
  update_invoice: [
    ['Paid', { ...invoice, payment_status: 'succeeded' }],
    ['Metadata', { ...invoice, metadata: [{ key: 'cost_center', value: '42' }] }],
    ['By its number', { svc_id: 'SKY-US-001-004', payment_status: 'succeeded' }, 'fails'],
    ['A word of our own', { ...invoice, payment_status: 'paid' }, 'fails'],
  ],
  update_credit_note: [
    ['The refund', { ...refund, refund_status: 'succeeded' }],
    ['Metadata', { ...note, metadata: { ticket: 'SUP-1400' } }],
    ['Unknown', { svc_id: unknown, refund_status: 'failed' }, 'fails'],
  ],
  update_add_on: [
    ['A price', { code: ids.add_on_code, amount_cents: 125_000 }],
    ['Half a cent', { code: ids.add_on_code, amount_cents: 12.5 }, 'fails'],
    ['Nothing', { code: ids.add_on_code }, 'fails'],
    ['Unknown', { code: 'setup-fee', amount_cents: 100 }, 'fails'],
  ],
  delete_add_on: [
    ['One that a plan charges', { code: 'glossary' }],
    ['Unknown', { code: 'setup-fee' }, 'fails'],
  ],
  create_billing_entity: [
    [
      'A company in France',
      {
        ...{ code: 'skylark-fr', name: 'Skylark France', country: 'FR', default_currency: 'EUR' },
        timezone: 'Europe/Paris',
      },
    ],
    ['A code that is taken', { code: ids.billing_entity_code, name: 'Skylark' }, 'fails'],
    ['A zone with a typing error', { code: 'skylark-fr', name: 'Skylark', timezone: 'Europe/Pariss' }, 'fails'],
  ],
  change_several: [
    ['A price and a name', { changes: [price(130_000), change('update_wallet', { ...wallet, name: 'Prepaid 2027' })] }],
    ['A read in it', { changes: [price(125_000), change('get_customer', {})] }, 'fails'],
  ],
};
