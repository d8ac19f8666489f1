/** What sightings.test.ts leaves out: the older era, and the other kind of client in each mode. */
import { once, testSightings } from './sighting-cases.ts';

testSightings(one => !once(one), 'sightings.more.md');
