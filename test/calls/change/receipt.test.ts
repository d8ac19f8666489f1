import { describe, expect, it } from 'vitest';
import { targetText } from '../../../src/calls/change/audit/receipt.ts';
import { receiptSentences } from '../../../src/words/changes.ts';
import { deleteAddOn } from '../../../tools/add-ons.ts';
import { createSubscriptionAlert } from '../../../tools/alerts.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { createBillingEntity } from '../../../tools/billing-entities.ts';
import { updateInvoice } from '../../../tools/invoices.ts';
import { updateSubscription } from '../../../tools/subscriptions.ts';
import { updateWallet } from '../../../tools/wallets.ts';
import { requestOf } from '../../support/api.ts';
import { samples } from './samples.ts';
import { countingSend, policyWith, writeCall } from './support.ts';

const walletId = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const invoiceId = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0002';

describe('the target of a write', () => {
  it('is the record that its path leads to, or what it creates', () => {
    const writes = toolDefinitions.filter(({ change }) => change !== undefined);
    expect(writes.map(tool => targetText(tool, requestOf(tool, samples[tool.name]!)))).toEqual([
      'subscription sub-1',
      'subscription sub-1',
      `wallet ${walletId}`,
      `invoice ${walletId}`,
      `credit_note ${walletId}`,
      'add_on setup',
      'add_on setup',
      'billing_entity fr',
    ]);
  });
});

