import { describe, expect, it } from 'vitest';
import type { FeeRecord, PlanRecord } from '../../src/engine/records/index.ts';
import { metricEntries, standard, used } from './entries.ts';
import { datedOf, type Entry, linesOf, previewOf } from './file-service.ts';
import { daily, event, lines, preview, running } from './preview-world.ts';
import { ofSubscription } from './service-world.ts';
import {
  addOnRecord,
  chargeRecord,
  entityRecord,
  fixedChargeRecord,
  invoiceRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
  taxRecord,
} from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer
const credits = (invoice: any) => invoice.credits.map((credit: any) => `${credit.item.type} ${credit.amount_cents}`);
const march20 = ofSubscription({ terminated_at: '2026-03-20T12:00:00Z' });
/** The invoice of a plan fee for March, which later credits come from. */
const marchBilled = (cents: number, fields: Partial<FeeRecord> = {}) =>
  invoiceRecord([
    storedFee(cents, { from_date: '2026-03-01T00:00:00.000Z', to_date: '2026-03-31T23:59:59.999Z', ...fields }),
  ]);
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
    expect(lines(invoice)).toBe('plan 2000, charge units 300, charge units 1700, fixed seat 1290');
    expect(invoice.issuing_date).toBe('2026-03-23');
    expect(invoice.fees[0].to_date).toBe('2026-03-20T12:00:00Z');
    expect(invoice.subscriptions[0]).toMatchObject({ status: 'terminated', terminated_at: '2026-03-20T12:00:00Z' });
  });

  it('pay in advance: no plan fee; the 11 unused days pay for the usage with their tax: 1100 + 110', async () => {
    const plan = daily({ pay_in_advance: true, charges: [chargeRecord('units')], tax_codes: ['vat'] });
    const records = {
      events: [event(1, '03-02', 20)],
      taxes: [taxRecord('vat', '10')],
      invoices: [marchBilled(3100, { taxes_rate: '10' })],
    };
    const invoice = await preview(running([plan], records), march20);
    expect(lines(invoice)).toBe('charge units 2000');
    expect(credits(invoice)).toEqual(['credit_note 1210']);
    expect(invoice).toMatchObject({ credit_notes_amount_cents: 1210, total_amount_cents: 990 });
  });

  it.each(['skip', 'refund', 'offset'] as const)('makes no credit for a subscription set to %s', async setting => {
    const plan = daily({ pay_in_advance: true, charges: [chargeRecord('units')] });
    const records = { events: [event(1, '03-02', 9)], invoices: [marchBilled(3100)] };
    const account = running([plan], records, { on_termination_credit_note: setting });
    expect(credits(await preview(account, march20))).toEqual([]);
  });
});

describe('a change of plan (§12.5)', () => {
  const to = (plan_code: string) => ofSubscription({ plan_code });
  const dear = (fields: Partial<PlanRecord> = {}) => planRecord({ code: 'dear', amount_cents: 6200, ...fields });

  it('to an equal or higher yearly price is an immediate upgrade: 10 − 1 days, and no first invoice in arrears', async () => {
    const invoice = await preview(running([daily(), dear()], { billing_entities: entities }), to('dear'));
    expect(lines(invoice)).toBe('plan 900');
    expect(invoice.issuing_date).toBe('2026-03-13');
    expect((await preview(running([daily(), dear({ amount_cents: 3100 })]), to('dear'))).fees[0].amount_cents).toBe(
      900,
    );
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
    expect(lines(invoice)).toBe('plan 900, charge units 300, dear 4400, fixed seat 1419');
    expect(invoice.subscriptions).toMatchObject([
      { svc_id: 'subscription', status: 'terminated', next_plan_code: 'dear' },
      { svc_id: null, external_id: 'sub', status: 'active', plan_code: 'dear', previous_plan_code: 'plan' },
    ]);
  });

  it('to a lower price is a downgrade when the next period starts: the old period whole, then the new plan’s', async () => {
    const cheap = planRecord({ code: 'cheap', amount_cents: 1000, pay_in_advance: true });
    const plan = daily({ charges: [chargeRecord('units')] });
    const invoice = await preview(running([plan, cheap], { events: [event(1, '03-30', 3)] }), to('cheap'));
    expect(lines(invoice)).toBe('plan 3100, charge units 300, cheap 1000');
    expect(invoice.fees.at(-1)).toMatchObject({ from_date: '2026-04-01T00:00:00Z', to_date: '2026-04-30T23:59:59Z' });
    expect(invoice.issuing_date).toBe('2026-04-01');
    expect(invoice.subscriptions[0]).toMatchObject({ status: 'terminated', next_plan_code: 'cheap' });
  });

  it('downgrade of a pay-in-advance plan: it does not start again, and nothing is credited', async () => {
    const cheap = planRecord({ code: 'cheap', amount_cents: 1000 });
    const invoice = await preview(running([daily({ pay_in_advance: true }), cheap]), to('cheap'));
    expect([lines(invoice), credits(invoice), invoice.total_amount_cents]).toEqual(['', [], 0]);
  });

  it('of a pending subscription is a proposal of the other plan', async () => {
    const pending = { status: 'pending', subscription_at: '2026-05-22T00:00:00.000Z', started_at: null } as const;
    expect(lines(await preview(running([daily(), dear()], {}, pending), to('dear')))).toBe('dear 2000');
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
    expect(lines(invoice)).toBe('dear 5400');
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
    expect(lines(await preview({ plans, subscriptions }, ofSubscription()))).toBe('dear 2000');
  });
});

