import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/service/account/demo-ids.ts';
import type { JsonObject } from '../../../src/service/records.ts';
import {
  expectMissing,
  expectNotAllowed,
  expectOk,
  expectRefused,
  startTestService,
  type TestService,
} from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.bugs).toEqual([]);
  await service.close();
});

const PAST = '2026-03-15T11:59:59Z';
const FUTURE = '2027-01-01T00:00:00Z';

describe('a wallet', () => {
  const path = `/wallets/${demoIds.wallet_svc_id}`;
  const put = (wallet: unknown) => service.put(path, { wallet });
  const rule = { trigger: 'interval', interval: 'monthly', paid_credits: '100', granted_credits: '1' };

  // In the order in which they are checked: each request also commits every later offence.
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
      'with a target below its threshold',
      { trigger: 'threshold', threshold_credits: '5', method: 'target', target_ongoing_balance: '4' },
    ],
    ['that grants a top-up without a target', { ...rule, grants_target_top_up: true }],
    ['that has expired', { ...rule, expiration_at: PAST }],
    ['with too much metadata', { ...rule, transaction_metadata: Array(6).fill({ key: 'k', value: 'v' }) }],
    ['with a long key', { ...rule, transaction_metadata: [{ key: 'k'.repeat(21), value: 'v' }] }],
    ['with a long value', { ...rule, transaction_metadata: [{ key: 'k', value: 'v'.repeat(101) }] }],
    ['without a name', { ...rule, transaction_name: '' }],
    ['below the top-up limit', { ...rule, paid_credits: '49.99' }],
    ['above the top-up limit', { ...rule, paid_credits: '1000.01' }],
  ])('takes no rule %s', async (_, entry) => {
    const refused = { recurring_transaction_rules: ['invalid_recurring_rule'] };
    expectRefused(await put({ recurring_transaction_rules: [entry] }), refused);
  });

  it('takes a rule beyond the limits that ignores them', async () => {
    const entry = { ...rule, paid_credits: '1000.01', ignore_paid_top_up_limits: true };
    const { wallet } = expectOk(await put({ recurring_transaction_rules: [entry] })) as { wallet: JsonObject };
    expect(wallet.recurring_transaction_rules).toMatchObject([{ paid_credits: '1000.01', status: 'active' }]);
  });

  it('keeps, replaces and ends its rules', async () => {
    const rulesOf = async (wallet: unknown) =>
      (expectOk(await put(wallet)).wallet as JsonObject).recurring_transaction_rules as JsonObject[];
    const [first] = await rulesOf({ recurring_transaction_rules: [rule] });
    expect(await rulesOf({ name: 'Prepaid' })).toEqual([first]);
    expect(await rulesOf({ recurring_transaction_rules: null })).toEqual([first]);
    const [changed] = await rulesOf({
      recurring_transaction_rules: [{ svc_id: first!.svc_id!, granted_credits: '2' }],
    });
    expect(changed).toEqual({ ...first, granted_credits: '2.0' });
    const [second] = await rulesOf({ recurring_transaction_rules: [rule] });
    expect(second!.svc_id).not.toBe(first!.svc_id);
    expect(await rulesOf({ recurring_transaction_rules: [] })).toEqual([]);
  });

  it('tells absent from null', async () => {
    const read = async (wallet: unknown) => expectOk(await put(wallet)).wallet as JsonObject;
    const full = await read({ name: 'N', expiration_at: FUTURE, purchase_order_number: 'P', code: 'c', priority: 7 });
    expect(full).toMatchObject({
      name: 'N',
      expiration_at: FUTURE,
      purchase_order_number: 'P',
      code: 'c',
      priority: 7,
    });
    const same = await read({ code: null, priority: null, invoice_requires_successful_payment: null });
    expect(same).toMatchObject({ code: 'c', priority: 7, name: 'N' });
    const cleared = await read({
      name: null,
      expiration_at: null,
      purchase_order_number: null,
      paid_top_up_min_amount_cents: null,
      paid_top_up_max_amount_cents: null,
    });
    expect(cleared).toMatchObject({
      name: null,
      expiration_at: null,
      purchase_order_number: null,
      paid_top_up_min_amount_cents: null,
      paid_top_up_max_amount_cents: null,
    });
    await read({ code: demoIds.wallet_code });
  });

  it('has its metadata replaced, and deleted by null', async () => {
    const metadata = async (value: unknown) => (expectOk(await put({ metadata: value })).wallet as JsonObject).metadata;
    expect(await metadata({ a: '1', b: null })).toEqual({ a: '1', b: null });
    expect(await metadata({ c: '3' })).toEqual({ c: '3' });
    expect(await metadata(null)).toBeUndefined();
  });

  it.each([
    ['a list', [], 'value_is_invalid'],
    ['a number', { a: 1 }, 'value_is_invalid'],
    ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, 'v'])), 'invalid_count'],
    ['a long key', { ['k'.repeat(101)]: 'v' }, 'value_is_too_long'],
    ['a long value', { k: 'v'.repeat(256) }, 'value_is_too_long'],
  ])('takes no metadata with %s', async (_, metadata, code) => {
    expectRefused(await put({ metadata }), { metadata: [code] });
  });

  it('keeps its limits when applies_to is left out, and says so', async () => {
    expectOk(await put({ applies_to: { billable_metric_codes: [demoIds.billable_metric_code] } }));
    const reply = await put({ name: 'Prepaid' });
    expect((expectOk(reply).wallet as JsonObject).applies_to).toEqual({
      fee_types: ['charge'],
      billable_metric_codes: [demoIds.billable_metric_code],
    });
    expect(reply.headers['x-service-notice']).toContain('applies_to was not sent');
    expectOk(await put({ applies_to: { billable_metric_codes: [] } }));
  });

  it('shares no code with another active wallet of its customer', async () => {
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

  it('takes two changes at the same time and loses neither', async () => {
    const replies = await Promise.all([put({ name: 'Both' }), put({ priority: 3 }), put({ metadata: { k: 'v' } })]);
    expect(replies.map(reply => reply.status)).toEqual([200, 200, 200]);
    const stored = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    expect(stored).toMatchObject({ name: 'Both', priority: 3, metadata: { k: 'v' } });
  });
});

