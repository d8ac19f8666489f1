/** The time zone in which a list tells moments: the customer's in a list of one customer, else UTC. */
import { inZone, knownZone } from './zoned-times.ts';

/** The rows with the moments of these fields in the time zone; with `days`, only the day. */
export function withLocalTimes<Row extends object>(
  rows: readonly Row[],
  fields: readonly (keyof Row)[],
  zone: string | null,
  days = false,
): Row[] {
  const momentInZone = (value: unknown): unknown => {
    const local = inZone(value, zone);
    if (!days) return local;
    return typeof local === 'string' ? local.slice(0, 10) : null;
  };
  return rows.map(row => ({
    ...row,
    ...Object.fromEntries(fields.filter(field => field in row).map(field => [field, momentInZone(row[field])])),
  }));
}

/** `Times are in Asia/Tokyo`, `Days are in UTC`; null where the moments themselves say that they are in UTC. */
export function timeZoneNote(zone: string | null, days = false): string | null {
  const known = knownZone(zone);
  return days ? `Days are in ${known ?? 'UTC'}` : known && `Times are in ${known}`;
}
