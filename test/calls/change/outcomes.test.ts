/** Each tool with each mode, client and answer once, and two writes as one of three changes; outcomes.more.test.ts has the others. */
import { once, testOutcomes } from './outcome-cases.ts';

testOutcomes(once);
