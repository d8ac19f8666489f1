/** What outcomes.test.ts leaves out: the older era, reads by a client that would answer otherwise, other writes of three. */
import { rest, testOutcomes } from './outcome-cases.ts';

testOutcomes(rest);
