/**
 * Side effects of writes (service-behaviour §3) are named in the question and the dry run, and not again in the answer. Those
 * of records that the demo account has are in `prose/`.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import { lookupBody } from '../../tools/lookup-bodies.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';

interface Trap {
  trap: string;
  tool: string;
  args: JsonRecord;
  /** What was read, as [resource, record]. */
  read?: [string, JsonRecord];
  /** Nothing is known of the record. */
  unseen?: true;
  says: RegExp;
}

const charges = [
  { svc_id: 'c1', billable_metric_code: 'calls' },
  { svc_id: 'c2', billable_metric_code: 'storage' },
];
const taxes = [{ code: 'vat', name: 'VAT', rate: 20 }];
const minimum_commitment = { svc_id: 'm1', amount_cents: 70_000 };
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
    unseen: true,
    says: /usage of some metrics, this removes/,
  },
  {
    trap: 'applies_to left out, limits known',
    tool: 'update_wallet',
    args: { svc_id: id, name: 'Main' },
    read: ['wallet', { ...wallet, applies_to: { billable_metric_codes: ['calls'] } }],
    says: /only for usage of calls/,
  },
  {
    trap: 'a first plan override',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', plan_overrides: { amount_cents: 5000 } },
    read: subscription({ plan: { code: 'pro', parent_id: null, charges, taxes, minimum_commitment } }),
    says: /own copy of plan pro[\s\S]*“VAT” \(20%\) and minimum commitment/,
  },
  {
    trap: 'an override of which nothing is known',
    tool: 'update_subscription',
    args: { external_id: 'sub-1', plan_overrides: { amount_cents: 5000, charges: [{ id: 'c1' }] } },
    unseen: true,
    says: /first price change, taxes[\s\S]*later one, charges/,
  },
  {
    trap: 'a payment status that fills a wallet',
    tool: 'update_invoice',
    args: { svc_id: id, payment_status: 'succeeded' },
    read: ['invoice', { svc_id: id, invoice_type: 'credit' }],
    says: /for wallet credits: they are added/,
  },
  {
    trap: 'an add-on that plans may use',
    tool: 'delete_add_on',
    args: { code: 'setup' },
    unseen: true,
    says: /could not read/,
  },
];

let upstream: CountingUpstream;
beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());

describe('named in the question and the dry run, with one write in total', () => {
  it.each(traps)('$trap', async ({ tool, args, read, unseen, says }) => {
    const runtime = startRuntime(upstream.url, {});
    const client = await connectClient(runtime, '2026-07-28', true);
    // What nobody has read may not be read either.
    if (unseen) upstream.answerWith(({ method }) => (method === 'GET' ? [] : undefined));
    if (read) upstream.answerWith(({ method, path }) => (method === 'GET' ? bodyOf(path, ...read) : undefined));
    onTestFinished(async () => {
      upstream.answerWith(undefined);
      await client.close();
      await runtime.close();
    });
    upstream.taken();
    const planned = await client.call(tool, { ...args, dry_run: true });
    const { question, warnings } = planned.content.dry_run as { question: string; warnings: string[] };
    expect([question, ...warnings].join('\n')).toMatch(says);
    expect(warnings.some(warning => warning.includes('could not read the record'))).toBe(unseen === true);
    expect(upstream.written()).toBe(0);
    const from = upstream.received.length;
    const { content } = await client.call(tool, args);
    expect(client.asked).toHaveLength(1);
    expect(client.asked[0]).toMatch(says);
    // What was warned of has happened: the receipt does not warn of it again.
    expect(content.receipt).toBeTypeOf('object');
    expect(content.receipt).not.toHaveProperty('warnings');
    for (const warning of warnings) expect(content.summary).not.toContain(warning);
    const methods = upstream.received.slice(from).map(({ method }) => method);
    expect(methods.filter(method => method !== 'GET')).toHaveLength(1);
  });
});

/** The record, where the path is one of its resource; elsewhere what the service answers by itself. */
function bodyOf(path: string, resource: string, record: JsonRecord): object | undefined {
  return path.includes(`/${resource}s`) ? lookupBody(path, { status: 'active', ...record }) : undefined;
}

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
    const runtime = startRuntime(upstream.url, {});
    const client = await connectClient(runtime, '2025-11-25', true);
    if (read) upstream.answerWith(({ method, path }) => (method === 'GET' ? bodyOf(path, ...read) : undefined));
    onTestFinished(async () => {
      upstream.answerWith(undefined);
      await client.close();
      await runtime.close();
    });
    const { content } = await client.call(tool, { ...args, dry_run: true });
    expect(warningsOf(content.dry_run)).toBe('');
  });
});
