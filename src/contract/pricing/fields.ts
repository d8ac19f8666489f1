/**
 * The fields of every charge model: of its `properties` and of the `amount_details` of its fees (specification, "properties
 * by model"; service-behaviour §9). The schemas of answers, the checks of plans and limits of amounts follow from it.
 */

/** `money`: a decimal in major units. `rate`: percent. `count`: units, events, or a limit of them. `label`: no price. */
export type PriceKind = 'money' | 'rate' | 'count' | 'label';

/** A value. A `number` may come as text. */
export interface PriceField {
  readonly kind: PriceKind;
  readonly form: 'decimal' | 'integer' | 'number';
  readonly meaning: string;
}

/** A list of tiers, each with these fields. */
export interface TiersField {
  readonly tier: Readonly<Record<string, PriceField>>;
  readonly meaning: string;
}

/** By their names. */
export type PriceFields = Readonly<Record<string, PriceField | TiersField>>;

const money = (meaning: string) => ({ kind: 'money', form: 'decimal', meaning }) as const;
const rate = (meaning: string) => ({ kind: 'rate', form: 'decimal', meaning }) as const;
const count = (meaning: string) => ({ kind: 'count', form: 'integer', meaning }) as const;
const quantity = (meaning: string) => ({ kind: 'count', form: 'decimal', meaning }) as const;
const events = (meaning: string) => ({ kind: 'count', form: 'number', meaning }) as const;
const tiers = <const Tier extends TiersField['tier']>(meaning: string, tier: Tier) => ({ meaning, tier });

const bounds = {
  from_value: count('first unit: 0, then where the range before ends or one unit later'),
  to_value: count('last unit; null on the last range'),
};
const perUnit = { ...bounds, per_unit_amount: money('price of a unit') };
const reached = { flat_amount: money('price of reaching the range') };

/** Those of `properties`, but for the grouping keys that every model has. */
export const priceFields = {
  amount: money('price of a unit, or of a package'),
  free_units: count('units before the first package'),
  package_size: count('units in a package; a started one is paid whole'),
  graduated_ranges: tiers('each range prices its own units', { ...perUnit, ...reached }),
  graduated_percentage_ranges: tiers('each range has its own percentage', {
    ...bounds,
    rate: rate('percent'),
    ...reached,
  }),
  volume_ranges: tiers('the range of the total prices all units', {
    ...perUnit,
    flat_amount: money('flat price'),
  }),
  rate: rate('percent'),
  fixed_amount: money('price of each event'),
  free_units_per_events: count('so many first events are free'),
  free_units_per_total_aggregation: quantity('units that are free'),
  per_transaction_min_amount: money('least price of an event'),
  per_transaction_max_amount: money('highest price of an event'),
};

/** Whether a model needs a property, also above 0; else what counts where it is left out. */
export type Need = 'needed' | 'positive' | number | null;

const needed = 'needed';

/** The properties of each model, in the order of the interface. Each account defines those of custom charges itself. */
export const modelFields = {
  standard: { amount: needed },
  graduated: { graduated_ranges: needed },
  package: { amount: needed, package_size: 'positive', free_units: 0 },
  percentage: {
    rate: needed,
    fixed_amount: null,
    free_units_per_events: null,
    free_units_per_total_aggregation: null,
    per_transaction_min_amount: null,
    per_transaction_max_amount: null,
  },
  volume: { volume_ranges: needed },
  graduated_percentage: { graduated_percentage_ranges: needed },
  custom: {},
  dynamic: {},
} as const satisfies Record<string, { readonly [Name in keyof typeof priceFields]?: Need }>;

const usedTier = {
  units: quantity('units in the range'),
  ...bounds,
  flat_unit_amount: money('price of reaching the range'),
  per_unit_total_amount: money('units × price'),
  total_with_flat_amount: money('with the flat price'),
};

/** Those of `amount_details`. */
export const detailFields = {
  graduated_ranges: tiers('graduated: one entry a range reached', {
    ...usedTier,
    per_unit_amount: money('price of a unit'),
  }),
  graduated_percentage_ranges: tiers('graduated_percentage: one entry a range reached', {
    ...usedTier,
    rate: rate('percent'),
  }),
  free_units: quantity('Units that cost nothing'),
  paid_units: quantity('Units that cost something'),
  per_package_size: count('package: units in a package'),
  per_package_unit_amount: money('package: price of a package'),
  flat_unit_amount: money('volume: flat price'),
  per_unit_amount: money('volume: price of a unit'),
  per_unit_total_amount: money('Units × price'),
  units: quantity('percentage: value'),
  rate: rate('percentage: percent'),
  free_events: events('percentage: events that cost nothing'),
  paid_events: events('percentage: events that cost something'),
  fixed_fee_unit_amount: money('percentage: price of each event'),
  fixed_fee_total_amount: money('percentage: all events'),
  min_max_adjustment_total_amount: money('percentage: change by the limits per transaction'),
};
