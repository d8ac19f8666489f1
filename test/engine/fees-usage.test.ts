import { describe, expect, it } from 'vitest';
import { decimal, fromCents } from '../../src/contract/pricing/money.ts';
import { addOnItem, commitmentItem, isEmptyUsageFee, metricItem, newFee, planItem } from '../../src/engine/fees.ts';
import { type BilledSpan, commitmentFee, fixedChargeFee, fixedChargeQuantities } from '../../src/engine/fees-fixed.ts';
import { invoicedUsageFees, usageFees } from '../../src/engine/fees-usage.ts';
import { periodAt } from '../../src/engine/periods.ts';
import type { FeeItem, FixedChargeRecord } from '../../src/engine/records/index.ts';
import type { PeriodBasis } from '../../src/engine/types.ts';
import { usageBuckets } from '../../src/engine/usage.ts';
import { addOns, chargeEntry, early, IN_APRIL, late, metricEntries, standard, used, usedOn } from './entries.ts';
import { type Entry, linesOf, previewOf } from './file-service.ts';
import { ofSubscription } from './service-world.ts';
import { fees, filtered, march, metric, owner } from './usage-fee-cases.ts';
import { addOnRecord, chargeRecord, commitmentOf, fixedChargeRecord, planRecord, subscriptionRecord } from './world.ts';

describe('usage fees (§10.1)', () => {
  it('are one per filter, and one without a filter for the rest: 3 × 2.00 and 5 × 1.00', () => {
    const result = fees(filtered(), [
      { dimensions: { region: 'eu' }, events_count: 1, sum: '3' },
      { dimensions: { region: 'us' }, events_count: 2, sum: '5' },
    ]);
    expect(result.map(fee => [fee.charge_filter_id, fee.units, fee.amount_cents, fee.events_count])).toEqual([
      ['eu', '3.0', 600, 1],
      [null, '5.0', 500, 2],
    ]);
    expect(result[0]?.item).toMatchObject({ filters: { region: ['eu'] }, filter_invoice_display_name: 'Europe' });
    expect(result[1]?.item).toMatchObject({ filters: null, filter_invoice_display_name: null });
  });

  it('are left out of invoices with 0 units, 0 amount and 0 events, but shown as current usage', () => {
    const charge = chargeRecord('units');
    const buckets = usageBuckets(charge, metric, [], march);
    const billed = { charge, metric, window: march, currency: 'EUR', owner };
    expect(invoicedUsageFees(billed, buckets)).toEqual([]);
    expect(usageFees(billed, buckets)).toHaveLength(1);
  });

  it('stay with 0 units when there were events', () => {
    expect(fees(chargeRecord('units'), [{ events_count: 2, sum: '0' }])).toHaveLength(1);
  });

  it('round the unrounded amount to the currency: 3 × 0.335 = 1.005 → 101, precise 1.005', () => {
    const charge = chargeRecord('units', { properties: { amount: '0.335' } });
    const [fee] = fees(charge, [{ events_count: 3, sum: '3' }]);
    expect(fee).toMatchObject({ amount_cents: 101, precise_amount: '1.005', precise_unit_amount: '0.335' });
  });
});

describe('the true-up of a charge minimum (§10.2)', () => {
  it('keeps the empty default fee that it belongs to', () => {
    const result = fees(filtered({ min_amount_cents: 500 }), []);
    expect(result.map(fee => [fee.amount_cents, isEmptyUsageFee(fee)])).toEqual([
      [0, true],
      [500, false],
    ]);
  });

  it('is not for pay-in-advance charges', () => {
    expect(fees(chargeRecord('units', { min_amount_cents: 500, pay_in_advance: true }), [])).toEqual([]);
  });
});

const basis: PeriodBasis = {
  interval: 'monthly',
  billing_time: 'calendar',
  start: '2026-01-01T00:00:00.000Z',
  timezone: 'UTC',
};
const period = periodAt(basis, '2026-03-10T00:00:00.000Z');
const spanFrom = (from: string): BilledSpan => ({ basis, period, bounds: { from, to: period.to }, starts_at: from });
const whole: BilledSpan = { basis, period, bounds: period, starts_at: period.from };
const tenDays = spanFrom('2026-03-22T00:00:00.000Z');

