/** Times: in the customer's time zone first, then in UTC. And times that were given without a zone. */
import type { Known } from '../tool/define.ts';
import { atClocksOf, atLocalClock, dayNumber, localTime } from './dates.ts';
import { asRecord, asText, instant, say } from './summary.ts';

/** The time zone in which the record's customer is billed; null where the customer was not read. */
export function zoneOf(known: Known): string | null {
  const { applicable_timezone, timezone } = asRecord(known?.customer);
  return asText(applicable_timezone) ?? asText(timezone);
}

/**
 * `30 Nov 2026, 19:00 in America/New_York (1 Dec 2026, 00:00 UTC)`; only the time in UTC without a known zone, a plain
 * date as a day. Null when it is none. A date-time without an offset counts as UTC.
 */
export function whenIn(value: unknown, zone: string | null): string | null {
  const at = utcOf(value);
  const utc = instant(at ?? value);
  const there = at === null || zone === null ? null : localTime(at, zone);
  return there === null || isUtc(there) ? utc : `${there} (${utc})`;
}

/**
 * The same in a summary: UTC follows only where the day is another one there, and this year is left out:
 * `on 31 May, 00:00 in America/New_York`. Null when it is none.
 */
export function onDay(value: unknown, zone: string | null, now: Date): string | null {
  return say`on ${momentIn(value, zone, now)}`;
}

/** The moment alone: `31 May, 00:00 in America/New_York`. */
export function momentIn(value: unknown, zone: string | null, now: Date): string | null {
  const at = utcOf(value);
  const utc = instant(at ?? value, now);
  const there = at === null || zone === null ? null : localTime(at, zone, now);
  if (there === null || isUtc(there)) return utc;
  return dayNumber(at, zone) === dayNumber(at) ? there : `${there} (${utc})`;
}

/** A field of a row in the customer's zone: `2026-11-30T19:00:00-05:00`. As it is in UTC, without a known zone, and where it is no instant. */
export function inZone(value: unknown, zone: string | null): unknown {
  const at = utcOf(value);
  return at === null || zone === null ? value : (atClocksOf(at, zone) ?? value);
}

/** The zone where its clocks are known and do not show UTC. */
export function knownZone(zone: string | null): string | null {
  const there = zone === null ? null : localTime('2000-01-01T00:00:00Z', zone);
  return there?.endsWith(` in ${zone}`) && !isUtc(there) ? zone : null;
}

function isUtc(there: string): boolean {
  return / in (?:Etc\/)?(?:UTC|GMT|Zulu)$/.test(there);
}

/**
 * Why a date-time without an offset is refused, with its readings in UTC and where the customer is billed; null for one
 * with an offset or Z, and for what is no date-time.
 */
export function withoutOffset(value: string, zone: string | null): string | null {
  if (hasOffset(value)) return null;
  const utc = atLocalClock(value, 'UTC')?.replace('+00:00', 'Z') ?? null;
  if (utc === null) return null;
  const there = zone === null ? null : atLocalClock(value, zone);
  if (there === null) return `has no offset: for UTC send ${utc}, else add the offset that is meant`;
  if (there.endsWith('+00:00')) return `has no offset: send ${utc}`;
  return `has no offset: ${utc} is ${localTime(utc, zone)}, where this customer is billed, and ${there} is ${localTime(there, zone)}`;
}

/** `1 Dec 2026, 00:00 UTC is 30 Nov 2026, 19:00 in America/New_York, where this customer is billed`; null on the same day. */
export function otherDayThere(value: string, zone: string | null): string | null {
  const at = utcOf(value);
  if (at === null || zone === null || dayNumber(at, zone) === dayNumber(value.slice(0, 10))) return null;
  return `${instant(value)} is ${localTime(at, zone)}, where this customer is billed`;
}

function hasOffset(value: string): boolean {
  return /[T ].*(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
}

/** The instant in UTC; null for a day, and for anything that is no date-time. */
function utcOf(value: unknown): string | null {
  if (typeof value !== 'string' || !/[T ]/.test(value)) return null;
  const text = value.replace(' ', 'T').replace(',', '.');
  const at = new Date(hasOffset(value) ? text : `${text}Z`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
