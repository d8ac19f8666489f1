/** The outcomes of a write alone, for two writes as sets of one and of three; set-outcomes.more.test.ts has the others. */
import { describe } from 'vitest';
import { inShort, setOfOne, setOfThree, testOutcomes } from './outcome-cases.ts';

describe('a set of one', () => testOutcomes(inShort, null, setOfOne));
describe('a set of three', () => testOutcomes(inShort, null, setOfThree));
