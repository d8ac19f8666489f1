/**
 * What `plan_overrides` of a subscription may name (specification, endpoint 2; service-behaviour §3.2): each field with its kind.
 * The tool's arguments, the amount limit, the comparison with the answer, the way back, the embedded service and account files
 * follow these lists.
 */
import { ownValue } from '../lib/json.ts';

/** Numbers, and what says which money they are. */
type NumberKind =
  /** Money in the minor unit of the plan's currency. */
  | 'cents'
  /** The same, above 0 and always there. */
  | 'positive_cents'
  | 'currency'
  /** A charge's `properties` (charge-prices.ts). */
  | 'prices'
  /** A decimal number of units. */
  | 'quantity'
  /** A number of days, with decimals. */
  | 'days';

export type OverrideKind =
  | NumberKind
  /** Text that cannot be emptied. */
  | 'name'
  /** Text; null empties it. */
  | 'text'
  | 'id'
  | 'code'
  /** Codes of taxes. */
  | 'codes'
  | 'charge_model'
  /** Values by key of the metric's filters. */
  | 'filter_values'
  | 'flag'
  /** How to do it: no record keeps it. */
  | 'instruction';

type Fields = Readonly<Record<string, OverrideKind>>;
interface Nested extends Readonly<Record<string, OverrideKind | Nested | readonly [Nested]>> {}

export const planFields = {
  amount_cents: 'cents',
  amount_currency: 'currency',
  name: 'name',
  invoice_display_name: 'text',
  description: 'text',
  trial_period: 'days',
  tax_codes: 'codes',
} as const satisfies Fields;

export const commitmentFields = {
  amount_cents: 'cents',
  invoice_display_name: 'text',
  tax_codes: 'codes',
} as const satisfies Fields;

/** Beside its filters, which are replaced as a whole. */
export const chargeFields = {
  invoice_display_name: 'text',
  properties: 'prices',
  min_amount_cents: 'cents',
  tax_codes: 'codes',
} as const satisfies Fields;

export const filterFields = {
  invoice_display_name: 'text',
  properties: 'prices',
  values: 'filter_values',
} as const satisfies Fields;

export const fixedChargeFields = {
  units: 'quantity',
  invoice_display_name: 'text',
  apply_units_immediately: 'instruction',
  properties: 'prices',
  tax_codes: 'codes',
} as const satisfies Fields;

export const thresholdFields = {
  amount_cents: 'positive_cents',
  threshold_display_name: 'text',
  recurring: 'flag',
} as const satisfies Fields;

/** Which charge, or what is to be known of one that a later override adds. */
export const chargeIdentity = {
  id: 'id',
  billable_metric_id: 'id',
  code: 'code',
  charge_model: 'charge_model',
} as const satisfies Fields;

const planOverrideFields = {
  ...planFields,
  minimum_commitment: commitmentFields,
  charges: [{ ...chargeIdentity, ...chargeFields, filters: [filterFields] }],
  fixed_charges: [{ id: 'id', ...fixedChargeFields }],
  usage_thresholds: [thresholdFields],
} as const satisfies Nested;

/** What each field gets by its kind. */
export function byKind<Part extends Fields, OfKind extends Record<OverrideKind, unknown>>(
  fields: Part,
  ofKind: OfKind,
): { [Field in keyof Part]: OfKind[Part[Field]] } {
  const entries = Object.entries(fields).map(([field, kind]) => [field, ofKind[kind]]);
  return Object.fromEntries(entries) as { [Field in keyof Part]: OfKind[Part[Field]] };
}

/** What each number gets by its kind, at its path: `plan_overrides.charges[].properties`. Kinds with null are left out. */
export function byNumberPath<Value>(ofKind: Readonly<Record<NumberKind, Value | null>>): Record<string, Value> {
  const at = (path: string, fields: Nested): [string, Value][] =>
    Object.entries(fields).flatMap(([field, inner]) => {
      const name = `${path}.${field}`;
      if (typeof inner !== 'string') return isList(inner) ? at(`${name}[]`, inner[0]) : at(name, inner);
      const value = ownValue<Value | null>(ofKind, inner) ?? null;
      return value === null ? [] : [[name, value]];
    });
  return Object.fromEntries(at('plan_overrides', planOverrideFields));
}

function isList(fields: Nested | readonly [Nested]): fields is readonly [Nested] {
  return Array.isArray(fields);
}