describe('charges of recurring metrics at the end of a subscription (§12.5), through the running service', () => {
  const { sum } = metricEntries;
  const inAdvance = { ...standard, pay_in_advance: true };
  const terminated = ofSubscription({ terminated_at: '2026-03-20T12:00:00Z' });
  const to = (plan_code: string) => ofSubscription({ plan_code });
  it.each<[string, Entry, Entry, unknown, string]>([
    ['in advance, terminated: left out', inAdvance, {}, terminated, 'plan 2000'],
    ['in advance, upgraded: left out', inAdvance, {}, to('dear'), 'plan 1900'],
    ['in advance, downgraded: 1 × 1.00 is billed', inAdvance, {}, to('cheap'), 'plan 3100, charge m 100'],
    ['in arrears, terminated: 1 × 1.00 is billed', standard, {}, terminated, 'plan 2000, charge m 100'],
    [
      'in arrears, upgraded to a plan with the metric: left out, with its minimum',
      { ...standard, min_amount_cents: 3100 },
      { charges: [standard] },
      to('dear'),
      'plan 1900',
    ],
    [
      'in arrears, upgraded to a plan without the metric: 1 × 1.00 is billed',
      standard,
      {},
      to('dear'),
      'plan 1900, charge m 100',
    ],
    [
      'in arrears and prorated, upgraded: carried units weigh a day less, 1.00 × 19 ÷ 31 = 0.61291 → 61',
      { ...standard, prorated: true },
      { charges: [standard] },
      to('dear'),
      'plan 1900, charge m 61',
    ],
  ])('%s', async (_name, charge, dear, body, expected) => {
    const given = {
      now: '2026-03-20T12:00:00Z',
      metrics: [{ ...sum, recurring: true }],
      plan: { charges: [charge] },
      plans: [
        { code: 'dear', amount_cents: 6200, ...dear },
        { code: 'cheap', amount_cents: 1000, charges: [standard] },
      ],
      events: [{ ...used([1])[0], timestamp: '2026-02-02T00:00:00Z' }],
    };
    expect(linesOf(await previewOf(given, body))).toEqual(expected);
  });

  it('not recurring, upgraded to a plan with the metric: 1 × 1.00 is billed', async () => {
    const given = {
      now: '2026-03-20T12:00:00Z',
      metrics: [sum],
      plan: { charges: [standard] },
      plans: [{ code: 'dear', amount_cents: 6200, charges: [standard] }],
      events: [{ ...used([1])[0], timestamp: '2026-03-02T00:00:00Z' }],
    };
    expect(linesOf(await previewOf(given, to('dear')))).toBe('plan 1900, charge m 100');
  });

  it('in advance, ended within the period by ending_at: left out', async () => {
    const given = {
      now: '2026-03-10T12:00:00Z',
      metrics: [{ ...sum, recurring: true }],
      plan: { charges: [inAdvance] },
      subscription: { ending_at: '2026-03-20T12:00:00Z' },
      events: [{ ...used([1])[0], timestamp: '2026-02-02T00:00:00Z' }],
    };
    expect(linesOf(await previewOf(given))).toBe('plan 2000');
  });
});

