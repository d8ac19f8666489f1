/** Where the shapes of charts stand, for any figures. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnsOf, partsOf, rateOf, scaleOf, stepsOf } from '../../src/words/views/scale.ts';
import { runs } from '../support/extent.ts';

const height = 112;
const sizes = fc.array(fc.integer({ min: -1_000_000, max: 100_000_000 }), { minLength: 1, maxLength: 24 });
const share = (text: string) => Number.parseFloat(text) / 100;

it('columns are as high as their sizes are large, side by side, and within the drawing', () => {
  fc.assert(
    fc.property(sizes, cents => {
      const columns = columnsOf(cents, scaleOf(cents, height));
      const whole = Math.max(0, ...cents) - Math.min(0, ...cents) || 1;
      columns.forEach(({ x, width, y, height: tall }, index) => {
        expect(tall).toBeCloseTo((Math.abs(cents[index]!) / whole) * height, 6);
        expect(y).toBeGreaterThanOrEqual(-1e-9);
        expect(y + tall).toBeLessThanOrEqual(height + 1e-9);
        expect(share(x) + share(width)).toBeLessThanOrEqual(
          index + 1 < cents.length ? share(columns[index + 1]!.x) : 1,
        );
      });
    }),
    runs(100),
  );
});

it('parts of a bar follow each other, are as wide as their sizes are large, and fill it', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(amounts, cents => {
      const whole = cents.reduce((sum, each) => sum + each, 0);
      let end = 0;
      partsOf(cents).forEach(({ x, width }, index) => {
        expect(share(x)).toBeCloseTo(end, 3);
        expect(share(width)).toBeCloseTo(cents[index]! / whole, 3);
        end = share(x) + share(width);
      });
      expect(end).toBeCloseTo(1, 3);
    }),
    runs(100),
  );
});

it('a balance goes from point to point without a gap, and never back in time', () => {
  const moves = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 100_000 })), {
    minLength: 2,
    maxLength: 50,
  });
  fc.assert(
    fc.property(moves, given => {
      const points = [...given].sort(([one], [other]) => one - other);
      const span = [points[0]![0], points.at(-1)![0]] as const;
      const down = scaleOf(
        points.map(([, cents]) => cents),
        height,
      );
      const corners = stepsOf(points, span, down);
      expect(corners[0]).toEqual([0, down(points[0]![1])]);
      expect(corners.at(-1)![1]).toBe(down(points.at(-1)![1]));
      corners.slice(1).forEach(([across, at], index) => {
        const [before, was] = corners[index]!;
        expect(across).toBeGreaterThanOrEqual(before);
        // Along, or up and down: never aslant.
        expect(across === before || at === was).toBe(true);
      });
      for (const [time, size] of points)
        expect(corners).toContainEqual([(time - span[0]) / (span[1] - span[0] || 1), down(size)]);
    }),
    runs(100),
  );
});

it('a change in percent is rounded half up to one decimal, and is not told of nothing before', () => {
  const told: (string | null)[] = [
    rateOf(10_000, 11_250),
    rateOf(10_000, 8750),
    rateOf(2000, 2001),
    rateOf(3, 0),
    rateOf(1_000_000, 1_000_001),
    rateOf(0, 5),
    rateOf(-5, 5),
    rateOf(5, -5),
    rateOf(7, 7),
  ];
  expect(told).toEqual(['12.5', '12.5', '0.1', '100.0', '<0.1', null, null, null, null]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }), (from, to) => {
      const rate = rateOf(from, to);
      if (rate !== null && rate !== '<0.1')
        expect(Math.abs(Number(rate) - (Math.abs(to - from) / from) * 100)).toBeLessThanOrEqual(0.0501);
    }),
    runs(100),
  );
});
