import { describe, expect, it } from 'vitest';
import type { InvoicingReason } from '../../src/contract/enums.ts';
import type { FeeRecord, InvoiceRecord } from '../../src/engine/records/index.ts';
import { addOns, early, late, metricEntries, standard, used, usedOn } from './entries.ts';
import { type Case, datedOf, type Entry, linesOf, previewOf, type ServiceAnswer, serve } from './file-service.ts';
import { daily, event, lines, NOW, preview, running } from './preview-world.ts';
import { ofSubscription } from './service-world.ts';
import {
  addOnRecord,
  chargeRecord,
  eventRecord,
  fixedChargeRecord,
  invoiceRecord,
  metricRecord,
  storedFee,
  subscriptionRecord,
} from './world.ts';

describe('a projection of the running period (§12.5)', () => {
  it('arrears: the plan, and all usage of the whole period, also later events; billed on 1 April', async () => {
    const plan = daily({ charges: [chargeRecord('units')] });
    const events = [event(1, '02-28', 100), event(2, '03-01', 3), event(3, '03-31', 4)];
    const invoice = await preview(running(plan, { events }), ofSubscription());
    expect(lines(invoice)).toBe('plan 3100, charge units 700');
    expect(invoice.issuing_date).toBe('2026-04-01');
    expect(invoice.fees[0]).toMatchObject({ from_date: '2026-03-01T00:00:00Z', to_date: '2026-03-31T23:59:59Z' });
    expect(invoice.subscriptions[0]).toMatchObject({ svc_id: 'subscription', external_id: 'sub', status: 'active' });
  });

  it('pay in advance: the plan of the next period, the usage of this one', async () => {
    const plan = daily({ pay_in_advance: true, charges: [chargeRecord('units')] });
    const invoice = await preview(
      running(plan, { events: [event(1, '03-02', 3), event(2, '04-02', 9)] }),
      ofSubscription(),
    );
    expect(lines(invoice)).toBe('plan 3100, charge units 300');
    expect(invoice.fees[0]).toMatchObject({ from_date: '2026-04-01T00:00:00Z', to_date: '2026-04-30T23:59:59Z' });
    expect(invoice.fees[1]).toMatchObject({ from_date: '2026-03-01T00:00:00Z', to_date: '2026-03-31T23:59:59Z' });
  });

  it('has true-ups, and pay-in-advance charges only of recurring metrics', async () => {
    const metrics = [metricRecord('units'), metricRecord('calls'), metricRecord('seats', { recurring: true })];
    const charges = [
      chargeRecord('units', { min_amount_cents: 1000 }),
      chargeRecord('calls', { pay_in_advance: true }),
      chargeRecord('seats', { pay_in_advance: true }),
    ];
    const events = [
      event(1, '03-02', 3),
      eventRecord(2, { timestamp: '2026-03-02T08:00:00.000Z', code: 'calls', properties: { value: 8 } }),
      eventRecord(3, { timestamp: '2026-02-02T08:00:00.000Z', code: 'seats', properties: { value: 5 } }),
    ];
    const invoice = await preview(running(daily({ charges }), { events, billable_metrics: metrics }), ofSubscription());
    expect(lines(invoice)).toBe('plan 3100, charge units 300, charge units 700, charge seats 500');
  });

  it('pay-in-advance charges of recurring metrics are whole, never prorated: 2 carried + 1 of 20 March, 3 × 10.00', async () => {
    const seats = metricRecord('seats', { recurring: true, aggregation_type: 'unique_count_agg' });
    const charge = chargeRecord('seats', { pay_in_advance: true, prorated: true, properties: { amount: '10' } });
    const seat = (n: number, day: string) =>
      eventRecord(n, { timestamp: `2026-${day}T08:00:00.000Z`, code: 'seats', properties: { value: `s${n}` } });
    const events = [seat(1, '02-02'), seat(2, '02-03'), seat(3, '03-20')];
    const account = running(daily({ charges: [charge] }), { events, billable_metrics: [seats] });
    const invoice = await preview(account, ofSubscription());
    expect(lines(invoice)).toBe('plan 3100, charge seats 3000');
    expect(invoice.fees[1]).toMatchObject({ units: '3.0', precise_unit_amount: '10.0' });
  });

  it('usage starts at the exact start, the plan at its day: from 10 March 06:00', async () => {
    const plan = daily({ charges: [chargeRecord('units')] });
    const events = [
      eventRecord(1, { timestamp: '2026-03-10T05:00:00.000Z', properties: { value: 100 } }),
      eventRecord(2, { timestamp: '2026-03-10T07:00:00.000Z', properties: { value: 2 } }),
    ];
    const invoice = await preview(
      running(plan, { events }, { subscription_at: '2026-03-10T06:00:00.000Z' }),
      ofSubscription(),
    );
    expect(lines(invoice)).toBe('plan 2200, charge units 200');
    expect(invoice.fees.map((fee: { from_date: string }) => fee.from_date)).toEqual([
      '2026-03-10T00:00:00Z',
      '2026-03-10T06:00:00Z',
    ]);
  });

  it('bills the first, cut period in full where an earlier invoice held the plan fee (§10.4)', async () => {
    const first = { subscription_at: '2026-03-10T00:00:00.000Z' };
    const billed = (fee: Partial<FeeRecord>, invoice: Partial<InvoiceRecord> = {}) => ({
      invoices: [invoiceRecord([storedFee(700, fee)], invoice)],
    });
    const usage = { ...storedFee(700).item, type: 'charge' } as const;
    for (const [past, cents] of [
      [{}, 2200], // 22 of the 31 days of March at 1.00 each
      [billed({}), 3100],
      [billed({ item: usage }), 2200],
      [billed({ subscription_id: 'another' }), 2200],
      [billed({}, { status: 'voided' }), 2200],
    ] as const) {
      const invoice = await preview(running(daily(), past, first), ofSubscription());
      expect(lines(invoice)).toBe(`plan ${cents}`);
    }
  });

  const fixed = daily({
    fixed_charges: [fixedChargeRecord('seat'), fixedChargeRecord('line', { pay_in_advance: true, units: '3' })],
  });
  const addOns = { add_ons: [addOnRecord('seat'), addOnRecord('line')] };

  it('fixed charges: in advance for the next period, in arrears for this one, with the subscription’s own units', async () => {
    const invoice = await preview(
      running(fixed, addOns, { fixed_charge_units: { 'fixed-seat': '5' } }),
      ofSubscription(),
    );
    expect(lines(invoice)).toBe('plan 3100, fixed line 3000, fixed seat 5000');
    const dates = invoice.fees.slice(1).map((fee: { from_date: string }) => fee.from_date);
    expect(dates).toEqual(['2026-04-01T00:00:00Z', '2026-03-01T00:00:00Z']);
  });

  it('bills the arrears fixed charges of a first period, of which only the starting invoice exists', async () => {
    const starting = invoiceRecord([], { billing_periods: [billingPeriod('subscription_starting')] });
    const invoice = await preview(running(fixed, { ...addOns, invoices: [starting] }), ofSubscription());
    expect(lines(invoice)).toBe('plan 3100, fixed line 3000, fixed seat 2000');
  });

  it('a deleted add-on takes its fixed charge with it', async () => {
    const add_ons = [addOnRecord('seat', { deleted_at: NOW }), addOnRecord('line')];
    expect(lines(await preview(running(fixed, { add_ons }), ofSubscription()))).toBe('plan 3100, fixed line 3000');
  });

  it('puts several subscriptions on one invoice', async () => {
    const plan = daily({ charges: [chargeRecord('units')] });
    const subscriptions = [subscriptionRecord(), subscriptionRecord({ id: 'second', external_id: 'sub-2' })];
    const invoice = await preview(
      { plans: [plan], subscriptions, events: [event(1, '03-02', 3)] },
      { customer: { external_id: 'acme' }, subscriptions: { external_ids: ['sub', 'sub-2', 'sub'] } },
    );
    expect(lines(invoice)).toBe('plan 3100, charge units 300, plan 3100');
    expect(invoice.subscriptions).toHaveLength(2);
  });

  it('a single pending subscription is a proposal at its subscription_at', async () => {
    const pending = { status: 'pending', subscription_at: '2026-05-22T00:00:00.000Z', started_at: null } as const;
    const invoice = await preview(running(daily(), {}, pending), ofSubscription());
    expect([lines(invoice), invoice.issuing_date]).toEqual(['plan 1000', '2026-06-01']);
  });
});

