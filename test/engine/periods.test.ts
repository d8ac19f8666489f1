import { describe, expect, it } from 'vitest';
import type { BillingTime, Interval } from '../../src/contract/enums.ts';
import { countDays, endOfLocalDay, startOfLocalDay } from '../../src/engine/days.ts';
import {
  type BillingTerms,
  chargesPeriodAt,
  dueAt,
  fixedChargesBasis,
  inFirstMonth,
  nextPeriod,
  periodAt,
  periodDays,
  subscriptionBounds,
} from '../../src/engine/periods.ts';
import type { Period, PeriodBasis } from '../../src/engine/types.ts';
import { chargeEntry, metricEntries } from './entries.ts';
import { previewOf } from './file-service.ts';

function basis(interval: Interval, billing_time: BillingTime, start: string, timezone = 'UTC'): PeriodBasis {
  return { interval, billing_time, start: instant(start), timezone };
}
function instant(text: string): string {
  return new Date(text.length === 10 ? `${text}T00:00:00Z` : text).toISOString();
}
function shown({ first_day, last_day }: Period): string {
  return `${first_day} … ${last_day}`;
}

describe('periods (§7.1)', () => {
  it('takes the start date in the customer’s zone: 2 Feb 00:00 UTC is 1 Feb in New York', () => {
    const newYork = basis('monthly', 'anniversary', '2024-02-02', 'America/New_York');
    expect(periodAt(newYork, '2024-02-20T00:00:00.000Z')).toEqual({
      from: '2024-02-01T05:00:00.000Z',
      to: '2024-03-01T04:59:59.999Z',
      first_day: '2024-02-01',
      last_day: '2024-02-29',
    });
  });

  it('shows local days in UTC on both sides of a clock change', () => {
    const march = periodAt(basis('monthly', 'calendar', '2024-01-01', 'Europe/Paris'), '2024-03-15T00:00:00.000Z');
    expect([march.from, march.to]).toEqual(['2024-02-29T23:00:00.000Z', '2024-03-31T21:59:59.999Z']);
  });

  it('knows GMT+12 as UTC−12', () => {
    const day = periodAt(basis('monthly', 'calendar', '2024-01-01', 'GMT+12'), '2024-01-15T00:00:00.000Z');
    expect(day.from).toBe('2024-01-01T12:00:00.000Z');
  });

  it('starts a day at 01:00 where midnight is skipped: São Paulo, 4 Nov 2018', () => {
    expect(startOfLocalDay('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
    expect(endOfLocalDay('2018-11-03', 'America/Sao_Paulo')).toBe('2018-11-04T02:59:59.999Z');
    expect(countDays('2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z', 'America/Sao_Paulo')).toBe(2);
  });

  it('gives a date that a zone skipped a length of 0: Apia, 30 Dec 2011', () => {
    expect(startOfLocalDay('2011-12-30', 'Pacific/Apia')).toBe(startOfLocalDay('2011-12-31', 'Pacific/Apia'));
    const december = basis('monthly', 'calendar', '2011-01-01', 'Pacific/Apia');
    const period = periodAt(december, '2011-12-15T00:00:00.000Z');
    expect(nextPeriod(period, december).from).toBe(new Date(Date.parse(period.to) + 1).toISOString());
  });
});

describe('a subscription’s own bounds (§7.1)', () => {
  const period = periodAt(basis('monthly', 'calendar', '2024-03-30', 'Europe/Paris'), instant('2024-03-30'));
  const start = '2024-03-10T15:30:00.000Z';

  it('begin at 00:00 of the start day for fees, at the exact start for usage', () => {
    expect(subscriptionBounds(period, { start, end: null }, 'Europe/Paris')).toEqual({
      fees: { from: '2024-03-09T23:00:00.000Z', to: '2024-03-31T21:59:59.999Z' },
      usage: { from: start, to: '2024-03-31T21:59:59.999Z' },
    });
  });

  it('end at the termination', () => {
    const end = '2024-03-20T10:00:00.000Z';
    expect(subscriptionBounds(period, { start, end }, 'Europe/Paris')?.usage).toEqual({ from: start, to: end });
    expect(subscriptionBounds(period, { start: '2024-01-05T00:00:00.000Z', end }, 'Europe/Paris')?.fees).toEqual({
      from: period.from,
      to: end,
    });
  });

  it('do not exist before the start and after the end', () => {
    expect(subscriptionBounds(period, { start: '2024-04-02T00:00:00.000Z', end: null }, 'Europe/Paris')).toBeNull();
    const over = { start: '2024-01-02T00:00:00.000Z', end: '2024-02-02T00:00:00.000Z' };
    expect(subscriptionBounds(period, over, 'Europe/Paris')).toBeNull();
  });
});

describe('counting days (§7.2)', () => {
  it.each([
    ['both end days count: 1 … 31 March = 31', '2024-03-01T00:00:00Z', '2024-03-31T23:59:59Z', 'UTC', 31],
    ['one day', '2024-03-01T00:00:00Z', '2024-03-01T23:59:59Z', 'UTC', 1],
    ['23 hours of a short day: 1', '2024-03-30T23:00:00Z', '2024-03-31T21:59:59Z', 'Europe/Paris', 1],
    ['25 hours of a long day: 1', '2024-10-26T22:00:00Z', '2024-10-27T22:59:59Z', 'Europe/Paris', 1],
    [
      'March in Paris has 31 days though an hour is missing',
      '2024-02-29T23:00:00Z',
      '2024-03-31T21:59:59Z',
      'Europe/Paris',
      31,
    ],
    [
      'October in Paris has 31 days though it has an hour more',
      '2024-09-30T22:00:00Z',
      '2024-10-31T22:59:59Z',
      'Europe/Paris',
      31,
    ],
    [
      'an end on local midnight counts that day: 1 … 11 March = 11',
      '2024-03-01T05:00:00Z',
      '2024-03-11T04:00:00Z',
      'America/New_York',
      11,
    ],
    [
      'midnight in UTC is not midnight in New York: 10',
      '2024-03-01T05:00:00Z',
      '2024-03-11T00:00:00Z',
      'America/New_York',
      10,
    ],
    ['from the middle of a day, rounded up: 1.4 → 2', '2024-03-01T12:00:00Z', '2024-03-02T21:36:00Z', 'UTC', 2],
  ])('%s', (_name, from, to, timezone, days) => {
    expect(countDays(instant(from), instant(to), timezone)).toBe(days);
  });

  it('uses the whole period’s length, and 7 for every week', () => {
    const february = basis('monthly', 'calendar', '2024-02-20');
    expect(periodDays(periodAt(february, instant('2024-02-20')), february)).toBe(29);
    const apia = basis('weekly', 'calendar', '2011-01-01', 'Pacific/Apia');
    expect(periodDays(periodAt(apia, '2011-12-29T20:00:00.000Z'), apia)).toBe(7);
  });
});

describe('what is billed when (§7.3)', () => {
  const monthly = basis('monthly', 'calendar', '2024-01-01');
  const yearly = basis('yearly', 'calendar', '2023-01-01');
  const plan = (fields: Partial<BillingTerms> = {}): BillingTerms => ({
    interval: 'monthly',
    pay_in_advance: false,
    bill_charges_monthly: null,
    bill_fixed_charges_monthly: null,
    ...fields,
  });
  const days = (terms: BillingTerms, at: string, on = yearly) =>
    Object.fromEntries(Object.entries(dueAt(on, terms, instant(at))).map(([kind, due]) => [kind, due && shown(due)]));

  it('arrears: plan and usage of the period just ended', () => {
    expect(days(plan(), '2024-03-01', monthly)).toMatchObject({
      plan: '2024-02-01 … 2024-02-29',
      charges: '2024-02-01 … 2024-02-29',
      fixed_charges_in_arrears: '2024-02-01 … 2024-02-29',
    });
  });

  it('in advance: the plan of the period that starts, usage of the one just ended', () => {
    expect(days(plan({ pay_in_advance: true }), '2024-03-01', monthly)).toMatchObject({
      plan: '2024-03-01 … 2024-03-31',
      charges: '2024-02-01 … 2024-02-29',
      fixed_charges_in_advance: '2024-03-01 … 2024-03-31',
    });
  });

  it('usage per month on a yearly plan: the rest only in the first month', () => {
    const terms = plan({ interval: 'yearly', bill_charges_monthly: true });
    expect(days(terms, '2024-03-01')).toEqual({
      plan: null,
      charges: '2024-02-01 … 2024-02-29',
      fixed_charges_in_advance: null,
      fixed_charges_in_arrears: null,
      settled: null,
    });
    expect(days(terms, '2024-01-01')).toMatchObject({
      plan: '2023-01-01 … 2023-12-31',
      charges: '2023-12-01 … 2023-12-31',
      fixed_charges_in_arrears: '2023-01-01 … 2023-12-31',
    });
  });

  it('fixed charges per month on a half-yearly plan: usage only in the first month', () => {
    const terms = plan({ interval: 'semiannual', bill_fixed_charges_monthly: true });
    const half = basis('semiannual', 'calendar', '2023-01-01');
    expect(days(terms, '2024-03-01', half)).toMatchObject({
      plan: null,
      charges: null,
      fixed_charges_in_advance: '2024-03-01 … 2024-03-31',
      fixed_charges_in_arrears: '2024-02-01 … 2024-02-29',
    });
    expect(days(terms, '2024-07-01', half)).toMatchObject({ charges: '2024-01-01 … 2024-06-30' });
  });

  it('a monthly plan ignores both switches', () => {
    const terms = plan({ bill_charges_monthly: true, bill_fixed_charges_monthly: true });
    expect(chargesPeriodAt(monthly, terms, instant('2024-03-05'))).toEqual(periodAt(monthly, instant('2024-03-05')));
  });

  it('months of a yearly plan count from its start: 31 Jan → 29 Feb … 30 Mar', () => {
    const start = basis('yearly', 'anniversary', '2024-01-31');
    const terms = plan({ interval: 'yearly', bill_charges_monthly: true, bill_fixed_charges_monthly: true });
    expect(shown(chargesPeriodAt(start, terms, instant('2024-03-05')))).toBe('2024-02-29 … 2024-03-30');
    expect(shown(periodAt(fixedChargesBasis(start, terms), instant('2024-03-05')))).toBe('2024-02-29 … 2024-03-30');
    expect(inFirstMonth(start, instant('2024-02-28'))).toBe(true);
    expect(inFirstMonth(start, instant('2024-02-29'))).toBe(false);
  });
});

describe('running periods (§7.1), through the running service', () => {
  it.each([
    ['from 31 Jan: 28 Feb to 30 Mar', '2026-01-31', 'monthly', '2026-03-10', '2026-02-28 … 2026-03-30'],
    ['on its first day 28 Feb', '2026-01-31', 'monthly', '2026-02-28', '2026-02-28 … 2026-03-30'],
    ['from 31 Jan: again from the original day', '2026-01-31', 'monthly', '2026-04-15', '2026-03-31 … 2026-04-29'],
    ['from 30 Jan: 28 Feb to 29 Mar', '2026-01-30', 'monthly', '2026-03-10', '2026-02-28 … 2026-03-29'],
    ['from 29 Jan 2028, leap: 29 Feb', '2028-01-29', 'monthly', '2028-03-10', '2028-02-29 … 2028-03-28'],
    ['yearly from 29 Feb 2024: 28 Feb 2025', '2024-02-29', 'yearly', '2025-06-01', '2025-02-28 … 2026-02-27'],
    ['yearly from 29 Feb 2024: back on it in 2028', '2024-02-29', 'yearly', '2027-06-01', '2027-02-28 … 2028-02-28'],
    ['semiannual from 31 Aug: 28 Feb to 30 Aug', '2025-08-31', 'semiannual', '2026-06-01', '2026-02-28 … 2026-08-30'],
    ['quarterly from 30 Nov: 28 Feb to 29 May', '2025-11-30', 'quarterly', '2026-04-01', '2026-02-28 … 2026-05-29'],
    ['weekly from a Wednesday', '2026-01-07', 'weekly', '2026-03-10', '2026-03-04 … 2026-03-10'],
  ])('%s', async (_name, start, interval, today, period) => {
    const [from, to] = period.split(' … ');
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
      plan: { charges: [chargeEntry('standard', { amount: '1' }, { min_amount_cents: 3100 })] },
      metrics: [metricEntries.sum],
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
