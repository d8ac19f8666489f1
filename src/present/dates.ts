/** Dates in words. The interface's instants are UTC, and say so; its plain dates have no zone and get none. */

const months = 'January February March April May June July August September October November December'.split(' ');
const SHAPE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** `2024-04-01` → `1 April 2024`; an instant's UTC day likewise. Empty for what is no date. */
export function formatDate(value: unknown): string {
  const parts = read(value);
  return parts === null ? '' : `${parts.day} ${months[parts.month - 1]} ${parts.year}`;
}

/** `2026-01-31T23:59:59Z` → `31 Jan 2026, 23:59 UTC`; a plain date in words. Empty for what is neither. */
export function formatInstant(value: unknown): string {
  const parts = read(value);
  if (parts === null) return '';
  if (parts.time === null) return formatDate(value);
  return `${parts.day} ${months[parts.month - 1]?.slice(0, 3)} ${parts.year}, ${parts.time} ${parts.zone}`;
}

/** A period as days: `1 – 31 Jan 2026`, `15 Dec 2025 – 14 Jan 2026` (UTC days of instants). Empty unless both are dates. */
export function formatPeriod(from: unknown, to: unknown): string {
  const start = read(from);
  const end = read(to);
  if (start === null || end === null) return '';
  const zone = start.time !== null ? ' (UTC)' : '';
  const endText = `${end.day} ${months[end.month - 1]?.slice(0, 3)} ${end.year}${zone}`;
  if (start.year !== end.year) return `${start.day} ${months[start.month - 1]?.slice(0, 3)} ${start.year} – ${endText}`;
  if (start.month !== end.month) return `${start.day} ${months[start.month - 1]?.slice(0, 3)} – ${endText}`;
  return start.day === end.day ? endText : `${start.day} – ${endText}`;
}

/** Does the text name an instant or day that exists (ISO 8601, offset and time optional)? */
export function isIsoDateTime(text: string): boolean {
  const match = text.length <= 40 ? SHAPE.exec(text) : null;
  if (match === null) return false;
  const [, year, month, day, hour, minute] = match.map(Number);
  if (!(month! >= 1 && month! <= 12) || day! < 1 || day! > daysIn(year!, month!)) return false;
  const second = /:\d{2}:(\d{2})/.exec(text)?.[1];
  const offset = /[+-](\d{2}):?(\d{2})$/.exec(text.slice(10));
  if (offset !== null && (Number(offset[1]) > 14 || Number(offset[2]) > 59)) return false;
  return match[4] === undefined || (hour! <= 23 && minute! <= 59 && Number(second ?? 0) <= 59);
}

interface Parts {
  year: number;
  month: number;
  day: number;
  /** `23:59`, null on a plain date. */
  time: string | null;
  zone: string;
}

function read(value: unknown): Parts | null {
  if (typeof value !== 'string' || !isIsoDateTime(value)) return null;
  const match = SHAPE.exec(value)!;
  const zone = match[6] === undefined || match[6] === 'Z' ? 'UTC' : `UTC${match[6]}`;
  const time = match[4] === undefined ? null : `${match[4]}:${match[5]}`;
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]), time, zone };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