describe('upgrades and downgrades by yearly price (§10.4), through the running service', () => {
  it.each<[string, Entry, boolean]>([
    ['weekly 715 × 52 = 37180 is below 3100 × 12 = 37200', { interval: 'weekly', amount_cents: 715 }, false],
    ['weekly 716 × 52 = 37232 is above', { interval: 'weekly', amount_cents: 716 }, true],
    ['quarterly 9300 × 4 = 37200 is equal: an upgrade', { interval: 'quarterly', amount_cents: 9300 }, true],
    ['semiannual 18599 × 2 is below', { interval: 'semiannual', amount_cents: 18_599 }, false],
    ['yearly 37200 is equal', { interval: 'yearly', amount_cents: 37_200 }, true],
  ])('%s', async (_name, target, isUpgrade) => {
    const given = { now: '2026-03-10T12:00:00Z', plans: [{ code: 'target', ...target }] };
    const answer = await previewOf(given, ofSubscription({ plan_code: 'target' }));
    expect(linesOf(answer)).toBe(`plan ${isUpgrade ? 900 : 3100}`);
    expect(answer.body.invoice.issuing_date).toBe(isUpgrade ? '2026-03-10' : '2026-04-01');
  });

  it('an upgrade keeps the anniversary: from 15 January, changed on 20 February, 23 of 28 days of 5600 and 5 of 3100', async () => {
    const given = {
      now: '2026-02-20T12:00:00Z',
      plans: [{ code: 'dear', amount_cents: 5600, pay_in_advance: true }],
      subscription: { subscription_at: '2026-01-15', billing_time: 'anniversary' },
    };
    // 15 February to 14 March: 28 days. Old: 15 to 20 are 6 − 1 = 5 → 553.57; new: 20 February to 14 March are 23 → 4600.
    expect(linesOf(await previewOf(given, ofSubscription({ plan_code: 'dear' })))).toBe('plan 554, dear 4600');
  });
});

describe('an end within the period or on the day after it (§12.2), through the running service', () => {
  const APRIL_10 = '2026-04-10T12:00:00Z';
  const { sum } = metricEntries;

  const yearly = { interval: 'yearly', amount_cents: 36_500, bill_charges_monthly: true, charges: [standard] };
  const monthly = { amount_cents: 3000 };
  it.each<[string, Entry, string, string]>([
    ['in the period: 20 of 30 days of 3000', monthly, '2026-04-20T12:00:00Z', 'plan 2000 on 2026-04-20'],
    ['on its last day', monthly, '2026-04-30T12:00:00Z', 'plan 3000 on 2026-04-30'],
    // April is not billed yet: the started day of May is free (§7.1).
    ['on the day after it', monthly, '2026-05-01T12:00:00Z', 'plan 3000 on 2026-05-01'],
    ['two days after it: a plain projection', monthly, '2026-05-02T00:00:00Z', 'plan 3000 on 2026-05-01'],
    [
      'usage by the month, in this month: 110 of 365 days, usage of March (none)',
      yearly,
      '2026-04-20T12:00:00Z',
      'plan 11000 on 2026-04-20',
    ],
    [
      'usage by the month, next month: 133 of 365 days, usage of April',
      yearly,
      '2026-05-13T12:00:00Z',
      'plan 13300, charge m 500 on 2026-05-13',
    ],
  ])('%s', async (_name, plan, ending_at, expected) => {
    const given = {
      now: APRIL_10,
      metrics: [sum],
      plan,
      events: plan === yearly ? used([5]) : [],
      subscription: { ending_at },
    };
    const answer = await previewOf(given);
    expect(datedOf(answer)).toBe(expected);
  });
});

describe('after an upgrade on 10 April, 09:00, to 60.00 a month (§10): 21 of 30 days, 7 units since then, through the running service', () => {
  const { sum } = metricEntries;

  const cut = { terminated_at: '2026-04-25T12:00:00Z' };
  const aprilBilled = {
    number: 'I-1',
    external_customer_id: 'acme',
    issuing_date: '2026-04-10',
    currency: 'EUR',
    fees: [
      {
        type: 'subscription',
        external_subscription_id: 'sub',
        amount: '42',
        from_date: '2026-04-10',
        to_date: '2026-04-30',
        pay_in_advance: true,
      },
    ],
  };
  it.each<[string, Entry, Entry, string, number]>([
    ['arrears: 6000 × 21 ÷ 30', {}, {}, 'dear 4200, charge m 700', 4900],
    ['in advance: May', { pay_in_advance: true }, {}, 'dear 6000, charge m 700', 6700],
    ['200 days of trial since 1 January: nothing', { trial_period: '200' }, {}, 'dear 0, charge m 700', 700],
    ['105 days of trial, until 16 April: 15 of 30 days', { trial_period: '105' }, {}, 'dear 3000, charge m 700', 3700],
    ['ended on 25 April: 16 of 30 days', {}, cut, 'dear 3200, charge m 700', 3900],
    [
      'in advance, ended: 5 unused days are 1000, of which 700 can be used',
      { pay_in_advance: true },
      cut,
      'charge m 700',
      0,
    ],
    [
      'commitment: 30000 × 21 ÷ 30 − 4200 − 700',
      { minimum_commitment: { amount_cents: 30_000 } },
      {},
      'dear 4200, charge m 700, commitment dear 16100',
      21_000,
    ],
    [
      'commitment in advance: April’s 4200 was billed',
      { pay_in_advance: true, minimum_commitment: { amount_cents: 30_000 } },
      {},
      'dear 6000, charge m 700, commitment dear 16100',
      22_800,
    ],
    [
      'minimum: 3000 × 21 ÷ 30 − 700',
      { charges: [{ ...standard, min_amount_cents: 3000 }] },
      {},
      'dear 4200, charge m 700, charge m 1400',
      6300,
    ],
  ])('%s', async (_name, plan, extra, expected, total) => {
    const chain = { external_id: 'sub', external_customer_id: 'acme', subscription_at: '2026-01-01' };
    const change = '2026-04-10T09:00:00Z';
    const subscriptions = [
      { ...chain, plan_code: 'plan', status: 'terminated', terminated_at: change },
      { ...chain, plan_code: 'dear', previous_plan_code: 'plan', started_at: change },
    ];
    const given = {
      now: '2026-04-21T12:00:00Z',
      metrics: [sum],
      plan: { amount_cents: 3000 },
      plans: [{ code: 'dear', amount_cents: 6000, charges: [standard], ...plan }],
      events: [
        ...used([5]),
        { code: 'm', timestamp: '2026-04-15T00:00:00Z', transaction_id: 'since', properties: { v: 7 } },
      ],
      rest: { subscriptions, invoices: plan.pay_in_advance ? [aprilBilled] : [] },
    };
    const answer = await previewOf(given, ofSubscription(extra));
    expect(linesOf(answer)).toEqual(expected);
    expect(answer.body.invoice.total_amount_cents).toBe(total);
  });
});

