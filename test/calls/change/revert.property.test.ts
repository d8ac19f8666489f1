/** Property: a write and then the call in its receipt's `revert` leave the record as it was before the write. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addOn } from '../../../src/contract/add-on.ts';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { Unit } from '../../../src/contract/fields.ts';
import { wallet as walletResource } from '../../../src/contract/wallet.ts';
import { clearedFields } from '../../../src/definition/field-arguments.ts';
import { anyRecord as asRecord, anyRecords as asRecords, isRecord, type JsonRecord } from '../../../src/lib/json.ts';
import type { TestClient } from '../../support/clients.ts';
import { sameRuns, whole } from '../../support/extent.ts';
import { sentValues } from '../../support/plain-fields.ts';
import { type SetWorld, setWorld } from './set-world.ts';

let world: SetWorld;
let client: TestClient;
beforeAll(async () => {
  world = await setWorld();
  client = (await world.connect({}, false, '2025-11-25')).client;
});
afterAll(() => world.close());
const read = (path: string, key: string) => world.read(path, key);

/** Without ids of records and times of storing; lists of records in a fixed order. A copied plan has no thresholds of its own (§3.2). */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map(steady);
    return all.every(isRecord) ? all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : all;
  }
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(
    ([field]) => !/^(id|parent_id|svc_.*|usage_thresholds|(created|updated|failed|succeeded|refunded)_at)$/.test(field),
  );
  return Object.fromEntries(kept.map(([field, inner]) => [field, steady(inner)]));
}

/** How many writes of a test were taken back. */
let restored = 0;
beforeEach(() => {
  restored = 0;
});

/** Writes and takes the write back where there is a way; the record is then as before. A refused write changes nothing. */
async function writeAndRevert(tool: string, args: JsonRecord, record: () => Promise<JsonRecord>) {
  const before = steady(await record());
  const done = await client.call(tool, args);
  const receipt = asRecord(done.content.receipt);
  if (done.isError || done.content.receipt === undefined) {
    expect(steady(await record()), done.text).toEqual(before);
    return;
  }
  const revert = asRecord(receipt.revert);
  if (typeof revert.impossible === 'string') return;
  const back = await client.call(String(revert.tool), asRecord(revert.arguments));
  expect(back.isError, `${JSON.stringify(revert)}: ${back.text}`).toBe(false);
  restored++;
  expect(steady(await record()), JSON.stringify(revert)).toEqual(before);
}

/** Always the same random cases, so that it is known how many of them can be taken back. */
const ofAll = (all: number) => ({ ...sameRuns(all), endOnFailure: true });
const optional = <Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields) =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true });
const word = fc.constantFrom('Alpha', 'Beta', 'Gamma');
const cents = fc.integer({ min: 1, max: 5000 });
const future = fc.integer({ min: 10, max: 28 }).map(day => `2027-01-${day}T10:00:00Z`);
const ofUnits: Record<Unit, fc.Arbitrary<unknown>> = {
  text: word,
  integer: fc.integer({ min: 1, max: 50 }),
  cents: fc.integer({ min: 1, max: 900 }),
  currency: fc.constantFrom('USD', 'EUR'),
  flag: fc.boolean(),
  instant: future,
};
const pairs = fc.dictionary(fc.constantFrom('a', 'b', 'c'), word, { maxKeys: 3 });
const metrics = fc.subarray(['tokens', 'storage_gb', 'minutes']);
const clears = (...fields: string[]) => fc.subarray(fields);

const rule = fc.oneof(
  fc.record({
    trigger: fc.constant('interval'),
    interval: fc.constantFrom('weekly', 'monthly', 'yearly'),
    paid_credits: fc.constantFrom('60', '100.5'),
    granted_credits: fc.constantFrom('0', '7'),
    expiration_at: future,
  }),
  fc.record({
    trigger: fc.constant('threshold'),
    method: fc.constant('target'),
    threshold_credits: fc.constantFrom('10', '50'),
    target_ongoing_balance: fc.constantFrom('100', '300'),
    transaction_name: word,
  }),
);

const walletArgs = optional({
  ...sentValues(walletResource, ofUnits),
  code: fc.constantFrom('prepaid', 'other'),
  paid_top_up_max_amount_cents: fc.integer({ min: 90_000, max: 99_000 }),
  applies_to: optional({ fee_types: fc.subarray(['charge', 'subscription']), billable_metric_codes: metrics }),
  recurring_transaction_rules: fc.array(rule, { maxLength: 1 }),
  payment_method: fc.constant({ payment_method_type: 'manual' }),
  metadata: pairs,
  merge: fc.boolean(),
});

/** Every field of `clear` that is not also set. */
function withClear(args: JsonRecord, fields: readonly string[]): JsonRecord {
  const clear = fields.filter(field => args[field] === undefined);
  return clear.length === 0 ? args : { ...args, clear };
}

