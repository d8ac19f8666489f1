/** Each write with each mode, and all that can become of the look at its record, once. */
import { once, testSightings } from './sighting-cases.ts';

testSightings(once);
