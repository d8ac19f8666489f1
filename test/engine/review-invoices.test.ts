/** Whole invoices by hand, through the running service: §7.3, §10.5, §10.6, §11, §12. */
import { describe, expect, it } from 'vitest';
import { type Case, type Entry, lines, previewOf, running } from './review-service.ts';

const metric = { code: 'm', aggregation_type: 'sum_agg', field_name: 'v' };
const perUnit = { billable_metric_code: 'm', charge_model: 'standard', properties: { amount: '1' } };
const addOns = ['early', 'late'].map(code => ({ code, name: code, amount_cents: 1, amount_currency: 'EUR' }));
const early = { add_on_code: 'early', pay_in_advance: true, properties: { amount: '10' }, units: '1' };
const late = { add_on_code: 'late', properties: { amount: '20' }, units: '1' };

function used(day: string, v: number | string) {
  return { code: 'm', timestamp: `${day}T00:00:00Z`, properties: { v } };
}

describe('plans of a year and half a year that bill by the month (§7.3)', () => {
  const usage = [used('2026-02-05', 2), used('2026-05-05', 3), used('2026-12-05', 4)];
  const plan = 'subscription plan 120000';
  const fixed = ['fixed_charge early 1000', 'fixed_charge late 2000'];
  const byMonth = { bill_charges_monthly: true };
  const fixedByMonth = { bill_fixed_charges_monthly: true };
  it.each<[string, Entry, string, string[], string]>([
    ['neither: all with the year', {}, '2026-05-10', [plan, 'charge m 900', ...fixed], '2027-01-01'],
    ['usage, within the year: usage of May alone', byMonth, '2026-05-10', ['charge m 300'], '2026-06-01'],
    [
      'usage, last month: December and all the rest',
      byMonth,
      '2026-12-10',
      [plan, 'charge m 400', ...fixed],
      '2027-01-01',
    ],
    ['fixed, within the year: fixed charges alone', fixedByMonth, '2026-05-10', fixed, '2026-06-01'],
    [
      'fixed, last month: usage of the year',
      fixedByMonth,
      '2026-12-10',
      [plan, 'charge m 900', ...fixed],
      '2027-01-01',
    ],
    ['both, within the year', { ...byMonth, ...fixedByMonth }, '2026-05-10', ['charge m 300', ...fixed], '2026-06-01'],
    [
      'in advance, usage, within the year',
      { pay_in_advance: true, ...byMonth },
      '2026-05-10',
      ['charge m 300'],
      '2026-06-01',
    ],
    [
      'in advance, usage, last month',
      { pay_in_advance: true, ...byMonth },
      '2026-12-10',
      [plan, 'charge m 400', ...fixed],
      '2027-01-01',
    ],
    [
      'half a year, usage, in its last month',
      { interval: 'semiannual', ...byMonth },
      '2026-06-10',
      [plan, ...fixed],
      '2026-07-01',
    ],
    ['half a year, usage, in its first month', { interval: 'semiannual', ...byMonth }, '2026-07-10', [], '2026-08-01'],
  ])('%s', async (_name, fields, today, expected, issued) => {
    const answer = await previewOf(yearly(fields, today));
    expect(lines(answer)).toEqual(expected);
    expect(answer.body.invoice.issuing_date).toBe(issued);
  });

  it.each<[string, string, string[], string]>([
    [
      'turns on the 15th: plan until 14 May, usage from 15 April',
      '2026-05-10',
      [plan, 'charge m 300', ...fixed],
      '2026-05-15',
    ],
    ['the month after: nothing used since', '2026-05-20', [], '2026-06-15'],
  ])('by anniversary of 15 May: %s', async (_name, today, expected, issued) => {
    const subscription = { subscription_at: '2025-05-15', billing_time: 'anniversary' };
    const answer = await previewOf({ ...yearly(byMonth, today), subscription });
    expect(lines(answer)).toEqual(expected);
    expect(answer.body.invoice.issuing_date).toBe(issued);
  });

  it('the plan in advance is that of the year that starts, the usage that of December', async () => {
    const { body } = await previewOf(yearly({ pay_in_advance: true, ...byMonth }, '2026-12-10'));
    const [planFee, usageFee, earlyFee, lateFee] = body.invoice.fees;
    expect([planFee.from_date, planFee.to_date]).toEqual(['2027-01-01T00:00:00Z', '2027-12-31T23:59:59Z']);
    expect([usageFee.from_date, usageFee.to_date]).toEqual(['2026-12-01T00:00:00Z', '2026-12-31T23:59:59Z']);
    expect(earlyFee.from_date).toBe('2027-01-01T00:00:00Z');
    expect(lateFee.from_date).toBe('2026-01-01T00:00:00Z');
  });

  it('a charge minimum counts the month: 3100 − 300 of May', async () => {
    const given = yearly({ ...byMonth, charges: [{ ...perUnit, min_amount_cents: 3100 }] }, '2026-05-10');
    expect(lines(await previewOf(given))).toEqual(['charge m 300', 'charge m 2800']);
  });

  function yearly(fields: Entry, today: string): Case {
    return {
      now: `${today}T12:00:00Z`,
      metrics: [metric],
      plan: { interval: 'yearly', amount_cents: 120_000, charges: [perUnit], fixed_charges: [early, late], ...fields },
      events: usage,
      rest: { add_ons: addOns },
    };
  }
});

