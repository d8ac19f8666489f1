import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timezones } from '../../src/contract/codes.ts';
import { type BillingTime, billingTimes, type Interval, intervals } from '../../src/contract/enums.ts';
import { countDays, endOfLocalDay, localDate, startOfLocalDay } from '../../src/engine/days.ts';
import { nextPeriod, periodAt, previousPeriod } from '../../src/engine/periods.ts';
import type { PeriodBasis } from '../../src/engine/types.ts';
import { runs, whole } from '../support/extent.ts';
import { localClock, periodByStepping } from './reference.ts';

function basis(interval: Interval, billing_time: BillingTime, start: string, timezone = 'UTC'): PeriodBasis {
  return { interval, billing_time, start: instant(start), timezone };
}
function instant(text: string): string {
  return new Date(text.length === 10 ? `${text}T00:00:00Z` : text).toISOString();
}

/** Whether the clocks stay as they are for these ten years: then one year of weeks is like the others. */
function isSteady(timezone: string): boolean {
  const clocks = Array.from({ length: 122 }, (_, i) => localClock(Date.UTC(2020, 0, 1 + i * 30), timezone).seconds);
  return new Set(clocks).size === 1;
}

describe('periods of every zone', () => {
  // One zone of ten in the smaller run.
  it.each(timezones.filter((_, i) => whole || i % 10 === 0))(
    '%s: the periods of ten years have no gap and no overlap',
    timezone => {
      for (const interval of intervals) {
        for (const billingTime of billingTimes) {
          const own = basis(interval, billingTime, '2020-02-29T11:00:00Z', timezone);
          let period = periodAt(own, own.start);
          const end = interval === 'weekly' && isSteady(timezone) ? '2021-03-01' : '2030-03-01';
          while (period.from < end) {
            const next = nextPeriod(period, own);
            if (Date.parse(next.from) !== Date.parse(period.to) + 1) expect(next.from).toBe(`after ${period.to}`);
            if (previousPeriod(next, own).from !== period.from) expect(previousPeriod(next, own)).toEqual(period);
            period = next;
          }
          expect(period.from >= end).toBe(true);
        }
      }
    },
  );
});

const anyZone = fc.constantFrom(...timezones);
const anyTime = fc
  .integer({ min: Date.parse('2020-01-01'), max: Date.parse('2030-01-01') })
  .map(ms => new Date(ms).toISOString());

describe('periods against an independent calculation', () => {
  it('bounds are on the local days that stepping through the calendar finds', () => {
    const anyInterval = fc.constantFrom(...intervals);
    const anyBilling = fc.constantFrom(...billingTimes);
    const property = fc.property(
      anyInterval,
      anyBilling,
      anyTime,
      anyTime,
      anyZone,
      (interval, billing, start, at, zone) => {
        const period = periodAt(basis(interval, billing, start, zone), at);
        const startDate = localClock(Date.parse(start), zone).date;
        const today = localClock(Date.parse(at), zone).date;
        expect([period.first_day, period.last_day]).toEqual(periodByStepping(today, interval, billing, startDate));
        expect(localClock(Date.parse(period.from), zone).date).toBe(period.first_day);
        expect(localClock(Date.parse(period.from) - 1, zone).date < period.first_day).toBe(true);
        expect(localClock(Date.parse(period.to), zone).date).toBe(period.last_day);
        expect(localClock(Date.parse(period.to) + 1, zone).date > period.last_day).toBe(true);
        expect(period.from <= at && at <= period.to).toBe(true);
        expect(localDate(at, zone)).toBe(today);
      },
    );
    fc.assert(property, runs(3000));
  });

  it('days between local days are the dates between them, and those of a split period add up', () => {
    const property = fc.property(
      anyTime,
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 0, max: 400 }),
      anyZone,
      (at, a, b, zone) => {
        const first = localDate(at, zone);
        const dayAfter = (days: number) => new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);
        const days = (from: number, to: number) =>
          countDays(startOfLocalDay(dayAfter(from), zone), endOfLocalDay(dayAfter(to), zone), zone);
        expect(days(0, a)).toBe(a + 1);
        expect(days(0, a) + days(a + 1, a + 1 + b)).toBe(days(0, a + 1 + b));
      },
    );
    fc.assert(property, runs(3000));
  });
});
