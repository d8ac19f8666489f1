import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricEntries, standard } from './entries.ts';
import { previewOf, refusalOf } from './file-service.ts';
import { ofSubscription, type World, world } from './service-world.ts';
import {
  chargeRecord,
  customerRecord,
  entityRecord,
  fixedChargeRecord,
  invoiceRecord,
  metricRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
} from './world.ts';

let shared: World;
beforeAll(async () => {
  shared = await world(
    {
      billing_entities: [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })],
      billable_metrics: [metricRecord('units'), metricRecord('script', { aggregation_type: 'custom_agg' })],
      plans: [
        planRecord({ charges: [chargeRecord('units')] }),
        planRecord({ code: 'dear', amount_cents: 99_999 }),
        planRecord({ code: 'yen', amount_currency: 'JPY' }),
        planRecord({ code: 'weekly', interval: 'weekly' }),
        planRecord({ code: 'scripted', charges: [chargeRecord('script')] }),
        planRecord({ code: 'custom', charges: [chargeRecord('units', { charge_model: 'custom' })] }),
        planRecord({
          code: 'prorated',
          charges: [
            chargeRecord('units', { charge_model: 'graduated', prorated: true, properties: { graduated_ranges: [] } }),
          ],
        }),
        planRecord({ code: 'broken', charges: [chargeRecord('units', { properties: { amount: 'much' } })] }),
      ],
      customers: [
        customerRecord({ integration_customers: [{ type: 'taxes', integration_code: 'taxes-1' }] }),
        customerRecord({ id: 'gone', external_id: 'gone', deleted_at: '2026-01-01T00:00:00.000Z' }),
      ],
      subscriptions: [
        subscriptionRecord(),
        ...['yen', 'weekly', 'scripted', 'custom', 'prorated', 'broken'].map(plan_id =>
          subscriptionRecord({ id: plan_id, external_id: plan_id, plan_id }),
        ),
        subscriptionRecord({ id: 'elsewhere', external_id: 'elsewhere', billing_entity_id: 'other' }),
        subscriptionRecord({ id: 'twin', external_id: 'twin' }),
        subscriptionRecord({ id: 'ended', external_id: 'ended', status: 'terminated' }),
        subscriptionRecord({ id: 'gated', external_id: 'gated', status: 'incomplete' }),
        subscriptionRecord({ id: 'waiting', external_id: 'waiting', status: 'pending', started_at: null }),
        subscriptionRecord({ id: 'progressive', external_id: 'progressive' }),
      ],
      invoices: [
        invoiceRecord([storedFee(100, { subscription_id: 'progressive', from_date: '2026-03-01T00:00:00.000Z' })], {
          invoice_type: 'progressive_billing',
          subscription_ids: ['progressive'],
        }),
      ],
    },
    '2026-03-10T12:00:00.000Z',
  );
});
afterAll(() => shared.close());

const of = (ids: string[], extra: object = {}) => ({
  customer: { external_id: 'acme' },
  subscriptions: { external_ids: ids, ...extra },
});
const proposal = (extra: object) => ({ plan_code: 'plan', customer: { external_id: 'acme' }, ...extra });

