/** What writes about records refuse before anybody is asked, and how they are taken back (service-behaviour §3). */

import { describe, expect, it } from 'vitest';
import type { KnownRecord } from '../../src/definition/define.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolByName } from '../../tools/all-tools.ts';
import { argsOf, ofOne, requestOf, svcId as svc_id } from '../support/api.ts';

const now = new Date('2026-03-15T12:00:00Z');

const refused = (tool: string, raw: object, known: KnownRecord) =>
  toolByName.get(tool)!.change!.refuses!(argsOf(tool, ofOne(tool, raw)), known, now)?.message ?? null;
const back = (tool: string, raw: object, known: JsonRecord, record: JsonRecord = {}) =>
  toolByName.get(tool)!.change!.revert(argsOf(tool, ofOne(tool, raw)), known, record);
const entry = (key: string, id?: string) => ({ ...(id && { id }), key, value: '1' });
const stored = [...'abcde'].map(key => ({ svc_id: `id-${key}`, key, value: '1' }));
const threshold = { trigger: 'threshold', threshold_credits: '10' };
const rules = (...entries: object[]) => ({ recurring_transaction_rules: entries });
const limits = (...billable_metric_codes: string[]) => ({ fee_types: [], billable_metric_codes });

describe('refused before anybody is asked', () => {
  it.each<[string, object, KnownRecord, RegExp]>([
    ['update_invoice', { payment_status: 'failed' }, { status: 'voided' }, /voided invoice/],
    ['update_invoice', { payment_status: 'failed' }, { status: 'deleted' }, /deleted invoice/],
    ['update_invoice', { metadata: [] }, { status: 'draft' }, /draft invoice/],
    ['update_invoice', { payment_status: 'failed' }, { status: 'draft', payment_status: 'pending' }, /draft invoice/],
    ['update_invoice', { merge: true, metadata: [entry('f')] }, { metadata: stored }, /would have 6 entries/],
    ['update_invoice', { merge: true, metadata: [entry('f')] }, null, /could not be read/],
    ['update_wallet', { merge: true, metadata: { a: 'b' } }, null, /could not be read/],
    ['update_wallet', { name: 'x' }, { status: 'terminated' }, /terminated wallet/],
    ['update_wallet', { code: 'b' }, { code: 'a', other_codes: ['b'] }, /another active wallet/],
    ['update_wallet', { expiration_at: '2026-03-15T11:59:59Z' }, null, /in the past/],
    [
      'update_wallet',
      rules({ ...threshold, svc_id: 'x' }),
      rules({ ...threshold, svc_id: 'r' }),
      /its rule is r; omit svc_id/,
    ],
    ['update_wallet', rules({ svc_id: 'x', threshold_credits: '5' }), rules(), /it has no rule; omit svc_id/],
    [
      'update_wallet',
      { paid_top_up_max_amount_cents: 500 },
      { paid_top_up_min_amount_cents: 1000, currency: 'USD' },
      /\(\$5\.00\) smaller than the smallest \(\$10\.00\)/,
    ],
    ['update_invoice', { metadata: [{ key: 'f' }] }, { metadata: stored }, /has no value for f/],
    ['update_invoice', { metadata: [entry('b', 'id-a')] }, { metadata: stored }, /which entry id-b has/],
    ['update_wallet', rules({ svc_id: 'r', paid_credits: '5' }), null, /needs a trigger.*could not be read/],
    [
      'update_wallet',
      rules({ svc_id: 'r', method: 'target', target_ongoing_balance: '9.99' }),
      rules({ ...threshold, svc_id: 'r' }),
      /has a target_ongoing_balance below its threshold_credits/,
    ],
    ['update_wallet', rules({ ...threshold, grants_target_top_up: false }), null, /only with method target/],
    ['update_wallet', rules({ paid_credits: '5' }), null, /needs a trigger/],
    ['update_wallet', rules({ trigger: 'threshold' }), null, /needs threshold_credits/],
    ['update_wallet', rules({ ...threshold, method: 'target' }), null, /needs target/],
  ])('%s %j of %j', (tool, args, known, message) => {
    expect(refused(tool, args, known)).toMatch(message);
  });

  it.each<[object, string, RegExp | null]>([
    [{ activation_rules: [] }, 'active', /this one is active/],
    [{ activation_rules: [{ type: 'payment' }] }, 'terminated', /this one is terminated/],
    [{ activation_rules: [{ type: 'payment' }] }, 'canceled', /this one is canceled/],
    [{ activation_rules: [{ type: 'payment' }] }, 'incomplete', /waiting for its first payment/],
    [{ activation_rules: [{ type: 'payment', timeout_hours: 48 }] }, 'pending', null],
    [{ purchase_order_number: 'B' }, 'terminated', /because the subscription is terminated/],
    [{ purchase_order_number: null }, 'canceled', /can no longer change/],
    [{ purchase_order_number: 'A' }, 'terminated', null],
    [{ purchase_order_number: 'B' }, 'active', null],
    [
      { usage_thresholds: [], plan_overrides: { usage_thresholds: [] } },
      'active',
      /cannot be sent together.*usage_thresholds/,
    ],
  ])('update_subscription %j of one that is %s', (args, status, message) => {
    const known = { status, purchase_order_number: 'A' };
    const said = refused('update_subscription', args, known);
    if (message === null) expect(said).toBeNull();
    else expect(said).toMatch(message);
  });

  const charge = { svc_id: 'c1', billable_metric_code: 'api', charge_model: 'standard', min_amount_cents: 0 };
  const planOf = (parent_id: string | null, fields: object = {}) => ({
    ...{ parent_id, amount_currency: 'EUR', trial_period: 0, minimum_commitment: null, fixed_charges: [] },
    ...{ charges: [{ ...charge, properties: { amount: '2' } }], ...fields },
  });
  const committed = {
    minimum_commitment: { amount_cents: 5000, invoice_display_name: null, taxes: [{ code: 'vat' }] },
  };
  const priced = (fields: object) => ({ charges: [{ id: 'c1', ...fields }] });
  // biome-ignore format: a table
  it.each<[what: string, overrides: object, parent: string | null, fields: object, message: RegExp | null]>([
    ['an empty list of charges', { charges: [] }, null, {}, /only copy the plan/],
    ['the id of a charge alone', { charges: [{ id: 'c1' }] }, null, {}, /contains no change/],
    ['the ids of charges that stay', { charges: [{ id: 'c1' }] }, 'p', {}, null],
    ['no taxes', { tax_codes: [] }, null, {}, null],
    ['an empty list of charges of its own plan', { charges: [] }, 'p', {}, null],
    ['an empty list of fixed charges', { fixed_charges: [] }, 'p', {}, /contains no change/],
    ['another currency of its own plan', { amount_currency: 'USD' }, 'p', {}, /amount_currency|can no longer change/],
    ['the currency of its own plan', { amount_currency: 'EUR' }, 'p', {}, null],
    ['a trial of its own plan', { trial_period: 9 }, 'p', {}, /can no longer change/],
    ['a first trial', { trial_period: 9 }, null, {}, null],
    ['a commitment of 0', { minimum_commitment: { amount_cents: 0 } }, 'p', committed, /above 0; \{\} removes it/],
    ['a commitment without an amount', { minimum_commitment: { tax_codes: [] } }, null, {}, /needs amount_cents/],
    ['a commitment that the plan completes', { minimum_commitment: { tax_codes: [] } }, null, committed, null],
    ['no commitment any more', { minimum_commitment: {} }, 'p', committed, null],
    ['another charge', { charges: [{ id: 'x' }] }, null, {}, /Its charges: api \(c1\)/],
    ['a new charge at first', { charges: [{ billable_metric_id: 'm', charge_model: 'standard' }] }, null, {}, /cannot add a charge/],
    ['a new charge later', { charges: [{ billable_metric_id: 'm', charge_model: 'standard' }] }, 'p', {}, null],
    ['a new charge without a model', { charges: [{ billable_metric_id: 'm' }] }, 'p', {}, /new charge without charge_model/],
    ['another model', priced({ charge_model: 'package' }), null, {}, /cannot change charge_model of api/],
    ['a later minimum', priced({ min_amount_cents: 5 }), 'p', {}, /cannot change min_amount_cents of api/],
    ['the minimum that it has', priced({ min_amount_cents: 0 }), 'p', {}, null],
    ['a first minimum', priced({ min_amount_cents: 5 }), null, {}, null],
    ['a minimum below 0', priced({ min_amount_cents: -1 }), null, {}, /a minimum below 0 for api/],
    ['a price that is no number', priced({ properties: { amount: 'abc' } }), null, {}, /of 0 or more: amount/],
    ['a price below 0', priced({ properties: { amount: '-1' } }), null, {}, /not a number of 0/],
    ['no price', priced({ properties: {} }), null, {}, /no price in the properties/],
    ['a price of 0', priced({ properties: { amount: '0' } }), 'p', {}, null],
  ])('update_subscription with %s: %j', (_, plan_overrides, parent, fields, message) => {
    const said = refused('update_subscription', { plan_overrides }, { status: 'active', plan: planOf(parent, fields) });
    if (message === null) expect(said).toBeNull();
    else expect(said).toMatch(message);
  });

  it.each<[string, object, KnownRecord]>([
    ['update_invoice', { payment_status: 'pending' }, { status: 'draft', payment_status: 'pending' }],
    ['update_invoice', { merge: true, metadata: [entry('a')] }, { metadata: stored }],
    ['update_wallet', { code: 'a' }, { code: 'a', other_codes: ['b'] }],
    // A stored rule keeps what the entry does not name.
    [
      'update_wallet',
      rules({ svc_id: 'r', paid_credits: '5' }),
      rules({ svc_id: 'r', trigger: 'interval', interval: 'weekly' }),
    ],
    ['update_invoice', { metadata: [{ key: 'a' }] }, { metadata: stored }],
    ['update_invoice', { metadata: [entry('b', 'gone')] }, { metadata: stored }],
  ])('not refused: %s %j of %j', (tool, args, known) => {
    expect(refused(tool, args, known)).toBeNull();
  });
});

