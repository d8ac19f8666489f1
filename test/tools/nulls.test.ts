/** Hosts in strict mode send null for every optional argument that their model leaves out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subscription } from '../../src/contract/subscription.ts';
import { wallet } from '../../src/contract/wallet.ts';
import { checkArguments } from '../../src/definition/check.ts';
import type { AnyTool } from '../../src/definition/define.ts';
import { clearedFields } from '../../src/definition/field-arguments.ts';
import { listTool } from '../../src/definition/listing.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { type CountingUpstream, startCountingUpstream } from '../calls/change/counting-upstream.ts';
import { samples } from '../calls/change/samples.ts';
import { svcId as id } from '../support/api.ts';
import { connectClient, startRuntime } from '../support/clients.ts';

interface Listed {
  properties?: Record<string, Listed>;
  items?: Listed & { enum?: string[] };
  required?: string[];
  anyOf?: { type: string }[];
}

const schemaOf = (tool: AnyTool) => listTool(tool).inputSchema as Listed;
const offersNull = (schema: Listed) => schema.anyOf?.some(({ type }) => type === 'null') === true;
const clearedIn = (tool: AnyTool) => schemaOf(tool).properties?.clear?.items?.enum ?? [];

function check(name: string, args: JsonRecord) {
  return checkArguments(toolByName.get(name)!, args);
}

function accepted(name: string, args: JsonRecord) {
  const checked = check(name, args);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked;
}

function problem(name: string, args: JsonRecord): string {
  const checked = check(name, args);
  return checked.ok ? '' : checked.problems[0]!.message;
}

/** The call as a strict host sends it: with every listed argument. */
function filledIn(name: string, args: JsonRecord): JsonRecord {
  const nulls = Object.keys(schemaOf(toolByName.get(name)!).properties!).map(argument => [argument, null]);
  return { ...Object.fromEntries(nulls), ...args };
}

const clears = {
  update_subscription: [...clearedFields(subscription), 'on_termination_credit_note'],
  update_wallet: clearedFields(wallet),
  update_credit_note: ['refund_status'],
};

