/**
 * What clocks show in a time zone: the one place for the days that sentences name and for those that the engine bills. By
 * `Intl`, not by Temporal, which reckons with days and months alone: its zones take 20 µs a time instead of 5, and the first
 * call of a server 60 ms longer, because Temporal has to be loaded before a sentence can name a day.
 */
import { runtimeZone } from './codes.ts';

/** The local time at an instant in milliseconds, as if it were UTC; null for an unknown time zone. */
export function wallClock(at: number, timezone: string): number | null {
  if (timezone === 'UTC') return at;
  const shown: Record<string, number> = {};
  for (const { type, value } of clockOf(timezone)?.formatToParts(at) ?? []) shown[type] = Number(value);
  const { year, month = 1, day, hour = 0, minute, second } = shown;
  if (year === undefined) return null;
  const wall = new Date(0);
  // Unlike Date.UTC, this takes the years before 100 as they are.
  wall.setUTCFullYear(year, month - 1, day);
  return wall.setUTCHours(hour, minute, second, at - Math.floor(at / 1000) * 1000);
}

export function isTimezone(timezone: string): boolean {
  return timezone === 'UTC' || clockOf(timezone) !== null;
}

const fields: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
};
const clocks = new Map<string, Intl.DateTimeFormat | null>();

function clockOf(timezone: string): Intl.DateTimeFormat | null {
  if (timezone.length > 40) return null;
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    try {
      clock = new Intl.DateTimeFormat('en', { timeZone: runtimeZone(timezone), ...fields });
    } catch {
      clock = null;
    }
    // Names of zones come from outside, so only a limited number is kept.
    if (clocks.size < 500) clocks.set(timezone, clock);
  }
  return clock;
}
