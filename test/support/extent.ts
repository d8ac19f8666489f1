/** How much a file tests that runs with both commands: a part with `npm test`, more with `npm run test:more`. */
import { inject } from 'vitest';

const all = Boolean(process.env.ALL_CASES);

/** True in `npm run test:more`, and with `ALL_CASES=1`. */
export const whole: boolean = all || inject('whole');

/** A seed is the same in CI, and another in each run elsewhere: there a part finds in some runs what all find in one. */
const share = all ? 1 : whole ? 3 : 10;

/** The number of random cases of a property: all with `ALL_CASES=1`; else a tenth in `npm test`, a third in a `.more` file. */
export function runs(cases: number): { numRuns: number } {
  return { numRuns: Math.ceil(cases / share) };
}

/** The same cases in every run: for a property that also asserts how many of its cases were of some kind, which luck decides. */
export function sameRuns(cases: number): { numRuns: number; seed: number } {
  return { ...runs(cases), seed: 20_260_315 };
}
