/** Formats of values in answers (service-behaviour §1.6). */
import { createHash } from 'node:crypto';
import { type StoredValues, writableFields } from '../../contract/fields.ts';
import { decimal, decimalText } from '../../contract/pricing/money.ts';
import type { DecimalText, InstantText } from '../../engine/records/index.ts';
import { fieldOf } from '../../lib/json.ts';

/** Date-time without a fraction: `2026-01-31T23:59:59Z`. */
export function instant<Value extends InstantText | null>(value: Value): Value extends null ? string | null : string;
export function instant(value: InstantText | null): string | null {
  return value === null ? null : value.replace(/\.\d+(?=Z$)/, '');
}

/** Date-time with exactly three decimals, for the fields that show them (§1.6). */
export function preciseInstant<Value extends InstantText | null>(
  value: Value,
): Value extends null ? string | null : string;
export function preciseInstant(value: InstantText | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}

/** The writable fields of a resource as answers show them. */
export function shownValues<Shape extends object>(
  record: StoredValues<Shape>,
  resource: { readonly shape: Shape },
): StoredValues<Shape> {
  const fields = writableFields(resource).map(([name, { unit }]) => {
    const value = fieldOf(record, name);
    return [name, unit === 'instant' ? instant(value as InstantText | null) : value];
  });
  return Object.fromEntries(fields) as StoredValues<Shape>;
}

/** Decimal text with 1 to `digits` decimals. Amounts have up to 15; credits and alert values up to 5. */
export function amount<Value extends DecimalText | null>(
  value: Value,
  digits?: number,
): Value extends null ? string | null : string;
export function amount(value: DecimalText | null, digits = 15): string | null {
  return value === null ? null : decimalText(decimal(value), digits);
}

/** Rates and trial periods are JSON numbers. */
export function rate(value: DecimalText): number {
  return Number(value);
}

/** A stable UUID for a link that has no record of its own, derived from the ids that the link connects. */
export function linkId(...parts: string[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