describe('overrides of a plan (§3.2) are what is billed, through the running service', () => {
  const { sum } = metricEntries;
  const PLAN_CHARGE = '11111111-1111-4111-8111-111111111111';
  const PLAN_FIXED = '22222222-2222-4222-8222-222222222222';

  const given: Case = {
    now: '2026-04-21T12:00:00Z',
    metrics: [sum],
    plan: {
      tax_codes: ['t10'],
      minimum_commitment: { amount_cents: 9000 },
      charges: [{ ...standard, id: PLAN_CHARGE }],
      fixed_charges: [{ id: PLAN_FIXED, add_on_code: 'seat', properties: { amount: '10' }, units: '1' }],
    },
    events: used([5]),
    rest: {
      taxes: [{ code: 't10', name: 't', rate: '10' }],
      add_ons: [{ code: 'seat', name: 'seat', amount_cents: 1, amount_currency: 'EUR' }],
    },
  };

  async function overridden(plan_overrides: Entry, ask: unknown = ofSubscription()): Promise<ServiceAnswer> {
    const service = await serve(given);
    const changed = await service.put('/subscriptions/sub', { subscription: { plan_overrides } });
    expect(changed.status).toBe(200);
    return await service.post('/invoices/preview', ask);
  }

  it('the price: 5000; charges stay, taxes and commitment are dropped', async () => {
    const answer = await overridden({ amount_cents: 5000 });
    expect(linesOf(answer)).toBe('plan 5000, charge m 500, fixed seat 1000');
    expect(answer.body.invoice.taxes_amount_cents).toBe(0);
  });

  it('taxes and commitment that are sent stay: 9000 − 5000 − 500 − 1000', async () => {
    const answer = await overridden({
      amount_cents: 5000,
      tax_codes: ['t10'],
      minimum_commitment: { amount_cents: 9000 },
    });
    expect(linesOf(answer)).toBe('plan 5000, charge m 500, fixed seat 1000, commitment plan 2500');
    expect(answer.body.invoice.taxes_amount_cents).toBe(900);
  });

  it('a charge by its parent’s id, the commitment, and the quantity', async () => {
    const answer = await overridden({
      charges: [{ id: PLAN_CHARGE, properties: { amount: '3' } }],
      fixed_charges: [{ id: PLAN_FIXED, units: '2', apply_units_immediately: true }],
      minimum_commitment: { amount_cents: 10_000 },
    });
    expect(linesOf(answer)).toBe('plan 3100, charge m 1500, fixed seat 2000, commitment plan 3400');
  });

  it('a quantity alone, from the next period or at once', async () => {
    const seat = (more: Entry) => overridden({ fixed_charges: [{ id: PLAN_FIXED, units: '2.5', ...more }] });
    expect(linesOf(await seat({}))).toMatch(/fixed seat 1000(,|$)/);
    expect(linesOf(await seat({ apply_units_immediately: true }))).toMatch(/fixed seat 2500(,|$)/);
  });

  it('apply to the subscription only: a proposal of the plan has the plan’s price and quantity', async () => {
    const body = { plan_code: 'plan', subscription_at: '2026-04-01' };
    const answer = await overridden({ amount_cents: 5000, fixed_charges: [{ id: PLAN_FIXED, units: '7' }] }, body);
    expect(linesOf(answer)).toBe('plan 3100, fixed seat 1000, commitment plan 4900');
  });
});

