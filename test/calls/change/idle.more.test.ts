/**
 * Property: what is taken for idle, and not sent, would have changed nothing. The embedded service is the oracle: it gets
 * the same request all the same, and shows the record as it was. Over all fields of all updates, near their present values:
 * in other notations, letter cases, offsets and orders, emptied, taken out and added.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addOn } from '../../../src/contract/add-on.ts';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { Unit } from '../../../src/contract/fields.ts';
import { subscription } from '../../../src/contract/subscription.ts';
import { wallet, walletRule } from '../../../src/contract/wallet.ts';
import { checkArguments } from '../../../src/definition/check.ts';
import { anyRecord as asRecord, anyRecords as asRecords, isRecord, type JsonRecord } from '../../../src/lib/json.ts';
import { toolByName, toolDefinitions } from '../../../tools/all-tools.ts';
import { requestOf as ownRequest } from '../../support/api.ts';
import type { TestClient } from '../../support/clients.ts';
import { sameRuns } from '../../support/extent.ts';
import { sentValues } from '../../support/plain-fields.ts';
import { type SetWorld, setWorld } from './set-world.ts';

let world: SetWorld;
let client: TestClient;
beforeAll(async () => {
  world = await setWorld();
  client = (await world.connect({ BILLING_MAX_WRITES_PER_MINUTE: '100000' }, false, '2025-11-25')).client;
});
afterAll(() => world.close());
const sent = (method: string, path: string, body?: unknown) => world.send(method, path, body);

const words = fc.constantFrom('Setup', '007', '7', '7.0', '1.1', '1e3', '1000', '2026-04-01');
const flag = fc.boolean();
const few = fc.integer({ min: 1, max: 3 });
const credits = fc.constantFrom('10.0', '10', '0.5', '12.50');
const moments = fc.constantFrom('2027-04-01T00:00:00Z', '2027-04-01T10:30:00.250Z', '2027-05-01T00:00:00+02:00');
const ofUnits: Record<Unit, fc.Arbitrary<unknown>> = {
  ...{ text: words, integer: few, cents: few, flag, instant: moments },
  currency: fc.constantFrom('USD', 'EUR'),
};
const pairs = fc.dictionary(fc.constantFrom('a', 'b', 'c'), words, { maxKeys: 3 });
const some = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonRecord>;
const payment_method = some({ payment_method_type: fc.constantFrom('provider', 'manual') });
const invoice_custom_section = some({ skip_invoice_custom_sections: flag });
const prices = fc.record({ amount: credits });

const rule = some({
  trigger: fc.constant('interval'),
  method: fc.constantFrom('fixed', 'target'),
  interval: fc.constantFrom('weekly', 'monthly'),
  ...{ threshold_credits: credits, paid_credits: credits, granted_credits: credits, target_ongoing_balance: credits },
  ...sentValues(walletRule, ofUnits),
  ...{ grants_target_top_up: fc.constant(false), ignore_paid_top_up_limits: fc.constant(true) },
  transaction_metadata: fc.array(fc.record({ key: fc.constantFrom('a', 'rate'), value: words }), { maxLength: 2 }),
  ...{ payment_method, invoice_custom_section },
}).map(fields => ({ trigger: 'interval', interval: 'monthly', ignore_paid_top_up_limits: true, ...fields }));

const thresholds = fc.array(
  fc.record({ amount_cents: few, threshold_display_name: words, recurring: fc.constant(false) }),
  { maxLength: 2 },
);

const overrides = some({
  ...{ amount_cents: few, amount_currency: fc.constant('USD'), trial_period: fc.constantFrom(0, 3, 7.5) },
  ...{ name: words, invoice_display_name: words, description: words, tax_codes: fc.constant([]) },
  minimum_commitment: some({ amount_cents: few, invoice_display_name: words, tax_codes: fc.constant([]) }),
  charges: fc.array(
    some({ min_amount_cents: few, invoice_display_name: words, properties: prices, tax_codes: fc.constant([]) }),
    { minLength: 1, maxLength: 3 },
  ),
  fixed_charges: fc.array(some({ units: fc.constantFrom(1, '2.50', '2.5'), invoice_display_name: words }), {
    ...{ minLength: 1, maxLength: 1 },
  }),
  usage_thresholds: thresholds,
});

/** One to three of the fields; limits of a wallet always, which are lost otherwise. */
const fewOf = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .subarray(Object.keys(fields), { minLength: 1, maxLength: Math.min(3, Object.keys(fields).length) })
    .chain(names => {
      const drawn = Object.entries(fields).filter(([name]) => names.includes(name) || name === 'applies_to');
      return fc.record(Object.fromEntries(drawn)) as fc.Arbitrary<JsonRecord>;
    });

