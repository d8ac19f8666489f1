/** By whose clocks the rows of a list tell when something was: the customer's in a list of one customer, else UTC. */
import type { JsonRecord } from '../../src/lib/json.ts';
import { asText } from '../../src/words/summary.ts';
import { inZone, knownZone } from '../../src/words/zoned-times.ts';

/** The rows with these moments by the clocks of the zone, whole or as days alone. */
export function byClocks(
  rows: readonly JsonRecord[],
  fields: readonly string[],
  zone: string | null,
  days = false,
): JsonRecord[] {
  const told = (value: unknown): unknown => {
    const local = inZone(value, zone);
    return days ? (asText(local)?.slice(0, 10) ?? null) : local;
  };
  return rows.map(row => ({
    ...row,
    ...Object.fromEntries(fields.filter(field => field in row).map(field => [field, told(row[field])])),
  }));
}

/** `Times are in Asia/Tokyo`, `Days are in UTC`; null where the moments themselves say that they are in UTC. */
export function clocksNote(zone: string | null, days = false): string | null {
  const known = knownZone(zone);
  return days ? `Days are in ${known ?? 'UTC'}` : known && `Times are in ${known}`;
}