describe('an invoice', () => {
  const put = (id: string, invoice: unknown) => service.put(`/invoices/${id}`, { invoice });
  const inState = async (status: string) => (await service.account.first('invoices', { status }))!;
  const entries = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: 'v' }));

  it('is not there while it is hidden', async () => {
    const own = (await service.account.get('invoices', demoIds.invoice_svc_id))!;
    for (const status of ['generating', 'open', 'closed', 'deleted']) {
      await service.account.update('invoices', own.id, { status });
      expectMissing(await put(own.id, { payment_status: 'x' }), 'invoice');
    }
    await service.account.update('invoices', own.id, { status: own.status });
  });

  it('is not changed once voided', async () => {
    const { id } = await inState('voided');
    expectNotAllowed(await put(id, { payment_status: 'x', metadata: entries(6) }), 'update_on_voided_invoice');
  });

  it('takes neither metadata nor another payment status as a draft', async () => {
    const { id, payment_status: same } = await inState('draft');
    expectNotAllowed(await put(id, { metadata: entries(6), payment_status: 'x' }), 'metadata_on_draft_invoice');
    expectRefused(await put(id, { payment_status: 'x' }), { payment_status: ['value_is_invalid'] });
    expectNotAllowed(await put(id, { payment_status: 'succeeded' }), 'payment_status_update_on_draft_invoice');
    expectOk(await put(id, { payment_status: same, metadata: null }));
  });

  it.each([
    [
      'an unknown status before a full list',
      { payment_status: 'paid', metadata: entries(6) },
      { payment_status: ['value_is_invalid'] },
    ],
    ['a null status', { payment_status: null }, { payment_status: ['value_is_invalid'] }],
    ['six entries', { metadata: entries(6) }, { metadata: ['invalid_count'] }],
    ['an entry without a key', { metadata: [{ value: 'v' }] }, { key: ['value_is_mandatory'] }],
    ['a long key', { metadata: [{ key: 'k'.repeat(21), value: 'v' }] }, { key: ['value_is_too_long'] }],
    ['a long value', { metadata: [{ key: 'k', value: 'v'.repeat(141) }] }, { value: ['value_is_too_long'] }],
    ['a key twice', { metadata: [...entries(1), ...entries(1)] }, { key: ['value_already_exist'] }],
  ])('is refused %s', async (_, invoice, details) => {
    expectRefused(await put(demoIds.invoice_svc_id, invoice), details);
  });

  it('moves between all payment statuses, its fees with it', async () => {
    for (const status of ['failed', 'pending', 'succeeded']) {
      await service.account.update('invoices', demoIds.invoice_svc_id, { payment_overdue: true });
      const { invoice } = expectOk(await put(demoIds.invoice_svc_id, { payment_status: status })) as {
        invoice: JsonObject;
      };
      expect(invoice.payment_status).toBe(status);
      expect(new Set((invoice.fees as JsonObject[]).map(fee => fee.payment_status))).toEqual(new Set([status]));
      expect(invoice.payment_overdue).toBe(status !== 'succeeded');
    }
  });

  it('has its metadata replaced entry by entry', async () => {
    const metadata = async (value: unknown) =>
      (expectOk(await put(demoIds.invoice_svc_id, { metadata: value })).invoice as JsonObject).metadata as JsonObject[];
    const [a, b] = await metadata([
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ]);
    const next = await metadata([
      { id: b!.svc_id, key: 'b', value: '3' },
      { key: 'c', value: '4' },
    ]);
    expect(next[0]).toEqual({ ...b, value: '3' });
    expect(next.map(entry => entry.key)).toEqual(['b', 'c']);
    expect(next.some(entry => entry.svc_id === a!.svc_id)).toBe(false);
    expect(await metadata(null)).toEqual(next);
    expect(await metadata([])).toEqual([]);
  });

  it('tops up its wallet once when it is a paid credit invoice', async () => {
    const source = (await service.account.get('invoices', demoIds.invoice_svc_id))!;
    const invoice = {
      ...source,
      id: '7c8f0f0e-5d5e-4c4e-8f43-2f9f3b1f6a02',
      number: 'TOP-UP',
      invoice_type: 'credit',
      payment_status: 'pending',
    };
    await service.account.insert('invoices', invoice);
    const pending = (await service.account.first('wallet_transactions', { status: 'pending' }))!;
    await service.account.update('wallet_transactions', pending.id, { invoice_id: invoice.id });
    const before = (await service.account.get('wallets', pending.wallet_id))!;
    for (const payment_status of ['failed', 'succeeded', 'failed', 'succeeded'])
      expectOk(await put(invoice.id, { payment_status }));
    const after = (await service.account.get('wallets', pending.wallet_id))!;
    expect(Number(after.credits_balance) - Number(before.credits_balance)).toBe(Number(pending.credit_amount));
    expect(after.balance_cents - before.balance_cents).toBe(Number(pending.amount) * 100);
    expect(await service.account.get('wallet_transactions', pending.id)).toMatchObject({ status: 'settled' });
  });
});