describe('a preview is refused (§12.3)', () => {
  it.each<[string, unknown, string]>([
    ['coupons that are no list', { coupons: {} }, '400 coupons_must_be_an_array'],
    ['subscriptions that are no object', { subscriptions: [] }, '400 subscriptions_must_be_an_object'],
    ['an unknown billing entity', proposal({ billing_entity_code: 'nope' }), '404 billing_entity_not_found'],
    ['an unknown customer', proposal({ customer: { external_id: 'nope' } }), '404 customer_not_found'],
    ['a deleted customer', proposal({ customer: { external_id: 'gone' } }), '404 customer_not_found'],
    [
      'an unknown integration',
      proposal({
        customer: { external_id: 'acme', integration_customers: [{ integration_type: 'crm', integration_code: 'x' }] },
      }),
      '404 crm_integration_not_found',
    ],
    [
      'stored subscriptions without a stored customer',
      { subscriptions: { external_ids: ['sub'] } },
      '422 customer must_be_persisted',
    ],
    [
      'a termination of several subscriptions',
      of(['sub', 'twin'], { terminated_at: '2026-03-20' }),
      '422 subscriptions only_one_subscription_allowed_for_termination',
    ],
    [
      'a change of several plans',
      of(['sub', 'twin'], { plan_code: 'dear' }),
      '422 subscriptions only_one_subscription_allowed_for_plan_change',
    ],
    ['a missing plan', {}, '404 plan_not_found'],
    ['an unknown plan', proposal({ plan_code: 'nope' }), '404 plan_not_found'],
    ['an unknown target plan', ofSubscription({ plan_code: 'nope' }), '404 plan_not_found'],
    ['an unknown subscription', of(['sub', 'nope']), '404 subscription_not_found'],
    ['a terminated subscription', of(['ended']), '404 subscription_not_found'],
    [
      'an end of a pending subscription',
      of(['waiting'], { terminated_at: '2026-03-20' }),
      '404 subscription_not_found',
    ],
    ['an unreadable end', ofSubscription({ terminated_at: 'soon' }), '422 terminated_at invalid_timestamp'],
    ['an end on 30 February', ofSubscription({ terminated_at: '2026-02-30' }), '422 terminated_at invalid_timestamp'],
    [
      'an end in the past',
      ofSubscription({ terminated_at: '2026-03-09T00:00:00Z' }),
      '422 terminated_at cannot_be_in_past',
    ],
    [
      'the same plan',
      ofSubscription({ plan_code: 'plan' }),
      '422 base new_plan_should_be_different_from_existing_plan',
    ],
    ['several currencies', of(['sub', 'yen']), '422 base subscription_currencies_does_not_match'],
    ['several billing days', of(['sub', 'weekly']), '422 base billing_periods_does_not_match'],
    ['several billing entities', of(['sub', 'elsewhere']), '422 base subscription_billing_entities_do_not_match'],
    ['a start that is no date', proposal({ subscription_at: 'soon' }), '422 subscription_at invalid_date'],
    ['an unknown zone', proposal({ customer: { timezone: 'Mars/Base' } }), '422 timezone invalid_timezone'],
    ['an unknown country', proposal({ customer: { country: 'XX' } }), '422 country not_a_valid_country_code'],
    ['a number as a plan', proposal({ plan_code: 7 }), '422 plan_code value_is_invalid'],
    ['ids that are no list', of('sub' as never), '422 external_ids value_is_invalid'],
    ['a negative coupon', proposal({ coupons: [{ amount_cents: -1 }] }), '422 amount_cents value_is_out_of_range'],
    ['a coupon that is text', proposal({ coupons: ['x'] }), '422 coupons value_is_invalid'],
    [
      'a negative percentage',
      proposal({ coupons: [{ coupon_type: 'percentage', percentage_rate: '-5' }] }),
      '422 percentage_rate value_is_out_of_range',
    ],
  ])('%s', async (_, body, expected) => {
    expect(refusalOf(await shared.post('/invoices/preview', body))).toBe(expected);
  });

  it('in this order: each refusal hides the later ones', async () => {
    const body = {
      coupons: {},
      billing_entity_code: 'nope',
      customer: { external_id: 'nope' } as object,
      subscriptions: { external_ids: ['nope', 'twin'], plan_code: 'nope', terminated_at: null as unknown },
    };
    const codes: unknown[] = [];
    const note = async (fix: () => void) => {
      codes.push(refusalOf(await shared.post('/invoices/preview', body)));
      fix();
    };
    await note(() => Object.assign(body, { coupons: [] }));
    await note(() => Object.assign(body, { billing_entity_code: 'main' }));
    await note(() => Object.assign(body, { customer: { integration_customers: [{ integration_type: 'crm' }] } }));
    await note(() => Object.assign(body, { customer: {} }));
    await note(() => Object.assign(body, { customer: { external_id: 'acme' } }));
    await note(() => Object.assign(body.subscriptions, { external_ids: ['nope'] }));
    await note(() => Object.assign(body.subscriptions, { plan_code: 'plan' }));
    await note(() => Object.assign(body.subscriptions, { external_ids: ['sub'] }));
    await note(() => {});
    expect(codes).toEqual([
      '400 coupons_must_be_an_array',
      '404 billing_entity_not_found',
      '404 customer_not_found',
      '404 crm_integration_not_found',
      '422 customer must_be_persisted',
      '422 subscriptions only_one_subscription_allowed_for_plan_change',
      '404 plan_not_found',
      '404 subscription_not_found',
      '422 base new_plan_should_be_different_from_existing_plan',
    ]);
  });

  it('a coupon’s null fields, null coupons and null subscriptions count as absent', async () => {
    const coupons = [{ code: null, name: null, amount_cents: null, percentage_rate: null, frequency: 'once' }];
    expect((await shared.post('/invoices/preview', proposal({ coupons, subscriptions: null }))).status).toBe(200);
    expect((await shared.post('/invoices/preview', proposal({ coupons: null }))).status).toBe(200);
  });
});