describe('plans of a year and half a year that bill by the month (§7.3), through the running service', () => {
  const usage = [usedOn('2026-02-05', 2), usedOn('2026-05-05', 3), usedOn('2026-12-05', 4)];
  const plan = 'plan 120000';
  const fixed = 'fixed early 1000, fixed late 2000';
  const byMonth = { bill_charges_monthly: true };
  const fixedByMonth = { bill_fixed_charges_monthly: true };
  it.each<[string, Entry, string, string]>([
    ['neither: all with the year', {}, '2026-05-10', `${plan}, charge m 900, ${fixed} on 2027-01-01`],
    ['usage: December and all the rest', byMonth, '2026-05-10', `${plan}, charge m 400, ${fixed} on 2027-01-01`],
    ['fixed: usage of the year', fixedByMonth, '2026-12-10', `${plan}, charge m 900, ${fixed} on 2027-01-01`],
    [
      'in advance, usage',
      { pay_in_advance: true, ...byMonth },
      '2026-05-10',
      `${plan}, charge m 400, ${fixed} on 2027-01-01`,
    ],
    [
      'half a year, usage: June has none',
      { interval: 'semiannual', ...byMonth },
      '2026-05-10',
      `${plan}, ${fixed} on 2026-07-01`,
    ],
  ])('%s', async (_name, fields, today, expected) => {
    const answer = await previewOf(yearly(fields, today));
    expect(datedOf(answer)).toBe(expected);
  });

  it.each<[string, string, string]>([
    [
      'turns on the 15th: plan until 14 May, usage from 15 April',
      '2026-05-10',
      `${plan}, charge m 300, ${fixed} on 2026-05-15`,
    ],
    [
      'the month after: all of the next year, in which nothing is used in its last month',
      '2026-05-20',
      `${plan}, ${fixed} on 2027-05-15`,
    ],
  ])('by anniversary of 15 May: %s', async (_name, today, expected) => {
    const subscription = { subscription_at: '2025-05-15', billing_time: 'anniversary' };
    const answer = await previewOf({ ...yearly(byMonth, today), subscription });
    expect(datedOf(answer)).toBe(expected);
  });

  it('the plan in advance is that of the year that starts, the usage that of December', async () => {
    const { body } = await previewOf(yearly({ pay_in_advance: true, ...byMonth }, '2026-12-10'));
    const [planFee, usageFee, earlyFee, lateFee] = body.invoice.fees;
    expect([planFee.from_date, planFee.to_date]).toEqual(['2027-01-01T00:00:00Z', '2027-12-31T23:59:59Z']);
    expect([usageFee.from_date, usageFee.to_date]).toEqual(['2026-12-01T00:00:00Z', '2026-12-31T23:59:59Z']);
    expect(earlyFee.from_date).toBe('2027-01-01T00:00:00Z');
    expect(lateFee.from_date).toBe('2026-01-01T00:00:00Z');
  });

  it('a charge minimum counts the month: 3100 − 400 of December', async () => {
    const given = yearly({ ...byMonth, charges: [{ ...standard, min_amount_cents: 3100 }] }, '2026-05-10');
    expect(linesOf(await previewOf(given))).toMatch(/, charge m 400, charge m 2700(,|$)/);
  });

  function yearly(fields: Entry, today: string): Case {
    return {
      now: `${today}T12:00:00Z`,
      metrics: [metricEntries.sum],
      plan: { interval: 'yearly', amount_cents: 120_000, charges: [standard], fixed_charges: [early, late], ...fields },
      events: usage,
      rest: { add_ons: addOns },
    };
  }
});

