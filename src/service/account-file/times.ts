/** Times in an account file: ISO 8601, or relative to the load. */
import { Temporal } from 'temporal-polyfill';
import type { InstantText, Json } from '../../engine/records/index.ts';

const RELATIVE = /^now(?:\/(day|week|month|quarter|year))?((?:[+-]P[0-9YMWDTHS.]+)*)(?:@([A-Za-z0-9_+\-/]+))?$/;
/** Most events of an account; read without Temporal, whose time zones are slow. */
const HOURS_AGO = /^now-PT(\d{1,6})H$/;
/** An instant as it is stored. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * Replaces every relative time in the file with its instant:
 * `now`, `now-P30D`, `now+P1M`, `now/month` (start of the month), `now/month-P1M+PT9H` (from left to right), or with a
 * time zone, `now/month@Asia/Tokyo` (default UTC). Other text stays unchanged.
 */
export function resolveTimes(json: Json, now: Date): Json {
  const known = new Map<string, string>();
  const resolved = (value: Json): Json => {
    if (typeof value === 'string') {
      if (!value.startsWith('now')) return value;
      const time = known.get(value) ?? resolveTime(value, now) ?? value;
      known.set(value, time);
      return time;
    }
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]));
  };
  return resolved(json);
}

/** The instant of a relative time; null when the text is not a relative time. */
export function resolveTime(text: string, now: Date): InstantText | null {
  const hours = HOURS_AGO.exec(text)?.[1];
  if (hours !== undefined) return instantText(now.getTime() - Number(hours) * 3_600_000);
  const match = RELATIVE.exec(text);
  if (!match) return null;
  const [, unit, steps = '', zone = 'UTC'] = match;
  try {
    let time = startOf(Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone), unit);
    for (const step of steps.match(/[+-]P[^+-]+/g) ?? []) {
      time = step.startsWith('-') ? time.subtract(step.slice(1)) : time.add(step.slice(1));
    }
    return instantText(time.epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** ISO 8601 with a zone, or a date (its midnight in UTC), as an instant with three decimals; null when it is neither. */
export function readInstant(text: string): InstantText | null {
  if (INSTANT.test(text) && new Date(text).toJSON() === text) return text;
  try {
    const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
    return instantText(Temporal.Instant.from(instant).epochMilliseconds);
  } catch {
    return null;
  }
}

function startOf(time: Temporal.ZonedDateTime, unit: string | undefined): Temporal.ZonedDateTime {
  if (unit === undefined) return time;
  const day = time.startOfDay();
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  if (unit === 'month') return day.with({ day: 1 });
  if (unit === 'quarter') return day.with({ day: 1, month: Math.floor((day.month - 1) / 3) * 3 + 1 });
  return unit === 'year' ? day.with({ day: 1, month: 1 }) : day;
}

function instantText(milliseconds: number): InstantText {
  return new Date(milliseconds).toISOString();
}
