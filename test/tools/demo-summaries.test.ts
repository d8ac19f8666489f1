/** What people decide by is said in the summaries of the demo's answers, not in their records alone. */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ToolAnswer } from '../../src/calls/call/result.ts';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { nobody } from '../../src/definition/asking.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { createRuntime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { toolByName } from '../../tools/all-tools.ts';
import { factsOf } from '../support/facts.ts';
import { reads } from '../words/golden-calls.ts';

const now = '2026-03-15T12:00:00Z';
const runtime = createRuntime({ config: loadConfig(['--demo', '--confirm', 'never', '--now', now], {}).config });
afterAll(() => runtime.close());

async function answer(tool: string, args: JsonRecord, on = runtime): Promise<ToolAnswer> {
  const outcome = await on.pipeline.call(tool, args, { caller: on.ownCaller(), client: nobody });
  if (outcome.kind !== 'result' || outcome.answer.isError) throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  return outcome.answer;
}

const summary = (tool: string, record: JsonRecord, args: JsonRecord = {}) =>
  toolByName.get(tool)!.say(record, { args, now: new Date(now) });

it('is the same of each call to one who has read nothing and to one who has read everything', async () => {
  const fresh = createRuntime({ config: loadConfig(['--demo', '--now', now], {}).config });
  onTestFinished(() => fresh.close());
  const calls = Object.entries(reads).flatMap(([tool, cases]) => cases.map(([, args]) => [tool, args] as const));
  const told = async ([tool, args]: (typeof calls)[number], caller: string) => {
    const outcome = await fresh.pipeline.call(tool, args, { caller: fresh.ownCaller(caller), client: nobody });
    return outcome.kind === 'result' ? `${tool} ${JSON.stringify(args)}: ${outcome.answer.summary}` : outcome.kind;
  };
  const alone: string[] = [];
  const after: string[] = [];
  for (const [at, call] of calls.entries()) alone.push(await told(call, `caller ${at}`));
  for (const call of [...calls, ...calls]) after.push(await told(call, 'one'));
  expect(after).toEqual([...alone, ...alone]);
});

describe('plans', () => {
  it.each([{}, { detail: 'full' }])('never show counters that are always 0: %j', async detail => {
    expect(JSON.stringify((await answer('list_plans', detail)).fields)).not.toMatch(/_count":0/);
    const update = { external_id: demoIds.external_subscription_id, name: 'Studio', ...detail };
    expect(JSON.stringify((await answer('update_subscription', update)).fields)).not.toMatch(
      /(customers|subscriptions|invoices)_count/,
    );
  });

  it('count fixed charges beyond three, and name usage charges whose price cannot be read', () => {
    const fixed = Array.from({ length: 5 }, () => ({ add_on_code: 'a' }));
    const plan = { code: 'p', fixed_charges: fixed, charges: [{ code: 'x' }] };
    expect(summary('list_plans', { plans: [plan] })).toContain('2 more fixed charges; x');
  });
});

describe('a credit note', () => {
  const note = { number: 'N', currency: 'USD', total_amount_cents: 500 };

  it('says what it covers, and of how much, where nobody saw it before the write', async () => {
    const off = { BILLING_EXCLUDE_TOOLS: 'list_credit_notes' };
    const unseeing = createRuntime({ config: loadConfig(['--demo', '--confirm', 'never', '--now', now], off).config });
    const args = { svc_id: demoIds.credit_note_svc_id, metadata: { seen: 'yes' } };
    const { summary } = await answer('update_credit_note', args, unseeing);
    await unseeing.close();
    expect(factsOf(summary)).toContain('$200.00 · $750.00 · “Onboarding day” · $17.75 · $217.75 · $157.75');
  });

  it('says what coupons had taken off, and what is set against the invoice', () => {
    const fee = { amount_cents: 600, item: { name: 'Seats' } };
    const more = { coupons_adjustment_amount_cents: 100, offset_amount_cents: 500 };
    expect(factsOf(summary('update_credit_note', { ...note, ...more, items: [{ amount_cents: 600, fee }] }))).toContain(
      '$6.00 · “Seats” · $1.00 · $5.00',
    );
  });
});

describe('a payment', () => {
  it('says who must act where no link says where', () => {
    expect(summary('get_payment', { status: 'requires_action', payment_status: 'processing' })).toContain(
      'the answer has no link',
    );
  });
});

describe('a wallet', () => {
  it('says what alone it pays', () => {
    const wallet = { code: 'w', currency: 'USD', balance_cents: 5, status: 'active' };
    const limited = (applies_to: JsonRecord) => summary('update_wallet', { ...wallet, applies_to });
    expect(limited({ fee_types: ['charge', 'fixed_charge'], billable_metric_codes: [] })).toContain(
      'usage fees and fixed charges',
    );
    expect(limited({ fee_types: [], billable_metric_codes: ['seats'] })).toContain('It covers only usage of seats,');
    expect(limited({ fee_types: [], billable_metric_codes: [] })).not.toContain('It covers only');
  });
});

it('joins the filters of a subscription’s charges with the lines of its invoice by their ids', async () => {
  type Filter = { svc_id: string; charge_code: string; values: object };
  type Fee = { svc_charge_filter_id: string | null; item: { filters: object | null } };
  const external_id = demoIds.external_subscription_id;
  const read = async (tool: string, args: JsonRecord) =>
    JSON.parse(JSON.stringify((await answer(tool, { ...args, detail: 'full' })).fields));
  const { subscription } = await read('get_subscription', { external_id });
  const charges: { code: string; filters: Filter[] }[] = subscription.plan.charges;
  const filters = new Map(charges.flatMap(each => each.filters.map(filter => [filter.svc_id, { ...filter, ...each }])));
  expect(filters.size).toBeGreaterThan(0);
  for (const { charge_code, code } of filters.values()) expect(charge_code).toBe(code);
  const { invoice } = await read('preview_invoice', {
    ...{ customer: { external_id: demoIds.external_customer_id }, subscriptions: { external_ids: [external_id] } },
  });
  const filtered = (invoice.fees as Fee[]).filter(fee => fee.svc_charge_filter_id !== null);
  expect(filtered.length).toBeGreaterThan(0);
  for (const { svc_charge_filter_id: id, item } of filtered)
    expect(item.filters).toEqual(filters.get(id ?? '')?.values);
});
