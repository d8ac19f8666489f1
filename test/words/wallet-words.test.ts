/** When a top-up rule of an interval runs, and the next day on which it does (service-behaviour §3.1). */
import { expect, it } from 'vitest';
import { isoDay } from '../../src/words/dates.ts';
import { nextRunDay, runDay } from '../../src/words/wallet-words.ts';

const now = new Date('2026-11-23T12:00:00Z');
const wallet = { created_at: '2026-01-31T23:30:00Z' };
const rule = (interval: string, started_at: string | null = null, more: object = {}) => ({
  ...{ trigger: 'interval', interval, started_at },
  ...more,
});
const utc = 'UTC';

// biome-ignore format: a table
it.each<[what: string, rule: object, wallet: object, zone: string | null, day: string | null]>([
  ['this month', rule('monthly', '2026-03-25T00:00:00Z'), {}, utc, '2026-11-25'],
  ['next month, where this month’s day is over', rule('monthly', '2026-03-05T00:00:00Z'), {}, utc, '2026-12-05'],
  ['the last day of a month that lacks the day', rule('monthly'), {}, utc, '2026-11-30'],
  ['today', rule('monthly', '2026-03-23T00:00:00Z'), {}, utc, '2026-11-23'],
  ['the day of the zone', rule('monthly', '2026-03-25T00:00:00Z'), {}, 'America/New_York', '2026-11-24'],
  ['the weekday of the start', rule('weekly', '2026-11-05T00:00:00Z'), {}, utc, '2026-11-26'],
  ['each third month from the start', rule('quarterly', '2026-03-12T00:00:00Z'), {}, utc, '2026-12-12'],
  ['the third month after the one of this day', rule('quarterly', '2026-02-12T00:00:00Z'), {}, utc, '2027-02-12'],
  ['each sixth month', rule('semiannual', '2026-05-20T00:00:00Z'), {}, utc, '2027-05-20'],
  ['each year', rule('yearly', '2024-02-29T00:00:00Z'), {}, utc, '2027-02-28'],
  ['a start that lies ahead', rule('monthly', '2027-01-15T00:00:00Z'), {}, utc, '2027-01-15'],
  ['not the day on which the wallet was made', rule('weekly'), { created_at: '2026-11-23T09:00:00Z' }, utc, '2026-11-30'],
  ['not before the wallet', rule('monthly', '2026-01-23T00:00:00Z'), { created_at: '2026-11-23T09:00:00Z' }, utc, '2026-12-23'],
  ['none after the end of the rule', rule('monthly', '2026-03-05T00:00:00Z', { expiration_at: '2026-12-05T08:00:00Z' }), {}, utc, null],
  ['none after the end of the wallet', rule('monthly', '2026-03-05T00:00:00Z'), { expiration_at: '2026-12-01T08:00:00Z' }, utc, null],
  ['none of a wallet that has ended', rule('monthly'), { status: 'terminated' }, utc, null],
  ['none of a rule that has ended', rule('monthly', null, { status: 'terminated' }), {}, utc, null],
  ['none without the zone', rule('monthly'), {}, null, null],
  ['none for a threshold', { trigger: 'threshold', interval: 'monthly' }, {}, utc, null],
  ['none for an interval that nobody knows', rule('daily'), {}, utc, null],
  ['none without a start', rule('monthly', 'soon'), {}, utc, null],
])('the next day is %s', (_, of, fields, zone, day) => {
  expect(isoDay(nextRunDay(of, { ...wallet, ...fields }, zone, now))).toBe(day);
});

// biome-ignore format: a table
it.each<[what: string, rule: object, zone: string | null, told: string]>([
  ['the day of the month of its start', rule('monthly', '2026-03-05T00:00:00Z'), 'UTC', ' on the 5th'],
  ['a start in the customer’s zone', rule('monthly', '2026-03-05T00:00:00Z'), 'America/New_York', ' on the 4th'],
  ['else the wallet’s, with a day that months lack', rule('monthly'), 'UTC', " on the 31st, or the month's last day"],
  ['the wallet’s day in the customer’s zone', rule('monthly'), 'Europe/Paris', ' on the 1st'],
  ['a weekday', rule('weekly', '2026-03-05T00:00:00Z'), 'UTC', ' on Thursdays'],
  ['the months too', rule('quarterly', '2026-03-12T00:00:00Z'), 'UTC', ' on the 12th, starting 12 Mar 2026'],
  ['a year', rule('yearly', '2026-03-22T00:00:00Z'), 'UTC', ' on the 22nd, starting 22 Mar 2026'],
  ['nothing without the zone', rule('monthly'), null, ''],
  ['nothing for a threshold', { trigger: 'threshold' }, 'UTC', ''],
])('its days are told as %s', (_, of, zone, told) => {
  expect(runDay({ ...of }, wallet, zone)).toBe(told);
});
