/** Money, periods and plan fees by hand, through the running service: §6, §7, §10.4, §11.6. */
import { describe, expect, it } from 'vitest';
import { type Entry, estimateOf, lines, previewOf, running } from './review-service.ts';

const sum = { code: 'units', aggregation_type: 'sum_agg', field_name: 'value' };
const used = (value: string, timestamp = '2026-03-05T00:00:00Z') => ({
  code: 'units',
  timestamp,
  properties: { value },
});
const priced = (amount: string, more: Entry = {}) => ({
  billable_metric_code: 'units',
  charge_model: 'standard',
  properties: { amount },
  ...more,
});

describe('amounts in cents (§6)', () => {
  it.each([
    ['EUR: 3 × 0.335 = 1.005 → 1.01', 'EUR', '0.335', '3', 101],
    ['JPY has none: 3 × 0.5 = 1.5 → 2', 'JPY', '0.5', '3', 2],
    ['HUF counts as having none: 1.5 → 2', 'HUF', '0.5', '3', 2],
    ['MGA likewise: 1.4 → 1', 'MGA', '0.7', '2', 1],
    ['KWD has 3: 0.0005 → 0.001', 'KWD', '0.0005', '1', 1],
    ['CLF has 4: 3 × 0.00005 = 0.00015 → 0.0002', 'CLF', '0.00005', '3', 2],
    ['MRO has 5 minor units: 2 × 1.2 = 2.40 → 12', 'MRO', '1.2', '2', 12],
    ['IRR is not in the table, so 2 digits: 1.005 → 1.01', 'IRR', '0.335', '3', 101],
    ['ISK has none: 0.49 → 0', 'ISK', '0.49', '1', 0],
  ])('%s', async (_name, currency, amount, units, cents) => {
    const plan = { amount_cents: 0, amount_currency: currency, charges: [priced(amount)] };
    const answer = await previewOf({ now: '2026-03-10T00:00:00Z', plan, metrics: [sum], events: [used(units)] });
    expect(lines(answer)).toEqual([`subscription plan 0`, `charge units ${cents}`]);
  });

  it('a third times 0.015 is exactly half a cent: weighted 1 for 10 of 30 days → 0.005 → 0.01', async () => {
    const metric = {
      code: 'units',
      aggregation_type: 'weighted_sum_agg',
      field_name: 'value',
      weighted_interval: 'seconds',
    };
    const plan = { amount_cents: 0, charges: [priced('0.015')] };
    const events = [used('1', '2026-04-21T00:00:00Z')];
    const answer = await previewOf({ now: '2026-04-22T00:00:00Z', plan, metrics: [metric], events });
    expect(lines(answer)[1]).toBe('charge units 1');
  });

  it('paid in advance and prorated: 1 × 10 ÷ 30 × 0.015 = 0.005 → 0.01', async () => {
    const metric = { ...sum, recurring: true };
    const plan = { charges: [priced('0.015', { pay_in_advance: true, prorated: true })] };
    const given = { now: '2026-04-21T10:00:00Z', plan, metrics: [metric] };
    const { body } = await estimateOf(given, { code: 'units', properties: { value: 1 } });
    expect(body.fees[0]).toMatchObject({ amount_cents: 1, units: '1.0', precise_amount: '0.005' });
  });
});

interface Proposal {
  plan: Entry;
  start: string;
  billing_time?: string;
  timezone?: string;
  cents: number;
  issued: string;
}

