/** How much a file tests that runs with both commands: a part with `npm test`, everything with `npm run test:more`. */
import { inject } from 'vitest';

/** True in `npm run test:more`. */
export const whole: boolean = inject('whole');

/** The number of random cases of a property: all of them in `npm run test:more`, a tenth of them in `npm test`. */
export function runs(all: number): { numRuns: number } {
  return { numRuns: whole ? all : Math.ceil(all / 10) };
}

/** The same cases in every run: for a property that also asserts how many of its cases were of some kind, which luck decides. */
export function sameRuns(all: number): { numRuns: number; seed: number } {
  return { ...runs(all), seed: 20_260_315 };
}