describe('fixed charges (§10.5)', () => {
  const fee = (fields: Parameters<typeof fixedChargeRecord>[1], span = whole, units = '2') =>
    chargedFee(fixedChargeRecord('seat', { ...fields, units }), span);
  const chargedFee = (charge: FixedChargeRecord, span: BilledSpan, fixed_charge_units = {}) => {
    const quantities = fixedChargeQuantities(charge, subscriptionRecord({ fixed_charge_units }), span);
    const terms = { charge, addOn: addOnRecord('seat'), quantities, currency: 'EUR', span, paid_cents: 0 };
    return fixedChargeFee(terms, owner);
  };

  it('prorate the units, 6 decimals, and show them in full: 2 × 10 ÷ 31 = 0.645161 at 10.00, 3.225805 each', () => {
    expect(fee({ prorated: true }, tenDays)).toMatchObject({
      amount_cents: 645,
      units: '2.0',
      precise_unit_amount: '3.225805',
    });
    expect(fee({ prorated: false }, tenDays)).toMatchObject({ amount_cents: 2000, units: '2.0' });
  });
});

describe('the minimum commitment (§10.6)', () => {
  const plan = planRecord({ minimum_commitment: commitmentOf(31_000) });
  const fees = (cents: number) => ({ cents, precise: fromCents(cents, 'EUR') });

  it('tops the fees of the period up: 31000 − 12000 = 19000, 1 unit, without dates', () => {
    expect(commitmentFee(plan, fees(12_000), whole, owner)).toMatchObject({
      amount_cents: 19_000,
      units: '1.0',
      from_date: null,
      to_date: null,
      item: { type: 'commitment', item_type: 'Subscription' },
    });
  });

  it('rounds the commitment, not the difference: 1000 × 10 ÷ 31 = 322.58 → 323 − 100', () => {
    const small = planRecord({ minimum_commitment: commitmentOf(1000) });
    expect(commitmentFee(small, fees(100), tenDays, owner)?.amount_cents).toBe(223);
  });
});