describe('what null means', () => {
  it.each(toolDefinitions.map(tool => [tool.name, tool] as const))(
    'left out, for every argument of %s that clear does not name',
    (name, tool) => {
      const sample = samples[name]!;
      const { args, control } = accepted(name, sample);
      for (const argument of Object.keys(schemaOf(tool).properties!)) {
        if (argument in sample || clearedIn(tool).includes(argument)) continue;
        expect(accepted(name, { ...sample, [argument]: null }), argument).toMatchObject({ args, control });
        expect(accepted(name, { ...sample, [argument]: null }).args, argument).toEqual(args);
      }
    },
  );

  const rule = { svc_id: 'r', expiration_at: null, transaction_name: null, transaction_metadata: null };
  const manual = { payment_method_type: 'manual' };
  const openTier = { graduated_ranges: [{ to_value: null }] };
  it.each<[string, JsonRecord, JsonRecord]>([
    [
      'update_wallet',
      { applies_to: { fee_types: null, billable_metric_codes: ['m'] } },
      { applies_to: { billable_metric_codes: ['m'] } },
    ],
    [
      'update_wallet',
      { recurring_transaction_rules: [{ ...rule, payment_method: { payment_method_id: null, ...manual } }] },
      { recurring_transaction_rules: [{ svc_id: 'r', payment_method: manual }] },
    ],
    ['update_wallet', { name: 'x', metadata: null, recurring_transaction_rules: null }, { name: 'x' }],
    [
      'update_subscription',
      {
        plan_overrides: {
          ...{ amount_cents: null, name: 'x', usage_thresholds: null },
          charges: [{ id: 'c', min_amount_cents: null, properties: { amount: null, ...openTier } }],
        },
      },
      { plan_overrides: { name: 'x', charges: [{ id: 'c', properties: { amount: null, ...openTier } }] } },
    ],
    [
      'update_subscription',
      { plan_overrides: '{"amount_cents":null,"charges":"[{\\"id\\":\\"c\\",\\"code\\":null}]"}' },
      { plan_overrides: { charges: [{ id: 'c' }] } },
    ],
    ['update_invoice', { metadata: [{ id: null, key: 'a', value: null }] }, { metadata: [{ key: 'a' }] }],
    ['update_invoice', { metadata: null, payment_status: 'failed' }, { payment_status: 'failed' }],
    ['update_add_on', { description: null, tax_codes: null, amount_cents: 5 }, { amount_cents: 5 }],
    ['update_credit_note', { metadata: { a: null } }, { metadata: { a: null } }],
  ])('%s %j', (name, given, expected) => {
    const selector = Object.fromEntries(
      Object.entries(samples[name]!).filter(([key]) => /^(svc_id|external_id|code)$/.test(key)),
    );
    const call = { ...selector, ...given };
    const before = structuredClone(call);
    expect(accepted(name, call).args).toEqual({ ...selector, ...expected });
    expect(call).toEqual(before);
  });

  it.each<[string, JsonRecord, JsonRecord]>([
    [
      'compare_plans',
      { plan_codes: ['a', 'b'], coupons: [{ code: 'c', name: null }] },
      { plan_codes: ['a', 'b'], coupons: [{ code: 'c' }] },
    ],
    [
      'preview_invoice',
      { plan_code: 'a', customer: { country: 'FR', address_line2: null, shipping_address: { city: null } } },
      { plan_code: 'a', customer: { country: 'FR' } },
    ],
    [
      'create_subscription_alert',
      { ...samples.create_subscription_alert, thresholds: [{ value: 1, code: null, recurring: null }] },
      { ...samples.create_subscription_alert, thresholds: [{ value: 1 }] },
    ],
    [
      'create_billing_entity',
      { code: 'a', name: 'A', billing_configuration: { invoice_grace_period: null } },
      { code: 'a', name: 'A' },
    ],
  ])('left out inside %s %j', (name, given, expected) => {
    expect(accepted(name, given).args).toEqual(expected);
  });

  it('required still, for an argument that must be there', () => {
    expect(problem('get_customer', { external_customer_id: null })).toBe('external_customer_id is required');
    expect(
      problem('create_subscription_alert', { ...samples.create_subscription_alert, thresholds: [{ value: null }] }),
    ).toBe('thresholds[0].value is required');
  });

  it('nothing in the listing: what an update empties stands in clear', () => {
    const visit = (schema: Listed): Listed[] => [
      schema,
      ...Object.values(schema.properties ?? {}).flatMap(visit),
      ...(schema.items ? visit(schema.items) : []),
    ];
    const offered = toolDefinitions.map(tool => {
      expect(visit(schemaOf(tool)).filter(offersNull), tool.name).toEqual([]);
      return [tool.name, clearedIn(tool)] as const;
    });
    expect(Object.fromEntries(offered.filter(([, names]) => names.length > 0))).toEqual(clears);
  });
});