describe('what §16 leaves out is refused by name, never approximated', () => {
  it.each<[string, unknown, string]>([
    ['custom aggregation', of(['scripted']), 'custom_aggregation'],
    ['custom charges', of(['custom']), 'custom_charge_model'],
    ['prorated graduated charges', of(['prorated']), 'prorated_graduated_charge'],
    ['progressive invoices of the running period', of(['progressive']), 'progressive_billing'],
    ['a start that waits for a payment', of(['gated']), 'payment_gated_activation'],
    [
      'taxes of a provider',
      proposal({
        customer: {
          external_id: 'acme',
          integration_customers: [{ integration_type: 'taxes', integration_code: 'taxes-1' }],
        },
      }),
      'tax_provider',
    ],
  ])('%s', async (_, body, code) => {
    const answer = await shared.post('/invoices/preview', body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: 'out_of_scope',
      error_details: { [code]: [expect.stringContaining('§16')] },
    });
  });

  it('charge properties that are not decimals are refused too', async () => {
    const answer = await shared.post('/invoices/preview', of(['broken']));
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_plan_data']);
  });
});

it('a fixed charge of a missing add-on is left out', async () => {
  const small = await world(
    { plans: [planRecord({ fixed_charges: [fixedChargeRecord('nothing')] })] },
    '2026-03-01T00:00:00.000Z',
  );
  const answer = await small.post('/invoices/preview', { plan_code: 'plan' });
  await small.close();
  expect(answer.body.invoice.fees).toHaveLength(1);
});

describe('what §16 leaves out, through the running service', () => {
  const APRIL_10 = '2026-04-10T12:00:00Z';
  const { sum } = metricEntries;

  it('a new VAT number of a customer in EU tax management; the stored number was checked already', async () => {
    const entity = { eu_tax_management: true };
    const given = { now: APRIL_10, entity, customer: { tax_identification_number: 'FR1' } };
    const ask = (tax_identification_number: string | null) => ({
      ...ofSubscription(),
      customer: { external_id: 'acme', tax_identification_number },
    });
    expect(Object.keys((await previewOf(given, ask('FR2'))).body.error_details)).toEqual(['vies_check']);
    expect((await previewOf(given, ask('FR1'))).status).toBe(200);
    expect((await previewOf({ ...given, entity: {} }, ask('FR2'))).status).toBe(200);
    const anonymous = { plan_code: 'plan', customer: { tax_identification_number: 'FR2' } };
    expect((await previewOf(given, anonymous)).body.code).toBe('out_of_scope');
  });

  it('pricing units, target wallets and products cannot be in an account file', async () => {
    for (const field of ['applied_pricing_unit', 'accepts_target_wallet', 'product_code']) {
      const plan = { charges: [{ ...standard, [field]: true }] };
      await expect(previewOf({ now: APRIL_10, metrics: [sum], plan })).rejects.toThrow(field);
    }
  });
});
