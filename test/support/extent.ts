/** How much a file tests that runs with both commands: a part with `npm test`, more with `npm run test:more`. */
import { inject } from 'vitest';

/** True in `npm run test:more`. */
export const whole: boolean = inject('whole');

/** A seed is the same in CI, and another in each run elsewhere: there a third finds in three runs what all find in one. */
const share = whole ? (process.env.ALL_CASES ? 1 : 3) : 10;

/** The number of random cases of a property: a tenth of them in `npm test`, a third in `npm run test:more`, all with `ALL_CASES=1`. */
export function runs(all: number): { numRuns: number } {
  return { numRuns: Math.ceil(all / share) };
}

/** The same cases in every run: for a property that also asserts how many of its cases were of some kind, which luck decides. */
export function sameRuns(all: number): { numRuns: number; seed: number } {
  return { ...runs(all), seed: 20_260_315 };
}
