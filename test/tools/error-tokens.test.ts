/** What errors of the demo cost an assistant, and that each helps: one working id of the kind that was asked for. */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { resultOf } from '../../src/calls/dispatch.ts';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { nobody } from '../../src/definition/asking.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { createRuntime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { refusalsOf } from '../support/output-schemas.ts';

/** Of the whole answer, in the encoding o200k. */
const mostTokens = 140;
const runtime = createRuntime({ config: loadConfig(['--demo', '--confirm', 'never'], {}).config });
afterAll(() => runtime.close());

interface Failure {
  summary: string;
  error: { status: number | null; code: string; details?: unknown; hint: string; changed: unknown };
}

async function failure(tool: string, args: JsonRecord): Promise<Failure> {
  const outcome = await runtime.pipeline.call(tool, args, { caller: runtime.ownCaller(), client: nobody });
  if (outcome.kind !== 'result' || !outcome.answer.isError) throw new Error(`${tool} did not fail`);
  const { content, structuredContent } = resultOf(outcome.answer);
  const { text } = content[0] as { text: string };
  expect(JSON.parse(text)).toEqual(structuredContent);
  const tokens = countTokens(text);
  console.error(`${String(tokens).padStart(4)} ${text}`);
  expect(tokens, text).toBeLessThanOrEqual(mostTokens);
  expect(refusalsOf(tool, structuredContent)).toEqual([]);
  return structuredContent as unknown as Failure;
}

const none = '12345678-1234-4321-8765-123456789abc';
const { external_customer_id: customer, external_subscription_id: subscription } = demoIds;

describe('a record that the demo does not have', () => {
  // biome-ignore format: a table
  const rows: [tool: string, args: JsonRecord, code: string, existing: string][] = [
    ['get_customer', { external_customer_id: 'acme-corporation' }, 'customer_not_found', customer],
    ['get_customer', { external_customer_id: none }, 'customer_not_found', customer],
    ['get_customer_portal_url', { external_customer_id: 'acme-corporation' }, 'customer_not_found', customer],
    ['preview_invoice', { plan_code: 'startup-2024', customer: { external_id: customer } }, 'plan_not_found', demoIds.plan_code],
    ['estimate_fees', { code: 'tokens', external_subscription_id: 'acme' }, 'subscription_not_found', subscription],
    ['get_event', { transaction_id: 'evt_123456789' }, 'event_not_found', demoIds.event_transaction_id],
    ['update_subscription', { external_id: 'acme', name: 'A' }, 'subscription_not_found', subscription],
    ['list_subscription_alerts', { external_id: 'acme' }, 'subscription_not_found', subscription],
    ['create_subscription_alert', { external_id: 'acme', code: 'a', alert_type: 'current_usage_amount', thresholds: [{ value: 100 }] }, 'subscription_not_found', subscription],
    ['get_wallet_alert', { external_customer_id: customer, wallet_code: demoIds.wallet_code, code: 'low' }, 'alert_not_found', demoIds.wallet_alert_code],
    ['get_wallet_alert', { external_customer_id: customer, wallet_code: 'savings', code: 'low' }, 'wallet_not_found', demoIds.wallet_code],
    ['update_wallet', { svc_id: none, name: 'A' }, 'wallet_not_found', demoIds.wallet_svc_id],
    ['get_wallet_transaction', { svc_id: none }, 'wallet_transaction_not_found', demoIds.wallet_transaction_svc_id],
    ['update_invoice', { svc_id: none, payment_status: 'succeeded' }, 'invoice_not_found', demoIds.invoice_svc_id],
    ['update_credit_note', { svc_id: none, refund_status: 'succeeded' }, 'credit_note_not_found', demoIds.credit_note_svc_id],
    ['get_payment', { svc_id: none }, 'payment_not_found', demoIds.payment_svc_id],
    ['update_add_on', { code: 'setup-fee', amount_cents: 100 }, 'add_on_not_found', demoIds.add_on_code],
    ['delete_add_on', { code: 'setup-fee' }, 'add_on_not_found', demoIds.add_on_code],
    ['get_webhook_endpoint', { svc_id: none }, 'webhook_endpoint_not_found', demoIds.webhook_endpoint_svc_id],
  ];
  it.each(rows)('%s %j: %s, and one that it has', async (tool, args, code, existing) => {
    const { error, summary } = await failure(tool, args);
    expect(error).toMatchObject({ status: 404, code, changed: false });
    expect(error.hint).toContain(existing);
    const [, named = ''] = error.hint.split(/Example from the demo: /);
    const uuids = Object.values(demoIds).filter(id => id.length === 36 && named.includes(id));
    expect(named.split(' ').length, named).toBeLessThanOrEqual(4);
    expect(uuids.length).toBeLessThanOrEqual(1);
    expect(summary).toContain(code);
    expect(summary).not.toContain(error.hint);
  });
});