describe('a credit note', () => {
  const put = (credit_note: unknown) => service.put(`/credit_notes/${demoIds.credit_note_svc_id}`, { credit_note });

  it('moves between all refund statuses, null included', async () => {
    for (const refund_status of ['failed', 'succeeded', null, 'pending']) {
      expect((expectOk(await put({ refund_status })).credit_note as JsonObject).refund_status).toBe(refund_status);
    }
    expectRefused(await put({ refund_status: 'done' }), { refund_status: ['value_is_invalid'] });
  });

  it('has its metadata merged', async () => {
    const metadata = async (value: unknown) =>
      (expectOk(await put({ metadata: value })).credit_note as JsonObject).metadata;
    const start = (await metadata({})) as JsonObject;
    expect(await metadata({ a: '1' })).toEqual({ ...start, a: '1' });
    expect(await metadata({ b: null })).toEqual({ ...start, a: '1', b: null });
    expect(await metadata(null)).toEqual({ ...start, a: '1', b: null });
  });

  it('is not there as a draft', async () => {
    await service.account.update('credit_notes', demoIds.credit_note_svc_id, { status: 'draft' });
    expectMissing(await put({ refund_status: 'x' }), 'credit_note');
    await service.account.update('credit_notes', demoIds.credit_note_svc_id, { status: 'finalized' });
  });
});

