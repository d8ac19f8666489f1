/** Stores usage events with columns derived from the metric, so that the database can aggregate without reading JSON. */
import { createHash } from 'node:crypto';
import { decimal, isNumeric } from '../../contract/pricing/money.ts';
import { evaluateExpression } from '../../engine/expression.ts';
import type { BillableMetricRecord, EventProperties, EventRecord, Json } from '../../engine/records/index.ts';
import type { Bound } from './binding.ts';
import { encode } from './columns.ts';

/** Longer values are indexed by their digest: PostgreSQL refuses index rows larger than a third of a page. */
const LONGEST_KEY = 64;

/**
 * Columns of `events` that are not part of the record: value and amount as `NumberParts`, the value's `MomentParts` (only
 * for weighted sums) and its `valueKey` (only for unique counts).
 */
export const derivedEventColumns = {
  value_text: 'text',
  operation_type: 'text',
  value_int: 'int',
  value_frac_hi: 'int',
  value_frac_lo: 'int',
  amount_int: 'int',
  amount_frac_hi: 'int',
  amount_frac_lo: 'int',
  exact: 'flag',
  moment_0: 'int',
  moment_1: 'int',
  moment_2: 'int',
  moment_3: 'int',
  value_key: 'text',
} as const;

/**
 * The row of one event. `metric` is the metric with the event's code, undefined when there is none.
 * `exact` is 0 when the value or the amount has more digits than its three integers hold. It is always 1 for an event that
 * the metric leaves out because its value is not numeric.
 * Throws `ExpressionError` when the metric's expression cannot be evaluated for this event (§8).
 */
export function eventRow(event: EventRecord, metric: BillableMetricRecord | undefined): Record<string, Bound> {
  const properties = evaluatedProperties(event, metric);
  const text = metric?.field_name ? propertyText(properties[metric.field_name]) : null;
  const value = splitNumber(text);
  const amount = splitNumber(event.precise_total_amount_cents);
  const kind = metric?.aggregation_type;
  const isLeftOut = kind !== undefined && readsNumbers(kind) && !isNumeric(text);
  return {
    ...encode('events', { ...event, properties }),
    value_text: text,
    operation_type: properties.operation_type === 'remove' ? 'remove' : 'add',
    value_int: value.int,
    value_frac_hi: value.frac_hi,
    value_frac_lo: value.frac_lo,
    amount_int: amount.int,
    amount_frac_hi: amount.frac_hi,
    amount_frac_lo: amount.frac_lo,
    exact: isLeftOut || (value.exact && amount.exact) ? 1 : 0,
    ...momentParts(kind === 'weighted_sum_agg' ? value : null, event.timestamp),
    value_key: kind === 'unique_count_agg' ? valueKey(text) : null,
  };
}

/** Whether a metric of this type leaves out events without a numeric value (§8). */
export function readsNumbers(aggregationType: string): boolean {
  return ['sum_agg', 'max_agg', 'latest_agg', 'weighted_sum_agg'].includes(aggregationType);
}

/** The key of events without the property, which count as one value together (§8). No text has this key. */
const MISSING_KEY = '-';

/** A short key for counting distinct values. Only equal texts have equal keys. */
export function valueKey(text: string | null): string {
  if (text === null) return MISSING_KEY;
  return text.length <= LONGEST_KEY ? `=${text}` : `#${createHash('sha256').update(text).digest('hex')}`;
}

/** The event's properties. When the metric has an expression, its result is set as the metric's field (§8). */
export function evaluatedProperties(
  event: Pick<EventRecord, 'timestamp' | 'properties'>,
  metric: BillableMetricRecord | undefined,
): EventProperties {
  if (!metric?.expression || !metric.field_name) return event.properties;
  return { ...event.properties, [metric.field_name]: evaluateExpression(metric.expression, event) };
}

/** A property's value as text: numbers without exponent, objects as JSON; null when it is missing. */
export function propertyText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return decimal(String(value)).toFixed();
  return JSON.stringify(value);
}

/**
 * `number = int + frac_hi / 1e9 + frac_lo / 1e18`, each part carrying the sign.
 * All three are null for text that is not a number (§8), and for a number that is not `exact` (more than 15 digits
 * before, or 18 after the point), whose text has to be read instead.
 */
interface NumberParts {
  int: number | null;
  frac_hi: number | null;
  frac_lo: number | null;
  exact: boolean;
}

const NUMERIC = /^(-?)(\d+)(?:\.(\d+))?$/;
const INTEGER_DIGITS = 15;
const FRACTION_DIGITS = 18;
const NOT_NUMERIC: NumberParts = { int: null, frac_hi: null, frac_lo: null, exact: true };

export function splitNumber(text: string | null): NumberParts {
  const [, sign, whole, fraction] = NUMERIC.exec(text ?? '') ?? [];
  if (whole === undefined) return NOT_NUMERIC;
  const integer = whole.replace(/^0+(?=\d)/, '');
  const decimals = (fraction ?? '').replace(/0+$/, '');
  if (integer.length > INTEGER_DIGITS || decimals.length > FRACTION_DIGITS) return { ...NOT_NUMERIC, exact: false };
  const padded = decimals.padEnd(FRACTION_DIGITS, '0');
  // Adding 0 turns a negative zero into zero.
  const signed = (digits: string) => (sign === '-' ? -Number(digits) : Number(digits)) + 0;
  return { int: signed(integer), frac_hi: signed(padded.slice(0, 9)), frac_lo: signed(padded.slice(9)), exact: true };
}

/**
 * value × milliseconds since 1970, in units of 1e-18: `moment_0 + moment_1 × 1e12 + moment_2 × 1e24 + moment_3 × 1e36`, each
 * part carrying the sign. All null when the value is not an exact number.
 */
type MomentParts = Record<`moment_${0 | 1 | 2 | 3}`, number | null>;

const PART = 1_000_000_000_000n;
const NO_MOMENT: MomentParts = { moment_0: null, moment_1: null, moment_2: null, moment_3: null };

function momentParts(value: NumberParts | null, timestamp: string): MomentParts {
  if (value === null || value.int === null) return NO_MOMENT;
  const billion = 1_000_000_000n;
  const whole = (BigInt(value.int) * billion + BigInt(value.frac_hi ?? 0)) * billion + BigInt(value.frac_lo ?? 0);
  const moment = whole * BigInt(Date.parse(timestamp));
  return {
    moment_0: Number(moment % PART),
    moment_1: Number((moment / PART) % PART),
    moment_2: Number((moment / PART ** 2n) % PART),
    moment_3: Number(moment / PART ** 3n),
  };
}