interface Update {
  /** The fields of the tool without its selectors: each is set, then sent again near its present value. */
  fields: Record<string, fc.Arbitrary<unknown>>;
  selectors: JsonRecord;
  /** The record's path, and the key of its body. */
  path: string;
  key: string;
}

const updates: Record<string, Update> = {
  update_add_on: {
    path: '/add_ons/onboarding',
    key: 'add_on',
    selectors: { code: 'onboarding' },
    fields: {
      ...sentValues(addOn, ofUnits),
      new_code: fc.constant('onboarding'),
      tax_codes: fc.shuffledSubarray(['vat_fr', 'us_sales']),
    },
  },
  update_wallet: {
    path: `/wallets/${demoIds.wallet_svc_id}`,
    key: 'wallet',
    selectors: { svc_id: demoIds.wallet_svc_id },
    fields: {
      ...sentValues(wallet, ofUnits),
      ...{ metadata: pairs, merge: flag, billing_entity_code: fc.constantFrom('skylark-us', 'skylark-eu') },
      paid_top_up_max_amount_cents: few.map(limit => limit + 3),
      applies_to: some({
        fee_types: fc.shuffledSubarray(['charge', 'subscription', 'commitment']),
        billable_metric_codes: fc.shuffledSubarray(['tokens', 'storage_gb']),
      }),
      recurring_transaction_rules: fc.array(rule, { maxLength: 1 }),
      ...{ payment_method, invoice_custom_section },
    },
  },
  update_subscription: {
    path: `/subscriptions/${demoIds.external_subscription_id}`,
    key: 'subscription',
    selectors: { external_id: demoIds.external_subscription_id },
    fields: {
      ...sentValues(subscription, ofUnits),
      billing_entity_code: fc.constantFrom('skylark-us', 'skylark-eu'),
      usage_thresholds: thresholds,
      // Refused of a subscription that has started.
      activation_rules: fc.constant([]),
      plan_overrides: overrides,
      on_termination_credit_note: fc.constantFrom('credit', 'skip'),
      on_termination_invoice: fc.constantFrom('generate', 'skip'),
      ...{ payment_method, invoice_custom_section },
    },
  },
  update_invoice: {
    path: `/invoices/${demoIds.invoice_svc_id}`,
    key: 'invoice',
    selectors: { svc_id: demoIds.invoice_svc_id },
    fields: {
      payment_status: fc.constantFrom('pending', 'failed'),
      metadata: fc
        .dictionary(fc.constantFrom('po', 'rate', 'code'), words, { maxKeys: 3 })
        .map(entries => Object.entries(entries).map(([key, value]) => ({ key, value }))),
      merge: flag,
    },
  },
  update_credit_note: {
    path: `/credit_notes/${demoIds.credit_note_svc_id}`,
    key: 'credit_note',
    selectors: { svc_id: demoIds.credit_note_svc_id },
    fields: { refund_status: fc.constantFrom('pending', 'succeeded'), metadata: pairs },
  },
};

/** Other ways of writing a value, and values near it. `pick` chooses, and the same value comes often. */
function near(value: unknown, pick: (count: number) => number): unknown {
  const one = (...choices: unknown[]): unknown => choices[pick(choices.length)];
  if (pick(3) > 0 && (typeof value !== 'object' || value === null)) return value;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return one(value + 1, value, null);
  if (typeof value === 'string') {
    const at = Date.parse(value);
    if (/T\d\d:/.test(value) && !Number.isNaN(at)) {
      const there = new Date(at + 7_200_000).toISOString().replace('Z', '+02:00');
      return one(there, new Date(at + 250).toISOString(), new Date(at).toISOString(), value.slice(0, 10), null);
    }
    if (/^\d+(\.\d+)?$/.test(value)) return one(`${value}.0`, `0${value}`, `${Number(value)}`, `${value}0`);
    return one(value.toUpperCase(), value.toLowerCase(), `${value} `, '', null, `${value}0`);
  }
  if (Array.isArray(value)) {
    const inner = value.map(entry => near(entry, pick));
    return pick(4) > 0 ? inner : one(inner.toReversed(), inner.slice(1), [...inner, ...inner], []);
  }
  if (!isRecord(value)) return value;
  const inner = Object.entries(value).map(([key, entry]) => [key, near(entry, pick)] as const);
  if (pick(4) > 0) return Object.fromEntries(inner);
  return Object.fromEntries(one(inner.slice(1), [...inner, ['d', null]], []) as [string, unknown][]);
}

