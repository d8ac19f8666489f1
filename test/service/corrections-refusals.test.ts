/**
 * What the service refuses and stores of a write, as the recordings of the real service show it. Each test has the number
 * of its correction; its first inputs are recorded ones, the others are not.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/engine/records/index.ts';
import { loadAccount } from '../../src/service/account-file/load.ts';
import { refusalOf } from '../engine/file-service.ts';
import { recording } from '../support/recorded.ts';
import { KEY, type Reply, startTestService, type TestService } from './routes/service.ts';

const { account: recordedAccount, now } = recording<{ account: JsonObject & Lists; now: string }>('account-101');
interface Lists extends Record<'plans' | 'subscriptions' | 'wallets', JsonObject[]> {}

const plan = (code: string, more: JsonObject) => ({
  ...{ code, name: code, interval: 'monthly', amount_cents: 3000, amount_currency: 'EUR', pay_in_advance: false },
  ...more,
});
const subscription = (external_id: string, plan_code: string, more: JsonObject = {}) => ({
  ...{ external_id, plan_code, external_customer_id: 'c6', subscription_at: '2026-11-01T00:00:00.000Z' },
  ...more,
});
const wallet = (code: string, more: JsonObject = {}) => ({
  ...{ external_customer_id: 'c6', code, currency: 'EUR', rate_amount: '1', credits_balance: '0' },
  ...more,
});
const limits = { paid_top_up_min_amount_cents: 500, paid_top_up_max_amount_cents: 5000 };
const weekly = { trigger: 'interval', interval: 'weekly' };

const account: JsonObject & Lists = {
  ...recordedAccount,
  plans: [
    ...recordedAccount.plans,
    plan('three', {}),
    plan('months', { interval: 'yearly', amount_cents: 12000, bill_charges_monthly: true }),
    plan('week', { interval: 'weekly', amount_cents: 100 }),
  ],
  subscriptions: [
    ...recordedAccount.subscriptions,
    subscription('copy61', 'three', { plan_overrides: { amount_cents: 5000 } }),
    subscription('up61', 'adv', { plan_overrides: { amount_cents: 700 } }),
    subscription('month', 'three'),
    subscription('month2', 'three'),
    subscription('months', 'months'),
    subscription('week', 'week'),
    subscription('late', 'three', { subscription_at: '2027-02-20T00:00:00.000Z', status: 'pending' }),
    subscription('later', 'three', { subscription_at: '2027-02-20T00:00:00.000Z', status: 'pending' }),
    subscription('ended', 'three', { status: 'terminated', terminated_at: '2027-01-15T10:00:00.000Z' }),
  ],
  wallets: [
    ...recordedAccount.wallets,
    wallet('w71', limits),
    wallet('w71-flag'),
    wallet('w92', { applies_to: { fee_types: ['charge'], billable_metric_codes: ['api'] } }),
    wallet('w93'),
  ],
};

let service: TestService;
const walletIds: Record<string, string> = {};
let ofInvoice: (number: string) => Promise<string>;
beforeAll(async () => {
  service = await startTestService({ account, now });
  for (const { code, id } of await service.account.find('wallets')) walletIds[code] = id;
  ofInvoice = async number => (await service.account.first('invoices', { number }))!.id;
});
afterAll(async () => {
  expect(service.bugs).toEqual([]);
  await service.close();
});

const subscribed = (id: string, sent: unknown) => service.put(`/subscriptions/${id}`, { subscription: sent });
const overridden = (id: string, plan_overrides: unknown) => subscribed(id, { plan_overrides });
const walletOf = (code: string, sent: unknown) => service.put(`/wallets/${walletIds[code]}`, { wallet: sent });
const ruleOf = (code: string, rule: unknown) => walletOf(code, { recurring_transaction_rules: [rule] });
const entity = (sent: object) => service.post('/billing_entities', { billing_entity: { name: 'New', ...sent } });
const alertOf = (id: string, sent: object, query = '') =>
  service.post(`/subscriptions/${id}/alerts${query}`, {
    alert: { code: 'a', alert_type: 'current_usage_amount', thresholds: [{ value: 1 }], ...sent },
  });
const previewed = (external_ids: string[], more: object = {}) =>
  service.post('/invoices/preview', { customer: { external_id: 'c6' }, subscriptions: { external_ids, ...more } });

const missing = (key: string) => `BadRequest: param is missing or the value is empty or invalid: ${key}`;
async function shown(reply: Promise<Reply>, wrapper: string): Promise<JsonObject> {
  const { status, body, text } = await reply;
  expect(status, text).toBe(200);
  return body[wrapper] as JsonObject;
}
const planOf = async (reply: Promise<Reply>) => (await shown(reply, 'subscription')).plan as JsonObject;

/** A subscription with a copy of the plan `basic`: the copy's ids of its two charges and of its fixed charge. */
async function copied(id: string) {
  const { svc_id } = await planOf(overridden(id, { name: 'Own' }));
  const { charges, fixed_charges } = (await service.account.get('plans', String(svc_id)))!;
  const [api, calls] = charges;
  const [seats] = fixed_charges;
  return { api: api!.id, calls: calls!.id, seats: seats!.id, parentSeats: seats!.parent_id };
}
const unknownId = '11111111-2222-4333-8444-555555555555';

