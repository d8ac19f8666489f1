/** What a person reads before a subscription is changed or watched, and what the answer says after it, as prose. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyRecord as asRecord, anyRecords as asRecords, type JsonRecord } from '../../../src/lib/json.ts';
import { createRuntime, type Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { connectClient, type TestClient } from '../../support/clients.ts';
import { receiptText } from './support.ts';

let runtime: Runtime;
let client: TestClient;
beforeAll(async () => {
  runtime = createRuntime({ config: loadConfig(['--demo', '--now', '2026-03-15T12:00:00Z'], {}).config });
  client = await connectClient(runtime, '2025-11-25', true);
});
afterAll(async () => {
  await client.close();
  await runtime.close();
});

/** Ids that differ from run to run are numbered. */
function steady(text: string, ids = new Map<string, string>()): string {
  return text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
    ids.set(id, ids.get(id) ?? `id-${ids.size + 1}`);
    return ids.get(id) ?? '';
  });
}

/** The case as a section: dry run, question, answer and the way back; or the refusal. */
async function told(tool: string, title: string, args: JsonRecord): Promise<string> {
  const dry = await client.call(tool, { ...args, dry_run: true });
  client.asked = [];
  const done = await client.call(tool, args);
  const receipt = asRecord(done.content.receipt);
  const { revert } = receipt;
  const question = asRecord(dry.content.dry_run).question;
  const said = (text: string) => String(JSON.parse(text).summary);
  const lines = [
    `## ${title}`,
    // Only where the person is asked something else.
    ...(question === undefined || client.asked[0]?.split('\n\n')[0] === question ? [] : [`Dry run: ${question}`]),
    ...client.asked.map(asked => `Question: ${asked}`),
    `${done.isError ? 'Refused' : 'Answer'}: ${said(done.text)}`,
    ...(receipt.confirmed_by === undefined ? [] : [`Receipt: ${receiptText(receipt)}`]),
    ...(revert === undefined ? [] : [`Way back: \`${JSON.stringify(revert)}\``]),
  ];
  return `${steady(lines.join('\n\n'))}\n`;
}

async function planOf(external_id: string): Promise<JsonRecord> {
  const { content } = await client.call('get_subscription', { external_id, detail: 'full' });
  return asRecord(asRecord(content.subscription).plan);
}

it('update_subscription', async () => {
  const id = 'acme-studio';
  const tool = 'update_subscription';
  const charge = (plan: JsonRecord, metric: string) =>
    asRecords(plan.charges).find(each => each.billable_metric_code === metric) ?? {};
  const catalogue = await planOf(id);
  const first = {
    amount_cents: 8900,
    charges: [
      { id: charge(catalogue, 'seats').svc_id, properties: { amount: '9.5' } },
      { id: charge(catalogue, 'api_calls').svc_id, invoice_display_name: 'Calls' },
    ],
  };
  const text = [
    await told(tool, 'Another name', { external_id: id, name: 'Acme Studio (EU)' }),
    await told(tool, 'The same name again', { external_id: id, name: 'Acme Studio (EU)' }),
    await told(tool, 'An end, without an offset', { external_id: id, ending_at: '2026-12-01T00:00:00' }),
    await told(tool, 'An end, which is another day there', { external_id: id, ending_at: '2026-12-01T00:00:00Z' }),
    await told(tool, 'No end any more', { external_id: id, clear: ['ending_at'] }),
    await told(tool, 'A start of one that runs', {
      external_id: id,
      subscription_at: '2026-04-01T00:00:00Z',
      name: 'A',
    }),
    await told(tool, 'A first change of prices', { external_id: id, plan_overrides: first }),
  ];
  const own = await planOf(id);
  const [seats] = [charge(own, 'seats').svc_id];
  text.push(
    await told(tool, 'A later change of prices, which lists one charge', {
      external_id: id,
      plan_overrides: { charges: [{ id: seats, properties: { amount: '8' } }] },
    }),
    await told(tool, 'A later change of the plan price alone', {
      external_id: id,
      plan_overrides: { amount_cents: 9000 },
    }),
    await told(tool, 'A trial, which the first change of prices alone sets', {
      external_id: id,
      plan_overrides: { trial_period: 5 },
    }),
    await told(tool, 'An unknown tax', { external_id: id, plan_overrides: { tax_codes: ['us_sale'] } }),
    await told(tool, 'An unknown fixed charge', {
      external_id: id,
      plan_overrides: { fixed_charges: [{ id: 'support', units: 2 }] },
    }),
    await told(tool, 'A start that waits for a payment', {
      ...{ external_id: 'acme-enterprise', status: 'pending' },
      activation_rules: [{ type: 'payment', timeout_hours: 48 }],
    }),
    await told(tool, 'A start of today', {
      external_id: 'acme-enterprise',
      status: 'pending',
      subscription_at: '2026-03-15T00:00:00-04:00',
    }),
    await told(tool, 'Nobody', { external_id: 'nobody', name: 'A' }),
    await told(tool, 'Thresholds of its own', {
      external_id: 'sakura-arcade',
      usage_thresholds: [
        { amount_cents: 50000, threshold_display_name: 'First' },
        { amount_cents: 100, recurring: true },
      ],
    }),
    await told(tool, 'No thresholds of its own any more', { external_id: 'sakura-arcade', usage_thresholds: [] }),
    await told(tool, 'Thresholds in both places', {
      external_id: 'sakura-arcade',
      usage_thresholds: [],
      plan_overrides: { usage_thresholds: [] },
    }),
    await told(tool, 'The deprecated list, empty', {
      external_id: 'sakura-arcade',
      plan_overrides: { usage_thresholds: [] },
    }),
    await told(tool, 'An order number, on an invoice of its own', {
      ...{ external_id: 'sakura-arcade', purchase_order_number: 'PO-7', consolidate_invoice: false },
      ...{ billing_entity_code: 'skylark-eu', progressive_billing_disabled: true },
    }),
    await told(tool, 'An unknown billing entity', { external_id: 'sakura-arcade', billing_entity_code: 'skylark-uk' }),
    await told(tool, 'Billing together again', {
      ...{ external_id: 'sakura-arcade', consolidate_invoice: true, clear: ['purchase_order_number'] },
    }),
    await told(tool, 'Activation rules of one that runs', {
      external_id: 'sakura-arcade',
      activation_rules: [{ type: 'payment' }],
    }),
  );
  await expect(text.join('\n')).toMatchFileSnapshot('prose/update_subscription.md');
});

