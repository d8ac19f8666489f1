/**
 * Local days (service-behaviour §7): the day of an instant, the start and end of a day, the number of days between.
 * A day ends one millisecond before the next starts, also where midnight is skipped or comes twice: no gap or overlap.
 */
import { Temporal } from 'temporal-polyfill';
import { runtimeZone } from '../contract/codes.ts';
import { wallClock } from '../contract/zone-clock.ts';
import type { DateText, InstantText } from './records/index.ts';
import type { Bounds } from './types.ts';

const DAY_MS = 86_400_000;
const CACHE_LIMIT = 20_000;
const starts = new Map<string, number>();

/** The local date on which an instant falls. */
export function localDate(instant: InstantText, timezone: string): DateText {
  const at = Date.parse(instant);
  const date = dayOf(clockAt(at, timezone));
  // Where clocks go back over midnight, the old date is shown again; the new day has begun at its first midnight.
  const next = addDays(date, 1);
  return at >= startMs(next, timezone) ? next : date;
}

/** The first instant of a local day: 00:00, or later where clocks skip midnight (§7.1). */
export function startOfLocalDay(date: DateText, timezone: string): InstantText {
  return toInstantText(startMs(date, timezone));
}

/** The last instant of a local day, to the millisecond: shown as 23:59:59 (§7.1). */
export function endOfLocalDay(date: DateText, timezone: string): InstantText {
  return toInstantText(startMs(addDays(date, 1), timezone) - 1);
}

/** The whole UTC days that a span touches: some fees of pay-in-advance charges show these (§4). */
export function wholeUtcDays({ from, to }: Bounds): { from_date: InstantText; to_date: InstantText } {
  return { from_date: `${from.slice(0, 10)}T00:00:00.000Z`, to_date: `${to.slice(0, 10)}T23:59:59.999Z` };
}

/** The date this many days later, or earlier if negative. */
export function addDays(date: DateText, days: number): DateText {
  return dayOf(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);
}

/** Days from a date to a later one, without the later one. */
export function daysBetween(date: DateText, later: DateText): number {
  return (Date.parse(later) - Date.parse(date)) / DAY_MS;
}

/**
 * Days between two instants, both end days included (§7.2): the difference in local time, rounded up.
 * If `to` is a local midnight, the day that starts then counts too. A day whose midnight is skipped counts from 00:00.
 */
export function countDays(from: InstantText, to: InstantText, timezone: string): number {
  const end = clockAt(Date.parse(to), timezone);
  const onMidnight = end % DAY_MS === 0;
  const start = wallStart(Date.parse(from), timezone);
  return Math.ceil((end + (onMidnight ? 1000 : 0) - start) / DAY_MS);
}

/** ISO text with three decimals. */
export function toInstantText(ms: number): InstantText {
  return new Date(ms).toISOString();
}

function wallStart(ms: number, timezone: string): number {
  const wall = clockAt(ms, timezone);
  if (wall % DAY_MS === 0) return wall;
  const date = dayOf(wall);
  return startMs(date, timezone) === ms ? Date.parse(`${date}T00:00:00Z`) : wall;
}

function clockAt(ms: number, timezone: string): number {
  const wall = wallClock(ms, timezone);
  if (wall === null) throw new RangeError(`Unknown time zone: ${timezone}`);
  return wall;
}

function dayOf(ms: number): DateText {
  return toInstantText(ms).slice(0, 10);
}

function startMs(date: DateText, timezone: string): number {
  const key = `${timezone} ${date}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const start = Temporal.PlainDate.from(date).toZonedDateTime(runtimeZone(timezone)).epochMilliseconds;
  if (starts.size >= CACHE_LIMIT) starts.clear();
  starts.set(key, start);
  return start;
}