describe('a scheduled downgrade (§12.2), through the running service', () => {
  const APRIL_10 = '2026-04-10T12:00:00Z';

  const cheap = { code: 'cheap', amount_cents: 1000 };
  const advance = { pay_in_advance: true };
  it.each<[string, Entry, Entry, string]>([
    ['in arrears adds nothing', cheap, {}, 'plan 3100'],
    ['in advance adds May', { ...cheap, ...advance }, {}, 'plan 3100, cheap 1000'],
    ['of a plan in advance, which does not start again', { ...cheap, ...advance }, advance, 'cheap 1000'],
    [
      'to a year: 12000 × 245 ÷ 365 = 8054.79',
      { ...cheap, ...advance, interval: 'yearly', amount_cents: 12_000 },
      {},
      'plan 3100, cheap 8055',
    ],
  ])('%s', async (_name, next, plan, expected) => {
    const given = { now: APRIL_10, plan, plans: [next], subscription: { next_plan_code: 'cheap' } };
    const answer = await previewOf(given);
    expect(linesOf(answer)).toEqual(expected);
    expect(answer.body.invoice.issuing_date).toBe('2026-05-01');
  });
});

describe('the last invoice (§7.2, §10.4), through the running service', () => {
  it.each([
    ['in the last second of the period: 31 of 31 days', '2026-03-31T23:59:59Z', 3100, '2026-03-31'],
    ['on midnight, which counts that day: 11 of 31 days', '2026-03-11T00:00:00Z', 1100, '2026-03-11'],
    ['a second before midnight: 10 of 31 days', '2026-03-10T23:59:59Z', 1000, '2026-03-10'],
  ])('ended %s', async (_name, at, cents, issued) => {
    const answer = await previewOf({ now: '2026-03-10T12:00:00Z' }, ofSubscription({ terminated_at: at }));
    expect(linesOf(answer)).toBe(`plan ${cents}`);
    expect(answer.body.invoice.issuing_date).toBe(issued);
  });

  it.each([
    ['on the last day: 31 − 1 days', '2026-03-31T12:00:00Z', 3000],
    ['on midnight, which counts that day: 11 − 1 days', '2026-03-11T00:00:00Z', 1000],
    ['on the first day: none', '2026-03-01T12:00:00Z', 0],
  ])('upgraded %s', async (_name, now, cents) => {
    const plans = [{ code: 'dear', amount_cents: 6200 }];
    const answer = await previewOf({ now, plans }, ofSubscription({ plan_code: 'dear' }));
    expect(linesOf(answer)).toBe(`plan ${cents}`);
  });

  it('ended in its trial, and after it: trial until 11 March, ended on 20 March: 10 of 31 days', async () => {
    const given = {
      now: '2026-03-02T12:00:00Z',
      plan: { trial_period: '10' },
      subscription: { subscription_at: '2026-03-01' },
    };
    expect(linesOf(await previewOf(given, ofSubscription({ terminated_at: '2026-03-09T12:00:00Z' })))).toBe('plan 0');
    expect(linesOf(await previewOf(given, ofSubscription({ terminated_at: '2026-03-20T12:00:00Z' })))).toBe(
      'plan 1000',
    );
  });
});
