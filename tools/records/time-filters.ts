/** Bounds of a time filter: a day stands for the whole of it, and times without a zone are in UTC. */
import { isIsoDateTime } from '../../src/lib/iso-dates.ts';
import { say } from '../../src/words/summary.ts';
import { momentIn } from '../../src/words/zoned-times.ts';

/** The first instant that the text names: `2026-01-31` is `2026-01-31T00:00:00Z`. */
export function firstInstant(text: string): string {
  return text.length === 10 ? `${text}T00:00:00Z` : zoned(text);
}

/** The last instant that the text names: `2026-01-31` is `2026-01-31T23:59:59.999Z`. */
export function lastInstant(text: string): string {
  return text.length === 10 ? `${text}T23:59:59.999Z` : zoned(text);
}

/** For `refine`: two bounds, of which the first is not after the second. */
export function span(first: string, last: string) {
  const fits = (args: { readonly [name: string]: unknown }) => isSpan(args[first] as string, args[last] as string);
  return [fits, { path: [first] as PropertyKey[], error: `is after ${last}` }] as const;
}

/** False where both bounds are given and nothing lies between them. */
function isSpan(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || !isIsoDateTime(from) || !isIsoDateTime(to)) return true;
  return Date.parse(firstInstant(from)) <= Date.parse(lastInstant(to));
}

/** A day and a time; a day alone is none. */
export function isMoment(bound: string | undefined): boolean {
  return bound !== undefined && bound.length > 10;
}

/** `from 1 Nov to 3 Nov (days in UTC)`, moments in the zone where it is known; empty without bounds. */
export function spanInWords([from, to]: readonly (string | undefined)[], zone: string | null, now: Date): string {
  const parts = [say`from ${momentIn(from, zone, now)}`, say`to ${momentIn(to, zone, now)}`];
  const days = [from, to].some(bound => bound !== undefined && !isMoment(bound));
  return [...parts, days ? '(days in UTC)' : null].filter(part => part !== null).join(' ');
}

function zoned(text: string): string {
  const iso = text.replace(' ', 'T').replace(',', '.');
  return /(Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${iso}Z`;
}