describe('a fee’s amounts (§6)', () => {
  const amountOf = (amount: string, currency: string, units = '1') =>
    newFee({
      owner,
      item: { ...emptyItem },
      currency,
      amount: decimal(amount),
      units: decimal(units),
    });

  it.each<[string, FeeItem, unknown[]]>([
    ['a usage fee’s', metricItem(metric, null), ['3.0', 0]],
    ['a fixed-charge fee’s', addOnItem(addOnRecord('seat'), null), ['3.0', null]],
    ['a plan fee’s', planItem(planRecord(), null), [null, null]],
    ['a commitment fee’s', commitmentItem(planRecord(), null), [null, null]],
    ['an add-on fee’s', { ...addOnItem(addOnRecord('seat'), null), type: 'add_on' }, [null, null]],
  ])('%s aggregated units and events count (§4)', (_name, item, expected) => {
    const fee = newFee({ owner, item, currency: 'EUR', amount: decimal(1), units: decimal(3) });
    expect([fee.total_aggregated_units, fee.events_count]).toEqual(expected);
  });

  it('are invoiced unless their charge says otherwise', () => {
    const plain = { owner, item: emptyItem, currency: 'EUR', amount: decimal(1), units: decimal(1) };
    const invoiceable = (of: object) => newFee({ ...plain, pay_in_advance: true, ...of }).invoiceable;
    expect([invoiceable({}), invoiceable({ invoiceable: true }), invoiceable({ invoiceable: false })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('the unit amount is amount ÷ units, and 0 without units', () => {
    expect(amountOf('10', 'EUR', '4').precise_unit_amount).toBe('2.5');
    expect(amountOf('10', 'EUR', '0').precise_unit_amount).toBe('0.0');
  });
});

describe('the true-up of a minimum (§10.2), through the running service', () => {
  const places = {
    ...metricEntries.sum,
    filters: [
      { key: 'region', values: ['eu', 'us'] },
      { key: 'tier', values: ['1', '2'] },
    ],
  };
  const filters = [
    { values: { region: ['eu'] }, properties: { amount: '2' } },
    { values: { region: ['__ALL_FILTER_VALUES__'], tier: ['1'] }, properties: { amount: '3' } },
  ];

  it.each<[string, Entry, string]>([
    ['all filters together: 3000 − 200 − 300', {}, 'charge m 200, charge m 300, charge m 2500'],
    ['from 16 April, 00:00: 3000 × 15 ÷ 30 − 0', { subscription_at: '2026-04-16' }, 'charge m 0, charge m 1500'],
    [
      'from 16 April, 13:00: 14.46 days count as 15',
      { subscription_at: '2026-04-16T13:00:00Z' },
      'charge m 0, charge m 1500',
    ],
  ])('%s', async (_name, subscription, expected) => {
    const plan = {
      amount_cents: 0,
      charges: [chargeEntry('standard', { amount: '1' }, { filters: filters.slice(0, 1), min_amount_cents: 3000 })],
    };
    const events = [...used([1], { region: 'eu' }), { ...used([3])[0], transaction_id: 'rest' }];
    const answer = await previewOf({ now: IN_APRIL, metrics: [places], plan, events, subscription });
    expect(linesOf(answer)).toBe(`plan 0, ${expected}`);
    const trueUp = answer.body.invoice.fees.at(-1);
    expect(trueUp).toMatchObject({ units: '1.0', events_count: 0, svc_charge_filter_id: null });
  });

  it('ends a day earlier with an upgrade on 20 March: 3100 × 19 ÷ 31 = 1900', async () => {
    const plan = { charges: [chargeEntry('standard', { amount: '1' }, { min_amount_cents: 3100 })] };
    const plans = [{ code: 'dear', amount_cents: 6200 }];
    const given = { now: '2026-03-20T12:00:00Z', metrics: [metricEntries.sum], plan, plans };
    const answer = await previewOf(given, ofSubscription({ plan_code: 'dear' }));
    expect(linesOf(answer)).toBe('plan 1900, charge m 0, charge m 1900');
  });

  it('aggregated units and events of plan, usage of 5, true-up and 2 of a fixed charge (§4)', async () => {
    const plan = {
      charges: [{ ...standard, min_amount_cents: 1000 }],
      fixed_charges: [{ ...late, units: '2' }],
    };
    const given = { now: IN_APRIL, metrics: [metricEntries.sum], plan, events: used([5]), rest: { add_ons: addOns } };
    const { body } = await previewOf(given);
    // biome-ignore lint/suspicious/noExplicitAny: an answer
    expect(body.invoice.fees.map((fee: any) => [fee.total_aggregated_units, fee.events_count])).toEqual([
      [null, null],
      ['5.0', 1],
      ['1.0', 0],
      ['2.0', null],
    ]);
  });
});

describe('commitments (§10.6), through the running service', () => {
  const commitment = { minimum_commitment: { amount_cents: 31_000 } };
  const started = { subscription_at: '2026-03-10' };
  it.each<[string, Entry, Entry, string]>([
    [
      'arrears, from 10 March: 31000 × 22 ÷ 31 − 2200 − 500',
      {},
      started,
      'plan 2200, charge m 500, commitment plan 19300',
    ],
    [
      'in advance: settles March, whose plan fee was 2200',
      { pay_in_advance: true },
      started,
      'plan 3100, charge m 500, commitment plan 19300',
    ],
    [
      'in advance, later: 31000 − 3100 − 500',
      { pay_in_advance: true },
      {},
      'plan 3100, charge m 500, commitment plan 27400',
    ],
    [
      'a true-up counts: 31000 − 3100 − 500 − 9500',
      { charges: [{ ...standard, min_amount_cents: 10_000 }] },
      {},
      'plan 3100, charge m 500, charge m 9500, commitment plan 17900',
    ],
    ['reached: none', { minimum_commitment: { amount_cents: 3600 } }, {}, 'plan 3100, charge m 500'],
    ['a cent short', { minimum_commitment: { amount_cents: 3601 } }, {}, 'plan 3100, charge m 500, commitment plan 1'],
  ])('%s', async (_name, fields, subscription, expected) => {
    const plan = { charges: [standard], ...commitment, ...fields };
    const given = {
      now: '2026-03-20T12:00:00Z',
      metrics: [metricEntries.sum],
      plan,
      subscription,
      events: [usedOn('2026-03-15', 5)],
    };
    expect(linesOf(await previewOf(given))).toEqual(expected);
  });

  it('counts fixed charges in advance, also without their invoice: 31000 − 3100 − 1000 − 2000; April’s come on top', async () => {
    const plan = { fixed_charges: [early, late], ...commitment };
    const fees = 'plan 3100, fixed early 1000, fixed late 2000, commitment plan 24900';
    const given = { now: '2026-03-20T12:00:00Z', plan, rest: { add_ons: addOns } };
    expect(linesOf(await previewOf(given))).toEqual(fees);
    const entry = { number: 'I-1', external_customer_id: 'acme', issuing_date: '2026-03-01', currency: 'EUR' };
    const fee = { type: 'fixed_charge', external_subscription_id: 'sub', fixed_charge_code: 'early', amount: '15' };
    const invoices = [
      { ...entry, fees: [{ ...fee, pay_in_advance: true, from_date: '2026-03-01', to_date: '2026-03-31' }] },
    ];
    const billed = await previewOf({ ...given, rest: { add_ons: addOns, invoices } });
    expect(linesOf(billed)).toMatch(/, commitment plan 24400$/);
  });

  it('is precise by the unrounded plan fee: from 17 March 484 − 48 = 436, 4.84 − 0.48387… (100 × 15 ÷ 31)', async () => {
    const plan = { amount_cents: 100, minimum_commitment: { amount_cents: 1000 } };
    const answer = await previewOf({
      now: '2026-03-20T12:00:00Z',
      plan,
      subscription: { subscription_at: '2026-03-17' },
    });
    expect(linesOf(answer)).toBe('plan 48, commitment plan 436');
    expect(answer.body.invoice.fees[1].precise_amount).toBe('4.356129032258065');
  });

  it('takes no day off for an upgrade: 31000 × 20 ÷ 31 − 1900 = 18100', async () => {
    const plans = [{ code: 'dear', amount_cents: 6200 }];
    const given = { now: '2026-03-20T12:00:00Z', plan: commitment, plans };
    const answer = await previewOf(given, ofSubscription({ plan_code: 'dear' }));
    expect(linesOf(answer)).toBe('plan 1900, commitment plan 18100');
  });

  it('ends with the subscription: 31000 × 20 ÷ 31 − 2000 − 500', async () => {
    const plan = { charges: [standard], ...commitment };
    const given = {
      now: '2026-03-20T12:00:00Z',
      metrics: [metricEntries.sum],
      plan,
      events: [usedOn('2026-03-15', 5)],
    };
    const answer = await previewOf(given, ofSubscription({ terminated_at: '2026-03-20T12:00:00Z' }));
    expect(linesOf(answer)).toBe('plan 2000, charge m 500, commitment plan 17500');
  });
});

describe('fixed charges (§10.5), through the running service', () => {
  it('a trial does not change them; prorated ones count days: from 22 March 10 of 31: 1000 and 2000 × 10 ÷ 31 = 645', async () => {
    const plan = { trial_period: '60', fixed_charges: [early, { ...late, prorated: true }] };
    const body = { plan_code: 'plan', subscription_at: '2026-03-22' };
    const answer = await previewOf(
      { now: '2026-03-01T00:00:00Z', plan, subscription: null, rest: { add_ons: addOns } },
      body,
    );
    expect(linesOf(answer)).toBe('plan 0, fixed early 1000, fixed late 645');
    expect(answer.body.invoice.fees[2]).toMatchObject({ units: '1.0', from_date: '2026-03-22T00:00:00Z' });
  });

  it('graduated and volume units are priced as usage is: 12 → 10 × 1 + 2 × 0.5 + 3; 12 × 0.5 + 3', async () => {
    const tiers = [
      { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '0' },
      { from_value: 11, to_value: null, per_unit_amount: '0.5', flat_amount: '3' },
    ];
    const fixed_charges = [
      { ...early, charge_model: 'graduated', properties: { graduated_ranges: tiers }, units: '12' },
      { ...late, charge_model: 'volume', properties: { volume_ranges: tiers }, units: '12' },
    ];
    const answer = await previewOf({ now: '2026-03-10T00:00:00Z', plan: { fixed_charges }, rest: { add_ons: addOns } });
    expect(linesOf(answer)).toBe('plan 3100, fixed early 1400, fixed late 900');
  });
});

const emptyItem: FeeItem = {
  type: 'charge',
  code: 'units',
  name: 'Units',
  description: null,
  invoice_display_name: 'Units',
  filter_invoice_display_name: null,
  item_id: 'units',
  item_type: 'BillableMetric',
  filters: null,
  grouped_by: {},
};