describe('commitments (§10.6)', () => {
  const commitment = { minimum_commitment: { amount_cents: 31_000 } };
  const started = { subscription_at: '2026-03-10' };
  it.each<[string, Entry, Entry, string[]]>([
    [
      'arrears, from 10 March: 31000 × 22 ÷ 31 − 2200 − 500',
      {},
      started,
      ['subscription plan 2200', 'charge m 500', 'commitment plan 19300'],
    ],
    [
      'in advance: settles March, whose plan fee was 2200',
      { pay_in_advance: true },
      started,
      ['subscription plan 3100', 'charge m 500', 'commitment plan 19300'],
    ],
    [
      'in advance, later: 31000 − 3100 − 500',
      { pay_in_advance: true },
      {},
      ['subscription plan 3100', 'charge m 500', 'commitment plan 27400'],
    ],
    [
      'a true-up counts: 31000 − 3100 − 500 − 9500',
      { charges: [{ ...perUnit, min_amount_cents: 10_000 }] },
      {},
      ['subscription plan 3100', 'charge m 500', 'charge m 9500', 'commitment plan 17900'],
    ],
    ['reached: none', { minimum_commitment: { amount_cents: 3600 } }, {}, ['subscription plan 3100', 'charge m 500']],
    [
      'a cent short',
      { minimum_commitment: { amount_cents: 3601 } },
      {},
      ['subscription plan 3100', 'charge m 500', 'commitment plan 1'],
    ],
  ])('%s', async (_name, fields, subscription, expected) => {
    const plan = { charges: [perUnit], ...commitment, ...fields };
    const given = {
      now: '2026-03-20T12:00:00Z',
      metrics: [metric],
      plan,
      subscription,
      events: [used('2026-03-15', 5)],
    };
    expect(lines(await previewOf(given))).toEqual(expected);
  });

  it('counts fixed charges in advance, also without their invoice: 31000 − 3100 − 1000 − 2000; April’s come on top', async () => {
    const plan = { fixed_charges: [early, late], ...commitment };
    const fees = [
      'subscription plan 3100',
      'fixed_charge early 1000',
      'fixed_charge late 2000',
      'commitment plan 24900',
    ];
    const given = { now: '2026-03-20T12:00:00Z', plan, rest: { add_ons: addOns } };
    expect(lines(await previewOf(given))).toEqual(fees);
    const entry = { number: 'I-1', external_customer_id: 'acme', issuing_date: '2026-03-01', currency: 'EUR' };
    const fee = { type: 'fixed_charge', external_subscription_id: 'sub', fixed_charge_code: 'early', amount: '15' };
    const invoices = [
      { ...entry, fees: [{ ...fee, pay_in_advance: true, from_date: '2026-03-01', to_date: '2026-03-31' }] },
    ];
    const billed = await previewOf({ ...given, rest: { add_ons: addOns, invoices } });
    expect(lines(billed).at(-1)).toBe('commitment plan 24400');
  });

  it('ends with the subscription: 31000 × 20 ÷ 31 − 2000 − 500', async () => {
    const plan = { charges: [perUnit], ...commitment };
    const given = { now: '2026-03-20T12:00:00Z', metrics: [metric], plan, events: [used('2026-03-15', 5)] };
    const answer = await previewOf(given, running({ terminated_at: '2026-03-20T12:00:00Z' }));
    expect(lines(answer)).toEqual(['subscription plan 2000', 'charge m 500', 'commitment plan 17500']);
  });
});

