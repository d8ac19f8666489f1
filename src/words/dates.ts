/**
 * Dates in words, in one form: `5 Aug 2026`. The interface's instants are in UTC, and the words say so; its plain dates
 * have no time zone. Given `now`, the words leave out the year where it is this one.
 */

import { isTimezone, wallClock } from '../contract/zone-clock.ts';
import { type IsoDate, readIsoDate } from '../lib/iso-dates.ts';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2024-04-01` → `1 Apr 2024`; an instant gives its UTC day. Null for anything else. */
export function formatDate(value: unknown, now?: Date): string | null {
  const parts = readIsoDate(value);
  return parts && dayOf(parts, now);
}

/** `2026-01-31T23:59:59Z` → `31 Jan 2026, 23:59 UTC`; a plain date in words. Null for anything else. */
export function formatInstant(value: unknown, now?: Date): string | null {
  const parts = readIsoDate(value);
  if (parts === null) return null;
  return parts.time === null ? dayOf(parts, now) : `${dayOf(parts, now)}, ${parts.time} ${parts.zone}`;
}

function dayOf({ day, month, year }: IsoDate, now: Date | undefined): string {
  return `${day} ${months[month - 1]}${year === now?.getUTCFullYear() ? '' : ` ${year}`}`;
}

/** Has this instant come? Not known of anything but a date is not past. */
export function isPast(value: unknown, now: Date): boolean {
  return typeof value === 'string' && Date.parse(value) <= now.getTime();
}

/**
 * A period as days in a time zone: `1 – 31 Jan 2026 (America/New_York)`, `15 Dec 2025 – 14 Jan 2026 (UTC)`. Empty
 * unless both are dates. An unknown time zone counts as UTC.
 */
export function formatPeriod(from: unknown, to: unknown, timezone?: unknown, now?: Date): string {
  const zone = knownZone(timezone);
  const start = localDay(from, zone);
  const end = localDay(to, zone);
  if (start === null || end === null) return '';
  const label = start.time !== null ? ` (${zone === null ? 'UTC' : timezone})` : '';
  // Where the years differ, both are said.
  if (start.year !== end.year) return `${dayOf(start, undefined)} – ${dayOf(end, undefined)}${label}`;
  const endText = `${dayOf(end, now)}${label}`;
  if (start.month !== end.month) return `${start.day} ${months[start.month - 1]} – ${endText}`;
  return start.day === end.day ? endText : `${start.day} – ${endText}`;
}

/** `31 Oct 2026, 17:00 in America/Los_Angeles`; null for what is no instant. An unknown time zone counts as UTC. */
export function localTime(value: unknown, timezone: unknown, now?: Date): string | null {
  const zone = knownZone(timezone);
  const at = localDay(value, zone);
  if (at === null || at.time === null) return null;
  return `${dayOf(at, now)}, ${at.time} in ${zone === null ? 'UTC' : timezone}`;
}

/**
 * What a date-time says by the clocks of a time zone, with their offset at that time: `2026-12-01T00:00` in
 * America/New_York is `2026-12-01T00:00:00-05:00`. Null for an unknown time zone, and for anything but a date-time or
 * day. The value's own offset is ignored. For an hour that the zone skips or repeats, it gives one of the readings.
 */
export function asLocalTime(value: unknown, timezone: string): string | null {
  const parts = readIsoDate(value);
  if (parts === null) return null;
  const seconds = /[T ]\d{2}:\d{2}(:\d{2})/.exec(value as string)?.[1] ?? ':00';
  const clock = `${(value as string).slice(0, 10)}T${parts.time ?? '00:00'}${seconds}`;
  const asUtc = Date.parse(`${clock}Z`);
  const first = offsetMinutes(asUtc, timezone);
  const offset = first === null ? null : offsetMinutes(asUtc - first * 60_000, timezone);
  if (offset === null) return null;
  return `${clock}${offsetText(offset)}`;
}

/** `-05:00` */
function offsetText(minutes: number): string {
  const parts = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${parts.map(part => String(part).padStart(2, '0')).join(':')}`;
}

/**
 * An instant of `toISOString` by the clocks of a time zone: `2026-11-30T19:00:00-05:00`. Null for an unknown zone, and
 * where its clocks show UTC.
 */
export function instantInZone(instant: string, timezone: string): string | null {
  const at = Date.parse(instant);
  const offset = offsetMinutes(at, timezone);
  return offset ? `${new Date(at + offset * 60_000).toISOString().slice(0, 19)}${offsetText(offset)}` : null;
}

/** Minutes that the clocks of a time zone are ahead of UTC at an instant; null for an unknown zone. */
function offsetMinutes(at: number, timezone: string): number | null {
  const wall = wallClock(at, timezone);
  return wall === null ? null : Math.floor(wall / 60_000) - Math.floor(at / 60_000);
}

/** The day of an instant in a time zone, or a plain date, as a count of days; null for anything else. */
export function dayNumber(value: unknown, timezone?: unknown): number | null {
  const at = localDay(value, knownZone(timezone));
  return at === null ? null : Date.UTC(at.year, at.month - 1, at.day) / 86_400_000;
}

/** `2026-11-01`, of a count of days; null for null. */
export function isoDay(dayCount: number | null): string | null {
  return dayCount === null ? null : new Date(dayCount * 86_400_000).toISOString().slice(0, 10);
}

function knownZone(timezone: unknown): string | null {
  return typeof timezone === 'string' && timezone !== 'UTC' && isTimezone(timezone) ? timezone : null;
}

/** Day and time of an instant in a time zone; a plain date is the same day everywhere. */
function localDay(value: unknown, zone: string | null): IsoDate | null {
  const parts = readIsoDate(value);
  if (parts === null || parts.time === null || zone === null) return parts;
  const at = Date.parse(value as string);
  const wall = Number.isNaN(at) ? null : wallClock(at, zone);
  if (wall === null) return parts;
  const local = new Date(wall);
  const day = { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
  return { ...parts, ...day, time: local.toISOString().slice(-13, -8) };
}