describe('the way back', () => {
  it('of update_wallet, with the limits that the write dropped', async () => {
    const svc_id = demoIds.wallet_svc_id;
    const wallet = () => read(`/wallets/${svc_id}`, 'wallet');
    const emptied = clears(...clearedFields(walletResource));
    await client.call('update_wallet', { svc_id, applies_to: { billable_metric_codes: ['tokens', 'storage_gb'] } });
    await fc.assert(
      fc.asyncProperty(walletArgs, emptied, async (args, fields) => {
        await writeAndRevert('update_wallet', withClear({ svc_id, ...args }, fields), wallet);
      }),
      { ...ofAll(12), examples: [[{ priority: 7 }, []]] },
    );
    expect(asRecord((await wallet()).applies_to).billable_metric_codes).toEqual(['tokens', 'storage_gb']);
    expect(restored).toBeGreaterThan(whole ? 1 : 0);
  });

  it('of update_invoice', async () => {
    const svc_id = demoIds.invoice_svc_id;
    const args = optional({
      payment_status: fc.constantFrom('pending', 'succeeded', 'failed'),
      metadata: pairs.map(entries => Object.entries(entries).map(([key, value]) => ({ key, value }))),
      merge: fc.boolean(),
    });
    await client.call('update_invoice', { svc_id, metadata: [{ key: 'kept', value: 'x' }] });
    await fc.assert(
      fc.asyncProperty(args, async sent => {
        const invoice = () => read(`/invoices/${svc_id}`, 'invoice');
        await writeAndRevert('update_invoice', { svc_id, ...sent }, invoice);
      }),
      ofAll(12),
    );
    expect(restored).toBeGreaterThan(whole ? 1 : 0);
  });

  it('of update_credit_note', async () => {
    const svc_id = demoIds.credit_note_svc_id;
    const args = optional({ refund_status: fc.constantFrom('pending', 'succeeded', 'failed'), metadata: pairs });
    await client.call('update_credit_note', { svc_id, metadata: { a: 'x', b: 'y', c: 'z' } });
    await fc.assert(
      fc.asyncProperty(args, clears('refund_status'), async (sent, fields) => {
        const note = () => read(`/credit_notes/${svc_id}`, 'credit_note');
        await writeAndRevert('update_credit_note', withClear({ svc_id, ...sent }, fields), note);
      }),
      ofAll(12),
    );
    expect(restored).toBeGreaterThan(whole ? 1 : 0);
  });

  it('of update_add_on, also under another code', async () => {
    const code = demoIds.add_on_code;
    const args = optional({
      ...sentValues(addOn, ofUnits),
      new_code: fc.constant('renamed'),
      tax_codes: fc.subarray(['us_sales']),
    });
    await client.call('update_add_on', { code, invoice_display_name: 'Shown', description: 'Told' });
    await fc.assert(
      fc.asyncProperty(args, async sent => {
        await writeAndRevert('update_add_on', { code, ...sent }, () => read(`/add_ons/${code}`, 'add_on'));
      }),
      ofAll(12),
    );
    expect(restored).toBeGreaterThan(whole ? 1 : 0);
  });

  it('of update_subscription: its fields, its first price changes and later ones', async () => {
    // A minimum that the first change of prices sets cannot be taken back.
    const values = optional({
      invoice_display_name: word,
      tax_codes: fc.subarray(['us_sales']),
    });
    const prices = fc.record(
      {
        amount_cents: cents,
        name: word,
        invoice_display_name: word,
        description: word,
        tax_codes: fc.subarray(['us_sales']),
        minimum_commitment: optional({ amount_cents: cents, invoice_display_name: word }),
        usage_thresholds: fc.constant([{ amount_cents: 70_000, recurring: false }]),
        charges: fc.array(fc.option(values, { nil: undefined, freq: 12 }), { minLength: 8, maxLength: 8 }),
        units: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: ['charges'], noNullPrototype: true },
    );
    const args = optional({
      name: word,
      ending_at: future,
      on_termination_credit_note: fc.constantFrom('credit', 'refund', 'skip'),
      on_termination_invoice: fc.constantFrom('generate', 'skip'),
      payment_method: fc.constant({ payment_method_type: 'manual' }),
      prices,
    });
    const ids = fc.constantFrom('acme-studio', 'martin-starter', 'sakura-arcade');
    await fc.assert(
      fc.asyncProperty(
        ids,
        args,
        clears('name', 'ending_at'),
        async (external_id, { prices, ...sent }: JsonRecord, fields) => {
          const subscription = () => read(`/subscriptions/${external_id}`, 'subscription');
          const plan = asRecord((await subscription()).plan);
          const override = prices === undefined ? undefined : overrideOf(asRecord(prices), plan);
          const whole = withClear(
            { external_id, ...sent, ...(override !== undefined && { plan_overrides: override }) },
            fields,
          );
          await writeAndRevert('update_subscription', whole, subscription);
        },
      ),
      ofAll(24),
    );
    expect(restored).toBeGreaterThan(whole ? 1 : 0);
  });
});

/** The override of this plan: a charge for which nothing was drawn is not listed. */
function overrideOf({ charges, units, ...fields }: JsonRecord, plan: JsonRecord): JsonRecord {
  const drawn = charges as (JsonRecord | undefined)[];
  const listed = asRecords(plan.charges).flatMap(({ svc_id, pay_in_advance }, index) => {
    const { min_amount_cents, ...values } = asRecord(drawn[index]);
    // What is billed per event has no minimum.
    const minimum = min_amount_cents !== undefined && pay_in_advance !== true && { min_amount_cents };
    return drawn[index] === undefined ? [] : [{ id: svc_id, ...values, ...minimum }];
  });
  const [fixed] = asRecords(plan.fixed_charges);
  return {
    ...fields,
    charges: listed,
    ...(units !== undefined && fixed && { fixed_charges: [{ id: fixed.svc_id, units }] }),
  };
}
