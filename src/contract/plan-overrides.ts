/**
 * What `plan_overrides` of a subscription may name (specification, endpoint 2; service-behaviour §3.2): each field with its kind.
 * The tool's arguments, the amount limit, the comparison with the answer, the way back, the embedded service and account files
 * follow these lists.
 */
import type { Cents, ChargeProperties, Decimal, EntryIn, Free } from './shown.ts';

export type OverrideKind =
  /** Money in the minor unit of the plan's currency. */
  | 'cents'
  /** The same, above 0 and never absent. */
  | 'mandatory_cents'
  | 'currency'
  /** A charge's `properties` (charge-prices.ts). */
  | 'prices'
  /** A decimal number of units. */
  | 'quantity'
  /** A number of days, with decimals. */
  | 'days'
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
  /** Key and value pairs of the caller's own; a value may be null. */
  | 'metadata'
  /** What one pricing unit costs in the currency, as decimal text. */
  | 'rate'
  /** How to do it: no record keeps it. */
  | 'instruction';

export type OverrideFields = Readonly<Record<string, OverrideKind>>;
/** Fields, parts of them, and lists of parts. */
export interface DeclaredFields
  extends Readonly<Record<string, OverrideKind | DeclaredFields | readonly [DeclaredFields]>> {}

export const planFields = {
  amount_cents: 'cents',
  amount_currency: 'currency',
  name: 'name',
  invoice_display_name: 'text',
  description: 'text',
  trial_period: 'days',
  tax_codes: 'codes',
  metadata: 'metadata',
} as const satisfies OverrideFields;

/** Only the first override sets these: later ones leave them as they are. */
export const setByFirstOverride = ['amount_currency', 'trial_period'] as const;

export const commitmentFields = {
  amount_cents: 'cents',
  invoice_display_name: 'text',
  tax_codes: 'codes',
} as const satisfies OverrideFields;

/** Beside its filters, which are replaced as a whole. */
export const chargeFields = {
  invoice_display_name: 'text',
  properties: 'prices',
  min_amount_cents: 'cents',
  tax_codes: 'codes',
} as const satisfies OverrideFields;

/** Of a charge that is priced in a pricing unit. */
export const pricingUnitFields = { conversion_rate: 'rate' } as const satisfies OverrideFields;

export const filterFields = {
  invoice_display_name: 'text',
  properties: 'prices',
  values: 'filter_values',
} as const satisfies OverrideFields;

export const fixedChargeFields = {
  units: 'quantity',
  invoice_display_name: 'text',
  apply_units_immediately: 'instruction',
  properties: 'prices',
  tax_codes: 'codes',
} as const satisfies OverrideFields;

export const thresholdFields = {
  amount_cents: 'mandatory_cents',
  threshold_display_name: 'text',
  recurring: 'flag',
} as const satisfies OverrideFields;

/** Which charge, or what is to be known of one that a later override adds. */
export const chargeIdentity = {
  id: 'id',
  billable_metric_id: 'id',
  code: 'code',
  charge_model: 'charge_model',
} as const satisfies OverrideFields;

export const planOverrideFields = {
  ...planFields,
  minimum_commitment: commitmentFields,
  charges: [{ ...chargeIdentity, ...chargeFields, applied_pricing_unit: pricingUnitFields, filters: [filterFields] }],
  fixed_charges: [{ id: 'id', ...fixedChargeFields }],
  usage_thresholds: [thresholdFields],
} as const satisfies DeclaredFields;

type Mandatory<Fields> = {
  [Field in keyof Fields]: Fields[Field] extends 'mandatory_cents' ? Field : never;
}[keyof Fields];
type Values<Fields, OfKind> = {
  -readonly [Field in Exclude<keyof Fields, Mandatory<Fields>>]?: Value<Fields[Field], OfKind>;
} & { -readonly [Field in Mandatory<Fields>]: Value<Fields[Field], OfKind> };
type Value<Field, OfKind> = Field extends keyof OfKind
  ? OfKind[Field]
  : Field extends readonly [infer Entry]
    ? Values<Entry, OfKind>[]
    : Values<Field, OfKind>;

