/** Hosts that write an object as JSON text, as a whole or inside a list: what leaves the server, and what is said of it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { listTool } from '../../src/definition/listing.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { startService } from '../../src/service/start.ts';
import { toolByName } from '../../tools/all-tools.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import type { Schema } from './host-limits.ts';
import { nestedCalls, startStrict } from './sent-by.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const server = await startStrict();
afterAll(() => server.close());
/** Each argument that was JSON in a text before it was listed as an object. */
const calls: { tool: string; args: JsonRecord; objects: readonly string[] }[] = [
  {
    tool: 'preview_invoice',
    args: {
      plan_code: 'p',
      customer: { shipping_address: { city: 'Paris' }, integration_customers: [{ integration_code: 'b' }] },
    },
    objects: ['customer.shipping_address', 'customer.integration_customers'],
  },
  { tool: 'compare_plans', args: nestedCalls.compare_plans, objects: ['usage', 'customer', 'coupons'] },
  {
    tool: 'update_subscription',
    args: nestedCalls.update_subscription,
    objects: [
      ...['usage_thresholds', 'activation_rules', 'payment_method', 'invoice_custom_section'],
      ...['minimum_commitment', 'charges', 'fixed_charges'].map(name => `plan_overrides.${name}`),
    ],
  },
  {
    tool: 'update_subscription',
    args: { external_id: 's', plan_overrides: { usage_thresholds: [{ amount_cents: 9, recurring: true }] } },
    objects: [],
  },
  {
    tool: 'create_subscription_alert',
    args: {
      external_id: 's',
      alerts: [
        { alert_type: 'current_usage_amount', code: 'one', thresholds: [{ value: '1' }] },
        { alert_type: 'lifetime_usage_amount', code: 'two', thresholds: [{ value: '2', recurring: true }] },
      ],
    },
    objects: ['alerts'],
  },
  {
    tool: 'update_wallet',
    args: nestedCalls.update_wallet,
    objects: ['recurring_transaction_rules', 'payment_method', 'invoice_custom_section'],
  },
];

/** The value with one object or list of it as JSON text, each once: `[place, value]`; at last all of them, inside out. */
function spellings(value: unknown, place = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, entry]) =>
    spellings(entry, `${place}.${key}`).map(([at, spelled]): [string, unknown] => {
      const copy = structuredClone(value) as JsonRecord;
      copy[key] = spelled;
      return [at, copy];
    }),
  );
  return place === '' ? inner : [[place.slice(1), JSON.stringify(value)], ...inner];
}

/** Every object and list as text, those inside them too. */
function allAsText(value: unknown, top = true): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = structuredClone(value) as JsonRecord;
  for (const [key, entry] of Object.entries(copy)) copy[key] = allAsText(entry, false);
  return top ? copy : JSON.stringify(copy);
}

function listedAt(tool: string, place: string): Schema | undefined {
  let schema: Schema | undefined = listTool(toolByName.get(tool)!).inputSchema as Schema;
  for (const name of place.split('.')) schema = schema?.properties?.[name];
  return schema?.anyOf?.find(({ type }) => type === 'array') ?? schema;
}

describe('an object or list as JSON text', () => {
  it.each(calls.flatMap(({ tool, objects }) => objects.map(place => [tool, place] as const)))(
    'is listed with its fields: %s %s',
    (tool, place) => {
      const schema = listedAt(tool, place);
      expect(schema?.items?.properties ?? schema?.properties).toBeDefined();
    },
  );

  it.each(calls)('sends for $tool the same bytes at every place of $args', async ({ tool, args }) => {
    const plain = await server.sentBy(tool, args);
    const each = spellings(args);
    expect(each.length).toBeGreaterThan(0);
    for (const [place, spelled] of each) expect(await server.sentBy(tool, spelled as JsonRecord), place).toEqual(plain);
  });

  const priced = (properties: unknown) => ({
    external_id: 's',
    plan_overrides: { charges: [{ id: 'c', properties }] },
  });
  const ruled = (rule: JsonRecord) => ({ svc_id: id, recurring_transaction_rules: [rule] });
  it.each<[string, JsonRecord, string]>([
    [
      'update_subscription',
      { external_id: 's', plan_overrides: { charges: [{ id: 'c' }, { id: 'd', propertis: {} }] } },
      'plan_overrides.charges[1].propertis is not known',
    ],
    ['update_subscription', priced('{"amount":'), 'charges[0].properties is not valid JSON'],
    ['update_subscription', priced({ graduated_ranges: '[{"from_value":' }), 'graduated_ranges must be a list'],
    ['update_wallet', ruled({ triger: 'interval' }), 'recurring_transaction_rules[0].triger is not known'],
    ['update_wallet', ruled({ interval: 'month' }), 'not "month": send monthly'],
    ['compare_plans', { plan_codes: ['p'], customer: { shipping_address: { contry: 'FR' } } }, 'did you mean country?'],
    [
      'create_subscription_alert',
      { external_id: 's', alerts: [{ code: 'a', alert_type: 'current_usage_amount', thresholds: [{ valeu: '1' }] }] },
      'alerts[0].thresholds[0].valeu is not known',
    ],
  ])('is refused by %s in %j with the same sentence', async (tool, args, message) => {
    server.taken();
    for (const given of [args, allAsText(args) as JsonRecord]) {
      const { isError, text } = await server.client.call(tool, given);
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: expect.stringContaining(JSON.stringify(message).slice(1, -1)),
      });
    }
    expect(server.taken()).toEqual([]);
  });

  it('leaves out what a host filled in inside an object, but keeps the null that alone clears', async () => {
    const whole = { svc_id: 'r', trigger: 'interval', interval: 'monthly' };
    const rule = { ...whole, purchase_order_number: null };
    const [cleared] = await server.sentBy('update_wallet', { svc_id: id, recurring_transaction_rules: [rule] });
    expect(cleared).toContain(JSON.stringify(rule));
    const fields = Object.keys(listedAt('update_wallet', 'recurring_transaction_rules')!.items!.properties!);
    const filled = { ...Object.fromEntries(fields.map(name => [name, null])), ...whole, paid_credits: '5' };
    const [kept] = await server.sentBy('update_wallet', { svc_id: id, recurring_transaction_rules: [filled] });
    expect(kept).toContain(JSON.stringify([{ ...whole, paid_credits: '5' }]));
  });
});

