/** Run only by test/package/harness.more.test.ts: of its cases, one fails, and its name is hard to select. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe("a group's (first) [part] $1", () => {
  it('fails > here: 100% of "it"', () => {
    expect(fc.sample(fc.nat(), 4), 'the random cases').toEqual([]);
  });
  it('fails > here: 100% of "it" is only how this one begins', () => {});
});

it("a group's (first) [part] $1 is not all of this", () => {});
