/** Side effects of writes (service-behaviour §3) are named in the question, the dry run and the summary. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/runtime.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const inTenYears = `${new Date().getUTCFullYear() + 10}-01-01T00:00:00Z`;

interface Trap {
  trap: string;
  tool: string;
  args: JsonRecord;
  /** What was read earlier on this connection, as [resource, record]. */
  read?: [string, JsonRecord];
  says: RegExp;
}

const charges = [
  { svc_id: 'c1', billable_metric_code: 'calls' },
  { svc_id: 'c2', billable_metric_code: 'storage' },
];
const wallet = { svc_id: id, metadata: { cost_centre: '7' }, recurring_transaction_rules: [{ svc_id: 'r1' }] };
const subscription = (fields: JsonRecord): [string, JsonRecord] => [
  'subscription',
  { external_id: 'sub-1', ...fields },
];

const traps: Trap[] = [
  {
    trap: 'applies_to left out, limits unknown',
    tool: 'update_wallet',
    args: { svc_id: id, name: 'Main' },
    says: /applies_to is left out: the service drops the wallet's metric limits/,
  },
  {
    trap: 'applies_to left out, limits known',
    tool: 'update_wallet',
    args: { svc_id: id, name: 'Main' },
    read: ['wallet', { ...wallet, applies_to: { billable_metric_codes: ['calls'] } }],
    says: /drops the wallet's metric limits \(calls\)/,
  },
  {
    trap: 'rules that replace',
    tool: 'update_wallet',
    args: { svc_id: id, applies_to: {}, recurring_transaction_rules: [] },
    read: ['wallet', wallet],
    says: /recurring_transaction_rules replaces the wallet's rules: all end/,
  },
  {
    trap: 'wallet metadata that replace',
    tool: 'update_wallet',
    args: { svc_id: id, applies_to: {}, metadata: { project: 'x' } },
    read: ['wallet', wallet],
    says: /metadata replaces everything stored; removed: cost_centre/,
  },
  {
    trap: 'a first plan override',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', plan_overrides: { amount_cents: 5000 } },
    read: subscription({ plan: { code: 'pro', parent_id: null, charges } }),
    says: /first override: without tax_codes and minimum_commitment .*no plan taxes and no minimum commitment/,
  },
  {
    trap: 'a later plan override',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', plan_overrides: { trial_period: 3, charges: [{ id: 'c1', min_amount_cents: 5 }] } },
    read: subscription({ plan: { code: 'pro', parent_id: 'p0', charges } }),
    says: /charges that are not listed are deleted.* Not listed: storage.* trial_period would be ignored/,
  },
  {
    trap: 'an override of which nothing is known',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', plan_overrides: { amount_cents: 5000 } },
    says: /If this is the first override[\s\S]*If it already has an override/,
  },
  {
    trap: 'a start that activates',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', status: 'pending', subscription_at: '2026-01-01T00:00:00Z' },
    read: subscription({ status: 'pending' }),
    says: /activates the subscription at once/,
  },
  {
    trap: 'a start that is ignored',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', subscription_at: inTenYears },
    read: subscription({ status: 'active' }),
    says: /is active: a new start is ignored/,
  },
  {
    trap: 'an end',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', ending_at: inTenYears },
    says: /The subscription ends at/,
  },
  {
    trap: 'a payment status that moves no money',
    tool: 'update_invoice',
    args: { svc_id: id, payment_status: 'succeeded' },
    says: /moves no money/,
  },
  {
    trap: 'a payment status that fills a wallet',
    tool: 'update_invoice',
    args: { svc_id: id, payment_status: 'succeeded' },
    read: ['invoice', { svc_id: id, invoice_type: 'credit' }],
    says: /pays for wallet credits/,
  },
  {
    trap: 'invoice metadata that replace',
    tool: 'update_invoice',
    args: { svc_id: id, metadata: [{ key: 'po', value: '7' }] },
    read: ['invoice', { svc_id: id, metadata: [{ svc_id: 'm1', key: 'cost_centre', value: '1' }] }],
    says: /metadata replaces the list; removed: cost_centre/,
  },
  {
    trap: 'credit note metadata that change nothing',
    tool: 'update_credit_note',
    args: { svc_id: id, metadata: {} },
    says: /metadata merges here: null or \{\} changes nothing/,
  },
  {
    trap: 'an add-on that plans may use',
    tool: 'delete_add_on',
    args: { code: 'setup' },
    says: /Plans that use add-on "setup" as a fixed charge lose that charge/,
  },
  {
    trap: 'an add-on that plans are known to use',
    tool: 'delete_add_on',
    args: { code: 'setup' },
    read: ['plan', { code: 'pro', fixed_charges: [{ add_on_code: 'setup' }, { add_on_code: 'other' }] }],
    says: /as a fixed charge \(pro\) lose that charge/,
  },
];

let upstream: CountingUpstream;
beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());

describe('warned of in the question, the dry run and the summary, with one request in total', () => {
  let runtime: Runtime;
  let client: TestClient;

  it.each(traps)('$trap', async ({ tool, args, read, says }) => {
    runtime = startRuntime(upstream.url);
    client = await connectClient(runtime, '2026-07-28', true);
    if (read) runtime.memoryOf(runtime.ownCaller('stdio')).remember(...read);
    upstream.taken();
    const planned = await client.call(tool, { ...args, dry_run: true });
    expect(warningsOf(planned.content.dry_run)).toMatch(says);
    expect(upstream.taken()).toBe(0);
    const { content } = await client.call(tool, args);
    expect(client.asked.join()).toMatch(says);
    expect(content.summary).toMatch(says);
    expect(upstream.taken()).toBe(1);
    await client.close();
    await runtime.close();
  });
});

function warningsOf(value: unknown): string {
  return ((value as JsonRecord).warnings as string[]).join('\n');
}

describe('not warned of, because nothing is lost', () => {
  it.each<[string, string, JsonRecord, [string, JsonRecord] | undefined]>([
    ['limits that are sent along', 'update_wallet', { svc_id: id, name: 'x', applies_to: {} }, undefined],
    [
      'limits that the wallet does not have',
      'update_wallet',
      { svc_id: id, name: 'x' },
      ['wallet', { svc_id: id, applies_to: { billable_metric_codes: [] } }],
    ],
    ['another name', 'update_subscription', { external_id: 'sub-1', name: 'x' }, undefined],
    [
      'units of a fixed charge',
      'update_subscription',
      { external_id: 'sub-1', plan_overrides: { fixed_charges: [{ id: 'f1', units: 3 }] } },
      undefined,
    ],
    [
      'a list with every stored entry',
      'update_invoice',
      { svc_id: id, metadata: [{ id: 'm1', key: 'a', value: '1' }] },
      ['invoice', { svc_id: id, metadata: [{ svc_id: 'm1', key: 'a', value: '0' }] }],
    ],
    ['metadata that are added', 'update_credit_note', { svc_id: id, metadata: { a: '1' } }, undefined],
    ['another add-on’s name', 'update_add_on', { code: 'setup', name: 'x' }, undefined],
  ])('%s', async (_what, tool, args, read) => {
    const runtime = startRuntime(upstream.url);
    const client = await connectClient(runtime, '2025-11-25', true);
    if (read) runtime.memoryOf(runtime.ownCaller('stdio')).remember(...read);
    const { content } = await client.call(tool, { ...args, dry_run: true });
    expect(warningsOf(content.dry_run)).toBe('');
    await client.close();
    await runtime.close();
  });
});