describe('fixed charges (§10.5)', () => {
  it('a trial does not touch them; prorated ones count days: from 22 March 10 of 31: 1000 and 2000 × 10 ÷ 31 = 645', async () => {
    const plan = { trial_period: '60', fixed_charges: [early, { ...late, prorated: true }] };
    const body = { plan_code: 'plan', subscription_at: '2026-03-22' };
    const answer = await previewOf(
      { now: '2026-03-01T00:00:00Z', plan, subscription: null, rest: { add_ons: addOns } },
      body,
    );
    expect(lines(answer)).toEqual(['subscription plan 0', 'fixed_charge early 1000', 'fixed_charge late 645']);
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
    expect(lines(answer)).toEqual(['subscription plan 3100', 'fixed_charge early 1400', 'fixed_charge late 900']);
  });
});

describe('coupons (§11.1)', () => {
  const coupon = (more: Entry) => ({
    code: 'c',
    name: 'c',
    coupon_type: 'fixed_amount',
    amount_currency: 'EUR',
    ...more,
  });
  const half = coupon({ code: 'half', coupon_type: 'percentage', percentage_rate: '50' });

  it('a percentage takes what is left of the sub-total, not of the rounded shares: (300 − 101) × 50 % = 99.5 → 100', async () => {
    // 101 is spread over three fees as 33.66667 each, a hundred-thousandth of a cent too much.
    const plan = {
      amount_cents: 100,
      fixed_charges: [early, late].map(each => ({ ...each, properties: { amount: '1' } })),
    };
    const coupons = [coupon({ amount_cents: 101 }), half];
    const given = { now: '2026-03-01T00:00:00Z', plan, subscription: null, rest: { add_ons: addOns } };
    const { body } = await previewOf(given, { plan_code: 'plan', coupons });
    const credits = body.invoice.credits.map((credit: { amount_cents: number }) => credit.amount_cents);
    expect(credits).toEqual([101, 100]);
    expect(body.invoice.sub_total_excluding_taxes_amount_cents).toBe(99);
  });

  it('a fixed one in another currency takes nothing, a percentage has none; nothing is left for a third', async () => {
    const coupons = [coupon({ amount_cents: 500, amount_currency: 'USD' }), half, coupon({ amount_cents: 9999 }), half];
    const { body } = await previewOf(
      { now: '2026-03-01T00:00:00Z', subscription: null },
      { plan_code: 'plan', coupons },
    );
    const credits = body.invoice.credits.map((credit: { amount_cents: number }) => credit.amount_cents);
    expect(credits).toEqual([1550, 1550]);
    expect(body.invoice).toMatchObject({ fees_amount_cents: 3100, coupons_amount_cents: 3100, total_amount_cents: 0 });
  });

  it('stored ones go oldest first, a once-only one with its rest: 3100 − 200 of 500, then 10 % of 2900', async () => {
    const rest = {
      coupons: [
        { code: 'fix', name: 'fix', amount_cents: 500, amount_currency: 'EUR' },
        { code: 'ten', name: 'ten', coupon_type: 'percentage', percentage_rate: '10', frequency: 'forever' },
      ],
    };
    const applied_coupons = [
      { code: 'ten', created_at: '2025-02-02' },
      { code: 'fix', created_at: '2025-02-01', amount_cents_remaining: 200 },
    ];
    const { body } = await previewOf(
      { now: '2026-03-10T00:00:00Z', customer: { applied_coupons }, rest },
      { ...running(), coupons: [half] },
    );
    const credits = body.invoice.credits.map((c: { item: { code: string }; amount_cents: number }) => [
      c.item.code,
      c.amount_cents,
    ]);
    expect(credits).toEqual([
      ['fix', 200],
      ['ten', 290],
    ]);
  });
});

