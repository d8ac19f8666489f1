/** The fields of a charge's `properties`, by charge model (specification, "properties by model"; service-behaviour §9). */

import { isRecord, ownValue } from '../lib/json.ts';
import type { ChargeModel } from './enums.ts';

/** `money`: a decimal in major units. `rate`: percent. `count`: units, events, or a limit of them. `label`: no price. */
export type PriceKind = 'money' | 'rate' | 'count' | 'label';

type Fields = Readonly<Record<string, PriceKind>>;

export interface ModelPrices {
  fields: Fields;
  /** The list of tiers, for models with tiers. */
  ranges?: { key: string; fields: Fields };
}

/** One value of the properties. `unknown`: the model has no such field, or the value has the wrong form. */
export interface PriceValue {
  /** `graduated_ranges[0].flat_amount` */
  path: string;
  kind: PriceKind | 'unknown';
  value: unknown;
}

const grouping: Fields = { grouped_by: 'label', pricing_group_keys: 'label', presentation_group_keys: 'label' };
const bounds: Fields = { from_value: 'count', to_value: 'count' };
const perUnit: Fields = { ...bounds, flat_amount: 'money', per_unit_amount: 'money' };

const prices: Record<Exclude<ChargeModel, 'custom'>, ModelPrices> = {
  standard: { fields: { amount: 'money', ...grouping } },
  graduated: { fields: grouping, ranges: { key: 'graduated_ranges', fields: perUnit } },
  package: { fields: { amount: 'money', package_size: 'count', free_units: 'count', ...grouping } },
  percentage: {
    fields: {
      rate: 'rate',
      fixed_amount: 'money',
      free_units_per_events: 'count',
      free_units_per_total_aggregation: 'count',
      per_transaction_min_amount: 'money',
      per_transaction_max_amount: 'money',
      ...grouping,
    },
  },
  volume: { fields: grouping, ranges: { key: 'volume_ranges', fields: perUnit } },
  graduated_percentage: {
    fields: grouping,
    ranges: { key: 'graduated_percentage_ranges', fields: { ...bounds, flat_amount: 'money', rate: 'rate' } },
  },
  dynamic: { fields: grouping },
};

/** By the model's name in a request or an answer: all models except `custom`, whose properties each account defines itself. */
export const pricesByModel: ReadonlyMap<string, ModelPrices> = new Map(Object.entries(prices));

/** Each value of the properties with its kind. Absent and null values are left out. */
export function* pricesIn(properties: object, model: ModelPrices): Generator<PriceValue> {
  const { ranges } = model;
  for (const [key, value] of present(properties)) {
    if (key !== ranges?.key) yield { path: key, kind: kindIn(model.fields, key, value), value };
    else if (!Array.isArray(value)) yield { path: key, kind: 'unknown', value };
    else for (const [index, tier] of value.entries()) yield* pricesOfTier(tier, `${key}[${index}]`, ranges.fields);
  }
}

/** The kind of a price field, the same in all models that have it; undefined when no model has the field. */
export function kindOfPrice(key: string): PriceKind | undefined {
  return kinds.get(key);
}

const kinds = new Map(
  [...pricesByModel.values()].flatMap(({ fields, ranges }) => Object.entries({ ...fields, ...ranges?.fields })),
);

function* pricesOfTier(tier: unknown, path: string, fields: Fields): Generator<PriceValue> {
  if (!isRecord(tier)) {
    yield { path, kind: 'unknown', value: tier };
    return;
  }
  for (const [key, value] of present(tier)) yield { path: `${path}.${key}`, kind: kindIn(fields, key, value), value };
}

/** Fields of other kinds than `money` must not hold objects or nested lists, in which amounts could hide. */
function kindIn(fields: Fields, key: string, value: unknown): PriceValue['kind'] {
  const kind = ownValue(fields, key) ?? 'unknown';
  if (key === 'presentation_group_keys')
    return Array.isArray(value) && value.every(isPresentationKey) ? kind : 'unknown';
  const texts = kind === 'label' && Array.isArray(value) ? value : [value];
  return kind === 'money' || texts.every(text => typeof text !== 'object') ? kind : 'unknown';
}

/** `{value: event property, options: {display_in_invoice}}`, with nothing else in it. */
function isPresentationKey(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { value, options, ...others } = entry;
  if (typeof value !== 'string' || Object.keys(others).length > 0) return false;
  if (options === null || options === undefined) return true;
  return (
    isRecord(options) &&
    Object.entries(options).every(([key, shown]) => key === 'display_in_invoice' && typeof shown === 'boolean')
  );
}

function present(record: object): [string, unknown][] {
  return Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
}
