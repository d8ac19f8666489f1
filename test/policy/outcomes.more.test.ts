/** What outcomes.test.ts leaves out: the older era, and reads by a client that would answer otherwise. */
import { once, testOutcomes } from './outcome-cases.ts';

testOutcomes(one => !once(one), 'outcomes.more.md');
