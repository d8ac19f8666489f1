/** What answers cost, in o200k tokens of their text, over the demo and two larger accounts. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { isLookup, namesMore } from '../../src/definition/define.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { startService } from '../../src/service/start.ts';
import { toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { answerTokens } from '../support/answer-tokens.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { idOf, largeAccount } from './large-account.ts';

interface Account {
  name: string;
  file: 'demo' | ReturnType<typeof largeAccount>;
  ids: ReturnType<typeof largeIds>;
  /** At most ten; the first three are compared too. */
  plans: string[];
}

const largeIds = (charges: number) => ({
  ...{ customer: 'fabrikam-industries', subscription: 'fabrikam-production', wallet: idOf('wallet') },
  ...{ walletCode: 'prepaid', alert: 'low_balance', transaction: idOf('transaction'), invoice: idOf('invoice') },
  ...{ creditNote: idOf('credit note'), payment: idOf('payment'), webhook: idOf('webhook'), event: 'metric_0-0' },
  ...{ addOn: 'service_0', metric: `metric_${charges - 1}` },
});

const accounts: Account[] = [
  {
    name: 'demo',
    file: 'demo',
    ids: {
      ...{ customer: demoIds.external_customer_id, subscription: demoIds.external_subscription_id },
      ...{ wallet: demoIds.wallet_svc_id, walletCode: demoIds.wallet_code, alert: demoIds.wallet_alert_code },
      ...{ transaction: demoIds.wallet_transaction_svc_id, invoice: demoIds.invoice_svc_id },
      ...{ creditNote: demoIds.credit_note_svc_id, payment: demoIds.payment_svc_id, addOn: demoIds.add_on_code },
      ...{ webhook: demoIds.webhook_endpoint_svc_id, event: demoIds.event_transaction_id, metric: 'tokens' },
    },
    plans: ['starter', 'studio', 'enterprise'],
  },
  {
    name: 'twelve plans',
    file: largeAccount({ plans: 12, charges: 6, fixedCharges: 2, currency: 'USD', fees: 12 }),
    ids: largeIds(6),
    plans: Array.from({ length: 10 }, (_, n) => `plan_${n}`),
  },
  {
    name: 'forty lines',
    file: largeAccount({ plans: 3, charges: 40, fixedCharges: 4, currency: 'JPY', fees: 60 }),
    ids: largeIds(40),
    plans: ['plan_0', 'plan_1', 'plan_2'],
  },
];

/** `most` tokens of the answer; `again`: what a write changes when it is called a second time, for its whole answer. */
type Call = [tool: string, args: JsonRecord, most: number | ((content: JsonRecord) => number), again?: JsonRecord];

const count = (value: unknown) => (Array.isArray(value) ? value.length : 0);
const perLine = ({ invoice }: JsonRecord) => 250 + 45 * count((invoice as JsonRecord).fees);
const perCompared = ({ comparison }: JsonRecord) => 200 + 105 * count(comparison);
const perPrice = ({ subscription }: JsonRecord) => {
  const { charges, fixed_charges } = (subscription as JsonRecord).plan as JsonRecord;
  return 350 + 35 * (count(charges) + count(fixed_charges));
};
const perUsed = ({ usage }: JsonRecord) => 450 + 60 * count((usage as JsonRecord).charges_usage);
const perPlan = ({ plans }: JsonRecord) =>
  (plans as JsonRecord[]).reduce((sum, plan) => sum + 45 + 30 * (count(plan.charges) + count(plan.fixed_charges)), 120);

