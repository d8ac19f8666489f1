/** What outcomes.test.ts leaves out: the older era, reads by a client that would answer otherwise, the other writes of three. */
import { once, testOutcomes } from './outcome-cases.ts';

testOutcomes(one => !once(one), 'outcomes.more.md');