describe('the receipt', () => {
  const receiptOf = async (call: ReturnType<typeof writeCall>, body: unknown) => {
    const outcome = await policyWith({ confirm: 'never' }).carryOut(call, countingSend(body).send);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    return outcome.receipt;
  };

  /** A change of a subscription's prices. */
  const overriding = (plan_overrides: object) =>
    writeCall({ tool: updateSubscription, args: { external_id: 's', plan_overrides } });

  it('says what was applied, what was not, what is not shown, and the way back', async () => {
    const svc_id = walletId;
    const paidBy = (payment_method_type: string) => ({ payment_method: { payment_method_type } });
    const args = { svc_id, name: 'Main', priority: 1, ...paidBy('manual'), applies_to: { fee_types: ['charge'] } };
    const known = { svc_id, name: 'Old', priority: 50, currency: 'USD', applies_to: {}, ...paidBy('provider') };
    const applies_to = { fee_types: ['charge'], billable_metric_codes: [] };
    const body = { wallet: { svc_id, name: 'Main', priority: 50, applies_to } };
    const receipt = await receiptOf(writeCall({ tool: updateWallet, args, known, reading: 'read' }), body);
    expect(receipt).toMatchObject({
      tool: 'update_wallet',
      target: `wallet ${walletId}`,
      applied: ['name', 'applies_to'],
      not_applied: ['priority'],
      not_shown: ['payment_method'],
      revert: { arguments: { svc_id: walletId, name: 'Old' } },
      confirmed_by: 'policy',
      request_id: 'upstream-1',
    });
    expect(receiptSentences(receipt).slice(0, 2)).toEqual([
      'Not applied: priority.',
      'Not shown in the answer: payment_method.',
    ]);
    expect(Number.isNaN(Date.parse(receipt.at))).toBe(false);
  });

  it('finds the metric of an alert by its code in the answer', async () => {
    const args = {
      external_id: 's',
      code: 'a',
      alert_type: 'billable_metric_current_usage_amount',
      thresholds: [{ value: 1 }],
      billable_metric_code: 'm',
    };
    const call = writeCall({ tool: createSubscriptionAlert, args });
    const shown = (metric: object) => receiptOf(call, { alert: { code: 'a', alert_type: args.alert_type, ...metric } });
    expect((await shown({ billable_metric: { code: 'm' } })).applied).toContain('billable_metric_code');
    expect((await shown({ billable_metric: null })).not_applied).toContain('billable_metric_code');
    expect((await shown({})).not_shown).toContain('billable_metric_code');
  });

  it('knows a new code, taxes and another price notation', async () => {
    const args = { code: 'setup', new_code: 'Setup2', tax_codes: ['vat'], amount_cents: 1000, amount_currency: 'EUR' };
    const body = { add_on: { code: 'Setup2', taxes: [{ code: 'vat' }], amount_cents: 1000, amount_currency: 'EUR' } };
    const receipt = await receiptOf(writeCall({ args }), body);
    expect([...receipt.applied].sort()).toEqual(['amount_cents', 'amount_currency', 'code', 'tax_codes']);
    expect(receipt.not_applied).toEqual([]);
  });

  it('finds overridden charges in the plan of the answer, and names what the service dropped', async () => {
    const plan_overrides = {
      amount_cents: 900,
      trial_period: 30,
      minimum_commitment: { amount_cents: 100, tax_codes: ['vat'] },
      charges: [{ id: 'c1', properties: { amount: '0.5' }, tax_codes: ['vat'] }],
      fixed_charges: [{ id: 'gone', units: 2 }],
    };
    const plan = {
      amount_cents: 900,
      trial_period: 0,
      minimum_commitment: { svc_id: 'm1', amount_cents: 100, taxes: [{ code: 'vat' }] },
      charges: [{ svc_id: 'x1', svc_parent_id: 'c1', properties: { amount: '0.50' }, taxes: [{ code: 'vat' }] }],
      fixed_charges: [{ svc_id: 'f1', units: 5 }],
    };
    const receipt = await receiptOf(overriding(plan_overrides), { subscription: { external_id: 's', plan } });
    expect(receipt.not_applied).toEqual(['plan_overrides.trial_period', 'plan_overrides.fixed_charges']);
    expect(receipt.not_shown).toEqual([]);
    expect(receipt.applied).toContain('plan_overrides.charges[].properties.amount');
  });

  it('says first which charge the service left out of a copy of the plan, and that metadata was not applied', async () => {
    const known = {
      external_id: 's',
      plan: {
        ...{ parent_id: null, amount_currency: 'USD', metadata: { team: 'a' }, taxes: [] },
        charges: ['api', 'calls'].map(code => ({
          ...{ svc_id: code, code, billable_metric_code: code, charge_model: 'standard', taxes: [] },
          properties: { amount: '2' },
        })),
      },
    };
    const plan_overrides = {
      name: 'Own',
      metadata: { own: 'yes' },
      charges: [{ id: 'api', properties: { amount: '3' } }],
    };
    const args = { external_id: 's', plan_overrides };
    const [, calls] = known.plan.charges;
    const record = {
      external_id: 's',
      plan: {
        ...{ parent_id: 'p1', name: 'Own', amount_currency: 'USD', taxes: [] },
        charges: [{ ...calls, svc_id: 'c', svc_parent_id: 'calls' }],
      },
    };
    const call = writeCall({ tool: updateSubscription, args, known, reading: 'read' });
    const receipt = await receiptOf(call, { subscription: record });
    expect(receipt.not_applied).toEqual(['plan_overrides.metadata', 'plan_overrides.charges']);
    const summary = updateSubscription.say(record, { args, before: known, now: new Date() });
    expect(summary).toMatch(/^Attention: .*api \(\$2\.00 each\)/);
  });

  const threshold = (amount_cents: number, recurring = false) => ({
    ...{ threshold_display_name: null, amount_cents, recurring },
  });
  const stored = (...amounts: number[]) => amounts.map(amount => ({ svc_id: `t${amount}`, ...threshold(amount) }));
  // biome-ignore format: a table
  it.each<[what: string, sent: { amount_cents: number }[], before: object[], after: object[], own: object[], verdict: object, said: string, back: object]>([
    ['set where the plan has others', [{ amount_cents: 900 }, { amount_cents: 100 }], [threshold(5000)], [threshold(100), threshold(900)], [], { applied: ['usage_thresholds'] }, 'thresholds are $1.00 and $9.00', { arguments: { external_id: 's', usage_thresholds: [] } }],
    ['changed', [{ amount_cents: 900 }], [threshold(100)], [threshold(900)], [], { applied: ['usage_thresholds'] }, 'its own usage thresholds are $9.00', { arguments: { external_id: 's', usage_thresholds: [{ amount_cents: 100, recurring: false }] } }],
    ['removed', [], [threshold(100)], [threshold(5000)], [], { applied: ['usage_thresholds'] }, 'thresholds of its plan apply: $50.00', { arguments: { external_id: 's', usage_thresholds: [{ amount_cents: 100, recurring: false }] } }],
    ['set to those of the plan', [{ amount_cents: 5000 }], [threshold(5000)], [threshold(5000)], [], { applied: ['usage_thresholds'] }, 'its usage thresholds are $50.00', { impossible: expect.stringContaining('shows no change') }],
    ['not applied', [{ amount_cents: 900 }], [threshold(5000)], [threshold(5000)], [], { not_applied: ['usage_thresholds'] }, 'its usage thresholds are $50.00', { impossible: expect.stringContaining('shows no change') }],
    ['set in place of those of its own plan', [{ amount_cents: 900 }], [threshold(100)], [threshold(900)], stored(100), { applied: ['usage_thresholds'] }, 'its own usage thresholds are $9.00', { impossible: expect.stringMatching(/subscription's own plan/) }],
  ])('says that usage thresholds without ids are %s', async (_, usage_thresholds, before, after, own, verdict, said, back) => {
    const planOf = (usage: object[]) => ({
      ...{ amount_currency: 'USD', parent_id: own.length === 0 ? null : 'p1', usage_thresholds: own.length === 0 ? stored(5000) : usage },
      applicable_usage_thresholds: [threshold(5000)],
    });
    const record = (applicable: object[], plan: object) => ({
      ...{ external_id: 's', plan_amount_currency: 'USD', applicable_usage_thresholds: applicable, plan },
    });
    const known = record(before, planOf(own));
    const args = { external_id: 's', usage_thresholds };
    const receipt = await receiptOf(writeCall({ tool: updateSubscription, args, known, reading: 'read' }), { subscription: record(after, planOf([])) });
    expect(receipt).toMatchObject({ ...{ applied: [], not_applied: [], not_shown: [] }, ...verdict, revert: back });
    expect(updateSubscription.say(record(after, planOf([])), { args, before: known, now: new Date() })).toContain(said);
  });

  it('says that a billing entity is not shown, and gives no way back to one that was not', async () => {
    const [known, args] = [
      { external_id: 's', name: 'Old' },
      { external_id: 's', billing_entity_code: 'fr', name: 'New' },
    ];
    const receipt = await receiptOf(writeCall({ tool: updateSubscription, args, known, reading: 'read' }), {
      subscription: { external_id: 's', name: 'New' },
    });
    expect(receipt).toMatchObject({ applied: ['name'], not_applied: [], not_shown: ['billing_entity_code'] });
    expect(receiptSentences(receipt)).toEqual(['Not shown in the answer: billing_entity_code.']);
    expect(receipt.revert).toEqual({
      impossible: expect.stringMatching(/earlier billing entity code/),
    });
  });

  const quantity = (units: unknown) => ({ fixed_charges: [{ id: 'f1', units }] });
  const [units, overrides] = ['plan_overrides.fixed_charges[].units', 'plan_overrides'];
  // biome-ignore format: a table
  it.each<[what: string, sent: object, shown: unknown, applied: string[], notApplied: string[], notShown: string[]]>([
    ['applied where the own plan shows it in other digits', { ...quantity('3'), name: 'N' }, '3.0', [overrides], [], []],
    ['applied where the own plan shows it as a number', { ...quantity('3.0'), name: 'N' }, 3, [overrides], [], []],
    ['not applied where the own plan shows another', { ...quantity('3'), name: 'N' }, '3.5', ['plan_overrides.name'], [units], []],
    ['not shown where it is set alone, by a plan with another', quantity('3'), '2.0', [], [], [overrides]],
    ['not shown where it is set alone, by a plan that happens to have the same', quantity('3'), '3.0', [], [], [overrides]],
  ])('says that the quantity of a fixed charge is %s', async (_, plan_overrides, shown, applied, not_applied, not_shown) => {
    const plan = { name: 'N', parent_id: null, fixed_charges: [{ svc_id: 'f1', units: shown }] };
    const receipt = await receiptOf(overriding(plan_overrides), { subscription: { external_id: 's', plan } });
    expect(receipt).toMatchObject({ applied, not_applied, not_shown });
  });

  const rate = (conversion_rate: unknown) => ({ code: 'tokens', conversion_rate });
  const properties = JSON.stringify({ amount: '2' });
  const rateBack = (charge: object) => {
    const charges = [charge, { id: 'x2' }].map(each => ({ ...each, properties }));
    return { arguments: { external_id: 's', plan_overrides: { charges } } };
  };
  const noChange = { impossible: 'the answer shows no change' };
  // biome-ignore format: a table
  it.each<[what: string, before: object | null, after: object | null, applied: string[], notApplied: string[], back: object]>([
    ['applied, in other digits', rate('0.050'), rate('0.075'), ['plan_overrides'], [], rateBack({ id: 'x1', applied_pricing_unit: { conversion_rate: '0.050' } })],
    ['not applied where the answer shows the earlier one', rate('0.050'), rate('0.050'), [], ['plan_overrides'], noChange],
    ['not applied where the installation does not know it', null, null, [], ['plan_overrides'], noChange],
    ['without way back where there was none', null, rate('0.075'), ['plan_overrides'], [], { impossible: expect.stringMatching(/had no conversion rate/) }],
  ])('says that the conversion rate of a charge is %s', async (_, before, after, applied, not_applied, back) => {
    const charge = { properties: { amount: '2' }, filters: [], invoice_display_name: 'Calls', taxes: [] };
    const planOf = (parent_id: string | null, unit: object | null, ids: [object, object]) => ({
      ...{ amount_cents: 900, amount_currency: 'EUR', parent_id, fixed_charges: [], usage_thresholds: [] },
      charges: ids.map((id, n) => ({ ...charge, ...id, ...(n === 0 && { applied_pricing_unit: unit }) })),
    });
    const known = { external_id: 's', plan: planOf(null, before, [{ svc_id: 'c1' }, { svc_id: 'c2' }]) };
    const copies: [object, object] = [
      { svc_id: 'x1', svc_parent_id: 'c1' },
      { svc_id: 'x2', svc_parent_id: 'c2' },
    ];
    const plan_overrides = { charges: [{ id: 'c1', applied_pricing_unit: { conversion_rate: '0.0750' } }] };
    const args = { external_id: 's', plan_overrides };
    const call = writeCall({ tool: updateSubscription, args, known, reading: 'read' });
    const receipt = await receiptOf(call, { subscription: { external_id: 's', plan: planOf('p', after, copies) } });
    expect(receipt).toMatchObject({ applied, not_applied, not_shown: [], revert: back });
  });

  it('accepts an answer without its wrapper', async () => {
    const receipt = await receiptOf(writeCall(), { code: 'setup', amount_cents: 99 });
    expect(receipt.not_applied).toEqual(['amount_cents']);
  });

  it('says nothing more where everything was applied, and gives no way back where the record was not read', async () => {
    const known = { svc_id: 'a1', name: 'Setup fee' };
    const receipt = await receiptOf(writeCall({ known }), { add_on: { code: 'setup', amount_cents: 125_000 } });
    expect(receiptSentences(receipt)).toEqual([]);
    expect(receipt).not.toHaveProperty('revert');
  });

  it('distinguishes a removed logo from one that is not shown', async () => {
    const logo = 'data:image/png;base64,AAAA';
    const call = writeCall({ tool: createBillingEntity, args: { code: 'fr', name: 'FR', logo } });
    const shown = async (record: object) => receiptOf(call, { billing_entity: { code: 'fr', name: 'FR', ...record } });
    expect((await shown({ logo_url: 'https://files.example/logo' })).applied).toContain('logo');
    expect((await shown({ logo_url: null })).not_applied).toEqual(['logo']);
    expect((await shown({})).not_shown).toEqual(['logo']);
  });

  it('finds the price of an overridden plan where the answer shows no plan', async () => {
    const call = overriding({ amount_cents: 900 });
    const shown = async (record: object) => receiptOf(call, { subscription: { external_id: 's', ...record } });
    expect((await shown({ plan_amount_cents: 900 })).applied).toEqual(['plan_overrides']);
    expect((await shown({ plan_amount_cents: 1000, plan: null })).not_applied).toEqual(['plan_overrides']);
    expect((await shown({ plan: {} })).not_shown).toEqual(['plan_overrides']);
  });

  it('of a deletion says that nothing brings the record back', async () => {
    const known = { code: 'setup', name: 'Setup\u202Efee', amount_cents: 5, taxes: [] };
    const call = writeCall({ tool: deleteAddOn, args: { code: 'setup' }, known, reading: 'read' });
    const receipt = await receiptOf(call, { add_on: known });
    expect(receipt).toMatchObject({ requested: {}, applied: [] });
    expect(receipt.revert).toHaveProperty('impossible');
  });

  it('does not show the parent of a created record as its earlier values', async () => {
    const args = {
      external_id: 's',
      code: 'a',
      name: 'n',
      alert_type: 'current_usage_amount',
      thresholds: [{ value: 1 }],
    };
    const known = { external_id: 's', name: 'A subscription', code: 'x' };
    const call = writeCall({ tool: createSubscriptionAlert, args, known, reading: 'read' });
    const receipt = await receiptOf(call, { alert: { code: 'a', name: 'n', thresholds: [{ value: '1.0' }] } });
    expect(receipt.revert).not.toHaveProperty('arguments');
    expect(receipt).toMatchObject({ applied: ['code', 'thresholds', 'name'], not_shown: ['alert_type'] });
  });

  it('survives an answer that no entry expects', async () => {
    const call = writeCall({ tool: updateInvoice, args: { svc_id: invoiceId, payment_status: 'succeeded' } });
    for (const body of [null, [], 'ok', { invoice: null }, { invoice: { metadata: 7, payment_status: {} } }]) {
      const receipt = await receiptOf(call, body);
      expect([...receipt.not_applied, ...receipt.not_shown]).toEqual(['payment_status']);
    }
  });
});
