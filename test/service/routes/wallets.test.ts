import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { writableFields } from '../../../src/contract/fields.ts';
import { wallet as walletResource, walletRule } from '../../../src/contract/wallet.ts';
import type { Json, JsonObject } from '../../../src/engine/records/index.ts';
import { expectMissing, expectOk, expectRefused, sharedService } from './service.ts';
import { itWrites, values } from './writable-fields.ts';

const service = sharedService();

const PAST = '2026-03-15T11:59:59Z';

describe('a wallet', () => {
  const path = `/wallets/${demoIds.wallet_svc_id}`;
  const put = (wallet: unknown) => service.put(path, { wallet });
  const rule = { trigger: 'interval', interval: 'monthly', paid_credits: '100', granted_credits: '1' };

  const rulesOf = async (wallet: unknown) =>
    (expectOk(await put(wallet)).wallet as JsonObject).recurring_transaction_rules as JsonObject[];

  // In the order of the checks: each request also contains all later offences.
  const refusals: [JsonObject, JsonObject][] = [
    [{ expiration_at: 'soon' }, { expiration_at: ['invalid_date'] }],
    [
      { recurring_transaction_rules: [rule, rule] },
      { recurring_transaction_rules: ['invalid_number_of_recurring_rules'] },
    ],
    [
      { recurring_transaction_rules: [{ trigger: 'never' }] },
      { recurring_transaction_rules: ['invalid_recurring_rule'] },
    ],
    [{ applies_to: { fee_types: ['tips'] } }, { allowed_fee_types: ['invalid_fee_types'] }],
    [{ applies_to: { billable_metric_codes: ['nope'] } }, { billable_metrics: ['invalid_identifier'] }],
    [{ payment_method: { payment_method_type: 'cash' } }, { payment_method: ['invalid_payment_method'] }],
    [{ priority: 51 }, { priority: ['value_is_invalid'] }],
    [{ paid_top_up_min_amount_cents: 0 }, { paid_top_up_min_amount_cents: ['value_is_out_of_range'] }],
    [
      { paid_top_up_min_amount_cents: 10, paid_top_up_max_amount_cents: 9 },
      { paid_top_up_max_amount_cents: ['must_be_greater_than_or_equal_min'] },
    ],
  ];

  it.each(refusals.map(([wallet, details], index) => [index, wallet, details] as const))(
    'is refused %i: %j',
    async (index, wallet, details) => {
      const later = Object.assign({}, ...refusals.slice(index + 1).map(([offence]) => offence)) as JsonObject;
      expectRefused(await put({ ...later, ...wallet }), details);
    },
  );

  it.each([
    ['in the past', PAST],
    ['now', '2026-03-15T12:00:00Z'],
    ['not a date', '2026-02-30'],
    ['a number', 5],
  ])('cannot expire %s', async (_, expiration_at) => {
    expectRefused(await put({ expiration_at }), { expiration_at: ['invalid_date'] });
  });

  it.each([
    ['without a trigger', {}],
    ['with an unknown interval', { trigger: 'interval', interval: 'daily' }],
    ['with a threshold that is no text', { trigger: 'threshold', threshold_credits: 10 }],
    [
      'with an unknown interval beside a threshold',
      { trigger: 'threshold', threshold_credits: '5', interval: 'daily' },
    ],
    [
      'with a target below its threshold',
      { trigger: 'threshold', threshold_credits: '5', method: 'target', target_ongoing_balance: '4' },
    ],
    ['that grants a top-up without a target', { ...rule, grants_target_top_up: true }],
    ['that has expired', { ...rule, expiration_at: PAST }],
    ['with too much metadata', { ...rule, transaction_metadata: Array(6).fill({ key: 'k', value: 'v' }) }],
    ['with a long key', { ...rule, transaction_metadata: [{ key: 'k'.repeat(21), value: 'v' }] }],
    ['with a long value', { ...rule, transaction_metadata: [{ key: 'k', value: 'v'.repeat(101) }] }],
    ['with an empty metadata value', { ...rule, transaction_metadata: [{ key: 'k', value: '' }] }],
    ['below the top-up limit', { ...rule, paid_credits: '49.99' }],
    ['above the top-up limit', { ...rule, paid_credits: '1000.01' }],
  ])('refuses a rule %s', async (_, entry) => {
    const refused = { recurring_transaction_rules: ['invalid_recurring_rule'] };
    expectRefused(await put({ recurring_transaction_rules: [entry] }), refused);
  });

  it('accepts a rule beyond the limits if the rule ignores them', async () => {
    const entry = { ...rule, paid_credits: '1000.01', ignore_paid_top_up_limits: true };
    const { wallet } = expectOk(await put({ recurring_transaction_rules: [entry] })) as { wallet: JsonObject };
    expect(wallet.recurring_transaction_rules).toMatchObject([{ paid_credits: '1000.01', status: 'active' }]);
  });

  it('keeps, replaces and ends its rules', async () => {
    const [first] = await rulesOf({ recurring_transaction_rules: [rule] });
    expect(await rulesOf({ name: 'Prepaid' })).toEqual([first]);
    expect(await rulesOf({ recurring_transaction_rules: null })).toEqual([first]);
    const [changed] = await rulesOf({
      recurring_transaction_rules: [{ ...rule, svc_id: first!.svc_id!, granted_credits: '2' }],
    });
    expect(changed).toEqual({ ...first, granted_credits: '2.0' });
    const [second] = await rulesOf({ recurring_transaction_rules: [rule] });
    expect(second!.svc_id).not.toBe(first!.svc_id);
    expect(await rulesOf({ recurring_transaction_rules: [] })).toEqual([]);
  });

  itWrites(walletResource, 'wallet', fields => put({ recurring_transaction_rules: [], ...fields }));

  it.each(writableFields(walletRule))('stores and shows %s of a rule', async (name, { unit, change }) => {
    const { good, bad } = values[unit];
    const target = { ...rule, method: 'target', target_ongoing_balance: '900' };
    const [made] = await rulesOf({ recurring_transaction_rules: [target] });
    const changed = (value: Json) => ({
      recurring_transaction_rules: [{ ...target, svc_id: made!.svc_id!, [name]: value }],
    });
    expect(await rulesOf(changed(good))).toMatchObject([{ [name]: good }]);
    expect(await rulesOf(changed(null))).toMatchObject([{ [name]: change.clears ? null : good }]);
    if (change.filled) expect(await rulesOf(changed(''))).toMatchObject([{ [name]: null }]);
    if (change.longest !== undefined)
      expectRefused(await put(changed('x'.repeat(change.longest + 1))), { [name]: ['value_is_too_long'] });
    expectRefused(await put(changed(bad)), { recurring_transaction_rules: ['invalid_recurring_rule'] });
  });

  it('replaces its metadata; null changes nothing, an empty object empties it', async () => {
    const metadata = async (value: unknown) => (expectOk(await put({ metadata: value })).wallet as JsonObject).metadata;
    expect(await metadata({ a: '1', b: null })).toEqual({ a: '1', b: null });
    expect(await metadata({ c: '3' })).toEqual({ c: '3' });
    expect(await metadata(null)).toEqual({ c: '3' });
    expect(await metadata({})).toEqual({});
  });

  it.each([
    ['a list', [], 'value_is_invalid'],
    ['a number', { a: 1 }, 'value_is_invalid'],
    ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, 'v'])), 'invalid_count'],
    ['a long key', { ['k'.repeat(101)]: 'v' }, 'value_is_too_long'],
    ['a long value', { k: 'v'.repeat(256) }, 'value_is_too_long'],
  ])('refuses metadata with %s', async (_, metadata, code) => {
    expectRefused(await put({ metadata }), { metadata: [code] });
  });

  it('drops its metric limits when applies_to is left out, keeps those to fee types, and the answer says so', async () => {
    expectOk(await put({ applies_to: { billable_metric_codes: [demoIds.billable_metric_code] } }));
    const reply = await put({ name: 'Prepaid' });
    expect((expectOk(reply).wallet as JsonObject).applies_to).toEqual({
      fee_types: ['charge'],
      billable_metric_codes: [],
    });
    expect(reply.headers['x-service-notice']).toContain(`dropped (${demoIds.billable_metric_code})`);
    expect(await service.account.get('wallets', demoIds.wallet_svc_id)).toMatchObject({ billable_metric_codes: [] });
    expect((await put({ name: 'Prepaid' })).headers).not.toHaveProperty('x-service-notice');
  });

  it('cannot have the code of another active wallet of its customer', async () => {
    const own = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    const twin = { ...own, id: '7c8f0f0e-5d5e-4c4e-8f43-2f9f3b1f6a01', code: 'twin', metadata: null };
    await service.account.insert('wallets', twin);
    expectRefused(await put({ code: 'twin' }), { code: ['value_already_exist'] });
    await service.account.update('wallets', twin.id, {
      status: 'terminated',
      terminated_at: '2026-03-01T00:00:00.000Z',
    });
    expectOk(await put({ code: 'twin' }));
    expectOk(await put({ code: demoIds.wallet_code }));
    const terminated = await service.put(`/wallets/${twin.id}`, { wallet: { priority: 99 } });
    expectRefused(terminated, { wallet_id: ['wallet_is_terminated'] });
  });

  it('belongs to a billing entity that exists, or to none', async () => {
    expectMissing(await put({ billing_entity_code: 'nope' }), 'billing_entity');
    const other = expectOk(await put({ billing_entity_code: 'skylark-eu' })).wallet as JsonObject;
    expect(other.billing_entity_code).toBe('skylark-eu');
    const own = expectOk(await put({ billing_entity_code: '' })).wallet as JsonObject;
    expect(own.billing_entity_code).toBe('skylark-us');
  });

  it('accepts two changes at the same time and loses neither', async () => {
    const replies = await Promise.all([put({ name: 'Both' }), put({ priority: 3 }), put({ metadata: { k: 'v' } })]);
    expect(replies.map(reply => reply.status)).toEqual([200, 200, 200]);
    const stored = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    expect(stored).toMatchObject({ name: 'Both', priority: 3, metadata: { k: 'v' } });
  });
});
