/** What set-outcomes.test.ts leaves out: every other write, in both eras. */
import { describe } from 'vitest';
import { inShort, setOfOne, setOfThree, testOutcomes } from './outcome-cases.ts';
import { changes } from './tamper.ts';

const others: typeof inShort = one => changes(one.tool) && !inShort(one);

describe('a set of one', () => testOutcomes(others, null, setOfOne));
describe('a set of three', () => testOutcomes(others, null, setOfThree));