describe('where the listed schema allows null', () => {
  it('null clears in a call with only the changed arguments', () => {
    for (const [name, fields] of Object.entries(clears)) {
      const selector = name === 'update_subscription' ? { external_id: 's' } : { svc_id: id };
      for (const field of fields) {
        const { args, control } = accepted(name, { ...selector, [field]: null });
        expect(args).toEqual({ ...selector, [field]: null });
        expect(control.left_out).toBeUndefined();
      }
    }
  });

  it.each(Object.entries(clears))('null means left out where every argument of %s is sent', (name, fields) => {
    const change = { update_subscription: { status: 'active', plan_overrides: {} }, update_wallet: { code: 'x' } }[
      name
    ] ?? {
      metadata: { a: 'b' },
    };
    const selector = name === 'update_subscription' ? { external_id: 's' } : { svc_id: id };
    const everything = filledIn(name, { ...selector, ...change });
    expect(accepted(name, everything)).toMatchObject({ control: { left_out: fields } });
    expect(accepted(name, everything).args).toEqual({ ...selector, ...change });
    // A model may also fill in dry_run, detail and clear; then the call needs no other null.
    const busy = { ...everything, dry_run: false, ...('detail' in everything && { detail: 'full' }), clear: [] };
    expect(accepted(name, busy).control.left_out).toEqual(fields);
    // Without these three, the call is recognised by a null that the schema does not allow.
    const { dry_run: _, detail: __, clear: ___, ...own } = everything;
    if (name !== 'update_credit_note') expect(accepted(name, own).control.left_out).toEqual(fields);
  });

  it('null clears where one argument is missing', () => {
    const { priority: _, ...call } = filledIn('update_wallet', { svc_id: id, code: 'x' });
    const nulls = Object.fromEntries(clears.update_wallet.map(name => [name, null]));
    expect(accepted('update_wallet', call).args).toEqual({ svc_id: id, code: 'x', ...nulls });
  });

  it('clear names the fields to clear, in any call', () => {
    const filled = filledIn('update_wallet', { svc_id: id, name: 'x', clear: ['expiration_at'] });
    expect(accepted('update_wallet', filled)).toMatchObject({
      args: { svc_id: id, name: 'x', expiration_at: null },
      control: { left_out: clears.update_wallet.filter(name => !['name', 'expiration_at'].includes(name)) },
    });
    expect(accepted('update_wallet', { svc_id: id, clear: ['name'] }).args).toEqual({ svc_id: id, name: null });
    expect(accepted('update_wallet', { svc_id: id, clear: '["name"]', code: 'x' }).args).toEqual({
      svc_id: id,
      code: 'x',
      name: null,
    });
    expect(accepted('update_wallet', { svc_id: id, clear: null, code: 'x' }).args).toEqual({ svc_id: id, code: 'x' });
  });

  it.each<[JsonRecord, RegExp]>([
    [{ clear: ['expiration'] }, /^clear\[0\] .*did you mean expiration_at/],
    [{ clear: ['metadata'] }, /^clear\[0\] must be one of name/],
    [{ clear: [7] }, /^clear\[0\] must be one of name/],
    [{ clear: 'name' }, /must be a list of names/],
    [{ clear: {} }, /must be a list of names/],
    [{ clear: ['name'], name: 'x' }, /^clear\[0\] names name/],
    [{ clear: [] }, /contain no change/],
    [filledIn('update_wallet', {}), /null means omitted: use clear/],
  ])('refuses %j in words', (call, message) => {
    expect(problem('update_wallet', { ...call, svc_id: id })).toMatch(message);
  });

  it('clear is not an argument of a tool that has nothing to clear', () => {
    expect(problem('update_add_on', { code: 'setup', clear: ['name'] })).toMatch(/^clear is not known/);
    expect(problem('get_customer', { external_customer_id: 'c', clear: [] })).toMatch(/^clear is not known/);
  });
});

describe('a call of a strict host', () => {
  let upstream: CountingUpstream;
  beforeAll(async () => {
    upstream = await startCountingUpstream();
  });
  afterAll(() => upstream.close());

  it('changes only what its model meant, and the receipt says what was left out', async () => {
    const runtime = startRuntime(upstream.url, { BILLING_CONFIRM: 'never' });
    const client = await connectClient(runtime, '2025-11-25', false);
    const call = async (args: JsonRecord) => {
      const { content } = await client.call('update_wallet', filledIn('update_wallet', { svc_id: id, ...args }));
      return { receipt: content.receipt as JsonRecord, summary: content.summary, sent: upstream.received.at(-1)!.body };
    };
    const kept = await call({ name: 'Main' });
    expect(kept.sent).toEqual({ wallet: { name: 'Main' } });
    const others = clears.update_wallet.filter(name => name !== 'name');
    expect(kept.receipt.left_out).toEqual(others);
    expect(kept.summary).toContain('null means omitted: expiration_at,');
    const cleared = await call({ name: 'Main', clear: others });
    const nulls = Object.fromEntries(others.map(name => [name, null]));
    expect(cleared.sent).toEqual({ wallet: { name: 'Main', ...nulls } });
    expect(cleared.receipt).not.toHaveProperty('left_out');
    await client.close();
    await runtime.close();
  });
});