describe('merged metadata', () => {
  const sent = (tool: string, args: object, known?: JsonRecord) => {
    const { body } = requestOf(toolByName.get(tool)!, argsOf(tool, ofOne(tool, args)), known);
    return Object.values(body as JsonRecord)[0];
  };

  it('of an invoice are sent whole: a key or id that is stored is changed, any other is added', () => {
    const args = { merge: true, metadata: [{ key: 'a', value: '2' }, { id: 'id-b', key: 'beta' }, entry('z')] };
    expect(sent('update_invoice', args, { metadata: stored.slice(0, 3) })).toEqual({
      metadata: [
        { id: 'id-a', key: 'a', value: '2' },
        { id: 'id-b', key: 'beta', value: '1' },
        { id: 'id-c', key: 'c', value: '1' },
        { key: 'z', value: '1' },
      ],
    });
  });

  it('of a wallet are sent whole', () => {
    const args = { merge: true, metadata: { b: '2' } };
    expect(sent('update_wallet', args, { metadata: { a: '1' } })).toEqual({ metadata: { a: '1', b: '2' } });
    expect(sent('update_wallet', { metadata: { b: '2' } }, { metadata: { a: '1' } })).toEqual({ metadata: { b: '2' } });
  });
});

describe('the way back', () => {
  const impossible = (why: RegExp) => ({ impossible: expect.stringMatching(why) });
  const terms = { trigger: 'interval', interval: 'weekly', method: 'fixed', paid_credits: '5.0' };
  const stays = (fields: object) => ({ arguments: { svc_id, ...fields } });
  const pending = { payment_status: 'pending' };

  it.each<[string, object, JsonRecord, JsonRecord, object]>([
    ['update_invoice', { payment_status: 'failed' }, pending, {}, stays(pending)],
    [
      'update_invoice',
      { payment_status: 'succeeded' },
      { ...pending, invoice_type: 'credit' },
      {},
      impossible(/top-up/),
    ],
    [
      'update_invoice',
      { metadata: [entry('a', 'id-a')] },
      { metadata: stored.slice(0, 2) },
      { metadata: stored.slice(0, 1) },
      stays({ metadata: [entry('a', 'id-a'), entry('b')] }),
    ],
    ['update_credit_note', { metadata: { a: '1' } }, { metadata: { b: '2' } }, {}, impossible(/a cannot be removed/)],
    ['update_credit_note', { metadata: { a: '1' } }, { metadata: { a: '2' } }, {}, stays({ metadata: { a: '2' } })],
    [
      'update_credit_note',
      { refund_status: 'failed' },
      { refund_status: null },
      {},
      stays({ clear: ['refund_status'] }),
    ],
    [
      'update_wallet',
      { name: 'x', priority: 3 },
      { name: null, priority: 50 },
      {},
      stays({ priority: 50, clear: ['name'] }),
    ],
    [
      'update_wallet',
      { priority: 3 },
      { priority: 50, applies_to: limits('calls') },
      {},
      stays({ priority: 50, applies_to: limits('calls') }),
    ],
    ['update_wallet', rules(), rules({ svc_id: 'r', status: 'active', ...terms }), {}, stays(rules(terms))],
    [
      'update_wallet',
      { invoice_custom_section: { skip_invoice_custom_sections: true } },
      {},
      {},
      impossible(/cannot be read back/),
    ],
  ])('%s %j of %j', (tool, args, known, record, expected) => {
    expect(back(tool, args, known, record)).toEqual(expected);
  });

  it('of an add-on goes by its new code, and is impossible after a deletion', () => {
    const known = { code: 'setup', amount_cents: 100, taxes: [{ code: 'vat' }], description: null };
    expect(back('update_add_on', { new_code: 'start', tax_codes: [] }, known)).toEqual({
      arguments: { code: 'start', new_code: 'setup', tax_codes: ['vat'] },
    });
    expect(back('update_add_on', { description: 'x' }, known)).toEqual(impossible(/was empty/));
    expect(back('delete_add_on', {}, known)).toEqual(impossible(/permanent/));
    expect(back('create_billing_entity', { code: 'x', name: 'X' }, {})).toEqual(impossible(/cannot be deleted/));
  });
});