it('create_subscription_alert', async () => {
  const tool = 'create_subscription_alert';
  const alert = (args: JsonRecord) => ({ external_id: 'martin-starter', ...args });
  const several = [
    {
      code: 'tokens',
      name: 'Tokens',
      alert_type: 'billable_metric_current_usage_amount',
      billable_metric_code: 'tokens',
      thresholds: [{ value: 1, code: 'low' }, { value: 90_000 }],
    },
    { code: 'total', alert_type: 'lifetime_usage_amount', thresholds: [{ value: 80_000, recurring: true }] },
  ];
  const text = [
    await told(tool, 'On all usage', {
      external_id: 'sakura-arcade',
      code: 'spring',
      name: 'Spring',
      alert_type: 'current_usage_amount',
      thresholds: [{ value: 100, code: 'low' }, { value: 50_000_000 }, { value: 1_000_000, recurring: true }],
    }),
    await told(
      tool,
      'On the units of a metric',
      alert({
        code: 'many',
        alert_type: 'billable_metric_current_usage_units',
        billable_metric_code: 'tokens',
        thresholds: [{ value: 5_000_000 }],
      }),
    ),
    await told(
      tool,
      'The same type and metric again',
      alert({
        code: 'more',
        alert_type: 'billable_metric_current_usage_units',
        billable_metric_code: 'tokens',
        thresholds: [{ value: 6_000_000 }],
      }),
    ),
    await told(
      tool,
      'The same code again',
      alert({
        code: 'many',
        alert_type: 'current_usage_amount',
        thresholds: [{ value: 6_000 }],
      }),
    ),
    await told(
      tool,
      'On a metric without a charge',
      alert({
        code: 'pay',
        alert_type: 'billable_metric_current_usage_amount',
        billable_metric_code: 'payouts',
        thresholds: [{ value: 6_000 }],
      }),
    ),
    await told(
      tool,
      'An unknown metric',
      alert({
        code: 'x',
        alert_type: 'billable_metric_current_usage_amount',
        billable_metric_code: 'token',
        thresholds: [{ value: 6_000 }],
      }),
    ),
    await told(
      tool,
      'Without its metric',
      alert({
        code: 'x',
        alert_type: 'billable_metric_current_usage_amount',
        thresholds: [{ value: 6_000 }],
      }),
    ),
    await told(
      tool,
      'Twice the same threshold',
      alert({
        code: 'x',
        alert_type: 'lifetime_usage_amount',
        thresholds: [{ value: 6_000 }, { value: '6000.0' }],
      }),
    ),
    await told(
      tool,
      'Several, of which one has a code that is taken',
      alert({ alerts: [several[0], { ...several[1], code: 'many' }] }),
    ),
    await told(tool, 'Several with the same code', alert({ alerts: [several[0], { ...several[1], code: 'tokens' }] })),
    await told(
      tool,
      'Several on the same type and metric',
      alert({ alerts: [several[1], several[0], { ...several[0], code: 'more' }] }),
    ),
    await told(
      tool,
      'Several, one of which has the same threshold twice',
      alert({ alerts: [several[0], { ...several[1], thresholds: [{ value: 1 }, { value: '1.0' }] }] }),
    ),
    await told(
      tool,
      'Several, one of an unknown metric',
      alert({ alerts: [several[1], { ...several[0], billable_metric_code: 'token' }] }),
    ),
    await told(
      tool,
      'Several, one of which lacks its type',
      alert({ alerts: [several[0], { code: 'x', thresholds: [{ value: 1 }] }] }),
    ),
    await told(tool, 'One beside several', alert({ code: 'x', alerts: several })),
    await told(tool, 'Neither one nor several', alert({})),
    await told(tool, 'None of several', alert({ alerts: [] })),
    await told(tool, 'More than are taken at once', alert({ alerts: Array.from({ length: 21 }, () => several[0]) })),
    await told(tool, 'Several at once', alert({ alerts: several })),
  ];
  await expect(text.join('\n')).toMatchFileSnapshot('prose/create_subscription_alert.md');
});
