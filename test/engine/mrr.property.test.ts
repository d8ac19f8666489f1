import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interval } from '../../src/contract/enums.ts';
import { decimal, round, ZERO } from '../../src/contract/pricing/money.ts';
import { type InvoicedPlanFees, monthlyRevenue, monthsLater } from '../../src/engine/mrr.ts';
import { runs } from '../support/extent.ts';

type Given = Partial<Omit<InvoicedPlanFees, 'cents'>> & { cents: string };

const fee = ({ cents, ...fields }: Given): InvoicedPlanFees => ({
  issuing_date: '2026-03-01',
  currency: 'EUR',
  interval: 'monthly',
  pay_in_advance: false,
  from: null,
  to: null,
  count: 1,
  ...fields,
  cents: decimal(cents),
});

/** Cents by month, with 4 decimals. */
function monthly(...given: Given[]): { [month: string]: string } {
  const revenue = monthlyRevenue(given.map(fee)).get('EUR') ?? new Map();
  return Object.fromEntries([...revenue].sort().map(([month, cents]) => [month, round(cents, 4).toFixed(4)]));
}

const days = (from: string, to: string) => ({ from: `${from}T00:00:00.000Z`, to: `${to}T23:59:59.999Z` });

describe('monthly recurring revenue (lookups §13)', () => {
  it('counts a monthly fee in the month of its invoice, whatever its period', () => {
    expect(monthly({ cents: '3100.5', ...days('2026-02-01', '2026-02-28') }, { cents: '100', count: 3 })).toEqual({
      '2026-03': '3400.5000',
    });
  });

  // Average of a month's weekly fees × 4.33. March: (100 + 100 + 160) ÷ 3 = 120 × 4.33 = 519.6. April: 50 × 4.33 = 216.5.
  it('multiplies the average weekly fee of a month by 4.33', () => {
    const weekly = { interval: 'weekly' as const };
    expect(
      monthly(
        { ...weekly, cents: '100', count: 2 },
        { ...weekly, cents: '160', issuing_date: '2026-03-30' },
        { ...weekly, cents: '50', issuing_date: '2026-04-06' },
      ),
    ).toEqual({ '2026-03': '519.6000', '2026-04': '216.5000' });
  });

  // 1 January to 31 March are 89 days, 23 hours and 59 minutes: 89 + 23 ÷ 24 + 59 ÷ 1440 = 129,599 ÷ 1440 = 89.9993056.
  // b = 89.9993056 ÷ 30.44 = 2.95661319, n = 3. 9000 ÷ b = 3044.0235. Rest: 9000 − 2 × 3044.0235 = 2911.9530.
  it('spreads a quarter in arrears back from the issuing month, the rest on the farthest', () => {
    expect(
      monthly({
        ...{ cents: '9000', interval: 'quarterly', issuing_date: '2026-04-01' },
        ...days('2026-01-01', '2026-03-31'),
      }),
    ).toEqual({ '2026-02': '2911.9530', '2026-03': '3044.0235', '2026-04': '3044.0235' });
  });

  // The same b. Issued on 11 January: 31 − 11 + 1 = 21 days of 31: 3044.0235 × 21 ÷ 31 = 2062.0804. February 3044.0235.
  // Rest: 9000 − 2062.0804 − 3044.0235 = 3893.8961.
  it('spreads a quarter in advance from the issuing month on, its first month by the remaining days', () => {
    expect(
      monthly({
        ...{ cents: '9000', interval: 'quarterly', pay_in_advance: true, issuing_date: '2026-01-11' },
        ...days('2026-01-01', '2026-03-31'),
      }),
    ).toEqual({ '2026-01': '2062.0804', '2026-02': '3044.0235', '2026-03': '3893.8961' });
  });

  // Half a year, 1 July to 31 December: 184 days less a minute: 264,959 ÷ 1440 = 183.9993056; ÷ 30.44 = 6.04465524: n = 7!
  // 12000 ÷ b = 1985.2249. Rest: 12000 − 6 × 1985.22488385 = 88.6507.
  it('has a seventh month for a half-year of 184 days, because b is above 6', () => {
    const spread = monthly({
      ...{ cents: '12000', interval: 'semiannual', issuing_date: '2026-01-01' },
      ...days('2025-07-01', '2025-12-31'),
    });
    expect(Object.keys(spread)).toEqual(['2025-07', '2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01']);
    expect([spread['2025-07'], spread['2025-08'], spread['2026-01']]).toEqual(['88.6507', '1985.2249', '1985.2249']);
  });

  // A year of 365 days less a minute: 525,599 ÷ 1440 = 364.9993056; ÷ 30.44 = 11.99077876: n = 12. 120000 ÷ b = 10007.6903.
  // In advance, issued on the 1st: the whole first month; rest: 120000 − 11 × 10007.69027338 = 9915.4070.
  it('spreads a year in advance over twelve months', () => {
    const spread = monthly({
      ...{ cents: '120000', interval: 'yearly', pay_in_advance: true, issuing_date: '2025-01-01' },
      ...days('2025-01-01', '2025-12-31'),
    });
    expect(Object.keys(spread)).toHaveLength(12);
    expect([spread['2025-01'], spread['2025-11'], spread['2025-12']]).toEqual([
      '10007.6903',
      '10007.6903',
      '9915.4070',
    ]);
  });

  // A part of a quarter: 1 to 20 March are 20 days less a minute, 0.6570 months: n = 1, everything in the issuing month.
  it.each([true, false])('keeps a period below a month whole (in advance: %s)', pay_in_advance => {
    expect(
      monthly({
        ...{ cents: '2000', interval: 'quarterly', pay_in_advance, issuing_date: '2026-03-12' },
        ...days('2026-03-01', '2026-03-20'),
      }),
    ).toEqual({ '2026-03': '2000.0000' });
  });

  it('takes the interval’s months where the invoice states no period: 3 × 1000', () => {
    expect(monthly({ cents: '3000', interval: 'quarterly', issuing_date: '2026-01-01' })).toEqual({
      ...{ '2025-11': '1000.0000', '2025-12': '1000.0000', '2026-01': '1000.0000' },
    });
  });

  it('never adds different currencies', () => {
    const revenue = monthlyRevenue([fee({ cents: '1' }), fee({ cents: '2', currency: 'USD' })]);
    expect([...revenue].map(([currency, months]) => [currency, months.get('2026-03')?.toFixed()])).toEqual([
      ['EUR', '1'],
      ['USD', '2'],
    ]);
  });

  it('loses nothing: the months of any fee but a weekly one add up to it', () => {
    const date = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
    const property = fc.property(
      fc.record({
        interval: fc.constantFrom<Interval>('monthly', 'quarterly', 'semiannual', 'yearly'),
        pay_in_advance: fc.boolean(),
        issued: date,
        from: date,
        minutes: fc.integer({ min: 0, max: 370 * 1440 }),
        cents: fc.integer({ min: 0, max: 10_000_000 }),
        count: fc.integer({ min: 1, max: 3 }),
      }),
      ({ issued, from, minutes, cents, ...fields }) => {
        const issuing_date = issued.toISOString().slice(0, 10);
        const to = new Date(from.getTime() + minutes * 60_000).toISOString();
        const given = { ...fields, issuing_date, from: from.toISOString(), to, cents: String(cents) };
        const months = monthlyRevenue([fee(given)]).get('EUR') ?? new Map();
        const total = [...months.values()].reduce((sum, each) => sum.plus(each), ZERO);
        expect(round(total, 20).toFixed()).toBe(decimal(cents).times(fields.count).toFixed());
        for (const month of months.keys()) {
          const [own, first, last] = [month, -13, 13].map(n =>
            typeof n === 'number' ? monthsLater(given.issuing_date.slice(0, 7), n) : n,
          );
          expect(own! >= first! && own! <= last!).toBe(true);
        }
      },
    );
    fc.assert(property, runs(500));
  });
});
