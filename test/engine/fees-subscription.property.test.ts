import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interval } from '../../src/contract/enums.ts';
import { decimal } from '../../src/contract/pricing/money.ts';
import { addDays, startOfLocalDay } from '../../src/engine/days.ts';
import {
  type PlanFeeTerms,
  planFee,
  planFeeCents,
  unusedPlanCents,
  yearlyPriceCents,
} from '../../src/engine/fees-subscription.ts';
import { periodAt, subscriptionBounds } from '../../src/engine/periods.ts';
import { unusedPartCents } from '../../src/engine/preview-credits.ts';
import type { PlanRecord } from '../../src/engine/records/index.ts';
import { runs } from '../support/extent.ts';
import { unusedPart } from './reference-fees.ts';
import { planRecord, storedFee } from './world.ts';

type Case = Partial<Omit<PlanFeeTerms, 'plan'>> & {
  plan?: Partial<PlanRecord>;
  at: string;
  start?: string;
  end?: string;
  billing_time?: 'calendar' | 'anniversary';
};

/** A plan of 31.00 a month (1.00 a day in months of 31 days), started on `start`, in the period that holds `at`. */
function terms({ plan, at, start = '2025-01-01', end, billing_time = 'calendar', ...rest }: Case): PlanFeeTerms {
  const record = planRecord({ amount_cents: 3100, ...plan });
  const startsAt = `${start}T10:00:00.000Z`;
  const basis = { interval: record.interval, billing_time, start: startsAt, timezone: 'UTC' };
  const period = periodAt(basis, `${at}T12:00:00.000Z`);
  const life = { start: startsAt, end: end === undefined ? null : `${end}T15:00:00.000Z` };
  const bounds = subscriptionBounds(period, life, 'UTC')?.fees ?? period;
  return {
    plan: record,
    basis,
    period,
    bounds,
    started_at: startsAt,
    first_started_at: startsAt,
    follows: 'nothing',
    already_billed: false,
    ends: 'no',
    ...rest,
  };
}

const cents = (c: Case) => planFeeCents(terms(c)).toFixed(2);

describe('the plan fee (§10.4)', () => {
  const from = (day: string) => ({ at: day, start: day });
  const lateMarch = { from: '2026-03-10T00:00:00.000Z', to: '2026-03-31T23:59:59.999Z' };
  const inAdvance = { pay_in_advance: true };
  const trial = (trial_period: string) => ({ trial_period });
  const until10March = { at: '2026-03-10', end: '2026-03-10' };
  it.each<[string, string, Case]>([
    ['a full period: 3100', '3100.00', { at: '2026-03-10' }],
    ['the first period from 30 Mar: 2 of 31 days → 200', '200.00', { ...from('2026-03-30') }],
    ['the first period from 1 Feb 2026 (28 days): 28/28', '3100.00', { ...from('2026-02-01') }],
    [
      'pay in advance, calendar, first period from 30 Mar: prorated too → 200',
      '200.00',
      { ...from('2026-03-30'), plan: inAdvance },
    ],
    [
      'pay in advance, anniversary, without predecessor: full',
      '3100.00',
      { ...from('2026-03-30'), billing_time: 'anniversary', plan: inAdvance },
    ],
    [
      'already billed before: full, although the period is cut',
      '3100.00',
      { ...from('2026-03-30'), already_billed: true },
    ],
    [
      'started before the previous period: full',
      '3100.00',
      { at: '2026-03-10', start: '2026-01-15', bounds: lateMarch },
    ],
    [
      'started in the previous period: days 10–31 of March are 22 → 2200',
      '2200.00',
      { at: '2026-03-10', start: '2026-02-15', bounds: lateMarch },
    ],
    ['terminated on 10 Mar in arrears: 10 used days → 1000', '1000.00', { ...until10March, ends: 'terminated' }],
    ['upgraded on 10 Mar: 10 − 1 days → 900', '900.00', { ...until10March, ends: 'upgraded' }],
    ['upgraded on the first day: 1 − 1 days → 0', '0.00', { at: '2026-03-01', end: '2026-03-01', ends: 'upgraded' }],
    ['terminated, pay in advance: no fee', '0.00', { ...until10March, ends: 'terminated', plan: inAdvance }],
    [
      'first period after an upgrade on 10 Mar: 22 of 31 days of the new plan → 2200',
      '2200.00',
      { ...from('2026-03-10'), follows: 'upgrade', plan: inAdvance },
    ],
    [
      'trial of 60 days from 1 Mar 10:00 ends after March → 0',
      '0.00',
      { at: '2026-03-10', start: '2026-03-01', plan: trial('60') },
    ],
    [
      'trial of 10 days from 1 Mar 10:00 ends 11 Mar 10:00: days 11–31 are 21 → 2100',
      '2100.00',
      { at: '2026-03-10', start: '2026-03-01', plan: trial('10') },
    ],
    [
      'a trial that ended before the period changes nothing',
      '3100.00',
      { at: '2026-03-10', start: '2026-01-01', plan: trial('10') },
    ],
    [
      'trial days count from the very first start, not from this one: ended in January',
      '200.00',
      { ...from('2026-03-30'), first_started_at: '2026-01-01T10:00:00.000Z', plan: trial('10') },
    ],
    [
      'a week is always 7 days: Thursday to Sunday are 4 → 3100 × 4 ÷ 7 = 1771.43',
      '1771.43',
      { ...from('2026-03-12'), plan: { interval: 'weekly' } },
    ],
  ])('%s', (_, expected, c) => {
    expect(cents(c)).toBe(expected);
  });

  it('is rounded to cents, has 1 unit, and shows the rounded amount as its unit amount: 100 × 2 ÷ 31 = 6.45 → 6', () => {
    const fee = planFee(terms({ at: '2026-03-30', start: '2026-03-30', plan: { amount_cents: 100 } }), {
      customer: null,
      subscription: null,
    });
    expect(fee).toMatchObject({ amount_cents: 6, units: '1.0', precise_unit_amount: '0.06' });
    expect(fee.precise_amount).toBe('0.064516129032258');
    expect(fee.amount_details).toEqual({ plan_amount_cents: 100 });
    expect(fee.item).toMatchObject({ type: 'subscription', item_type: 'Subscription', code: 'plan' });
  });

  it.each<[Interval, number, string]>([
    ['weekly', 52, '5200'],
    ['monthly', 12, '1200'],
    ['quarterly', 4, '400'],
    ['semiannual', 2, '200'],
    ['yearly', 1, '100'],
  ])('a %s plan of 100 costs %i × 100 a year', (interval, _, expected) => {
    expect(yearlyPriceCents(planRecord({ amount_cents: 100, interval })).toFixed()).toBe(expected);
  });

  it('proration of a split period adds up: the days before and after any day are the whole price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.constantFrom('UTC', 'Europe/Paris', 'America/Sao_Paulo', 'Pacific/Apia'),
        (day, amount, timezone) => {
          const base = terms({ at: '2026-03-10', plan: { amount_cents: amount } });
          const basis = { ...base.basis, timezone };
          const period = periodAt(basis, '2026-03-10T12:00:00.000Z');
          const noon = new Date(Date.parse(startOfLocalDay(addDays(period.first_day, day), timezone)) + 43_200_000);
          const used = planFeeCents({
            ...base,
            basis,
            period,
            bounds: { from: period.from, to: noon.toISOString() },
            ends: 'terminated',
          });
          const rest = unusedPlanCents(
            { ...base, basis, period, bounds: period, ends: 'terminated' },
            amount,
            noon.toISOString(),
          );
          // The rest is cut at 5 decimals.
          expect(used.plus(rest).round(4).toFixed()).toBe(String(amount));
        },
      ),
      runs(2000),
    );
  });
});