describe('taxes (§11.2)', () => {
  const taxes = ['10', '5.5', '20'].map(rate => ({ code: `t${rate}`, name: rate, rate }));

  it('of the first level that has any, together: charge 20, plan 10 + 5.5; by tax, base 3100 and 505', async () => {
    const plan = { charges: [{ ...perUnit, tax_codes: ['t20'] }], tax_codes: ['t10', 't5.5'] };
    const given = {
      now: '2026-03-10T00:00:00Z',
      metrics: [metric],
      plan,
      customer: { tax_codes: ['t20'] },
      events: [used('2026-03-05', '5.05')],
      rest: { taxes },
    };
    const { body } = await previewOf(given);
    const applied = body.invoice.applied_taxes.map(
      (tax: { tax_code: string; amount_cents: number; fees_amount_cents: number }) => [
        tax.tax_code,
        tax.fees_amount_cents,
        tax.amount_cents,
      ],
    );
    expect(applied).toEqual([
      ['t10', 3100, 310],
      ['t5.5', 3100, 171],
      ['t20', 505, 101],
    ]);
    // 310 + 170.5 + 101 = 581.5 → 582
    expect(body.invoice).toMatchObject({ taxes_amount_cents: 582, total_amount_cents: 4187 });
  });
});

describe('issuing and due dates (§11.6): billed on 1 April, grace 3, 10 days to pay', () => {
  const end = 'current_period_end';
  const next = 'next_period_start';
  const align = 'align_with_finalization_date';
  const keep = 'keep_anchor';
  it.each([
    [end, keep, 3, '2026-03-31'],
    [end, keep, 0, '2026-03-31'],
    [end, align, 3, '2026-04-04'],
    [end, align, 0, '2026-03-31'],
    [next, keep, 3, '2026-04-01'],
    [next, keep, 0, '2026-04-01'],
    [next, align, 3, '2026-04-04'],
    [next, align, 0, '2026-04-01'],
  ])(
    '%s, %s, grace %d: %s; a termination and a first invoice in advance on the 10th: only the grace counts',
    async (anchor, adjustment, grace, issued) => {
      const entity = {
        invoice_grace_period: grace,
        net_payment_term: 10,
        subscription_invoice_issuing_date_anchor: anchor,
        subscription_invoice_issuing_date_adjustment: adjustment,
      };
      const given = { now: '2026-03-10T12:00:00Z', entity, plans: [{ code: 'first', pay_in_advance: true }] };
      const plus = (day: string, days: number) =>
        new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
      const dates = ({ body }: { body: { invoice: Entry } }) => [
        body.invoice.issuing_date,
        body.invoice.payment_due_date,
      ];
      expect(dates(await previewOf(given))).toEqual([issued, plus(issued, 10)]);
      const ofTenth = [plus('2026-03-10', grace), plus('2026-03-10', grace + 10)];
      expect(dates(await previewOf(given, running({ terminated_at: '2026-03-10T12:00:00Z' })))).toEqual(ofTenth);
      expect(dates(await previewOf(given, { plan_code: 'first', customer: { external_id: 'acme' } }))).toEqual(ofTenth);
    },
  );

  it('the customer’s own settings come first', async () => {
    const entity = { invoice_grace_period: 3, net_payment_term: 10 };
    const customer = {
      invoice_grace_period: 1,
      net_payment_term: 0,
      subscription_invoice_issuing_date_adjustment: keep,
      subscription_invoice_issuing_date_anchor: end,
    };
    const { body } = await previewOf({ now: '2026-03-10T12:00:00Z', entity, customer });
    expect(body.invoice).toMatchObject({ issuing_date: '2026-03-31', payment_due_date: '2026-03-31' });
  });
});

