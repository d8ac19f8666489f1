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
  good?: true;
  /** Asks a server of this mode. */
  confirm?: 'always';
  /** Asks a server with the account of full-account.ts. */
  account?: 'full';
}

const unknownWallet = { svc_id: '00000000-0000-4000-8000-000000000000' };

/** In this order on one server: writes come last. */
export const states: readonly State[] = [
  {
    name: 'invoice',
    tool: 'preview_invoice',
    args: { customer: { external_id: acme }, subscriptions: { external_ids: [subscription] } },
    good: true,
  },
  {
    name: 'invoice-yen',
    tool: 'preview_invoice',
    args: { customer: { external_id: 'sakura-games' }, plan_code: 'studio' },
  },
  { name: 'invoice-new', tool: 'preview_invoice', args: { customer: { name: 'Nora Lund' }, plan_code: 'starter' } },
  { name: 'invoice-issued', tool: 'get_invoice', args: { svc_id: 'SKY-US-001-004' } },
  { name: 'invoice-checked', tool: 'check_invoice', args: { svc_id: 'SKY-US-001-004' } },
  { name: 'invoice-failed', tool: 'preview_invoice', args: { plan_code: 'gold', customer: { external_id: acme } } },
  { name: 'invoice-refused', tool: 'preview_invoice', args: { customer: acme } },
  {
    name: 'plans',
    tool: 'compare_plans',
    args: { plan_codes: ['studio', 'enterprise'], customer: { external_id: acme } },
    good: true,
  },
  {
    name: 'plans-usage',
    tool: 'compare_plans',
    args: {
      plan_codes: ['studio', 'enterprise', 'starter'],
      usage: [{ billable_metric_code: 'audio_minutes', units: 20_000 }],
      customer: { external_id: acme },
    },
  },
  {
    name: 'plans-one-failed',
    tool: 'compare_plans',
    args: { plan_codes: ['studio', 'gold'], customer: { external_id: acme } },
  },
  {
    name: 'plans-break-even',
    tool: 'compare_plans',
    args: {
      plan_codes: ['studio', 'enterprise'],
      usage: [{ billable_metric_code: 'api_calls', units: 70_000 }],
      customer: { external_id: acme },
    },
  },
  { name: 'plans-failed', tool: 'compare_plans', args: { plan_codes: ['gold', 'silver'] } },
  { name: 'wallets', tool: 'list_wallets', args: { external_customer_id: acme } },
  { name: 'wallets-none', tool: 'list_wallets', args: { external_customer_id: 'nora-lund' } },
  { name: 'alerts', tool: 'list_subscription_alerts', args: { external_id: subscription }, good: true },
  {
    name: 'alert-wallet',
    tool: 'get_wallet_alert',
    args: { external_customer_id: acme, wallet_code: demoIds.wallet_code, code: demoIds.wallet_alert_code },
  },
  { name: 'alerts-failed', tool: 'list_subscription_alerts', args: { external_id: 'acme-stdio' } },
  { name: 'usage', tool: 'get_usage', args: { external_customer_id: acme }, good: true },
  { name: 'usage-past', tool: 'get_usage', args: { external_customer_id: acme, period: 'past' } },
  { name: 'usage-failed', tool: 'get_usage', args: { external_customer_id: 'nobody' } },
  { name: 'overview', tool: 'get_customer_overview', args: { external_customer_id: acme }, good: true },
  { name: 'overview-person', tool: 'get_customer_overview', args: { external_customer_id: 'nora-lund' } },
  { name: 'overview-dinar', tool: 'get_customer_overview', args: { external_customer_id: 'gulf-radio' } },
  { name: 'overview-failed', tool: 'get_customer_overview', args: { external_customer_id: 'nobody' } },
  { name: 'owed', tool: 'get_revenue', args: { report: 'overdue' }, good: true },
  { name: 'owed-none', tool: 'get_revenue', args: { report: 'overdue', external_customer_id: 'nora-lund' } },
  { name: 'revenue', tool: 'get_revenue', args: { report: 'gross_revenue' } },
  { name: 'revenue-mrr', tool: 'get_revenue', args: { report: 'mrr' } },
  { name: 'owed-failed', tool: 'get_revenue', args: { report: 'mrr', external_customer_id: 'nora-lund' } },
  { name: 'list-invoices', tool: 'list_invoices', args: {}, good: true },
  {
    name: 'list-overdue',
    tool: 'list_invoices',
    args: { external_customer_id: 'Acme', payment_overdue: true, issuing_date_from: '2026-01-01' },
  },
  { name: 'list-invoices-page', tool: 'list_invoices', args: { per_page: 5 } },
  { name: 'list-invoices-none', tool: 'list_invoices', args: { status: ['draft'], currency: 'GBP' } },
  { name: 'list-payments', tool: 'list_payments', args: {}, good: true },
  { name: 'list-payments-page', tool: 'list_payments', args: { payment_status: ['pending'], per_page: 1 } },
  { name: 'list-credit-notes', tool: 'list_credit_notes', args: {}, good: true },
  { name: 'list-transactions', tool: 'list_wallet_transactions', args: { svc_id: wallet }, good: true },
  { name: 'list-subscriptions', tool: 'list_subscriptions', args: {}, good: true },
  {
    name: 'list-events',
    tool: 'list_events',
    args: { external_subscription_id: subscription, per_page: 6 },
    good: true,
  },
  { name: 'list-failed', tool: 'list_invoices', args: { external_customer_id: 'nobody' } },
  { name: 'statement', tool: 'get_statement', args: { external_customer_id: 'acme-podcasts' }, good: true },
  {
    name: 'statement-span',
    tool: 'get_statement',
    args: { external_customer_id: 'boulangerie-martin', from_date: '2026-09-11', to_date: '2026-10-12' },
  },
  { name: 'statement-marked', tool: 'get_statement', args: { external_customer_id: 'nora-lund' } },
  { name: 'statement-failed', tool: 'get_statement', args: { external_customer_id: 'nobody' } },
  { name: 'wallet-dry-run', tool: 'update_wallet', args: { svc_id: wallet, priority: 1, dry_run: true } },
  {
    name: 'wallet-asked',
    tool: 'update_wallet',
    args: { svc_id: wallet, priority: 1, expiration_at: '2027-06-30T00:00:00Z' },
    confirm: 'always',
  },
  { name: 'wallet', tool: 'update_wallet', args: { svc_id: wallet, priority: 1 }, good: true },
  { name: 'wallet-idle', tool: 'update_wallet', args: { svc_id: wallet, priority: 1 } },
  { name: 'wallet-failed', tool: 'update_wallet', args: { ...unknownWallet, priority: 3 } },
  {
    name: 'alert-created',
    tool: 'create_subscription_alert',
    args: {
      external_id: subscription,
      code: 'lifetime',
      name: 'Over a year',
      alert_type: 'lifetime_usage_amount',
      thresholds: [{ value: 50_000 }, { value: 100_000 }],
    },
  },
  {
    name: 'change-asked',
    tool: 'update_add_on',
    args: { code: demoIds.add_on_code, amount_cents: 125_000 },
    confirm: 'always',
  },
  {
    name: 'change-dry-run',
    tool: 'update_add_on',
    args: { code: demoIds.add_on_code, amount_cents: 125_000, dry_run: true },
  },
  {
    name: 'change',
    tool: 'update_add_on',
    args: { code: demoIds.add_on_code, amount_cents: 125_000 },
    good: true,
  },
  {
    name: 'change-invoice',
    tool: 'update_invoice',
    args: { svc_id: demoIds.invoice_svc_id, payment_status: 'succeeded' },
  },
  { name: 'change-failed', tool: 'update_add_on', args: { code: 'onbording', amount_cents: 5 } },
  ...(
    [
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
    ] as const
  ).map(([name, tool, args]): State => ({ name, tool, args, account: 'full', good: true })),
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
  for (const { name, tool, args, confirm } of states.filter(({ account }) => !account))
    answers.set(name, await (confirm ? asking : plain).call(tool, args));
  await Promise.all([plain.close(), asking.close()]);
  await withFullAccount(async path => {
    const filled = await startRecorder('--account', path);
    for (const { name, tool, args } of states.filter(({ account }) => account))
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
