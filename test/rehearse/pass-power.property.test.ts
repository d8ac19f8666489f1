import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanPassPower } from '../../src/rehearse/report/shares.ts';
import type { TaskResult } from '../../src/rehearse/types.ts';
import { runs } from '../support/extent.ts';

const result = (passed: readonly boolean[]) =>
  ({ runs: passed.map(each => ({ verdict: { passed: each, failures: [] } })) }) as unknown as TaskResult;

describe('pass^k', () => {
  it('is the share of choices of k runs that all passed', () => {
    const outcomes = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 1, max: 5 }), (passed, k) => {
        const choices = subsets(passed, k);
        const share = choices.length === 0 ? null : choices.filter(each => each.every(Boolean)).length / choices.length;
        const stated = meanPassPower([result(passed)], k);
        if (share === null) expect(stated).toBeNull();
        else expect(stated).toBeCloseTo(share, 10);
      }),
      runs(100),
    );
  });
});

function subsets<T>(list: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return list.flatMap((first, index) => subsets(list.slice(index + 1), size - 1).map(rest => [first, ...rest]));
}
