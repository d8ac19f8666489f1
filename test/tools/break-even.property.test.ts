/** The points from which the other plan is cheaper, beside a walk over every number of units. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BreakEven, breakEven, type Course, endOfLeast } from '../../tools/quotes/break-even.ts';
import { runs } from '../support/extent.ts';

/** In whole cents: a fixed fee, units in tiers, and packages after free units. */
interface Prices {
  fee: number;
  tiers: readonly { to: number; rate: number; flat: number }[];
  pack: { size: number; free: number; price: number } | null;
  least: number;
}

function cost({ fee, tiers, pack, least }: Prices, units: number): number {
  let [sum, from] = [fee, 0];
  for (const { to, rate, flat } of tiers) {
    if (units > from) sum += (Math.min(units, to) - from) * rate + flat;
    from = to;
  }
  if (pack !== null) sum += Math.ceil(Math.max(units - pack.free, 0) / pack.size) * pack.price;
  return Math.max(sum, least);
}

function courseOf(plans: readonly Prices[]): Course {
  const packs = plans.flatMap(({ pack }) => pack ?? []);
  return {
    ends: [
      ...plans.flatMap(({ tiers }) => tiers.map(({ to }) => to)),
      ...packs.map(({ free }) => free),
      ...plans.map(plan => endOfLeast(units => cost(plan, units))),
    ].filter(Number.isFinite),
    packages: packs.map(({ free, size }) => ({ from: free, size })),
  };
}

/** Every change up to a number of units. */
function walked(difference: (units: number) => number, to: number): BreakEven[] {
  const found: BreakEven[] = [];
  let cheaper = 0;
  for (let units = 0; units <= to; units += 1) {
    const sign = Math.sign(difference(units));
    if (sign === 0 || sign === cheaper) continue;
    if (cheaper !== 0) found.push({ units, plan: sign < 0 ? 'second' : 'first' });
    cheaper = sign;
  }
  return found;
}

const tier = fc.record({ width: fc.integer({ min: 1, max: 900 }), rate: fc.nat(30), flat: fc.nat(500) });
const prices: fc.Arbitrary<Prices> = fc
  .record({
    fee: fc.nat(6_000),
    tiers: fc.array(tier, { maxLength: 3 }),
    rate: fc.nat(30),
    pack: fc.option(
      fc.record({
        size: fc.oneof(fc.constantFrom(1, 7, 10, 50, 60, 100, 250), fc.integer({ min: 1, max: 300 })),
        free: fc.nat(300),
        price: fc.nat(2_000),
      }),
    ),
    least: fc.oneof(fc.constant(0), fc.nat(9_000)),
  })
  .map(({ tiers, rate, ...fields }) => {
    let to = 0;
    const listed = tiers.map(({ width, ...one }) => {
      to += width;
      return { ...one, to };
    });
    return { ...fields, tiers: [...listed, { to: Number.POSITIVE_INFINITY, rate, flat: 0 }] };
  });

const horizon = 60_000;

describe('the usage from which the other plan is cheaper', () => {
  it('is where the last changes are, walked over every number of units', () => {
    let told = 0;
    const property = fc.property(prices, prices, (first, second) => {
      const difference = (units: number) => cost(second, units) - cost(first, units);
      const points = breakEven(difference, courseOf([first, second]));
      const all = walked(difference, horizon);
      if (points.length === 0) return;
      told += 1;
      const near = points.filter(({ units }) => units <= horizon);
      expect(near).toEqual(
        near.length === points.length ? all.slice(-near.length) : all.slice(-near.length || horizon),
      );
      if (near.length === points.length && points.length < 3) expect(all).toEqual(points);
    });
    fc.assert(property, { ...runs(1000), endOnFailure: true });
    expect(told).toBeGreaterThan(0);
  });

  it('is told wherever a plan stays the cheaper one at last', () => {
    const property = fc.property(prices, prices, (first, second) => {
      const difference = (units: number) => cost(second, units) - cost(first, units);
      const course = courseOf([first, second]);
      const all = walked(difference, horizon);
      const last = all.at(-1);
      // The plans drift apart by more than a package: what is cheaper at the end stays so.
      fc.pre(last !== undefined && last.units < horizon / 4 && Math.abs(difference(horizon)) > 200_000);
      fc.pre(course.packages.every(({ size }) => 300 % size === 0));
      expect(breakEven(difference, course)).toEqual(all.slice(-3));
    });
    fc.assert(property, runs(300));
  });

  it('is the fewest units where fees are rounded to cents, two of each plan', () => {
    // In hundredths of a cent for a unit, beside a fixed fee in cents.
    const rates = fc.tuple(fc.integer({ min: 30, max: 300 }), fc.nat(60));
    const property = fc.property(rates, rates, fc.integer({ min: 500, max: 4_000 }), (dear, cheap, more) => {
      const slope = dear[0] + dear[1] - cheap[0] - cheap[1];
      fc.pre(slope >= 10);
      const fees = (units: number, own: readonly number[]) =>
        own.reduce((sum, rate) => sum + Math.floor((units * rate + 50) / 100), 0);
      const difference = (units: number) => more + fees(units, cheap) - fees(units, dear);
      const [first] = walked(difference, Math.ceil((more + 10) * 100) / slope);
      expect(breakEven(difference, { ends: [], packages: [] })).toEqual([first]);
    });
    // Here the crossing is between two spans of the search.
    const examples: [[number, number], [number, number], number][] = [[[125, 48], [118, 22], 1_310]];
    fc.assert(property, { ...runs(1000), examples });
  });

  it('is the end of a package where each package changes it: 10.00 + 0.12 a unit, 13.00 + 10.00 per 100', () => {
    const [first, second] = [
      { fee: 1_000, tiers: [{ to: Number.POSITIVE_INFINITY, rate: 12, flat: 0 }], pack: null, least: 0 },
      { fee: 1_300, tiers: [], pack: { size: 100, free: 0, price: 1_000 }, least: 0 },
    ];
    const difference = (units: number) => cost(second, units) - cost(first, units);
    expect(walked(difference, 5_000).map(({ units }) => units)).toEqual([
      192, 201, 276, 301, 359, 401, 442, 501, 526, 601, 609,
    ]);
    expect(breakEven(difference, courseOf([first, second]))).toEqual([
      { units: 526, plan: 'second' },
      { units: 601, plan: 'first' },
      { units: 609, plan: 'second' },
    ]);
  });

  it('is one unit where a minimum of 31.69 ends: 0.31 a unit, and 2.34 with 0.25 a unit up to 104', () => {
    const tiers = [
      { to: 1, rate: 25, flat: 254 },
      { to: 104, rate: 25, flat: 131 },
      { to: Number.POSITIVE_INFINITY, rate: 0, flat: 0 },
    ];
    const [first, second] = [
      { fee: 0, tiers: [{ to: Number.POSITIVE_INFINITY, rate: 31, flat: 0 }], pack: null, least: 3_169 },
      { fee: 234, tiers, pack: null, least: 0 },
    ];
    expect(breakEven(units => cost(second, units) - cost(first, units), courseOf([first, second]))).toEqual([
      { units: 103, plan: 'first' },
      { units: 104, plan: 'second' },
    ]);
  });

  it('is not told where the plans go on taking turns', () => {
    const course = { ends: [], packages: [{ from: 0, size: 100 }] };
    expect(breakEven(units => Math.ceil(units / 100) * 100 - units - 50, course)).toEqual([]);
  });
});