/** Overrides with a value of the type that `OfKind` has for a field's kind. A field that is absent is not overridden. */
export type OverridesOf<OfKind extends Record<OverrideKind, unknown>> = Values<typeof planOverrideFields, OfKind>;

/** Overrides as a request sends them. */
export type AnyOverrides = OverridesOf<SentValues>;
type Text = string | null | undefined;
interface SentValues {
  cents: Cents | null | undefined;
  mandatory_cents: Cents | null | undefined;
  currency: Text;
  prices: ChargeProperties | null | undefined;
  quantity: Decimal | null | undefined;
  days: Decimal | null | undefined;
  name: Text;
  text: Text;
  id: Text;
  code: Text;
  codes: readonly string[] | null | undefined;
  charge_model: Text;
  filter_values: Free | null | undefined;
  flag: boolean | null | undefined;
  metadata: Free | null | undefined;
  rate: Decimal | null | undefined;
  instruction: boolean | null | undefined;
}

/** What overrides say of a charge or a fixed charge. */
export type SentCharge = EntryIn<AnyOverrides['charges']> & EntryIn<AnyOverrides['fixed_charges']>;

/** What each field gets by its kind. */
export function byKind<Part extends OverrideFields, OfKind extends Record<Part[keyof Part], unknown>>(
  fields: Part,
  ofKind: OfKind,
): { [Field in keyof Part]: OfKind[Part[Field]] } {
  const entries = Object.entries(fields).map(([field, kind]) => [field, ofKind[kind as Part[keyof Part]]]);
  return Object.fromEntries(entries) as { [Field in keyof Part]: OfKind[Part[Field]] };
}

interface Taxed<Codes> {
  tax_codes?: Codes | undefined;
}

/** The codes of taxes that the overrides name, each list with its path in them. */
export function taxCodesIn<Codes>(
  overrides: Taxed<Codes> & {
    minimum_commitment?: Taxed<Codes> | undefined;
    charges?: Taxed<Codes>[] | undefined;
    fixed_charges?: Taxed<Codes>[] | undefined;
  },
): { path: (string | number)[]; codes: Codes }[] {
  const { minimum_commitment: commitment, charges = [], fixed_charges: fixedCharges = [] } = overrides;
  const parts: [path: (string | number)[], part: Taxed<Codes> | undefined][] = [
    [[], overrides],
    [['minimum_commitment'], commitment],
    ...charges.map((charge, index): [(string | number)[], Taxed<Codes>] => [['charges', index], charge]),
    ...fixedCharges.map((charge, index): [(string | number)[], Taxed<Codes>] => [['fixed_charges', index], charge]),
  ];
  return parts.flatMap(([path, part]) =>
    part?.tax_codes === undefined ? [] : [{ path: [...path, 'tax_codes'], codes: part.tax_codes }],
  );
}

const unitsKeys: readonly string[] = ['id', 'units', 'apply_units_immediately'];

/** Overrides of quantities of fixed charges alone make no copy of the plan; an empty block makes one (§3.2). */
export function setsOnlyUnits({
  fixed_charges: fixedCharges = [],
  ...others
}: {
  fixed_charges?: readonly object[] | undefined;
}): boolean {
  const areUnits = (entry: object) =>
    Object.entries(entry).every(([key, value]) => value === undefined || unitsKeys.includes(key));
  const isAlone = Object.values(others).every(value => value === undefined);
  return fixedCharges.length > 0 && isAlone && fixedCharges.every(areUnits);
}

export function isListOfFields(
  fields: DeclaredFields | readonly [DeclaredFields],
): fields is readonly [DeclaredFields] {
  return Array.isArray(fields);
}