describe('the real service', () => {
  it('44: null and "" clear the credit note choice of a plan in advance', async () => {
    const stored = async () => (await service.account.first('subscriptions', { external_id: 's2' }))!;
    for (const [set, cleared] of [
      ['skip', null],
      ['refund', ''],
    ]) {
      await shown(subscribed('s2', { on_termination_credit_note: set }), 'subscription');
      expect(await stored()).toMatchObject({ on_termination_credit_note: set });
      await shown(subscribed('s2', { on_termination_credit_note: cleared }), 'subscription');
      expect(await stored()).toMatchObject({ on_termination_credit_note: null });
    }
  });

  it('56: fees of a paid or failed invoice keep their times', async () => {
    const path = `/invoices/${await ofInvoice('ONE-1')}`;
    for (const payment_status of ['succeeded', 'failed', 'pending']) {
      const { fees } = await shown(service.put(path, { invoice: { payment_status } }), 'invoice');
      expect(fees).toMatchObject([{ payment_status, succeeded_at: null, failed_at: null }]);
    }
  });

  it('61: a subscription with an override may change to its own plan', async () => {
    const down = await shown(previewed(['copy61'], { plan_code: 'three' }), 'invoice');
    expect(down).toMatchObject({ fees_amount_cents: 5000, issuing_date: '2027-02-01' });
    const up = await shown(previewed(['up61'], { plan_code: 'adv' }), 'invoice');
    expect(up.issuing_date).toBe('2027-01-15');
    expect(refusalOf(await previewed(['month'], { plan_code: 'three' }))).toEqual(
      '422 base new_plan_should_be_different_from_existing_plan',
    );
  });

  it('62: periods of several subscriptions are those of their plans', async () => {
    const refused = '422 base billing_periods_does_not_match';
    expect(refusalOf(await previewed(['months', 'month']))).toEqual(refused);
    expect(refusalOf(await previewed(['month', 'week']))).toEqual(refused);
    await shown(previewed(['month', 'month2']), 'invoice');
  });

  it.each([
    ['graduated', { graduated_ranges: [{ from_value: 0, to_value: null, flat_amount: '1', per_unit_amount: '2' }] }],
    ['standard', { amount: '5' }],
  ])('63: a fixed charge in advance that is prorated is not graduated: %s', async (charge_model, properties) => {
    const charge = { code: 'f', add_on_code: 'seat', units: '1', charge_model, properties };
    const file = (more: object) => ({
      ...recordedAccount,
      plans: [...recordedAccount.plans, plan('odd', { fixed_charges: [{ ...charge, ...more }] as Json })],
    });
    const load = (more: object) =>
      loadAccount(service.store, file(more) as Json, { apiKey: `${KEY}-${charge_model}`, now: new Date(now) });
    if (charge_model === 'standard') return void (await load({ pay_in_advance: true, prorated: true }));
    await expect(load({ pay_in_advance: true, prorated: true })).rejects.toThrow(
      'plans[4].fixed_charges[0].prorated: graduated charges',
    );
  });

  it('64: a later override without charges keeps them all', async () => {
    await copied('own1');
    expect((await planOf(overridden('own1', { amount_cents: 777 }))).charges).toHaveLength(2);
    expect((await planOf(overridden('own1', { minimum_commitment: { amount_cents: 5 } }))).charges).toHaveLength(2);
    expect((await planOf(overridden('own1', { charges: [] }))).charges).toEqual([]);
  });

  it('65: an entry of a later override names its price, and creates a charge with the code of its metric', async () => {
    const { api, calls } = await copied('own2');
    const later = async (...charges: object[]) => refusalOf(await overridden('own2', { charges }));
    const metric = (await service.account.first('billable_metrics', { code: 'calls' }))!.id;
    const price = { properties: { amount: '1' } };
    expect(await later({ id: api, invoice_display_name: 'Left' })).toEqual('422 properties invalid_amount');
    expect(await later({ id: calls, min_amount_cents: 200 })).toEqual(
      '422 properties invalid_amount,invalid_free_units,invalid_package_size',
    );
    expect(await later({ id: calls, properties: { amount: '1', package_size: 5 } })).toEqual(
      '422 properties invalid_free_units',
    );
    expect(await later({ id: api, charge_model: 'volume', properties: {} })).toEqual('422 properties invalid_amount');
    expect(await later({ id: api }, { billable_metric_id: unknownId, charge_model: 'standard', ...price })).toEqual(
      '404 billable_metrics_not_found',
    );
    expect(await later({ billable_metric_id: metric, ...price })).toEqual(
      '422 charge_model value_is_invalid,value_is_mandatory',
    );
    expect(await later({ charge_model: 'standard', ...price })).toEqual('422 billable_metric relation_must_exist');
    // The first bad entry is the one that is refused.
    expect(await later({ id: api }, { charge_model: 'standard', ...price })).toEqual('422 properties invalid_amount');

    const { charges } = await planOf(
      overridden('own2', {
        charges: [
          { id: api, charge_model: 'standard', min_amount_cents: 9 },
          { billable_metric_id: metric, charge_model: 'package', min_amount_cents: 7 },
          { billable_metric_id: metric, charge_model: 'percentage', properties: { rate: '2.9' } },
        ],
      }),
    );
    const byCode = new Map((charges as JsonObject[]).map(charge => [charge.code, charge]));
    expect([...byCode.keys()].sort()).toEqual(['c_api', 'calls', 'calls_2']);
    expect(byCode.get('c_api')).toMatchObject({ properties: { amount: '0' }, min_amount_cents: 0, filters: [{}] });
    expect(byCode.get('calls')).toMatchObject({
      properties: { amount: '0', package_size: 1, free_units: 0 },
      min_amount_cents: 7,
    });
  });

  it('66: a commitment of an override starts from nothing and has an amount', async () => {
    const commitment = async (id: string, minimum_commitment: object) =>
      refusalOf(await overridden(id, { minimum_commitment }));
    expect(await commitment('own3', { tax_codes: ['vat'] })).toEqual('422 amount_cents value_is_mandatory');
    expect(await commitment('own3', { amount_cents: 0 })).toEqual('422 amount_cents value_is_out_of_range');
    expect(await planOf(overridden('own3', { minimum_commitment: {} }))).not.toHaveProperty('minimum_commitment');
    expect(await commitment('own3', { amount_cents: 0 })).toEqual('422 amount_cents value_is_out_of_range');
    const sent = { amount_cents: 900, invoice_display_name: 'Least', tax_codes: ['vat'] };
    const made = await planOf(overridden('own3', { minimum_commitment: sent }));
    expect(made.minimum_commitment).toMatchObject({ amount_cents: 900, taxes: [{ code: 'vat' }] });
    const raised = await planOf(overridden('own3', { minimum_commitment: { amount_cents: 950 } }));
    expect(raised.minimum_commitment).toMatchObject({ amount_cents: 950, invoice_display_name: 'Least' });
    expect(await planOf(overridden('own3', { minimum_commitment: {} }))).not.toHaveProperty('minimum_commitment');
  });

  it('67: null is refused, and an empty block makes the copy', async () => {
    for (const [field, code] of [
      ['amount_cents', 'value_is_mandatory'],
      ['name', 'value_is_mandatory'],
      ['amount_currency', 'value_is_invalid'],
    ] as const) {
      for (const id of ['own4', 's5'])
        expect(refusalOf(await overridden(id, { [field]: null }))).toEqual(`422 ${field} ${code}`);
    }
    for (const [id, block] of [
      ['own4', {}],
      ['own5', { colour: 'red' }],
      ['own6', { fixed_charges: [] }],
    ] as const)
      expect((await planOf(overridden(id, block))).parent_id).toEqual(expect.any(String));
  });

  it('68: a copy knows its own ids only, and an empty list of thresholds does not count', async () => {
    const { seats, parentSeats } = await copied('own7');
    const units = (id: Json | undefined) => overridden('own7', { fixed_charges: [{ id: id ?? null, units: '4' }] });
    expect(refusalOf(await units(parentSeats))).toEqual('404 fixed_charge_not_found');
    expect(refusalOf(await units(null))).toEqual('404 fixed_charge_not_found');
    await shown(units(seats), 'subscription');
    const both = (list: object[]) =>
      subscribed('own8', { usage_thresholds: [{ amount_cents: 5000 }], plan_overrides: { usage_thresholds: list } });
    await shown(both([]), 'subscription');
    expect(refusalOf(await both([{ amount_cents: 1 }]))).toEqual(
      '422 usage_thresholds incompatible_params; plan_overrides.usage_thresholds incompatible_params',
    );
  });

  it('69: a stored key of an invoice needs its id', async () => {
    const path = `/invoices/${await ofInvoice('ONE-2')}`;
    const put = (...metadata: object[]) => service.put(path, { invoice: { metadata } });
    const { metadata } = await shown(put({ key: 'po', value: '1' }, { key: 'cost', value: 'x' }), 'invoice');
    const [po, cost] = metadata as JsonObject[];
    const taken = '422 key value_already_exist';
    expect(refusalOf(await put({ key: 'po', value: '2' }))).toEqual(taken);
    expect(refusalOf(await put({ svc_id: po!.svc_id, key: 'po', value: '4' }))).toEqual(taken);
    expect(refusalOf(await put({ id: cost!.svc_id, key: 'po', value: '4' }))).toEqual(taken);
    expect(refusalOf(await put({ key: 'k', value: '' }))).toEqual('422 value value_is_mandatory');
    expect(refusalOf(await put({ id: po!.svc_id, value: '' }))).toEqual('422 value value_is_mandatory');
    const kept = await shown(put({ id: po!.svc_id, value: '5' }), 'invoice');
    expect(kept.metadata).toMatchObject([{ svc_id: po!.svc_id, key: 'po', value: '5' }]);
    await shown(put({ key: 'cost', value: 'again' }), 'invoice');
  });

  it('70: a pending subscription starts once its start has passed', async () => {
    const at = (id: string, subscription_at: Json) => subscribed(id, { subscription_at });
    for (const start of ['2027-01-15T12:00:00Z', '2027-01-15T10:00:01Z'])
      expect(await shown(at('late', start), 'subscription')).toMatchObject({
        ...{ status: 'pending', subscription_at: start, started_at: null, activated_at: null },
      });
    for (const [id, start] of [
      ['late', '2027-01-10T00:00:00Z'],
      ['later', '2027-01-15T10:00:00Z'],
    ] as const)
      expect(await shown(at(id, start), 'subscription')).toMatchObject({
        ...{ status: 'active', started_at: start.replace('Z', '.000Z'), activated_at: start },
      });
    for (const id of ['late', 's3']) expect(refusalOf(await at(id, null))).toEqual('422 subscription_at invalid_date');
  });

  it('71: a rule of a wallet is whole', async () => {
    const bad = '422 recurring_transaction_rules invalid_recurring_rule';
    const refused = async (rule: object) =>
      expect(refusalOf(await ruleOf('w71', rule)), JSON.stringify(rule)).toEqual(bad);
    const made = await shown(ruleOf('w71', { ...weekly, paid_credits: '6' }), 'wallet');
    const [{ svc_id }] = made.recurring_transaction_rules as [JsonObject];
    await refused({ svc_id, paid_credits: '7' });
    await refused({ svc_id, trigger: 'threshold', paid_credits: '7' });
    await refused({ ...weekly, grants_target_top_up: false });
    await refused({ ...weekly, method: 'fixed', grants_target_top_up: true });
    await refused({ ...weekly, transaction_metadata: [{ key: 'k', value: '' }] });
    expect(refusalOf(await ruleOf('w71', { ...weekly, transaction_name: 'x'.repeat(256) }))).toEqual(
      '422 transaction_name value_is_too_long',
    );
    // The stored rule buys 600.
    expect(refusalOf(await walletOf('w71', { paid_top_up_min_amount_cents: 700 }))).toEqual(bad);
    expect(refusalOf(await walletOf('w71', { paid_top_up_max_amount_cents: 599 }))).toEqual(bad);
    await shown(walletOf('w71', { paid_top_up_min_amount_cents: 600 }), 'wallet');
    const named = await shown(ruleOf('w71', { ...weekly, transaction_name: '' }), 'wallet');
    expect(named.recurring_transaction_rules).toMatchObject([{ transaction_name: null }]);
    for (const invoice_requires_successful_payment of [true, false]) {
      const rules = { recurring_transaction_rules: [weekly], invoice_requires_successful_payment };
      const { recurring_transaction_rules: stored } = await shown(walletOf('w71-flag', rules), 'wallet');
      expect(stored).toMatchObject([{ invoice_requires_successful_payment }]);
    }
  });

  it.each([
    ['PUT', `/credit_notes/${unknownId}`, 404, 'credit_note_not_found'],
    ['PUT', '/credit_notes/no-uuid', 404, 'credit_note_not_found'],
    ['POST', '/subscriptions/none/alerts', 404, 'subscription_not_found'],
    ['POST', '/subscriptions/s4/alerts', 404, 'subscription_not_found'],
    ['PUT', `/wallets/${unknownId}`, 400, missing('wallet')],
    ['POST', '/subscriptions/s1/alerts', 400, missing('alert')],
  ])('72: %s %s without its key is %i', async (method, path, status, why) => {
    for (const body of [{}, { credit_note: 'x' }, { alert: [] }])
      expect(refusalOf(await service.call(method, path, body))).toEqual(`${status} ${why}`);
  });

  it.each<[string, () => Promise<Reply>, string]>([
    [
      'two that recur',
      () => overridden('s6', { usage_thresholds: [7, 8].map(amount_cents => ({ amount_cents, recurring: true })) }),
      'usage_thresholds multiple_recurring_thresholds',
    ],
    [
      'hours as text',
      () => subscribed('s8', { activation_rules: [{ type: 'payment', timeout_hours: '12' }] }),
      'timeout_hours value_must_be_positive_or_zero; customer no_default_payment_method',
    ],
    [
      'a rule twice',
      () => subscribed('s8', { activation_rules: [{ type: 'payment' }, { type: 'payment' }] }),
      'customer no_default_payment_method,no_default_payment_method; activation_rules duplicated_type',
    ],
    [
      'a blank flag',
      () => walletOf('w5', { invoice_requires_successful_payment: '' }),
      'invoice_requires_successful_payment value_is_reserved',
    ],
    [
      'negative units',
      async () => {
        const { fixed_charges } = (await service.account.first('plans', { code: 'basic', parent_id: null }))!;
        return overridden('own9', { fixed_charges: [{ id: fixed_charges[0]!.id, units: '-1' }] });
      },
      'units value_is_out_of_range',
    ],
  ])('73: %s has a code of its own', async (_, send, details) => {
    expect(refusalOf(await send())).toEqual(`422 ${details}`);
  });

  it('74: problems of one step are answered together', async () => {
    expect(
      refusalOf(await walletOf('w2', { applies_to: { fee_types: ['x'], billable_metric_codes: ['none'] } })),
    ).toEqual('422 allowed_fee_types invalid_fee_types; billable_metrics invalid_identifier');
    const terms = { ending_at: 'soon', on_termination_invoice: 'maybe', subscription_at: 'soon' };
    expect(refusalOf(await subscribed('s3', terms))).toEqual(
      '422 subscription_at invalid_date; ending_at invalid_date; on_termination_invoice invalid_value',
    );
  });

  it('75: a batch of alerts says what is wrong in one text, and shows known keys only', async () => {
    const post = (alerts: unknown, more: object = {}) =>
      service.post('/subscriptions/own10/alerts', { alerts, ...more });
    const batch = async (...sent: Parameters<typeof post>) => refusalOf(await post(...sent));
    const detailsOf = (alerts: unknown) => post(alerts).then(({ status, body }) => [status, body.error_details]);
    const good = { code: 'b1', alert_type: 'current_usage_amount', thresholds: [{ value: 1 }] };
    const odd = { code: 'b3', alert_type: 'nonsense', colour: 'red', thresholds: [{ value: 1, colour: 'red' }] };
    const params = { code: 'b3', alert_type: 'nonsense', thresholds: [{ value: 1 }] };
    const errors = 'Validation errors: {"alert_type":["invalid_type"]}';
    expect(await detailsOf([good, odd])).toEqual([422, { 1: { params, errors } }]);
    const lost = { ...good, billable_metric_code: 'none' };
    const unknown = { params: lost, errors: 'billable_metric_not_found' };
    expect(await detailsOf([lost])).toEqual([422, { 0: unknown }]);
    for (const texts of ['x', ['x'], [good, 5]]) expect(await batch(texts)).toEqual('422 alerts no_alerts');
    for (const none of [[], [null], null, '']) expect(await batch(none)).toEqual(`400 ${missing('alert')}`);
    expect(await batch([], { alert: good })).toEqual('200 undefined');
    expect(await batch(null, { alert: good })).toEqual('422 code value_already_exist');
  });

  it.each<[JsonObject, string]>([
    [{ country: '' }, 'country not_a_valid_country_code'],
    [{ timezone: '' }, 'timezone invalid_timezone'],
    [{ default_currency: null }, 'default_currency value_is_invalid'],
    [{ default_currency: '' }, 'default_currency value_is_invalid'],
    [{ document_number_prefix: '' }, 'document_number_prefix value_is_too_short'],
    [{ net_payment_term: null }, 'net_payment_term value_is_invalid'],
    [{ finalize_zero_amount_invoice: null }, 'finalize_zero_amount_invoice value_is_invalid'],
    [{ einvoicing: true }, 'einvoicing country_must_be_present'],
    [{ einvoicing: true, country: 'US' }, 'einvoicing country_not_supported'],
    [{ einvoicing: true, country: 'at' }, 'einvoicing country_not_supported'],
    [{ billing_configuration: { document_locale: '' } }, 'document_locale not_a_valid_language_code'],
  ])('76: null and "" of a billing entity are not "absent": %j', async (sent, details) => {
    expect(refusalOf(await entity({ code: 'be76', ...sent }))).toEqual(`422 ${details}`);
  });

  it('76: plain texts of a billing entity may be empty, and an e-mail is trimmed', async () => {
    const made = await entity({ code: 'be', email: ' Foo@Example.COM ', city: '', country: 'fr', einvoicing: true });
    expect(made.body).toMatchObject({ email: 'Foo@Example.COM', city: '', country: 'FR', timezone: 'UTC' });
    const other = await entity({
      code: 'be2',
      email: '',
      timezone: null,
      billing_configuration: { invoice_footer: '' },
    });
    expect(other.body).toMatchObject({ email: '', invoice_footer: '', timezone: 'UTC' });
  });

  it('77: unknown sections are ignored, an empty metric or status finds nothing', async () => {
    const none = { invoice_custom_section: { invoice_custom_section_codes: ['none'] } };
    expect(await shown(walletOf('w5', none), 'wallet')).toMatchObject({ applied_invoice_custom_sections: [] });
    expect(await shown(subscribed('s2', none), 'subscription')).toMatchObject({ applied_invoice_custom_sections: [] });
    for (const alert_type of ['billable_metric_current_usage_amount', 'current_usage_amount'])
      expect(refusalOf(await alertOf('own11', { alert_type, billable_metric_code: '' }))).toEqual(
        '404 billable_metric_not_found',
      );
    for (const query of ['?subscription_status=', '?status='])
      expect(refusalOf(await alertOf('own11', {}, query))).toEqual('404 subscription_not_found');
  });

  it('78: dates of a subscription are ISO 8601 with a T, and a day counts as it is written', async () => {
    const ends = async (ending_at: string) => (await subscribed('s2', { ending_at })).body;
    const refused = { error_details: { ending_at: ['invalid_date'] } };
    for (const odd of ['2027-06-01 10:00:00', ' 2027-06-01', '2027-W30-1', '2027-0601', '2027-01-15T23:00:00Z'])
      expect(await ends(odd), odd).toMatchObject(refused);
    for (const [sent, ending_at] of [
      ['20270601', '2027-06-01T00:00:00Z'],
      ['20270601T103000Z', '2027-06-01T10:30:00Z'],
      ['2027-01-16T00:30:00+02:00', '2027-01-15T22:30:00Z'],
      ['2027-01-16T03:00:00+05:30', '2027-01-15T21:30:00Z'],
    ] as const)
      expect(await ends(sent), sent).toMatchObject({ subscription: { ending_at } });
    expect(await ends('2027-01-15T23:30:00-05:00')).toMatchObject(refused);
    const space = await subscribed('s3', { subscription_at: '2027-02-12 10:00' });
    expect(refusalOf(space)).toEqual('422 subscription_at invalid_date');
    await shown(walletOf('w2', { expiration_at: '2027-06-01 10:00' }), 'wallet');
  });

  it('79: names and codes may be long, a priority and a threshold may be text', async () => {
    const long = 'x'.repeat(300);
    expect(await shown(walletOf('w2', { name: long, code: long }), 'wallet')).toMatchObject({ name: long, code: long });
    expect(await shown(subscribed('s6', { name: long }), 'subscription')).toMatchObject({ name: long });
    const addOn = { add_on: { name: long } };
    expect(await shown(service.put('/add_ons/support', addOn), 'add_on')).toMatchObject({ name: long });
    for (const priority of ['7', '50'])
      expect(await shown(walletOf('w2', { priority }), 'wallet')).toMatchObject({ priority: Number(priority) });
    expect(refusalOf(await walletOf('w2', { priority: '51' }))).toEqual('422 priority value_is_invalid');
    const thresholds = [{ value: '1e3', code: long }, { value: '2.5E-1' }];
    const alert = await shown(alertOf('own12', { code: long, name: long, thresholds }), 'alert');
    expect((alert.thresholds as JsonObject[]).map(each => each.value).sort()).toEqual(['0.25', '1000.0']);
    expect(refusalOf(await alertOf('own13', { thresholds: [{ value: '1e30' }] }))).toEqual(
      '422 thresholds:value value_is_invalid',
    );
  });

  it.each(['text/plain', 'application/vnd.api+json', 'application/x-odd', 'multipart/form-data; boundary=x'])(
    '80: a body that is %s counts as missing',
    async type => {
      const path = `/wallets/${walletIds.w5}`;
      const reply = await service.call('PUT', path, '{"wallet":{"name":"odd"}}', { 'content-type': type });
      expect(refusalOf(reply)).toEqual(`400 ${missing('wallet')}`);
    },
  );

  it.each(['{"wallet":{"name":"\\ud800"}}', '{"wallet":{"metadata":{"\\udc00":"v"}}}'])(
    '80: half a character is malformed: %s',
    async body => {
      expect(refusalOf(await service.call('PUT', `/wallets/${walletIds.w5}`, body))).toEqual('400 Bad Request');
    },
  );

  it('81: a purchase order number is trimmed, and blank is null', async () => {
    for (const [sent, purchase_order_number] of [
      ['  PO 7 ', 'PO 7'],
      [`${'x'.repeat(255)}\n`, 'x'.repeat(255)],
      [' ', null],
      ['', null],
    ] as const) {
      expect(await shown(walletOf('w5', { purchase_order_number: sent }), 'wallet')).toMatchObject({
        purchase_order_number,
      });
      expect(await shown(subscribed('s7', { purchase_order_number: sent }), 'subscription')).toMatchObject({
        purchase_order_number,
      });
      const rule = { ...weekly, purchase_order_number: sent };
      const { recurring_transaction_rules: rules } = await shown(ruleOf('w5', rule), 'wallet');
      expect(rules).toMatchObject([{ purchase_order_number }]);
    }
    for (const blank of [' ', '', '\t'])
      await shown(subscribed('ended', { purchase_order_number: blank }), 'subscription');
    expect(refusalOf(await subscribed('ended', { purchase_order_number: ' PO' }))).toEqual(
      '405 purchase_order_number_not_editable',
    );
  });

  it('92: applies_to without metrics removes the metric limits', async () => {
    for (const applies_to of [{ fee_types: ['subscription'] }, {}, null, { billable_metric_codes: null }]) {
      await shown(
        walletOf('w92', { applies_to: { fee_types: ['charge'], billable_metric_codes: ['calls'] } }),
        'wallet',
      );
      const { applies_to: after } = await shown(walletOf('w92', { applies_to }), 'wallet');
      const fee_types = applies_to?.fee_types ?? ['charge'];
      expect(after).toEqual({ fee_types, billable_metric_codes: [] });
    }
    const only = await shown(walletOf('w92', { applies_to: { billable_metric_codes: ['api'] } }), 'wallet');
    expect(only.applies_to).toEqual({ fee_types: ['charge'], billable_metric_codes: ['api'] });
  });

  it('93: metadata of a wallet stays for null, and shows once it was set', async () => {
    const left = async (metadata: Json) => (await shown(walletOf('w93', { metadata }), 'wallet')).metadata;
    expect(await left(null)).toBeUndefined();
    for (const [sent, stored] of [
      [
        { a: '1', b: null },
        { a: '1', b: null },
      ],
      [null, { a: '1', b: null }],
      [{ z: 'y' }, { z: 'y' }],
      [{}, {}],
      [null, {}],
    ] as const)
      expect(await left(sent)).toEqual(stored);
  });
});
