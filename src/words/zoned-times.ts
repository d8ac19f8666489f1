/** Times in the customer's time zone first, then in UTC; and the refusal of times without an offset. */

import type { Customer } from '../contract/shown.ts';
import { asLocalTime, dayNumber, instantInZone, localTime } from './dates.ts';
import { instant, say } from './summary.ts';

/** The time zone in which the record's customer is billed; null where the customer was not read. */
export function zoneOf(known: { readonly customer?: Customer | null | undefined } | null): string | null {
  const { applicable_timezone, timezone } = known?.customer ?? {};
  return applicable_timezone || timezone || null;
}

/** For a summary: `on 31 May, 00:00 in America/New_York`. Null for anything but a time or day. */
export function onDay(value: unknown, zone: string | null, now: Date): string | null {
  return say`on ${momentIn(value, zone, now)}`;
}

/**
 * `30 Nov 2026, 19:00 in America/New_York (1 Dec 2026, 00:00 UTC)`; without a known zone only the time in UTC; of a
 * plain date the day. Given `now`, without this year, and with UTC only where it is another day in UTC. Null for anything else.
 * A date-time without an offset counts as UTC.
 */
export function momentIn(value: unknown, zone: string | null, now?: Date): string | null {
  const at = utcInstant(value);
  const utc = instant(at ?? value, now);
  const local = at === null || zone === null ? null : localTime(at, zone, now);
  if (local === null || isUtc(local)) return utc;
  return now && dayNumber(at, zone) === dayNumber(at) ? local : `${local} (${utc})`;
}

/**
 * A row's instant in the customer's zone: `2026-11-30T19:00:00-05:00`. Unchanged if the zone is UTC or unknown, or the
 * value no instant.
 */
export function inZone(value: unknown, zone: string | null): unknown {
  const at = utcInstant(value);
  return at === null || zone === null ? value : (instantInZone(at, zone) ?? value);
}

/** The zone if its clocks are known and do not show UTC; else null. */
export function knownZone(zone: string | null): string | null {
  const local = zone === null ? null : localTime('2000-01-01T00:00:00Z', zone);
  return local?.endsWith(` in ${zone}`) && !isUtc(local) ? zone : null;
}

function isUtc(localTimeText: string): boolean {
  return / in (?:Etc\/)?(?:UTC|GMT|Zulu)$/.test(localTimeText);
}

/**
 * Why a date-time without an offset is refused, with its readings in UTC and where the customer is billed; null for one
 * with an offset or Z, and for what is no date-time.
 */
export function withoutOffset(value: string, zone: string | null): string | null {
  if (hasOffset(value)) return null;
  const utc = asLocalTime(value, 'UTC')?.replace('+00:00', 'Z') ?? null;
  if (utc === null) return null;
  const reading = zone === null ? null : asLocalTime(value, zone);
  if (reading === null) return `has no offset: for UTC send ${utc}, else add the offset that is meant`;
  if (reading.endsWith('+00:00')) return `has no offset: send ${utc}`;
  return `has no offset. Send one of these: ${utc} is ${localTime(utc, zone)}, the customer’s billing time zone; ${reading} is ${localTime(reading, zone)}`;
}

/**
 * `1 Dec 2026, 00:00 UTC is 30 Nov 2026, 19:00 in America/New_York, the customer’s billing time zone`; null where the day
 * is the same.
 */
export function otherDayThere(value: string, zone: string | null): string | null {
  const at = utcInstant(value);
  if (at === null || zone === null || dayNumber(at, zone) === dayNumber(value.slice(0, 10))) return null;
  return `${instant(value)} is ${localTime(at, zone)}, the customer’s billing time zone`;
}

function hasOffset(value: string): boolean {
  return /[T ].*(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
}

/** The instant in UTC; null for a day, and for anything that is no date-time. */
function utcInstant(value: unknown): string | null {
  if (typeof value !== 'string' || !/[T ]/.test(value)) return null;
  const text = value.replace(' ', 'T').replace(',', '.');
  const at = new Date(hasOffset(value) ? text : `${text}Z`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