describe('an add-on', () => {
  const put = (code: string, add_on: unknown) => service.put(`/add_ons/${encodeURIComponent(code)}`, { add_on });

  it.each([
    [{ name: ' ' }, { name: ['value_is_mandatory'] }],
    [{ code: null }, { code: ['value_is_mandatory'] }],
    [{ amount_cents: 0 }, { amount_cents: ['value_is_out_of_range'] }],
    [{ amount_cents: 'much' }, { amount_cents: ['value_is_invalid'] }],
    [{ amount_currency: 'XXX' }, { amount_currency: ['value_is_invalid'] }],
    [
      { name: '', amount_cents: -1, tax_codes: ['nope'] },
      { name: ['value_is_mandatory'], amount_cents: ['value_is_out_of_range'] },
    ],
  ])('is refused %j', async (add_on, details) => {
    expectRefused(await put(demoIds.add_on_code, add_on), details);
  });

  it('has its taxes replaced, by known ones only', async () => {
    expectMissing(await put(demoIds.add_on_code, { tax_codes: ['nope'] }), 'tax');
    const taxes = async (codes: string[]) =>
      ((expectOk(await put(demoIds.add_on_code, { tax_codes: codes })).add_on as JsonObject).taxes as JsonObject[]).map(
        tax => tax.code,
      );
    expect(await taxes([demoIds.tax_code])).toEqual([demoIds.tax_code]);
    expect(await taxes([])).toEqual([]);
  });

  it('leaves its code to another one once deleted, and the plans that billed it', async () => {
    const plan = (await service.account.find('plans')).find(each => each.fixed_charges.length > 0)!;
    const [charge] = plan.fixed_charges;
    const addOn = (await service.account.get('add_ons', charge!.add_on_id))!;
    const other = (await service.account.find('add_ons')).find(each => each.id !== addOn.id)!;
    expectRefused(await put(other.code, { code: addOn.code }), { code: ['value_already_exist'] });
    expectOk(await service.call('DELETE', `/add_ons/${addOn.code}`));
    expectMissing(await service.call('DELETE', `/add_ons/${addOn.code}`), 'add_on');
    expectMissing(await put(addOn.code, { name: 'x' }), 'add_on');
    expect((await service.account.get('plans', plan.id))!.fixed_charges.some(each => each.add_on_id === addOn.id)).toBe(
      false,
    );
    expectOk(await put(other.code, { code: addOn.code }));
  });

  it('gets a code that two ask for at once only once', async () => {
    const [one, two] = await service.account.find('add_ons', { deleted_at: null });
    if (!one || !two) throw new Error('the demo account has two add-ons left');
    const replies = await Promise.all([
      put(one.code, { code: 'wanted/by two' }),
      put(two.code, { code: 'wanted/by two' }),
    ]);
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422]);
    expect(await service.account.count('add_ons', { code: 'wanted/by two' })).toBe(1);
  });
});

describe('a billing entity', () => {
  const post = (billing_entity: unknown) => service.post('/billing_entities', { billing_entity });

  it('needs a code and a name', async () => {
    expectRefused(await post({ city: 'Paris' }), { code: ['value_is_mandatory'], name: ['value_is_mandatory'] });
  });

  it('names every bad field at once', async () => {
    const reply = await post({
      code: demoIds.billing_entity_code,
      name: 'N',
      country: 'XX',
      timezone: 'Europe/Pariss',
      default_currency: 'XXX',
      email: 'nobody',
      email_settings: ['invoice.paid'],
      document_number_prefix: 'ELEVENCHARS',
      eu_tax_management: true,
      logo: 'data:image/gif;base64,AAAA',
      net_payment_term: -1,
      billing_configuration: { document_locale: 'xx', invoice_footer: 'x'.repeat(601) },
    });
    expectRefused(reply, {
      code: ['value_already_exist'],
      country: ['not_a_valid_country_code'],
      default_currency: ['value_is_invalid'],
      timezone: ['invalid_timezone'],
      invoice_footer: ['value_is_too_long'],
      document_locale: ['not_a_valid_language_code'],
      document_number_prefix: ['value_is_too_long'],
      net_payment_term: ['value_is_out_of_range'],
      email: ['invalid_email_format'],
      email_settings: ['unsupported_value'],
      logo: ['invalid_content_type'],
      eu_tax_management: ['billing_entity_must_be_in_eu'],
    });
  });

  it('has the service’s defaults, unwrapped', async () => {
    const entity = expectOk(await post({ code: 'plain', name: 'Élan & Co', country: 'fr' }));
    expect(entity).toMatchObject({
      default_currency: 'USD',
      document_locale: 'en',
      timezone: 'UTC',
      document_numbering: 'per_customer',
      finalize_zero_amount_invoice: true,
      invoice_grace_period: 0,
      net_payment_term: 0,
      email_settings: [],
      subscription_invoice_issuing_date_anchor: 'next_period_start',
      subscription_invoice_issuing_date_adjustment: 'align_with_finalization_date',
      document_number_prefix: `ÉLA-${String(entity.svc_id).slice(-4).toUpperCase()}`,
      country: 'FR',
      is_default: false,
    });
  });

  it('keeps zone names as given, and shows its logo', async () => {
    const png = Buffer.alloc(800 * 1024, 7);
    const logo = `data:image/png;base64,${png.toString('base64')}`;
    const entity = expectOk(await post({ code: 'far', name: 'Far', timezone: 'GMT+12', logo }));
    expect(entity.timezone).toBe('GMT+12');
    const shown = await fetch(String(entity.logo_url));
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
    const larger = `data:image/png;base64,${Buffer.alloc(800 * 1024 + 1).toString('base64')}`;
    expectRefused(await post({ code: 'farther', name: 'Far', logo: larger }), { logo: ['invalid_size'] });
  });
});
