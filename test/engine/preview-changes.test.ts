import { afterEach, describe, expect, it } from 'vitest';
import type { PlanRecord, SubscriptionRecord } from '../../src/service/records/index.ts';
import { ofSubscription, type Records, type World, world } from './service-world.ts';
import {
  addOnRecord,
  chargeRecord,
  commitmentOf,
  creditNoteRecord,
  entityRecord,
  eventRecord,
  fixedChargeRecord,
  invoiceRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
  taxRecord,
} from './world.ts';

const NOW = '2026-03-10T12:00:00.000Z';
let open: World | undefined;
afterEach(() => open?.close());

async function preview(records: Records, body: object, now = NOW) {
  await open?.close();
  open = await world(records, now);
  const answer = await open.post('/invoices/preview', body);
  expect(answer.body.error_details ?? answer.body.code).toBeUndefined();
  expect(answer.status).toBe(200);
  return answer.body.invoice;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer
const lines = (invoice: any) => invoice.fees.map((fee: any) => `${fee.item.type} ${fee.item.code} ${fee.amount_cents}`);
// biome-ignore lint/suspicious/noExplicitAny: an answer
const credits = (invoice: any) => invoice.credits.map((credit: any) => `${credit.item.type} ${credit.amount_cents}`);

const daily = (fields: Partial<PlanRecord> = {}) => planRecord({ amount_cents: 3100, ...fields });
const running = (plans: PlanRecord[], rest: Records = {}, fields: Partial<SubscriptionRecord> = {}): Records => ({
  plans,
  subscriptions: [subscriptionRecord(fields)],
  ...rest,
});
const event = (n: number, day: string, value: number) =>
  eventRecord(n, { timestamp: `2026-${day}T08:00:00.000Z`, properties: { value } });
const march20 = ofSubscription({ terminated_at: '2026-03-20T12:00:00Z' });
const entities = [entityRecord({ invoice_grace_period: 3 })];

describe('a termination (§12.5)', () => {
  it('arrears: 20 used days, the usage until then, arrears fixed charges and no others; issued then plus grace', async () => {
    const plan = daily({
      charges: [chargeRecord('units', { min_amount_cents: 3100 })],
      fixed_charges: [
        fixedChargeRecord('seat', { prorated: true }),
        fixedChargeRecord('line', { pay_in_advance: true }),
      ],
    });
    const events = [event(1, '03-02', 3), event(2, '03-25', 9)];
    const add_ons = [addOnRecord('seat'), addOnRecord('line')];
    const invoice = await preview(running([plan], { events, add_ons, billing_entities: entities }), march20);
    // True-up: 3100 × 20 ÷ 31 − 300 = 1700. Fixed: 20.00 × 20 ÷ 31 = 12.90.
    expect(lines(invoice)).toEqual([
      'subscription plan 2000',
      'charge units 300',
      'charge units 1700',
      'fixed_charge seat 1290',
    ]);
    expect(invoice.issuing_date).toBe('2026-03-23');
    expect(invoice.fees[0].to_date).toBe('2026-03-20T12:00:00Z');
    expect(invoice.subscriptions[0]).toMatchObject({ status: 'terminated', terminated_at: '2026-03-20T12:00:00Z' });
  });

  it('counts the active days of a commitment: 31000 × 20 ÷ 31 = 20000 − 2000', async () => {
    const plan = daily({ minimum_commitment: commitmentOf(31_000) });
    expect(lines(await preview(running([plan]), march20))).toEqual(['subscription plan 2000', 'commitment plan 18000']);
  });

  it('pay in advance: no plan fee; the 11 unused days pay for the usage with their tax: 1100 + 110', async () => {
    const plan = daily({ pay_in_advance: true, charges: [chargeRecord('units')], tax_codes: ['vat'] });
    const events = [event(1, '03-02', 20)];
    const invoice = await preview(running([plan], { events, taxes: [taxRecord('vat', '10')] }), march20);
    expect(lines(invoice)).toEqual(['charge units 2000']);
    expect(credits(invoice)).toEqual(['credit_note 1210']);
    expect(invoice).toMatchObject({ credit_notes_amount_cents: 1210, total_amount_cents: 990 });
  });

  it('uses the unused part after the stored credit notes, and never more than the total', async () => {
    const plan = daily({ pay_in_advance: true, charges: [chargeRecord('units')] });
    const records = { events: [event(1, '03-02', 9)], credit_notes: [creditNoteRecord('n1', 500)] };
    const invoice = await preview(running([plan], records), march20);
    expect(credits(invoice)).toEqual(['credit_note 500', 'credit_note 400']);
    expect(invoice.total_amount_cents).toBe(0);
  });

  it('takes the coupon share of the stored fee off: 1100 − 310 × 1100 ÷ 3100 = 990', async () => {
    const plan = daily({ pay_in_advance: true, charges: [chargeRecord('units')] });
    const billed = storedFee(3100, {
      from_date: '2026-03-01T00:00:00.000Z',
      to_date: '2026-03-31T23:59:59.999Z',
      precise_coupons_amount_cents: '310.0',
    });
    const records = { events: [event(1, '03-02', 50)], invoices: [invoiceRecord([billed])] };
    expect(credits(await preview(running([plan], records), march20))).toEqual(['credit_note 990']);
  });

  it.each(['skip', 'refund', 'offset'])('makes no credit for a subscription set to %s', async setting => {
    const plan = daily({ pay_in_advance: true });
    expect(credits(await preview(running([plan], {}, { on_termination_credit_note: setting }), march20))).toEqual([]);
  });

  it.each([
    ['within the period', '2026-03-20T12:00:00.000Z', ['subscription plan 2000'], '2026-03-20'],
    ['on the day after it', '2026-04-01T12:00:00.000Z', ['subscription plan 103'], '2026-04-01'],
    ['later', '2026-04-02T00:00:00.000Z', ['subscription plan 3100'], '2026-04-01'],
  ])('ending_at %s: %s', async (_, ending_at, expected, issued) => {
    // 1 of the 30 days of April: 3100 ÷ 30 = 103.33.
    const invoice = await preview(running([daily()], {}, { ending_at }), ofSubscription());
    expect([lines(invoice), invoice.issuing_date]).toEqual([expected, issued]);
  });
});

describe('a change of plan (§12.5)', () => {
  const to = (plan_code: string) => ofSubscription({ plan_code });
  const dear = (fields: Partial<PlanRecord> = {}) => planRecord({ code: 'dear', amount_cents: 6200, ...fields });

  it('to an equal or higher yearly price is an upgrade at once: 10 − 1 days, and no first invoice in arrears', async () => {
    const invoice = await preview(running([daily(), dear()], { billing_entities: entities }), to('dear'));
    expect(lines(invoice)).toEqual(['subscription plan 900']);
    expect(invoice.issuing_date).toBe('2026-03-13');
    expect((await preview(running([daily(), dear({ amount_cents: 3100 })]), to('dear'))).fees[0].amount_cents).toBe(
      900,
    );
  });

  it('compares prices by the year: 300.00 a year is below 31.00 a month', async () => {
    const yearly = planRecord({ code: 'yearly', interval: 'yearly', amount_cents: 30_000, pay_in_advance: true });
    const invoice = await preview(running([daily(), yearly]), to('yearly'));
    expect(lines(invoice)).toEqual(['subscription plan 3100', 'subscription yearly 22603']);
    // A downgrade on 1 April: 275 of 365 days of the calendar year, 30000 × 275 ÷ 365 = 22602.74.
    expect(invoice.issuing_date).toBe('2026-04-01');
  });

  it('upgrade to pay in advance: the new plan bills the day of the change, 22 of 31 days: 4400', async () => {
    const target = dear({
      pay_in_advance: true,
      fixed_charges: [fixedChargeRecord('seat', { pay_in_advance: true, prorated: true })],
    });
    const plan = daily({ charges: [chargeRecord('units')] });
    const records = { events: [event(1, '03-02', 3)], add_ons: [addOnRecord('seat')] };
    const invoice = await preview(running([plan, target], records), to('dear'));
    // Fixed charge: 20.00 × 22 ÷ 31 = 14.19.
    expect(lines(invoice)).toEqual([
      'subscription plan 900',
      'charge units 300',
      'subscription dear 4400',
      'fixed_charge seat 1419',
    ]);
    expect(invoice.subscriptions).toMatchObject([
      { svc_id: 'subscription', status: 'terminated', next_plan_code: 'dear' },
      { svc_id: null, external_id: null, status: null, plan_code: 'dear', previous_plan_code: 'plan' },
    ]);
  });

  it('upgrade between pay-in-advance plans: 21 + 1 unused days come back, 4400 − 2200', async () => {
    const invoice = await preview(
      running([daily({ pay_in_advance: true }), dear({ pay_in_advance: true })]),
      to('dear'),
    );
    expect(lines(invoice)).toEqual(['subscription dear 4400']);
    expect(invoice).toMatchObject({ credit_notes_amount_cents: 2200, total_amount_cents: 2200 });
  });

  it('to a lower price is a downgrade when the next period starts: the old period whole, then the new plan’s', async () => {
    const cheap = planRecord({ code: 'cheap', amount_cents: 1000, pay_in_advance: true });
    const plan = daily({ charges: [chargeRecord('units')] });
    const invoice = await preview(running([plan, cheap], { events: [event(1, '03-30', 3)] }), to('cheap'));
    expect(lines(invoice)).toEqual(['subscription plan 3100', 'charge units 300', 'subscription cheap 1000']);
    expect(invoice.fees.at(-1)).toMatchObject({ from_date: '2026-04-01T00:00:00Z', to_date: '2026-04-30T23:59:59Z' });
    expect(invoice.issuing_date).toBe('2026-04-01');
    expect(invoice.subscriptions[0]).toMatchObject({ status: 'active', next_plan_code: 'cheap' });
  });

  it('downgrade of a pay-in-advance plan: it does not start again, and nothing comes back', async () => {
    const cheap = planRecord({ code: 'cheap', amount_cents: 1000 });
    const invoice = await preview(running([daily({ pay_in_advance: true }), cheap]), to('cheap'));
    expect([lines(invoice), credits(invoice), invoice.total_amount_cents]).toEqual([[], [], 0]);
  });

  it('a scheduled downgrade adds the next plan’s first invoice to a projection, if that is pay in advance', async () => {
    const cheap = planRecord({ code: 'cheap', amount_cents: 1000, pay_in_advance: true });
    const invoice = await preview(running([daily(), cheap], {}, { next_plan_code: 'cheap' }), ofSubscription());
    expect(lines(invoice)).toEqual(['subscription plan 3100', 'subscription cheap 1000']);
    const arrears = { ...cheap, pay_in_advance: false };
    expect(
      lines(await preview(running([daily(), arrears], {}, { next_plan_code: 'cheap' }), ofSubscription())),
    ).toEqual(['subscription plan 3100']);
  });

  it('of a pending subscription is a proposal of the other plan', async () => {
    const pending = { status: 'pending', subscription_at: '2026-05-22T00:00:00.000Z', started_at: null };
    expect(lines(await preview(running([daily(), dear()], {}, pending), to('dear')))).toEqual([
      'subscription dear 2000',
    ]);
  });

  it('the first period after a stored upgrade is prorated, also when the plan is pay in advance by anniversary', async () => {
    const subscriptions = [
      subscriptionRecord({
        id: 'old',
        status: 'terminated',
        terminated_at: '2026-03-05T00:00:00.000Z',
        plan_id: 'plan',
      }),
      subscriptionRecord({ plan_id: 'dear', previous_subscription_id: 'old', started_at: '2026-03-05T00:00:00.000Z' }),
    ];
    const invoice = await preview({ plans: [daily(), dear()], subscriptions }, ofSubscription());
    // 27 of 31 days of 62.00 = 54.00.
    expect(lines(invoice)).toEqual(['subscription dear 5400']);
    expect(invoice.subscriptions[0].previous_plan_code).toBe('plan');
  });

  it('a trial counts from the first subscription of the chain', async () => {
    const subscriptions = [
      subscriptionRecord({ id: 'old', status: 'terminated', subscription_at: '2026-02-20T00:00:00.000Z' }),
      subscriptionRecord({
        plan_id: 'dear',
        previous_subscription_id: 'old',
        subscription_at: '2026-02-20T00:00:00.000Z',
        started_at: '2026-03-05T00:00:00.000Z',
      }),
    ];
    const plans = [daily(), dear({ trial_period: '30' })];
    // 20 February + 30 days = 22 March: 10 of 31 days of 62.00 = 20.00.
    expect(lines(await preview({ plans, subscriptions }, ofSubscription()))).toEqual(['subscription dear 2000']);
  });
});