function callsOf({ ids, plans, name }: Account): Call[] {
  const customer = { external_id: ids.customer };
  const of = { external_customer_id: ids.customer };
  const subscription = { external_id: ids.subscription };
  const alert = { code: 'lifetime', name: 'Lifetime', alert_type: 'lifetime_usage_amount' };
  const event = { external_subscription_id: ids.subscription, code: ids.metric };
  return [
    ['preview_invoice', { customer, subscriptions: { external_ids: [ids.subscription] } }, perLine],
    ['preview_invoice', { customer, plan_code: plans[0] }, perLine],
    ['list_plans', {}, name === 'demo' ? 800 : perPlan],
    ['get_customer', of, 220],
    ['compare_plans', { plan_codes: plans.slice(0, 3), customer }, 500],
    ...(plans.length > 3 ? ([['compare_plans', { plan_codes: plans, customer }, perCompared]] satisfies Call[]) : []),
    ['get_event', { transaction_id: ids.event }, 200],
    ['get_payment', { svc_id: ids.payment }, 200],
    ['get_wallet_transaction', { svc_id: ids.transaction }, 200],
    ['get_webhook_endpoint', { svc_id: ids.webhook }, 200],
    ['get_wallet_alert', { ...of, wallet_code: ids.walletCode, code: ids.alert }, 150],
    ['list_subscription_alerts', subscription, ({ alerts }) => 60 + 150 * count(alerts)],
    ['estimate_fees', { ...event, properties: { tokens: 1000, amount: 70 } }, 200],
    ['find_customers', {}, 1000],
    ['get_customer_overview', of, 900],
    ['list_subscriptions', of, 1500],
    ['get_subscription', subscription, name === 'forty lines' ? perPrice : 480],
    ['list_invoices', {}, 1500],
    ['get_invoice', { svc_id: ids.invoice }, content => 200 + perLine(content)],
    ['check_invoice', { svc_id: ids.invoice }, 600],
    ['list_wallets', of, 450],
    ['list_wallets', {}, name === 'demo' ? 3 * 260 : 450],
    ['list_wallet_transactions', { svc_id: ids.wallet }, 1500],
    ['get_usage', of, perUsed],
    ['list_credit_notes', {}, 1500],
    ['list_payments', {}, 1500],
    ['get_statement', of, 1500],
    ['list_events', { external_subscription_id: ids.subscription }, 1500],
    ['list_catalogue', { kind: 'coupons' }, 1500],
    ['get_revenue', { report: 'overdue' }, 500],
    ['update_subscription', { ...subscription, name: 'Production 2026' }, 320, { name: 'Production' }],
    // With the minimum commitment and the metadata that the way back sets again.
    ['update_subscription', { ...subscription, ...priced(8900) }, 380, priced(9000)],
    ['update_wallet', { svc_id: ids.wallet, name: 'Prepaid 2026', priority: 7 }, 320, { priority: 8 }],
    ['update_invoice', { svc_id: ids.invoice, payment_status: 'succeeded' }, 320, { payment_status: 'failed' }],
    ['update_credit_note', { svc_id: ids.creditNote, ...ticket('SUP-1400') }, 320, ticket('SUP-1401')],
    ['update_add_on', { code: ids.addOn, amount_cents: 125_000 }, 320],
    ['create_subscription_alert', { ...subscription, ...alert, thresholds: [{ value: 900_000, code: 'much' }] }, 320],
    ['delete_add_on', { code: ids.addOn }, 320],
  ];
}

const priced = (amount_cents: number) => ({ plan_overrides: { amount_cents } });
const ticket = (text: string) => ({ metadata: { ticket: text } });

const lines: string[] = [];
/** The longest whole answer of each tool. */
const whole = new Map<string, number>();

afterAll(() => {
  process.stderr.write(`\nTokens of default answers, of those allowed, and of the whole:\n${lines.join('\n')}\n`);
});

describe.each(accounts)('the default answers of the account “$name”', account => {
  it('stay within their limits, and say the same as text and as structured content', async () => {
    const { client, close } = await open(account);
    const over: string[] = [];
    for (const [tool, args, limit, again] of callsOf(account)) {
      const { isError, content, text } = await client.call(tool, args);
      expect(isError, text).toBe(false);
      expect(JSON.parse(text)).toEqual(content);
      const tokens = answerTokens(text);
      const allowed = typeof limit === 'number' ? limit : limit(content);
      // A write that is made again would change nothing, and say so.
      expect(content.changed, text).toBeUndefined();
      const longest = (await wholeOf(client, tool, { ...args, ...again })) ?? tokens;
      whole.set(tool, Math.max(whole.get(tool) ?? 0, longest));
      const said = `${tool.padEnd(26)}${String(tokens).padStart(6)} of ${String(allowed).padStart(5)}, ${String(longest).padStart(6)} whole (${account.name})`;
      lines.push(said);
      if (tokens > allowed) over.push(said);
    }
    await close();
    expect(over).toEqual([]);
  });
});

describe('detail', () => {
  it('is offered by the tools whose whole answer passes 600 tokens, and by no other', () => {
    // A lookup's rows and a usage's charges are many, not long: each has a tool of its own, or no more fields.
    const many = toolDefinitions.filter(tool => isLookup(tool) && tool.answer !== 'made record');
    const rows = new Set(many.map(tool => tool.name));
    const long = [...whole].filter(([name, tokens]) => tokens > 600 && !rows.has(name)).map(([name]) => name);
    expect(long.sort()).toEqual(
      toolDefinitions
        .filter(namesMore)
        .map(tool => tool.name)
        .sort(),
    );
  });
});

/** Tokens of the whole answer; undefined for a tool without `detail`. */
async function wholeOf(client: TestClient, tool: string, args: JsonRecord): Promise<number | undefined> {
  if (!toolByName.get(tool)?.more) return undefined;
  const { text, isError } = await client.call(tool, { ...args, detail: 'full' });
  expect(isError, text).toBe(false);
  return answerTokens(text);
}

async function open({ file }: Account): Promise<{ client: TestClient; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'answers-'));
  const path = join(folder, 'account.json');
  if (file !== 'demo') await writeFile(path, JSON.stringify(file));
  const service = await startService({ account: file === 'demo' ? 'demo' : path, now: '2026-03-15T12:00:00Z' });
  await rm(folder, { recursive: true });
  const runtime = startRuntime(service.baseUrl, { BILLING_API_KEY: service.apiKey });
  const client = await connectClient(runtime, '2026-07-28', true);
  return {
    client,
    close: async () => {
      await client.close();
      await runtime.close();
      await service.close();
    },
  };
}
