import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalText } from '../../src/contract/pricing/money.ts';
import { runs } from '../support/extent.ts';
import { trueUp } from './reference-fees.ts';
import { fees, filtered, march } from './usage-fee-cases.ts';

describe('the true-up of a charge minimum (§10.2)', () => {
  it('is what the rules say for any minimum, days and fees: cents rounded last, precise amount unrounded', () => {
    const day = fc.integer({ min: 1, max: 31 });
    // Ten-thousandths of a major unit, that is, hundredths of a cent.
    const price = fc.integer({ min: 0, max: 200_000 });
    const cases = fc.tuple(fc.integer({ min: 1, max: 5000 }), day, day, price, price, fc.boolean());
    fc.assert(
      fc.property(cases, ([minimum, one, other, eu, rest, upgraded]) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        const from = `2026-03-${String(first).padStart(2, '0')}T00:00:00.000Z`;
        const window = { ...march, from, to: `2026-03-${String(last).padStart(2, '0')}T12:00:00.000Z`, upgraded };
        const amount = (value: number) => ({ amount: decimal(value).div(10_000).toFixed() });
        const charge = filtered({ min_amount_cents: minimum, properties: amount(rest) });
        charge.filters = charge.filters.map(filter => ({ ...filter, properties: amount(eu) }));
        const result = fees(
          charge,
          [
            { dimensions: { region: 'eu' }, events_count: 1, sum: '1' },
            { dimensions: { region: 'us' }, events_count: 1, sum: '1' },
          ],
          window,
        );
        const unrounded = [eu, rest].map(value => BigInt(value) * 10_000n);
        const expected = trueUp(minimum, last - first + (upgraded ? 0 : 1), 31, unrounded);
        expect(result).toHaveLength(expected === null ? 2 : 3);
        if (expected === null) return;
        expect(result[2]?.amount_cents).toBe(Number(expected.cents));
        const precise = expected.precise < 0n ? 0n : expected.precise; // a fee is never below 0
        expect(result[2]?.precise_amount).toBe(decimalText(decimal(precise.toString()).div('1000000000000000')));
      }),
      runs(1000),
    );
  });
});
