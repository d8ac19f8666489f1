import { describe, expect, it } from 'vitest';
import { dateTimesIn } from '../../src/definition/argument-fields.ts';
import { inZone, knownZone, momentIn, onDay, otherDayThere, withoutOffset } from '../../src/words/zoned-times.ts';
import { toolByName } from '../../tools/all-tools.ts';

describe('a time in a question', () => {
  it.each([
    ['2026-12-01T00:00:00Z', 'America/New_York', '30 Nov 2026, 19:00 in America/New_York (1 Dec 2026, 00:00 UTC)'],
    [
      '2026-12-01T00:00:00+02:00',
      'America/New_York',
      '30 Nov 2026, 17:00 in America/New_York (30 Nov 2026, 22:00 UTC)',
    ],
    ['2026-12-01T00:00:00Z', 'UTC', '1 Dec 2026, 00:00 UTC'],
    ['2026-12-01T00:00:00Z', 'Moon/Crater', '1 Dec 2026, 00:00 UTC'],
    ['2026-12-01T00:00:00Z', null, '1 Dec 2026, 00:00 UTC'],
    ['2026-12-01', 'America/New_York', '1 Dec 2026'],
    ['soon', 'America/New_York', null],
    [undefined, null, null],
  ])('%s in %s', (value, zone, said) => {
    expect(momentIn(value, zone)).toBe(said);
  });
});

describe('a date-time without an offset', () => {
  const newYork =
    'has no offset. Send one of these: 2026-12-01T00:00:00Z is 30 Nov 2026, 19:00 in America/New_York, the customer’s billing time zone; 2026-12-01T00:00:00-05:00 is 1 Dec 2026, 00:00 in America/New_York';

  it.each([
    ['2026-12-01T00:00', 'America/New_York', newYork],
    ['2026-12-01', 'America/New_York', newYork],
    ['2026-12-01T23:59:59', 'UTC', 'has no offset: send 2026-12-01T23:59:59Z'],
    ['2026-12-01', null, 'has no offset: for UTC send 2026-12-01T00:00:00Z, else add the offset that is meant'],
    ['2026-07-01 08:30', 'Europe/Paris', /2026-07-01T08:30:00\+02:00 is 1 Jul 2026, 08:30 in Europe\/Paris$/],
    ['2026-12-01T00:00:00Z', 'America/New_York', null],
    ['2026-12-01T00:00:00-0500', 'America/New_York', null],
  ])('%s of a customer in %s', (value, zone, said) => {
    if (said instanceof RegExp) expect(withoutOffset(value, zone)).toMatch(said);
    else expect(withoutOffset(value, zone)).toBe(said);
  });

  it('is found wherever a tool takes one', () => {
    const found = (tool: string, args: object) =>
      dateTimesIn(toolByName.get(tool)!, args as never).map(({ argument }) => argument);
    expect(found('update_subscription', { name: '2026-12-01', ending_at: 'a', subscription_at: 'b' })).toEqual([
      'ending_at',
      'subscription_at',
    ]);
    expect(
      found('update_wallet', { expiration_at: null, recurring_transaction_rules: [{ started_at: 'a', method: 'b' }] }),
    ).toEqual(['recurring_transaction_rules[0].started_at']);
  });
});

describe('a time that is another day where the customer is billed', () => {
  it.each([
    [
      '2026-12-01T00:00:00Z',
      'America/New_York',
      '1 Dec 2026, 00:00 UTC is 30 Nov 2026, 19:00 in America/New_York, the customer’s billing time zone',
    ],
    ['2026-12-01T05:00:00Z', 'America/New_York', null],
    ['2026-12-01T00:00:00-05:00', 'America/New_York', null],
    ['2026-12-01T00:00:00Z', null, null],
  ])('%s in %s', (value, zone, said) => {
    expect(otherDayThere(value, zone)).toBe(said);
  });
});

describe('a day in a summary', () => {
  const now = new Date('2026-03-15T12:00:00Z');

  it.each<[string, string | null, string | null]>([
    ['2026-06-01T04:00:00Z', 'America/New_York', 'on 1 Jun, 00:00 in America/New_York'],
    ['2026-12-01T00:00:00Z', 'America/New_York', 'on 30 Nov, 19:00 in America/New_York (1 Dec, 00:00 UTC)'],
    ['2027-01-01T04:00:00Z', 'America/New_York', 'on 31 Dec, 23:00 in America/New_York (1 Jan 2027, 04:00 UTC)'],
    ['2026-06-01T04:00:00Z', null, 'on 1 Jun, 04:00 UTC'],
    ['2026-06-01T04:00:00Z', 'UTC', 'on 1 Jun, 04:00 UTC'],
    ['2026-06-01', 'America/New_York', 'on 1 Jun'],
    ['soon', 'America/New_York', null],
  ])('%s in %s', (value, zone, told) => {
    expect(onDay(value, zone, now)).toBe(told);
  });
});

describe('a moment of a row', () => {
  it.each([
    ['2026-12-01T00:00:00Z', 'America/New_York', '2026-11-30T19:00:00-05:00'],
    ['2026-12-01T00:00:00.123Z', 'Asia/Kolkata', '2026-12-01T05:30:00+05:30'],
    ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01T01:30:00-04:00'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-01T01:30:00-05:00'],
    ['2026-12-01T00:00:00Z', 'Europe/London', '2026-12-01T00:00:00Z'],
    ['2026-12-01T00:00:00Z', 'UTC', '2026-12-01T00:00:00Z'],
    ['2026-12-01T00:00:00Z', 'Moon/Crater', '2026-12-01T00:00:00Z'],
    ['2026-12-01T00:00:00Z', null, '2026-12-01T00:00:00Z'],
    ['2026-12-01', 'Asia/Tokyo', '2026-12-01'],
    ['soon', 'Asia/Tokyo', 'soon'],
    [null, 'Asia/Tokyo', null],
  ])('%s in %s is %s', (value, zone, told) => {
    expect(inZone(value, zone)).toBe(told);
  });

  it('is the same moment in every zone, at every hour of a year', () => {
    const zones = ['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/St_Johns'];
    for (const zone of zones)
      for (let hour = 0; hour < 366 * 24; hour += 1) {
        const at = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
        expect(Date.parse(inZone(at, zone) as string)).toBe(Date.parse(at));
      }
  });

  it.each([
    ['America/New_York', 'America/New_York'],
    ['UTC', null],
    ['Etc/UTC', null],
    ['Moon/Crater', null],
    [null, null],
  ])('of the zone %s is told by the clocks of %s', (zone, known) => {
    expect(knownZone(zone)).toBe(known);
  });
});
