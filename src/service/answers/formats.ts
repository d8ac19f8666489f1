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

/** The record's instants with these names, each as `instant` shows it. */
export function instants<Name extends string, Source extends { [Each in Name]: InstantText | null }>(
  source: Source,
  ...names: readonly Name[]
): Pick<Source, Name> {
  return Object.fromEntries(names.map(name => [name, instant(source[name])])) as Pick<Source, Name>;
}

/** The record's fields with these names, as they are stored. */
export function fields<Source extends object, Name extends keyof Source>(source: Source, ...names: readonly Name[]) {
  return Object.fromEntries(names.map(name => [name, source[name]])) as Pick<Source, Name>;
}

/** The same under the names that the service gives to its own ids: `plan_id` is shown as `svc_plan_id`. */
export function svcIds<Source extends object, Name extends keyof Source & string>(
  source: Source,
  ...names: readonly Name[]
) {
  const ids = names.map(name => [`svc_${name}`, source[name]]);
  return Object.fromEntries(ids) as { [Each in Name as `svc_${Each}`]: Source[Each] };
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
  const values = writableFields(resource).map(([name, { unit }]) => {
    const value = fieldOf(record, name);
    return [name, unit === 'instant' ? instant(value as InstantText | null) : value];
  });
  return Object.fromEntries(values) as StoredValues<Shape>;
}

/** Decimal text with 1 to `digits` decimals. Amounts have up to 15; credits and alert values up to 5. */
export function amount<Value extends DecimalText | null>(
  value: Value,
  digits?: number,
): Value extends null ? string | null : string;
export function amount(value: DecimalText | null, digits = 15): string | null {
  return value === null ? null : decimalText(decimal(value), digits);
}

/** A stable UUID for a link that has no record of its own, derived from the ids that the link connects. */
export function linkId(...parts: string[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
