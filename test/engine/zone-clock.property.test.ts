import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { runtimeZone, timezones } from '../../src/contract/codes.ts';
import { wallClock } from '../../src/contract/zone-clock.ts';
import { runs } from '../support/extent.ts';

it('clocks show what Temporal says, in every zone, to the millisecond', () => {
  const at = fc.date({ min: new Date('1850-01-01'), max: new Date('2150-01-01'), noInvalidDate: true });
  const property = fc.property(at, fc.constantFrom(...timezones), (date, timezone) => {
    const ms = date.getTime();
    const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(runtimeZone(timezone));
    expect(wallClock(ms, timezone)).toBe(ms + offsetNanoseconds / 1_000_000);
  });
  fc.assert(property, runs(2000));
});