describe('the unused part of a pay-in-advance plan (§12.6)', () => {
  const part = (
    day: string,
    extra: Partial<Parameters<typeof unusedPartCents>[0]> = {},
    ends: PlanFeeTerms['ends'] = 'terminated',
  ) =>
    unusedPartCents({
      terms: terms({ at: day, plan: { amount_cents: 100, pay_in_advance: true }, ends }),
      terminated_at: `${day}T15:00:00.000Z`,
      billed: storedFee(100, { taxes_rate: '50' }),
      credited_cents: 0,
      ...extra,
    });

  it('is nothing on the last day: the day of a termination is used', () => {
    expect(part('2026-03-31')).toBe(0);
  });

  it('is what the rules say for any price, fee, coupon, tax and day', () => {
    const cents = fc.integer({ min: 0, max: 100_000 });
    const fee = fc.record({ price: cents, billed: cents, credited: cents, rate: fc.integer({ min: 0, max: 60 }) });
    const share = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(fee, share, fc.integer({ min: 1, max: 31 }), fc.boolean(), (given, percent, day, upgraded) => {
        const coupons = given.billed * percent * 1000; // 10⁻⁵ cents
        const billed = storedFee(given.billed, {
          precise_coupons_amount_cents: decimal(coupons).div(100_000).toFixed(),
          taxes_rate: String(given.rate),
          amount_details: { plan_amount_cents: given.price },
        });
        const at = `2026-03-${String(day).padStart(2, '0')}`;
        const unused = 31 - day + (upgraded ? 1 : 0);
        expect(part(at, { billed, credited_cents: given.credited }, upgraded ? 'upgraded' : 'terminated')).toBe(
          Number(unusedPart({ ...given, coupons }, unused, 31)),
        );
      }),
      runs(1000),
    );
  });

  it('does not credit days of a trial: trial until 30 Mar 10:00, so days 30 and 31', () => {
    const inTrial = terms({
      at: '2026-03-10',
      start: '2026-03-01',
      plan: { amount_cents: 3100, pay_in_advance: true, trial_period: '29' },
    });
    expect(unusedPlanCents(inTrial, 3100, '2026-03-10T15:00:00.000Z').toFixed()).toBe('200');
  });
});