describe('a pending subscription that a new start activates (§3.2), through the running service', () => {
  const { sum } = metricEntries;

  it.each([
    [
      'in the past: 20 of 30 days of 3000, and what was used since',
      '2026-04-11',
      'plan 2000, charge m 400 on 2026-05-01',
    ],
    ['today: 10 of 30 days', '2026-04-21', 'plan 1000 on 2026-05-01'],
    ['later: still a proposal, 27 of 31 days → 2612.90', '2026-05-05', 'plan 2613 on 2026-06-01'],
  ])('%s', async (_name, subscription_at, expected) => {
    const service = await serve({
      now: '2026-04-21T12:00:00Z',
      metrics: [sum],
      plan: { amount_cents: 3000, charges: [standard] },
      subscription: { status: 'pending', subscription_at: '2026-05-10' },
      events: [{ code: 'm', timestamp: '2026-04-15T00:00:00Z', properties: { v: 4 } }],
    });
    await service.put('/subscriptions/sub', { subscription: { subscription_at } });
    const answer = await service.post('/invoices/preview', ofSubscription());
    expect(datedOf(answer)).toBe(expected);
  });
});

function billingPeriod(invoicing_reason: InvoicingReason) {
  return {
    subscription_id: 'subscription',
    external_subscription_id: 'sub',
    plan_id: 'plan',
    subscription_from_datetime: '2026-03-01T00:00:00.000Z',
    subscription_to_datetime: '2026-03-31T23:59:59.999Z',
    charges_from_datetime: '2026-02-01T00:00:00.000Z',
    charges_to_datetime: '2026-02-28T23:59:59.999Z',
    invoicing_reason,
  };
}
