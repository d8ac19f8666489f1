/** When a top-up rule of an interval runs (service-behaviour §3.1). */
import { expect, it } from 'vitest';
import { runDay } from '../../src/words/wallet-words.ts';

const wallet = { created_at: '2026-01-31T23:30:00Z' };
const rule = (interval: string, started_at: string | null = null) => ({ trigger: 'interval', interval, started_at });

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
])('is told as %s', (_, of, zone, told) => {
  expect(runDay({ ...of }, wallet, zone)).toBe(told);
});