describe('sent whole, completed from the record', () => {
  const rule = {
    svc_id: 'r',
    trigger: 'interval',
    interval: 'monthly',
    method: 'fixed',
    status: 'active',
    paid_credits: '10.0',
    ...{ granted_credits: '0.0', threshold_credits: '0.0', target_ongoing_balance: null, grants_target_top_up: false },
    ...{ invoice_requires_successful_payment: false, transaction_metadata: [], transaction_name: null },
    payment_method: { payment_method_type: 'provider', payment_method_id: null },
  };
  const targetRule = { ...rule, method: 'target', target_ongoing_balance: '300.0', grants_target_top_up: true };
  const kept = { svc_id: 'r', trigger: 'interval', method: 'fixed', invoice_requires_successful_payment: false };
  const limits = { fee_types: ['charge'], billable_metric_codes: ['api'] };
  const overridden = (plan_overrides: object) => ({ plan_overrides });
  const planned = (parent_id: string | null) => ({
    plan: {
      ...{ parent_id, minimum_commitment: { amount_cents: 5, invoice_display_name: null, taxes: [{ code: 'vat' }] } },
      charges: [
        { svc_id: 'c1', invoice_display_name: null, properties: { amount: '2' } },
        { svc_id: 'c2', invoice_display_name: 'Two', properties: { amount: '1' } },
      ],
      fixed_charges: [{ svc_id: 'f1', svc_parent_id: 'f0', units: '1.0' }],
    },
  });
  // biome-ignore format: a table
  it.each<[string, object, KnownRecord, object]>([
    ['update_invoice', { metadata: [entry('b'), entry('x')] }, { metadata: stored }, { metadata: [entry('b', 'id-b'), entry('x')] }],
    ['update_invoice', { metadata: [entry('b', 'gone'), entry('y', 'gone')] }, { metadata: stored }, { metadata: [entry('b', 'id-b'), entry('y')] }],
    ['update_invoice', { metadata: [entry('b')] }, null, { metadata: [entry('b')] }],
    ['update_wallet', rules({ svc_id: 'r', paid_credits: '7' }), rules(rule), rules({ ...kept, interval: 'monthly', paid_credits: '7' })],
    ['update_wallet', rules({ svc_id: 'r', trigger: 'threshold', threshold_credits: '3' }), rules(rule), rules({ ...kept, trigger: 'threshold', threshold_credits: '3', paid_credits: '10.0' })],
    ['update_wallet', rules({ svc_id: 'r', method: 'fixed', paid_credits: '5' }), rules(targetRule), rules({ ...kept, interval: 'monthly', paid_credits: '5' })],
    ['update_wallet', rules({ svc_id: 'r', interval: 'weekly' }), rules(targetRule), rules({ ...kept, interval: 'weekly', method: 'target', target_ongoing_balance: '300.0', grants_target_top_up: true, paid_credits: '10.0' })],
    ['update_wallet', { applies_to: { fee_types: ['subscription'] } }, { applies_to: limits }, { applies_to: { fee_types: ['subscription'], billable_metric_codes: [] } }],
    ['update_wallet', { applies_to: { billable_metric_codes: ['calls'] } }, { applies_to: limits }, { applies_to: { fee_types: ['charge'], billable_metric_codes: ['calls'] } }],
    ['update_wallet', { applies_to: {} }, null, { applies_to: { billable_metric_codes: [] } }],
    ['update_wallet', { purchase_order_number: '  PO 7 ' }, null, { purchase_order_number: 'PO 7' }],
    ['update_wallet', { purchase_order_number: '  ' }, null, { purchase_order_number: null }],
    ['update_subscription', { purchase_order_number: ' ' }, null, { purchase_order_number: null }],
    ['update_subscription', overridden({ charges: [{ id: 'c1', invoice_display_name: 'Mine' }, { id: 'c2', properties: { amount: '3' } }, { id: 'c1', invoice_display_name: '' }] }), planned('p'), overridden({ charges: [{ id: 'c1', invoice_display_name: 'Mine', properties: { amount: '2' } }, { id: 'c2', invoice_display_name: 'Two', properties: { amount: '3' } }, { id: 'c1', invoice_display_name: null, properties: { amount: '2' } }] })],
    ['update_subscription', overridden({ charges: [{ id: 'c1', invoice_display_name: 'Mine' }] }), planned(null), overridden({ charges: [{ id: 'c1', invoice_display_name: 'Mine' }] })],
    ['update_subscription', overridden({ minimum_commitment: { amount_cents: 9 } }), planned(null), overridden({ minimum_commitment: { amount_cents: 9, tax_codes: ['vat'] } })],
    ['update_subscription', overridden({ minimum_commitment: {} }), planned(null), overridden({ minimum_commitment: {} })],
    ['update_subscription', overridden({ fixed_charges: [{ id: 'f0', units: '2' }] }), planned('p'), overridden({ fixed_charges: [{ id: 'f1', units: 2 }] })],
  ])('%s %j of %j', (name, args, known, sent) => {
    const tool = toolByName.get(name)!;
    const { body } = requestOf(tool, argsOf(name, ofOne(name, args)), known ?? undefined);
    expect(body).toEqual({ [tool.result]: sent });
  });
});
