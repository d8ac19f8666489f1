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
  /** An id or a code. */
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
  | 'rate';

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
} as const satisfies DeclaredFields;

/** Only the first override sets these: later ones leave them as they are. */
export const setByFirstOverride = ['amount_currency', 'trial_period'] as const;

export const planOverrideFields = {
  ...planFields,
  minimum_commitment: { amount_cents: 'cents', invoice_display_name: 'text', tax_codes: 'codes' },
  charges: [
    {
      // Which charge, or what is to be known of one that a later override adds.
      id: 'code',
      billable_metric_id: 'code',
      code: 'code',
      charge_model: 'charge_model',
      invoice_display_name: 'text',
      properties: 'prices',
      min_amount_cents: 'cents',
      tax_codes: 'codes',
      // Of a charge that is priced in a pricing unit.
      applied_pricing_unit: { conversion_rate: 'rate' },
      // Replaced as a whole.
      filters: [{ invoice_display_name: 'text', properties: 'prices', values: 'filter_values' }],
    },
  ],
  fixed_charges: [
    {
      id: 'code',
      units: 'quantity',
      invoice_display_name: 'text',
      apply_units_immediately: 'flag',
      properties: 'prices',
      tax_codes: 'codes',
    },
  ],
  usage_thresholds: [{ amount_cents: 'mandatory_cents', threshold_display_name: 'text', recurring: 'flag' }],
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
export type AnyOverrides = OverridesOf<{ [Kind in OverrideKind]: SentValue<Kind> | null | undefined }>;
type SentValue<Kind> = Kind extends 'cents' | 'mandatory_cents'
  ? Cents
  : Kind extends 'quantity' | 'days' | 'rate'
    ? Decimal
    : Kind extends 'filter_values' | 'metadata'
      ? Free
      : Kind extends keyof OtherValues
        ? OtherValues[Kind]
        : string;
interface OtherValues {
  prices: ChargeProperties;
  codes: readonly string[];
  flag: boolean;
}

/** What overrides say of a charge or a fixed charge. */
export type SentCharge = EntryIn<AnyOverrides['charges']> & EntryIn<AnyOverrides['fixed_charges']>;

type KindsIn<Part extends DeclaredFields> = {
  [Field in keyof Part as Part[Field] extends OverrideKind ? Field : never]: Part[Field];
};

/** What each field gets by its kind, without the parts. */
export function byKind<Part extends DeclaredFields, OfKind extends Partial<Record<OverrideKind, unknown>>>(
  fields: Part,
  ofKind: OfKind,
) {
  const plain = Object.entries(fields).filter(([, kind]) => typeof kind === 'string');
  const entries = plain.map(([field, kind]) => [field, ofKind[kind as OverrideKind]]);
  type Kinds = KindsIn<Part>;
  return Object.fromEntries(entries) as {
    [Field in keyof Kinds]: Kinds[Field] extends keyof OfKind ? OfKind[Kinds[Field]] : never;
  };
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
  const parts: [path: (string | number)[], part: Taxed<Codes> | undefined][] = [
    [[], overrides],
    [['minimum_commitment'], overrides.minimum_commitment],
    ...(['charges', 'fixed_charges'] as const).flatMap(list =>
      (overrides[list] ?? []).map((charge, at): [(string | number)[], Taxed<Codes>] => [[list, at], charge]),
    ),
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
