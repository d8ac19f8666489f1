import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chargeEntry, IN_APRIL, metricEntries, standard } from './entries.ts';
import { advance, graduated, NOW, openEstimates } from './estimate-world.ts';
import { type Entry, estimateOf, refusalOf } from './file-service.ts';
import { type World, world } from './service-world.ts';
import { eventRecord, planRecord, subscriptionRecord } from './world.ts';

let shared: World;
beforeAll(async () => {
  shared = await openEstimates();
});
afterAll(() => shared.close());

const ask = (code: string, properties: unknown = {}, extra: object = {}) =>
  shared.post('/events/estimate_fees', { event: { code, external_subscription_id: 'sub', properties, ...extra } });
async function amounts(code: string, properties: object = {}, extra: object = {}) {
  const { body, status } = await ask(code, properties, extra);
  expect(status).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  return body.fees.map((fee: any) => [fee.units, fee.amount_cents]);
}

describe('an estimate (§13, §10.3)', () => {
  it('is one fee per pay-in-advance charge of the metric, with taxes and the fields of a computed fee', async () => {
    const { body } = await ask('fresh', { value: 2 });
    // 2 × 1.00 + flat 5.00 = 7.00, tax 20 % = 1.40
    expect(body.fees).toMatchObject([
      {
        svc_id: null,
        svc_invoice_id: null,
        created_at: null,
        pay_in_advance: true,
        invoiceable: true,
        events_count: 1,
        payment_status: 'pending',
        amount_details: {},
        amount_cents: 700,
        taxes_amount_cents: 140,
        total_amount_cents: 840,
        from_date: '2026-03-01T00:00:00Z',
        to_date: '2026-03-31T23:59:59Z',
        svc_subscription_id: 'subscription',
        external_customer_id: 'acme',
        applied_taxes: [{ tax_code: 'vat', amount_cents: 140 }],
      },
    ]);
    expect(body.fees[0].event_transaction_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('a missing property counts as 0', async () => {
    expect((await amounts('units'))[0]).toEqual(['0.0', 0]);
  });

  it('dynamic: the event’s own cents', async () => {
    expect(await amounts('dyn', { value: 1 }, { precise_total_amount_cents: '123.5' })).toEqual([['1.0', 124]]);
  });

  it('the expression is evaluated first: 2 × 1024 × 0.001 = 2.048 → 2.05', async () => {
    expect(await amounts('bytes', { kb: 2 })).toEqual([['2048.0', 205]]);
  });

  it('uses the matching filter’s properties', async () => {
    const { body } = await ask('regions', { value: 2, region: 'eu' });
    expect(body.fees[0]).toMatchObject({
      amount_cents: 600,
      svc_charge_filter_id: 'eu',
      item: { filters: { region: ['eu'] } },
    });
    expect(await amounts('regions', { value: 2, region: 'us' })).toEqual([['2.0', 200]]);
  });

  it('is for an event now, whatever timestamp is sent, and stores nothing', async () => {
    const before = await shared.account.count('events');
    expect(await amounts('units', { value: '7' }, { timestamp: 1, transaction_id: 'mine' })).toHaveLength(2);
    expect(await amounts('units', { value: '7' }, { timestamp: '1767225600.5' })).toHaveLength(2);
    expect(await shared.account.count('events')).toBe(before);
  });

  it('works for a subscription that will end later', async () => {
    expect((await ask('calls', {}, { external_subscription_id: 'ending' })).status).toBe(200);
  });
});

describe('an estimate is refused (§13)', () => {
  it.each(['later', 'future', 'past', 'over', 'nope', '', null, 7])(
    'for the subscription %j',
    async external_subscription_id => {
      const answer = await ask('units', {}, { external_subscription_id, timestamp: 'x' });
      expect(refusalOf(answer)).toBe('404 subscription_not_found');
    },
  );

  it.each<[string, [string, unknown, object?], string]>([
    ['a timestamp that is no number', ['nope', {}, { timestamp: 'yesterday' }], '422 timestamp invalid_format'],
    ['an unknown metric', ['nope', { value: 'x' }], '404 billable_metric_not_found'],
    ['text for a sum', ['units', { value: 'x' }], '422 properties value_is_not_valid_number'],
    [
      'text for a max, before its missing charge',
      ['peak', { value: '1e3' }],
      '422 properties value_is_not_valid_number',
    ],
    ['text for a latest', ['last', { value: [] }], '422 properties value_is_not_valid_number'],
    ['no pay-in-advance charge', ['peak', { value: 1 }], '422 code does_not_match_an_instant_charge'],
    ['properties that are no object', ['units', ['x']], '422 properties value_is_invalid'],
    [
      'an amount that is no number',
      ['dyn', {}, { precise_total_amount_cents: 'x' }],
      '422 precise_total_amount_cents value_is_invalid',
    ],
    ['a dynamic charge without its amount', ['dyn', {}], '422 precise_total_amount_cents value_is_mandatory'],
    ['a number of 400 digits', ['units', { value: '9'.repeat(400) }], '422 properties value_is_out_of_range'],
    ['an amount that JSON cannot hold', ['units', { value: '9'.repeat(29) }], '422 amount_cents value_is_out_of_range'],
  ])('%s', async (_, asked, expected) => {
    expect(refusalOf(await ask(...asked))).toBe(expected);
  });

  it('an expression that fails, in a sentence', async () => {
    const { status, body } = await ask('bytes', { kb: 'x' });
    expect([status, body.error_details]).toEqual([422, expect.any(String)]);
  });

  it('without the event wrapper', async () => {
    expect(refusalOf(await shared.post('/events/estimate_fees', {}))).toBe(
      '400 BadRequest: param is missing or the value is empty or invalid: event',
    );
  });
});

describe('an estimate (§13), through the running service', () => {
  const { count } = metricEntries;
  const tiered = chargeEntry('graduated', {
    graduated_ranges: [
      { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '4' },
      { from_value: 11, to_value: null, per_unit_amount: '2', flat_amount: '5' },
    ],
  });
  it('has its taxes: 10 % and 5 % of 1.05 → 0.105 + 0.0525 = 0.1575 → 16 cents', async () => {
    const plan = {
      tax_codes: ['t10', 't5'],
      charges: [chargeEntry('standard', { amount: '1.05' }, { pay_in_advance: true })],
    };
    const taxes = ['10', '5'].map(rate => ({ code: `t${rate}`, name: rate, rate }));
    const { body } = await estimateOf({ now: IN_APRIL, metrics: [count], plan, rest: { taxes } }, { code: 'm' });
    expect(body.fees[0]).toMatchObject({
      amount_cents: 105,
      taxes_amount_cents: 16,
      taxes_rate: 15,
      total_amount_cents: 121,
    });
    expect(body.fees[0].applied_taxes.map((tax: { amount_cents: number }) => tax.amount_cents)).toEqual([11, 5]);
  });

  it('a yearly plan with monthly usage looks at the month: nothing used in April yet, so the flat again', async () => {
    const plan = { interval: 'yearly', bill_charges_monthly: true, charges: [{ ...tiered, pay_in_advance: true }] };
    const events = [{ code: 'm', timestamp: '2026-03-05T00:00:00Z', properties: {} }];
    const { body } = await estimateOf({ now: IN_APRIL, metrics: [count], plan, events }, { code: 'm' });
    expect(body.fees[0]).toMatchObject({ amount_cents: 500, from_date: '2026-04-01T00:00:00Z' });
  });
});

describe('what §16 leaves out, through the running service', () => {
  const APRIL_10 = '2026-04-10T12:00:00Z';
  const { sum } = metricEntries;
  const custom = { code: 'm', aggregation_type: 'custom_agg', field_name: 'v' };
  it.each<[string, Entry, Entry]>([
    ['custom_aggregation', custom, standard],
    ['custom_charge_model', sum, chargeEntry('custom', {})],
  ])('%s: an estimate', async (code, metric, oneCharge) => {
    const plan = { charges: [{ ...oneCharge, pay_in_advance: true }] };
    const answer = await estimateOf({ now: APRIL_10, metrics: [metric], plan }, { code: 'm', properties: { v: 1 } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'out_of_scope' } });
    expect(Object.keys(answer.body.error_details)).toEqual([code]);
  });
});

it('adds up: the estimates of a sequence of events are the price of the whole', async () => {
  const one = await world(
    { plans: [planRecord({ charges: [advance('units', graduated)] })], subscriptions: [subscriptionRecord()] },
    NOW,
  );
  let total = 0;
  for (const [n, value] of [3, 4, 5, 0.5, 6].entries()) {
    const { body } = await one.post('/events/estimate_fees', {
      event: { code: 'units', external_subscription_id: 'sub', properties: { value } },
    });
    total += body.fees[0].amount_cents;
    await one.account.insert(
      'events',
      eventRecord(n, { timestamp: `2026-03-1${n}T00:00:00.000Z`, properties: { value } }),
    );
  }
  await one.close();
  // 18.5 units: 5.00 + 10 × 1.00 + 2.00 + 8.5 × 0.50 = 21.25
  expect(total).toBe(2125);
});