const proposals: [string, Proposal][] = [
  [
    'weekly calendar from a Thursday: 4 of 7 days of 700',
    { plan: { interval: 'weekly', amount_cents: 700 }, start: '2026-03-05', cents: 400, issued: '2026-03-09' },
  ],
  [
    'weekly calendar from a Sunday: 1 of 7 days',
    { plan: { interval: 'weekly', amount_cents: 700 }, start: '2026-03-08', cents: 100, issued: '2026-03-09' },
  ],
  [
    'quarterly calendar from 15 Feb: 14 + 31 of 31 + 28 + 31 days',
    { plan: { interval: 'quarterly', amount_cents: 9000 }, start: '2026-02-15', cents: 4500, issued: '2026-04-01' },
  ],
  [
    'semiannual calendar from 1 Apr: 30 + 31 + 30 of 181 days',
    { plan: { interval: 'semiannual', amount_cents: 18100 }, start: '2026-04-01', cents: 9100, issued: '2026-07-01' },
  ],
  [
    'semiannual calendar from 1 Dec: 31 of 184 days',
    { plan: { interval: 'semiannual', amount_cents: 18400 }, start: '2026-12-01', cents: 3100, issued: '2027-01-01' },
  ],
  [
    'yearly calendar from 31 Dec: 1 of 365 days',
    { plan: { interval: 'yearly', amount_cents: 36500 }, start: '2026-12-31', cents: 100, issued: '2027-01-01' },
  ],
  [
    'yearly calendar in a leap year: 1 of 366 days',
    { plan: { interval: 'yearly', amount_cents: 36600 }, start: '2028-12-31', cents: 100, issued: '2029-01-01' },
  ],
  [
    'monthly anniversary from 31 Jan ends 27 Feb',
    { plan: {}, start: '2026-01-31', billing_time: 'anniversary', cents: 3100, issued: '2026-02-28' },
  ],
  [
    'monthly anniversary from 30 Jan in a leap year ends 28 Feb',
    { plan: {}, start: '2028-01-30', billing_time: 'anniversary', cents: 3100, issued: '2028-02-29' },
  ],
  [
    'yearly anniversary from 29 Feb ends 27 Feb',
    {
      plan: { interval: 'yearly' },
      start: '2024-02-29',
      billing_time: 'anniversary',
      cents: 3100,
      issued: '2025-02-28',
    },
  ],
  [
    'quarterly anniversary from 30 Nov ends 27 Feb',
    {
      plan: { interval: 'quarterly' },
      start: '2025-11-30',
      billing_time: 'anniversary',
      cents: 3100,
      issued: '2026-02-28',
    },
  ],
  [
    'weekly anniversary from a Thursday',
    {
      plan: { interval: 'weekly' },
      start: '2026-03-05',
      billing_time: 'anniversary',
      cents: 3100,
      issued: '2026-03-12',
    },
  ],
  [
    '2 Feb 00:00 UTC is 1 Feb in New York: the anniversary is the 1st',
    {
      plan: {},
      start: '2026-02-02T00:00:00Z',
      timezone: 'America/New_York',
      billing_time: 'anniversary',
      cents: 3100,
      issued: '2026-03-01',
    },
  ],
  [
    'calendar from 1 Feb in New York: the whole of February',
    {
      plan: { amount_cents: 2800 },
      start: '2026-02-02T00:00:00Z',
      timezone: 'America/New_York',
      cents: 2800,
      issued: '2026-03-01',
    },
  ],
  [
    'from the day clocks go forward in Paris: 29, 30, 31 March',
    { plan: {}, start: '2026-03-28T23:00:00Z', timezone: 'Europe/Paris', cents: 300, issued: '2026-04-01' },
  ],
  [
    'from the day clocks go back in Paris: 25 to 31 October',
    { plan: {}, start: '2026-10-24T22:00:00Z', timezone: 'Europe/Paris', cents: 700, issued: '2026-11-01' },
  ],
  [
    'in the last second of the month: 1 of 31 days',
    { plan: {}, start: '2026-03-31T23:59:59Z', cents: 100, issued: '2026-04-01' },
  ],
  [
    'in advance, calendar: billed at the start, 2 of 31 days',
    { plan: { pay_in_advance: true }, start: '2026-03-30T15:00:00Z', cents: 200, issued: '2026-03-30' },
  ],
  [
    'in advance, anniversary: the full price',
    {
      plan: { pay_in_advance: true },
      start: '2026-03-30T15:00:00Z',
      billing_time: 'anniversary',
      cents: 3100,
      issued: '2026-03-30',
    },
  ],
  [
    'trial past the end of the period: nothing',
    { plan: { trial_period: '60' }, start: '2026-03-01', cents: 0, issued: '2026-04-01' },
  ],
  [
    'trial that ends with the period: nothing',
    { plan: { trial_period: '31' }, start: '2026-03-01', cents: 0, issued: '2026-04-01' },
  ],
  [
    'trial of 30 days: 31 March is left',
    { plan: { trial_period: '30' }, start: '2026-03-01', cents: 100, issued: '2026-04-01' },
  ],
  [
    'trial of 10 days from the 16th: days 26 to 31',
    { plan: { trial_period: '10' }, start: '2026-03-16', cents: 600, issued: '2026-04-01' },
  ],
  [
    'trial in advance by anniversary: days 11 to 31',
    {
      plan: { trial_period: '10', pay_in_advance: true },
      start: '2026-03-01',
      billing_time: 'anniversary',
      cents: 2100,
      issued: '2026-03-01',
    },
  ],
  [
    'trial days have 24 hours: 10 from 20 October 00:00 in Paris end on the 29th at 23:00: days 29 to 31',
    {
      plan: { trial_period: '10' },
      start: '2026-10-19T22:00:00Z',
      timezone: 'Europe/Paris',
      cents: 300,
      issued: '2026-11-01',
    },
  ],
  [
    'fractional trial of 0.5 days from 00:00: 30.5 days count as 31',
    { plan: { trial_period: '0.5' }, start: '2026-03-01', cents: 3100, issued: '2026-04-01' },
  ],
];

describe('the first invoice of a proposal (§7.1, §7.2, §10.4)', () => {
  it.each(proposals)('%s', async (_name, { plan, start, billing_time, timezone = 'UTC', cents, issued }) => {
    const body = { plan_code: 'plan', subscription_at: start, billing_time, customer: { timezone } };
    const { body: answer } = await previewOf({ now: '2026-02-01T00:00:00Z', plan, subscription: null }, body);
    expect(answer.invoice.fees[0].amount_cents).toBe(cents);
    expect(answer.invoice.issuing_date).toBe(issued);
  });
});

