/** Reads and checks single values of a request's body. */

import type { DecimalText, InstantText, Json, JsonObject } from '../../engine/records/index.ts';
import { validation } from '../errors.ts';

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Text; null when absent, null or blank. Throws 422 `value_is_invalid` for anything else. */
export function readText(body: JsonObject, field: string): string | null {
  const value = body[field];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw validation({ [field]: ['value_is_invalid'] });
  return value;
}

/** ISO 8601 text as an instant (UTC if it has no offset); `invalid` for anything else, null when absent or null. */
export function readInstant(value: Json | undefined): InstantText | 'invalid' | null {
  if (value === undefined || value === null) return null;
  const parts = typeof value === 'string' ? INSTANT.exec(value.trim()) : null;
  if (parts === null) return 'invalid';
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // Days that the month does not have, and years outside 1900–9000.
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1900 || year > 9000) return 'invalid';
  const time = `${parts[4] ?? '00'}:${parts[5] ?? '00'}:${parts[6] ?? '00'}`;
  const zone = (parts[7] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${time}${zone}`);
  return Number.isNaN(ms) ? 'invalid' : new Date(ms).toISOString();
}

/** A non-negative decimal, sent as text or as a number. Null when absent. Throws 422. */
export function readDecimal(body: JsonObject, field: string): DecimalText | null {
  const value = body[field];
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,20}(\.\d{1,20})?$/.test(text)) {
    throw validation({ [field]: ['value_is_invalid'] });
  }
  return text;
}