/** The lists whose entries get ids of their own: what is sent without one is stored anew, with the same values. */
const replaced = ['metadata', 'recurring_transaction_rules', 'applicable_usage_thresholds'];

function steady(record: JsonRecord): JsonRecord {
  const { updated_at: _, ...fields } = record;
  const lists = replaced.filter(name => Array.isArray(fields[name]));
  const bare = (entry: JsonRecord) => ({ ...entry, svc_id: undefined, created_at: undefined, updated_at: undefined });
  return { ...fields, ...Object.fromEntries(lists.map(name => [name, asRecords(fields[name]).map(bare)])) };
}

/** The fields as the record has them now, in the form in which they are sent; ids of entries where they are wanted. */
function asShown(args: JsonRecord, record: JsonRecord, withIds: boolean): JsonRecord {
  const plan = asRecord(record.plan);
  const ids = (entries: unknown, stored: unknown, id: string) =>
    asRecords(entries).map((entry, at) => ({ ...entry, [id]: asRecords(stored)[at]?.svc_id }));
  const { plan_overrides: own, recurring_transaction_rules: rules, metadata } = args;
  const change: JsonRecord = { ...args };
  if (isRecord(own)) {
    const { charges, fixed_charges: fixed } = own;
    change.plan_overrides = {
      ...own,
      ...(charges !== undefined && { charges: ids(charges, plan.charges, 'id') }),
      ...(fixed !== undefined && { fixed_charges: ids(fixed, plan.fixed_charges, 'id') }),
    };
  }
  if (withIds && rules !== undefined)
    change.recurring_transaction_rules = ids(rules, record.recurring_transaction_rules, 'svc_id');
  if (withIds && Array.isArray(metadata)) change.metadata = ids(metadata, record.metadata, 'id');
  return JSON.parse(JSON.stringify(change));
}

it('is tried with every field of every update', () => {
  const tools = toolDefinitions.filter(tool => tool.change !== undefined && tool.endpoint.startsWith('PUT '));
  expect(Object.keys(updates).sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const { name, input } of tools) {
    const own = Object.keys(input.shape).filter(field => !(field in updates[name]!.selectors) && field !== 'status');
    expect(Object.keys(updates[name]!.fields).sort(), name).toEqual(own.sort());
  }
});

it.each(Object.entries(updates))('%s: nothing that would be changed is taken for idle', async (name, update) => {
  const { fields, selectors, path, key } = update;
  const tool = toolByName.get(name)!;
  const counts = { idle: 0, written: 0 };
  const record = async () => asRecord((await sent('GET', path))[key]);
  const requestOf = async (args: JsonRecord) => {
    const checked = checkArguments(tool, args);
    return checked.ok ? ownRequest(tool, checked.args, await record()).body : undefined;
  };
  const drawn = fc.record({
    base: fewOf(fields),
    picks: fc.infiniteStream(fc.nat({ max: 999 })),
    ...{ repeated: flag, withIds: flag },
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ base, picks, repeated, withIds }) => {
      const set = asShown(base, await record(), false);
      const first = await requestOf({ ...selectors, ...set });
      if (first !== undefined) await sent('PUT', path, first);
      const change = asShown(base, await record(), withIds);
      const pick = (count: number) => (picks.next().value as number) % count;
      const around = Object.entries(change).map(([field, value]) => [field, near(value, pick)] as const);
      const args = { ...selectors, ...(repeated ? change : Object.fromEntries(around)) };
      const body = await requestOf(args);
      const before = await record();
      const { content } = await client.call(name, args);
      if (content.receipt !== undefined) counts.written++;
      const { code } = asRecord(content.add_on);
      if (code !== undefined)
        await sent('PUT', `/add_ons/${encodeURIComponent(String(code))}`, { add_on: { code: 'onboarding' } });
      if (content.changed !== false || content.error !== undefined) return;
      counts.idle++;
      await sent('PUT', path, body);
      expect(steady(await record()), JSON.stringify(args)).toEqual(steady(before));
    }),
    sameRuns(60),
  );
  // Both happen.
  expect(counts.idle).toBeGreaterThan(0);
  expect(counts.written).toBeGreaterThan(0);
});
