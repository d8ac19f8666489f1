/**
 * Answers for the pages, recorded from the real server over its demo account: what a chat host that shows pages gets, and
 * nothing written by hand.
 */

import { demoIds } from '../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { type Demo, type Result, startDemo } from './demo.ts';
import { full, withFullAccount } from './full-account.ts';

/** The demo at a day on which invoices are overdue, usage has come in, and the wallet is running low. */
export function startRecorder(...flags: string[]): Promise<Demo> {
  return startDemo('2026-11-21T12:00:00Z', flags);
}

const acme = demoIds.external_customer_id;
const subscription = demoIds.external_subscription_id;
const wallet = demoIds.wallet_svc_id;

/** One state of a page: the call whose answer it shows. */
export interface State {
  /** Also the name of its screenshot. */
  name: string;
  tool: string;
  args: JsonRecord;
  /** The state of its page that is looked at in every width. */
  good: boolean;
  /** Asks a server that asks before each write. */
  asked?: boolean;
  /** Asks a server with the account of full-account.ts. */
  full?: boolean;
}

const customer = { external_id: acme };
const two = ['studio', 'enterprise'];
const usageOf = (billable_metric_code: string, units: number) => [{ billable_metric_code, units }];
const dearer = { code: demoIds.add_on_code, amount_cents: 125_000 };
const unknownWallet = { svc_id: '00000000-0000-4000-8000-000000000000' };

type Row = readonly [name: string, tool: string, args: JsonRecord, kind?: 'good' | 'asked'];

/** In this order on one server: writes come last. */
const ofDemo: readonly Row[] = [
  ['invoice', 'preview_invoice', { customer, subscriptions: { external_ids: [subscription] } }, 'good'],
  ['invoice-yen', 'preview_invoice', { customer: { external_id: 'sakura-games' }, plan_code: 'studio' }],
  ['invoice-new', 'preview_invoice', { customer: { name: 'Nora Lund' }, plan_code: 'starter' }],
  ['invoice-issued', 'get_invoice', { svc_id: 'SKY-US-001-004' }],
  ['invoice-checked', 'check_invoice', { svc_id: 'SKY-US-001-004' }],
  ['invoice-failed', 'preview_invoice', { plan_code: 'gold', customer }],
  ['invoice-refused', 'preview_invoice', { customer: acme }],
  ['plans', 'compare_plans', { plan_codes: two, customer }, 'good'],
  [
    'plans-usage',
    'compare_plans',
    { plan_codes: [...two, 'starter'], usage: usageOf('audio_minutes', 20_000), customer },
  ],
  ['plans-one-failed', 'compare_plans', { plan_codes: ['studio', 'gold'], customer }],
  ['plans-break-even', 'compare_plans', { plan_codes: two, usage: usageOf('api_calls', 70_000), customer }],
  ['plans-failed', 'compare_plans', { plan_codes: ['gold', 'silver'] }],
  ['wallets', 'list_wallets', { external_customer_id: acme }],
  ['wallets-none', 'list_wallets', { external_customer_id: 'nora-lund' }],
  ['alerts', 'list_subscription_alerts', { external_id: subscription }, 'good'],
  [
    'alert-wallet',
    'get_wallet_alert',
    { external_customer_id: acme, wallet_code: demoIds.wallet_code, code: demoIds.wallet_alert_code },
  ],
  ['alerts-failed', 'list_subscription_alerts', { external_id: 'acme-stdio' }],
  ['usage', 'get_usage', { external_customer_id: acme }, 'good'],
  ['usage-past', 'get_usage', { external_customer_id: acme, period: 'past' }],
  ['usage-failed', 'get_usage', { external_customer_id: 'nobody' }],
  ['overview', 'get_customer_overview', { external_customer_id: acme }, 'good'],
  ['overview-person', 'get_customer_overview', { external_customer_id: 'nora-lund' }],
  ['overview-dinar', 'get_customer_overview', { external_customer_id: 'gulf-radio' }],
  ['overview-failed', 'get_customer_overview', { external_customer_id: 'nobody' }],
  ['owed', 'get_revenue', { report: 'overdue' }, 'good'],
  ['owed-none', 'get_revenue', { report: 'overdue', external_customer_id: 'nora-lund' }],
  ['revenue', 'get_revenue', { report: 'gross_revenue' }],
  ['revenue-mrr', 'get_revenue', { report: 'mrr' }],
  ['owed-failed', 'get_revenue', { report: 'mrr', external_customer_id: 'nora-lund' }],
  ['list-invoices', 'list_invoices', {}, 'good'],
  [
    'list-overdue',
    'list_invoices',
    { external_customer_id: 'Acme', payment_overdue: true, issuing_date_from: '2026-01-01' },
  ],
  ['list-invoices-page', 'list_invoices', { per_page: 5 }],
  ['list-invoices-none', 'list_invoices', { status: ['draft'], currency: 'GBP' }],
  ['list-payments', 'list_payments', {}, 'good'],
  ['list-payments-page', 'list_payments', { payment_status: ['pending'], per_page: 1 }],
  ['list-credit-notes', 'list_credit_notes', {}, 'good'],
  ['list-transactions', 'list_wallet_transactions', { svc_id: wallet }, 'good'],
  ['list-subscriptions', 'list_subscriptions', {}, 'good'],
  ['list-events', 'list_events', { external_subscription_id: subscription, per_page: 6 }, 'good'],
  ['list-failed', 'list_invoices', { external_customer_id: 'nobody' }],
  ['statement', 'get_statement', { external_customer_id: 'acme-podcasts' }, 'good'],
  [
    'statement-span',
    'get_statement',
    { external_customer_id: 'boulangerie-martin', from_date: '2026-09-11', to_date: '2026-10-12' },
  ],
  ['statement-marked', 'get_statement', { external_customer_id: 'nora-lund' }],
  ['statement-failed', 'get_statement', { external_customer_id: 'nobody' }],
  ['wallet-dry-run', 'update_wallet', { svc_id: wallet, priority: 1, dry_run: true }],
  ['wallet-asked', 'update_wallet', { svc_id: wallet, priority: 1, expiration_at: '2027-06-30T00:00:00Z' }, 'asked'],
  ['wallet', 'update_wallet', { svc_id: wallet, priority: 1 }, 'good'],
  ['wallet-idle', 'update_wallet', { svc_id: wallet, priority: 1 }],
  ['wallet-failed', 'update_wallet', { ...unknownWallet, priority: 3 }],
  [
    'alert-created',
    'create_subscription_alert',
    {
      external_id: subscription,
      code: 'lifetime',
      name: 'Over a year',
      alert_type: 'lifetime_usage_amount',
      thresholds: [{ value: 50_000 }, { value: 100_000 }],
    },
  ],
  ['change-asked', 'update_add_on', dearer, 'asked'],
  ['change-dry-run', 'update_add_on', { ...dearer, dry_run: true }],
  ['change', 'update_add_on', dearer, 'good'],
  ['change-invoice', 'update_invoice', { svc_id: demoIds.invoice_svc_id, payment_status: 'succeeded' }],
  ['change-failed', 'update_add_on', { code: 'onbording', amount_cents: 5 }],
];

