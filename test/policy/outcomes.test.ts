/** Each tool with each mode, client and answer once; the same in the older era is in outcomes.more.test.ts. */
import { once, testOutcomes } from './outcome-cases.ts';

testOutcomes(once, 'outcomes.md');