describe('the unused part of a plan in advance (§12.6)', () => {
  it('2 of 31 days of 100 cents, tax 50 %: 6.45 → 6 and 3.23 → 3 pay 9 of the usage', async () => {
    const plan = { amount_cents: 100, pay_in_advance: true, tax_codes: ['half'], charges: [perUnit] };
    const taxes = [{ code: 'half', name: 'half', rate: '50' }];
    const given = {
      now: '2026-03-29T12:00:00Z',
      metrics: [metric],
      plan,
      events: [used('2026-03-05', 1)],
      rest: { taxes },
    };
    const { body } = await previewOf(given, running({ terminated_at: '2026-03-29T12:00:00Z' }));
    expect(body.invoice).toMatchObject({
      credit_notes_amount_cents: 9,
      sub_total_including_taxes_amount_cents: 150,
      total_amount_cents: 141,
    });
    expect(body.invoice.credits[0]).toMatchObject({
      amount_cents: 9,
      before_taxes: false,
      item: { type: 'credit_note' },
    });
  });
});

it('its coupon share may leave half a cent: 1010 × 10 ÷ 30 less a quarter = 252.5 → 253', async () => {
  const entry = { number: 'I-1', external_customer_id: 'acme', issuing_date: '2026-04-01', currency: 'EUR' };
  const own = { external_subscription_id: 'sub', from_date: '2026-04-01', to_date: '2026-04-30', pay_in_advance: true };
  const fees = [
    { type: 'subscription', amount: '10.10', ...own },
    { type: 'fixed_charge', fixed_charge_code: 'early', amount: '10.10', ...own },
  ];
  const given = {
    now: '2026-04-20T12:00:00Z',
    metrics: [metric],
    plan: { amount_cents: 1010, pay_in_advance: true, charges: [perUnit], fixed_charges: [early] },
    events: [used('2026-04-05', 9)],
    rest: {
      add_ons: addOns,
      coupons: [{ code: 'quarter', name: 'quarter', amount_cents: 505, amount_currency: 'EUR' }],
      invoices: [{ ...entry, fees, coupons: [{ code: 'quarter', amount_cents: 505 }] }],
    },
  };
  const { body } = await previewOf(given, running({ terminated_at: '2026-04-20T12:00:00Z' }));
  expect(body.invoice).toMatchObject({ fees_amount_cents: 900, credit_notes_amount_cents: 253 });
});

describe('upgrades and downgrades by yearly price (§10.4)', () => {
  it.each<[string, Entry, boolean]>([
    ['weekly 715 × 52 = 37180 is below 3100 × 12 = 37200', { interval: 'weekly', amount_cents: 715 }, false],
    ['weekly 716 × 52 = 37232 is above', { interval: 'weekly', amount_cents: 716 }, true],
    ['quarterly 9300 × 4 = 37200 is equal: an upgrade', { interval: 'quarterly', amount_cents: 9300 }, true],
    ['semiannual 18599 × 2 is below', { interval: 'semiannual', amount_cents: 18_599 }, false],
    ['yearly 37200 is equal', { interval: 'yearly', amount_cents: 37_200 }, true],
  ])('%s', async (_name, target, isUpgrade) => {
    const given = { now: '2026-03-10T12:00:00Z', plans: [{ code: 'target', ...target }] };
    const answer = await previewOf(given, running({ plan_code: 'target' }));
    expect(lines(answer)).toEqual([`subscription plan ${isUpgrade ? 900 : 3100}`]);
    expect(answer.body.invoice.issuing_date).toBe(isUpgrade ? '2026-03-10' : '2026-04-01');
  });

  it('an upgrade keeps the anniversary: from 15 January, changed on 20 February, 23 of 28 days of 5600 and 5 of 3100', async () => {
    const given = {
      now: '2026-02-20T12:00:00Z',
      plans: [{ code: 'dear', amount_cents: 5600, pay_in_advance: true }],
      subscription: { subscription_at: '2026-01-15', billing_time: 'anniversary' },
    };
    // 15 February to 14 March: 28 days. Old: 15 to 20 are 6 − 1 = 5 → 553.57; new: 20 February to 14 March are 23 → 4600.
    expect(lines(await previewOf(given, running({ plan_code: 'dear' })))).toEqual([
      'subscription plan 554',
      'subscription dear 4600',
    ]);
  });
});