describe('a write with its objects as JSON text', () => {
  /** A server on an account of its own, with what it wrote to its audit log. */
  async function start(settings: Record<string, string>) {
    const service = await startService({ account: 'demo', now: '2026-03-15T12:00:00Z' });
    const folder = mkdtempSync(join(tmpdir(), 'audit-'));
    const audit = join(folder, 'audit.jsonl');
    const runtime = startRuntime(service.baseUrl, {
      ...{ BILLING_API_KEY: service.apiKey, BILLING_AUDIT_LOG: audit },
      ...settings,
    });
    const client = await connectClient(runtime, '2025-11-25', true);
    return {
      client,
      audited: () => withoutChance(JSON.parse(`[${readFileSync(audit, 'utf8').trim().replaceAll('\n', ',')}]`)),
      async close() {
        await client.close();
        await runtime.close();
        await service.close();
        rmSync(folder, { recursive: true });
      },
    };
  }

  /** Without ids and times that differ from call to call. */
  function withoutChance(value: unknown): unknown {
    const text = JSON.stringify(value, (key, entry) =>
      /^(time|at|id|call_id|call|duration_ms|request_id|settings|process|previous|hash)$/.test(key) ? undefined : entry,
    );
    return JSON.parse(text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID'));
  }

  const external_id = demoIds.external_subscription_id;
  const monthly = {
    trigger: 'interval',
    interval: 'monthly',
    method: 'fixed',
    paid_credits: '200',
    granted_credits: '0',
  };
  const much = { code: 'much', alert_type: 'lifetime_usage_amount', thresholds: [{ value: '90000' }] };
  const writes: [string, (charge: string) => JsonRecord][] = [
    [
      'update_subscription',
      id => {
        const charges = [{ id, properties: { amount: '0.03' } }];
        return { external_id, plan_overrides: { charges, minimum_commitment: { amount_cents: 5000 } } };
      },
    ],
    ['update_wallet', () => ({ svc_id: demoIds.wallet_svc_id, recurring_transaction_rules: [monthly] })],
    ['create_subscription_alert', () => ({ external_id, alerts: [much] })],
  ];

  const chargeOf = async (client: TestClient) => {
    const { content } = await client.call('get_subscription', { external_id, detail: 'full' });
    const { plan } = content.subscription as { plan: { charges: { svc_id: string; charge_model: string }[] } };
    return plan.charges.find(({ charge_model: model }) => model === 'standard')!.svc_id;
  };

  it('gets the same question, dry run, receipt, way back and audit lines', async () => {
    const seen = [];
    for (const spelled of [(args: JsonRecord) => args, (args: JsonRecord) => allAsText(args) as JsonRecord]) {
      const server = await start({ BILLING_CONFIRM: 'always' });
      const charge = await chargeOf(server.client);
      const answers = [];
      for (const [tool, args] of writes) {
        answers.push(await server.client.call(tool, { ...spelled(args(charge)), dry_run: true }));
        answers.push(await server.client.call(tool, spelled(args(charge))));
      }
      for (const { isError, text } of answers) expect(isError, text).toBe(false);
      seen.push({
        answers: withoutChance(answers.map(({ content }) => content)),
        asked: withoutChance(server.client.asked),
        audited: server.audited(),
      });
      await server.close();
    }
    expect(seen[0]!.asked).toHaveLength(writes.length);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('is refused above the same limit of amounts', async () => {
    const server = await start({ BILLING_CONFIRM: 'never', BILLING_MAX_AMOUNT: 'USD:0.01' });
    const charge = await chargeOf(server.client);
    for (const [tool, args] of writes.slice(0, 2)) {
      const plain = await server.client.call(tool, args(charge));
      const text = await server.client.call(tool, allAsText(args(charge)) as JsonRecord);
      expect(plain.isError, plain.text).toBe(true);
      expect(plain.text).toContain('amount_limit');
      expect(text.text).toBe(plain.text);
    }
    await server.close();
  });
});