describe('running periods (§7.1)', () => {
  it.each([
    ['from 31 Jan: 28 Feb to 30 Mar', '2026-01-31', 'monthly', '2026-03-10', '2026-02-28', '2026-03-30'],
    ['on its first day 28 Feb', '2026-01-31', 'monthly', '2026-02-28', '2026-02-28', '2026-03-30'],
    [
      'from 31 Jan: 31 Mar to 29 Apr, from the original day',
      '2026-01-31',
      'monthly',
      '2026-04-15',
      '2026-03-31',
      '2026-04-29',
    ],
    ['from 30 Jan: 28 Feb to 29 Mar', '2026-01-30', 'monthly', '2026-03-10', '2026-02-28', '2026-03-29'],
    ['from 29 Jan 2028, leap: 29 Feb to 28 Mar', '2028-01-29', 'monthly', '2028-03-10', '2028-02-29', '2028-03-28'],
    [
      'yearly from 29 Feb 2024: 28 Feb 2025 to 27 Feb 2026',
      '2024-02-29',
      'yearly',
      '2025-06-01',
      '2025-02-28',
      '2026-02-27',
    ],
    [
      'yearly from 29 Feb 2024: back on the 29th in 2028',
      '2024-02-29',
      'yearly',
      '2027-06-01',
      '2027-02-28',
      '2028-02-28',
    ],
    ['semiannual from 31 Aug: 28 Feb to 30 Aug', '2025-08-31', 'semiannual', '2026-06-01', '2026-02-28', '2026-08-30'],
    ['quarterly from 30 Nov: 28 Feb to 29 May', '2025-11-30', 'quarterly', '2026-04-01', '2026-02-28', '2026-05-29'],
    ['weekly from a Wednesday', '2026-01-07', 'weekly', '2026-03-10', '2026-03-04', '2026-03-10'],
  ])('%s', async (_name, start, interval, today, from, to) => {
    const given = {
      now: `${today}T12:00:00Z`,
      plan: { interval },
      subscription: { subscription_at: start, billing_time: 'anniversary' },
    };
    const { body } = await previewOf(given);
    expect(body.invoice.fees[0]).toMatchObject({ from_date: `${from}T00:00:00Z`, to_date: `${to}T23:59:59Z` });
    const issued = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    expect(body.invoice.issuing_date).toBe(issued);
  });

  it('a day of 23 hours is a day: March in Paris is 31 days, in UTC from 28 Feb 23:00 to 31 Mar 21:59:59', async () => {
    const given = {
      now: '2026-03-10T12:00:00Z',
      customer: { timezone: 'Europe/Paris' },
      plan: { charges: [priced('1', { min_amount_cents: 3100 })] },
      metrics: [sum],
      subscription: { subscription_at: '2026-03-16T11:00:00Z' },
    };
    const { body } = await previewOf(given);
    const [plan, , trueUp] = body.invoice.fees;
    // 16 to 31 March are 16 of 31 days; for usage from 12:00 local: 15.5 days count as 16.
    expect(plan).toMatchObject({
      amount_cents: 1600,
      from_date: '2026-03-15T23:00:00Z',
      to_date: '2026-03-31T21:59:59Z',
    });
    expect(trueUp).toMatchObject({ amount_cents: 1600, from_date: '2026-03-16T11:00:00Z' });
  });
});

describe('the last invoice (§7.2, §10.4)', () => {
  it.each([
    ['in the last second of the period: 31 of 31 days', '2026-03-31T23:59:59Z', 3100, '2026-03-31'],
    ['on midnight, which counts that day: 11 of 31 days', '2026-03-11T00:00:00Z', 1100, '2026-03-11'],
    ['a second before midnight: 10 of 31 days', '2026-03-10T23:59:59Z', 1000, '2026-03-10'],
  ])('ended %s', async (_name, at, cents, issued) => {
    const answer = await previewOf({ now: '2026-03-10T12:00:00Z' }, running({ terminated_at: at }));
    expect(lines(answer)).toEqual([`subscription plan ${cents}`]);
    expect(answer.body.invoice.issuing_date).toBe(issued);
  });

  it.each([
    ['on the last day: 31 − 1 days', '2026-03-31T12:00:00Z', 3000],
    ['on midnight, which counts that day: 11 − 1 days', '2026-03-11T00:00:00Z', 1000],
    ['on the first day: none', '2026-03-01T12:00:00Z', 0],
  ])('upgraded %s', async (_name, now, cents) => {
    const plans = [{ code: 'dear', amount_cents: 6200 }];
    const answer = await previewOf({ now, plans }, running({ plan_code: 'dear' }));
    expect(lines(answer)).toEqual([`subscription plan ${cents}`]);
  });

  it('ended in its trial, and after it: trial until 11 March, ended on 20 March: 10 of 31 days', async () => {
    const given = {
      now: '2026-03-02T12:00:00Z',
      plan: { trial_period: '10' },
      subscription: { subscription_at: '2026-03-01' },
    };
    expect(lines(await previewOf(given, running({ terminated_at: '2026-03-09T12:00:00Z' })))).toEqual([
      'subscription plan 0',
    ]);
    expect(lines(await previewOf(given, running({ terminated_at: '2026-03-20T12:00:00Z' })))).toEqual([
      'subscription plan 1000',
    ]);
  });
});
