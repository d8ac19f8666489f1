/** What the directories of connectors ask of every tool: its title and hints, its name, and answers of a bounded size. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideTool } from '../../src/call/decide.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { changesAccount } from '../../src/tool/effect.ts';
import { listTool } from '../../src/tool/listing.ts';
import { toolDefinitions } from '../../tools/index.ts';
import { lookupBody } from './lookup-bodies.ts';
import { type LookupWorld, lookupWorld, meta } from './lookup-upstream.ts';

/** Of a whole answer; larger ones are cut or refused by hosts. */
const mostTokens = 25_000;
const listed = [...toolDefinitions.map(tool => listTool(tool)), decideTool];

describe.each(listed.map(tool => [tool.name, tool] as const))('%s', (name, { title, annotations }) => {
  it('has a name of at most 64 letters, digits and _, and a title of its own, which the hints repeat', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(title.length).toBeGreaterThan(3);
    expect(listed.filter(other => other.title === title)).toHaveLength(1);
    expect(annotations.title).toBe(title);
  });

  it('either reads or writes, and its hints say which', () => {
    const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
    expect([typeof readOnlyHint, typeof destructiveHint, typeof openWorldHint]).toEqual([
      'boolean',
      'boolean',
      'boolean',
    ]);
    expect(readOnlyHint && destructiveHint).toBe(false);
  });
});

describe('a tool that reads', () => {
  it.each(toolDefinitions.filter(({ effect }) => !changesAccount(effect)).map(tool => [tool.name, tool] as const))(
    '%s sends nothing but GET, or a POST that stores nothing',
    (_, { endpoint, effect }) => {
      expect(endpoint).toMatch(effect === 'read' ? /^GET / : /^POST \/(invoices\/preview|events\/estimate_fees)$/);
    },
  );

  it('is no other one: each tool that changes something says so in its name', () => {
    for (const { name, effect } of toolDefinitions)
      expect(/^(update|create|delete)_/.test(name)).toBe(changesAccount(effect));
  });
});