describe('refused arguments', () => {
  // biome-ignore format: a table
  const rows: [tool: string, args: JsonRecord, named: string[]][] = [
    ['get_customer', {}, ['external_customer_id is required']],
    ['get_customer', { customer_id: 'a' }, ['did you mean external_customer_id?', 'external_customer_id is required']],
    ['get_payment', { svc_id: 'pay_1' }, ['svc_id must be a UUID']],
    ['update_add_on', { code: 'onboarding', amount_cents: 12.5 }, ['amount_cents must be a whole number']],
    ['update_add_on', { code: 'onboarding' }, ['contain no change: send at least']],
    ['update_subscription', { external_id: 'a', price: 5 }, ['price is not known']],
    ['preview_invoice', { frobnicate: 1 }, ['frobnicate is not known']],
    ['create_billing_entity', { frobnicate: 1, country: 'UK', timezone: 'Berlin', default_currency: 'Euro' }, ['frobnicate is not known', 'code']],
    ['create_subscription_alert', { external_id: 'a', alert_type: 'budget', thresholds: [{ value: 'x' }, { value: 'y' }] }, ['alert_type must be one of current_usage_amount, ', 'not "budget"', 'thresholds[0].value', 'value,code']],
    ['update_invoice', { svc_id: 'x', payment_status: 'paid' }, ['svc_id must be a UUID']],
    ['update_subscription', { external_id: 'a', name: 'A', detail: 'every single field that there is, with all charges and their tiers' }, ['detail has no field', 'send "full" or names from']],
    ['list_plans', { detail: 'FULL_ANSWER_WITH_EVERY_FIELD' }, ['detail has no field']],
    ['preview_invoice', { a1: 1, b1: 1, c1: 1, d1: 1, e1: 1, f1: 1, g1: 1, h1: 1, i1: 1, j1: 1, k1: 1, l1: 1, m1: 1, n1: 1, o1: 1, p1: 1 }, ['a1 is not known']],
  ];
  it.each(rows)('%s %j names them and the fix', async (tool, args, named) => {
    const { error, summary } = await failure(tool, args);
    expect(error.code).toBe('invalid_arguments');
    const names = error.details as string[];
    for (const words of named) expect(summary + names).toContain(words);
  });

  // biome-ignore format: a table
  const refused: [tool: string, args: JsonRecord, said: string][] = [
    ['estimate_fees', { code: 'storage', external_subscription_id: subscription }, ''],
    ['create_billing_entity', { code: demoIds.billing_entity_code, name: 'Skylark' }, '“Skylark Inc.” (skylark-us)'],
    ['update_add_on', { code: demoIds.add_on_code, amount_cents: 0 }, ''],
  ];
  it.each(refused)('%s %j: by the service', async (tool, args, said) => {
    const { error, summary } = await failure(tool, args);
    expect(summary).toContain(said);
    expect(error.hint).not.toBe('');
  });
});