const ofFullAccount: readonly Row[] = [
  [
    'invoice-forty',
    'preview_invoice',
    { customer: { external_id: full.overdrawn }, subscriptions: { external_ids: ['forty-charges'] } },
  ],
  ['invoice-zero', 'get_invoice', { svc_id: full.zeroInvoice }],
  ['wallets-overdrawn', 'list_wallets', { external_customer_id: full.overdrawn }],
  ['wallets-yen', 'list_wallets', { external_customer_id: full.yen }],
  ['wallets-dinars', 'list_wallets', { external_customer_id: full.dinars }],
  ['usage-forty', 'get_usage', { external_customer_id: full.overdrawn }],
  ['usage-forty-past', 'get_usage', { external_customer_id: full.overdrawn, period: 'past' }],
  ['overview-thirty', 'get_customer_overview', { external_customer_id: full.many }],
  ['overview-overdrawn', 'get_customer_overview', { external_customer_id: full.overdrawn }],
  ['owed-ages', 'get_revenue', { report: 'receivables' }],
  ['owed-late', 'get_revenue', { report: 'overdue' }],
  ['list-thirty', 'list_subscriptions', { external_customer_id: full.many, per_page: 30 }],
  ['list-names', 'list_subscriptions', { per_page: 100 }],
  ['list-late', 'list_invoices', {}],
  ['list-credited', 'list_credit_notes', {}],
  ['list-tried', 'list_payments', {}],
  ['list-forty-events', 'list_events', { external_subscription_id: 'forty-charges', per_page: 40 }],
  ['revenue-dinars', 'get_revenue', { report: 'gross_revenue', external_customer_id: full.dinars }],
  ['revenue-mrr-none', 'get_revenue', { report: 'mrr' }],
  ['revenue-collected', 'get_revenue', { report: 'invoice_collection' }],
];

export const states: readonly State[] = [
  ...ofDemo.map(([name, tool, args, kind]) => ({ name, tool, args, good: kind === 'good', asked: kind === 'asked' })),
  ...ofFullAccount.map(([name, tool, args]) => ({ name, tool, args, good: true, full: true })),
];

let recorded: Promise<Map<string, Result>> | undefined;
/** The answers of all states, by their names: one recording for all files. */
export function record(): Promise<Map<string, Result>> {
  recorded ??= recordAll();
  return recorded;
}

async function recordAll(): Promise<Map<string, Result>> {
  const [plain, asking] = await Promise.all([startRecorder('--confirm', 'auto'), startRecorder()]);
  const answers = new Map<string, Result>();
  for (const { name, tool, args, asked } of states.filter(({ full }) => !full))
    answers.set(name, await (asked ? asking : plain).call(tool, args));
  await Promise.all([plain.close(), asking.close()]);
  await withFullAccount(async path => {
    const filled = await startRecorder('--account', path);
    for (const { name, tool, args } of states.filter(({ full }) => full))
      answers.set(name, await filled.call(tool, args));
    await filled.close();
  });
  return answers;
}

export const markup =
  '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><a href="javascript:alert(1)">x</a>';

/** The same value in which every text is markup. */
export function poison(value: unknown): unknown {
  if (typeof value === 'string') return markup;
  if (Array.isArray(value)) return value.map(poison);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, poison(inner)]));
  return value;
}