describe('the section Privacy of the README', () => {
  const [, line = ''] = /^## Privacy\n\n(.*)$/m.exec(readFileSync('README.md', 'utf8')) ?? [];

  it('says what goes where, and what is written to disk', () => {
    for (const said of [
      'chat host',
      'billing API',
      'no telemetry',
      'in memory only',
      '`BILLING_AUDIT_LOG`',
      '`--data`',
      '`BILLING_REDIS_URL`',
    ])
      expect(line).toContain(said);
  });

  it('holds: no module of the MCP side but the audit log writes files, and none has an address of its own to send to', () => {
    const sources = ['src', 'tools']
      .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`))
      .filter(path => path.endsWith('.ts') && !/^src\/(service|cli|rehearse)\//.test(path));
    expect(sources.length).toBeGreaterThan(200);
    const writing = /\b(writeFile|appendFile|createWriteStream|mkdir|mkdtemp)(Sync)?\b|\bopen\([^)]*'[aw]/;
    expect(sources.filter(path => writing.test(readFileSync(path, 'utf8')))).toEqual(['src/policy/audit.ts']);
    const hosts = sources
      .flatMap(path => [...readFileSync(path, 'utf8').matchAll(/https?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/g)])
      .map(([, host]) => host!);
    expect(hosts.filter(host => !/\.(example\.com|invalid)$/.test(host))).toEqual([]);
  });
});

interface Size {
  /** Records on a page. */
  rows: number;
  /** Fees, charges, thresholds and the like in a record. */
  lines: number;
  /** Characters of a name or description. */
  text: number;
}

const uuid = (n: number) =>
  `5eb0${String(n).padStart(4, '0')}-a71e-4ea2-bcf9-f07d8719${String(n % 10_000).padStart(4, '0')}`;
const range = (n: number) => Array.from({ length: n }, (_, index) => index);
const at = '2026-02-01T00:00:00Z';

/** One line of anything: a fee, a charge, a used charge, a threshold, an item. */
function line(n: number, text: number): JsonRecord {
  const name = `Line ${n} ${'x y '.repeat(text / 4)}`;
  const ids = {
    svc_id: uuid(n),
    svc_invoice_id: uuid(n + 1),
    svc_charge_id: uuid(n + 2),
    svc_subscription_id: uuid(n + 3),
  };
  const amounts = {
    amount_cents: 1234,
    amount_currency: 'USD',
    taxes_amount_cents: 12,
    total_amount_cents: 1246,
    total_amount_currency: 'USD',
  };
  return {
    ...{
      ...ids,
      ...amounts,
      code: `metric_${n}`,
      billable_metric_code: `metric_${n}`,
      invoice_display_name: name,
      description: name,
    },
    ...{ item: { type: 'charge', code: `metric_${n}`, name, svc_item_id: uuid(n), item_type: 'BillableMetric' } },
    ...{ billable_metric: { svc_id: uuid(n), name, code: `metric_${n}`, aggregation_type: 'sum_agg' } },
    ...{ charge: { svc_id: uuid(n), charge_model: 'standard', invoice_display_name: null } },
    ...{
      charge_model: 'standard',
      properties: { amount: '0.12' },
      units: '10.0',
      events_count: 3,
      value: '100',
      recurring: false,
    },
    ...{
      from_date: at,
      to_date: at,
      from_datetime: at,
      to_datetime: at,
      filters: [],
      grouped_usage: [],
      applied_taxes: [],
    },
    ...{
      precise_amount: '12.34',
      precise_total_amount: '12.46',
      payment_status: 'pending',
      currency: 'USD',
      created_at: at,
    },
  };
}

/** A record that can stand for any: it has the fields of all, and the long list of its kind. */
function record(n: number, { lines, text }: Size, kind: string): JsonRecord {
  const name = `Record ${n} ${'ä bc '.repeat(text / 5)}`;
  const long = longLists[kind.replace(/s$/, '')] ?? 'applied_taxes';
  const list = range(lines).map(index => (long === 'invoice_ids' ? uuid(index) : line(index, text)));
  const ids = { svc_id: uuid(n), external_id: `id-${n}`, external_customer_id: 'acme', svc_customer_id: uuid(n) };
  const plan = { svc_id: uuid(n), code: 'pro', name, interval: 'monthly', amount_cents: 100, amount_currency: 'USD' };
  const number = `ACM-0001-001-${n}`;
  return {
    ...{ ...ids, code: `code_${n}`, name, description: name, number, invoice_number: number, transaction_id: `t-${n}` },
    ...{ customer: { svc_id: uuid(n), external_id: 'acme', name, email: 'a@example.com', address_line1: name } },
    ...{ external_subscription_id: 'main', plan_code: 'pro', plan: { ...plan, charges: long === 'plan' ? list : [] } },
    ...{ status: 'active', payment_status: 'pending', currency: 'USD', amount_currency: 'USD', amount_cents: 100 },
    ...{ total_amount_cents: 100, fees_amount_cents: 100, taxes_amount_cents: 0, total_due_amount_cents: 100 },
    ...{ balance_cents: 100, credits_balance: '1.0', rate_amount: '1.0', amount: '1.0', credit_amount: '1.0' },
    ...{ alert_type: 'current_usage_amount', webhook_url: 'https://example.com/hook', signature_algo: 'hmac' },
    ...{
      portal_url: 'https://example.com/p',
      from_datetime: at,
      to_datetime: at,
      issuing_date: '2026-02-01',
      month: at,
    },
    ...{ timestamp: at, created_at: at, started_at: at, invoices_count: 1, invoice_type: 'subscription' },
    ...{
      properties: Object.fromEntries(range(20).map(index => [`key_${index}`, name])),
      metadata: [],
      subscriptions: [],
    },
    ...{ credit_status: 'available', transaction_type: 'inbound', transaction_status: 'purchased' },
    ...{ fees: [], charges: [], charges_usage: [], thresholds: [], items: [], invoice_ids: [], invoice_numbers: [] },
    ...(long !== 'plan' && { [long]: list }),
  };
}

/** Which list of a record may be long; of others, the taxes. */
const longLists: Record<string, string> = {
  ...{ invoice: 'fees', credit_note: 'items', plan: 'charges', subscription: 'plan', customer_usage: 'charges_usage' },
  ...{ usage_period: 'charges_usage', alert: 'thresholds', payment: 'invoice_ids' },
};

/** Every list has as many records as were asked for; everything else is one record. */
function bodyOf({ pathname, searchParams }: URL, method: string | undefined, size: Size): object | undefined {
  const one = (key: string) => ({ [key]: record(0, size, key) });
  if (pathname.endsWith('/invoices/preview')) return one('invoice');
  if (pathname.endsWith('/estimate_fees')) return { fees: range(size.lines).map(n => line(n, size.text)) };
  if (pathname.endsWith('/portal_url')) return one('customer');
  if (/\/alerts\/[^/]+$/.test(pathname) || (method === 'POST' && pathname.endsWith('/alerts'))) return one('alert');
  if (method === 'POST' && pathname.endsWith('/billing_entities')) return one('billing_entity');
  const single = /\/(webhook_endpoint|wallet_transaction)s\/[^/]+$/.exec(pathname)?.[1];
  if (single !== undefined) return one(single);
  const body = lookupBody(pathname, {}) as JsonRecord | undefined;
  const [key = ''] = Object.keys(body ?? {}).filter(name => name !== 'meta');
  if (body === undefined) return undefined;
  if (!Array.isArray(body[key])) return one(key);
  const asked = Number(searchParams.get('per_page') ?? size.rows);
  const rows = range(Math.min(asked, size.rows)).map(index => record(index, size, key));
  return { [key]: rows, ...('meta' in body && { meta: meta(rows.length * 3, { pages: 3 }) }) };
}

const customer = { external_customer_id: 'acme' };
const id = { svc_id: uuid(0) };
/** The largest answer that each tool has by default, and with `full` where it is offered. */
const calls: Record<string, object[]> = {
  get_customer: [customer],
  get_customer_portal_url: [customer],
  list_plans: [{ per_page: 100 }, { per_page: 1 }],
  preview_invoice: [{ customer: { external_id: 'acme' }, plan_code: 'pro' }],
  compare_plans: [{ plan_codes: range(10).map(n => `code_${n}`), customer: { external_id: 'acme' } }],
  estimate_fees: [{ external_subscription_id: 'main', code: 'metric_0' }],
  get_event: [{ transaction_id: 't-0' }],
  update_subscription: [{ external_id: 'main', name: 'New' }],
  list_subscription_alerts: [{ external_id: 'main' }],
  create_subscription_alert: [
    { external_id: 'main', code: 'new', alert_type: 'lifetime_usage_amount', thresholds: [{ value: 1 }] },
  ],
  get_wallet_alert: [{ ...customer, wallet_code: 'code_0', code: 'code_0' }],
  update_wallet: [{ ...id, name: 'New' }],
  get_wallet_transaction: [id],
  update_invoice: [{ ...id, payment_status: 'succeeded' }],
  update_credit_note: [{ ...id, metadata: { a: 'b' } }],
  get_payment: [id],
  update_add_on: [{ code: 'code_0', name: 'New' }],
  delete_add_on: [{ code: 'code_0' }],
  create_billing_entity: [{ code: 'new', name: 'New' }],
  get_webhook_endpoint: [id],
  find_customers: [{ per_page: 100 }, { search_term: 'Record', all: true }],
  get_customer_overview: [customer],
  list_subscriptions: [{ per_page: 100 }, { all: true }],
  get_subscription: [{ external_id: 'main' }],
  list_invoices: [{ per_page: 100 }, { all: true }],
  get_invoice: [id],
  list_credit_notes: [{ per_page: 100 }, { all: true }],
  list_payments: [{ per_page: 100 }],
  get_revenue: ['overdue', 'gross_revenue', 'mrr', 'invoiced_usage', 'invoice_collection'].map(report => ({ report })),
  list_wallets: [{ per_page: 100 }],
  list_wallet_transactions: [{ ...id, per_page: 100 }],
  get_usage: [{ ...customer, external_subscription_id: 'main' }],
  list_events: [{ per_page: 50 }],
  list_catalogue: [
    'add_ons',
    'coupons',
    'billable_metrics',
    'taxes',
    'billing_entities',
    'applied_coupons',
    'fees',
  ].map(kind => ({ kind, per_page: 100 })),
};

describe('an answer', () => {
  let world: LookupWorld;
  const largest = new Map<string, number>();
  beforeAll(async () => {
    world = await lookupWorld({ BILLING_CONFIRM: 'never', BILLING_MAX_WRITES_PER_MINUTE: '100000' });
  });
  afterAll(async () => {
    await world.close();
    process.stderr.write(`${[...largest].map(([what, tokens]) => `${what.padEnd(60)}${tokens}`).join('\n')}\n`);
  });

  it('is tried of every tool', () => {
    expect(Object.keys(calls).sort()).toEqual(toolDefinitions.map(({ name }) => name).sort());
  });

  const size = fc.record({
    rows: fc.integer({ min: 1, max: 100 }),
    lines: fc.integer({ min: 0, max: 500 }),
    text: fc.integer({ min: 0, max: 250 }),
  });
  const extremes: [Size][] = [
    [{ rows: 100, lines: 0, text: 250 }],
    [{ rows: 100, lines: 10, text: 250 }],
    [{ rows: 2, lines: 500, text: 60 }],
  ];
  const tried = Object.entries(calls).flatMap(([tool, all]) => {
    const { detail } = toolDefinitions.find(({ name }) => name === tool)!;
    return all.flatMap(args => [
      [tool, args] as const,
      ...(detail ? [[tool, { ...args, detail: 'full' }] as const] : []),
    ]);
  });

  it.each(tried)(
    `of %s with %o stays below ${mostTokens} tokens, however large the records are`,
    async (tool, args) => {
      const said = `${tool} ${JSON.stringify(args).slice(0, 40)}`;
      const check = async (drawn: Size) => {
        // More than 10 MB are refused: a hundred records have few lines each.
        const fitting = { ...drawn, lines: Math.min(drawn.lines, Math.floor(1_000 / drawn.rows)) };
        world.script((url, request) => bodyOf(url, request.method, fitting));
        const answer = await world.call(tool, args);
        expect(answer.error, `${tool} ${JSON.stringify(answer.error)}`).toBeUndefined();
        const tokens = countTokens(JSON.stringify(answer));
        largest.set(said, Math.max(largest.get(said) ?? 0, tokens));
        expect(tokens, JSON.stringify(fitting)).toBeLessThan(mostTokens);
      };
      await fc.assert(fc.asyncProperty(size, check), { numRuns: 4, examples: extremes, endOnFailure: true });
    },
    120_000,
  );
});
