/** What sightings.test.ts leaves out: the older era, and the other kind of client in each mode. */
import { rest, testSightings } from './sighting-cases.ts';

testSightings(rest);
