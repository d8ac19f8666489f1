/** The values of a charge's `properties`, each with its kind (specification, "properties by model"; service-behaviour §9). */

import { isRecord, ownValue } from '../lib/json.ts';
import {
  modelFields,
  type PriceField,
  type PriceFields,
  type PriceKind,
  priceFields,
  type TiersField,
} from './pricing/fields.ts';

/** One value of the properties. `unknown`: the model has no such field, or the value has the wrong form. */
export interface PriceValue {
  /** `graduated_ranges[0].flat_amount` */
  path: string;
  kind: PriceKind | 'unknown';
  value: unknown;
}

const label = { kind: 'label', form: 'decimal', meaning: '' } as const;
const labels = { grouped_by: label, pricing_group_keys: label, presentation_group_keys: label };

/** By the model's name in a request or an answer: all models except `custom`, whose properties each account defines itself. */
export const pricesByModel: ReadonlyMap<string, PriceFields> = new Map(
  Object.entries(modelFields).flatMap(([model, names]) => {
    const fields = Object.entries(priceFields).filter(([name]) => name in names);
    return model === 'custom' ? [] : [[model, { ...Object.fromEntries(fields), ...labels }] as const];
  }),
);

/** The names of the lists of tiers. */
export const tierLists = Object.entries(priceFields).flatMap(([name, field]) => ('tier' in field ? name : []));

/** Each value of the properties with its kind. Absent and null values are left out. */
export function* pricesIn(properties: object, fields: PriceFields, at = ''): Generator<PriceValue> {
  for (const [key, value] of present(properties)) {
    const field = ownValue(fields, key);
    const path = `${at}${key}`;
    if (field && 'tier' in field && Array.isArray(value)) {
      for (const [index, tier] of value.entries()) {
        if (isRecord(tier)) yield* pricesIn(tier, field.tier, `${path}[${index}].`);
        else yield { path: `${path}[${index}]`, kind: 'unknown', value: tier };
      }
    } else yield { path, kind: kindIn(field, key, value), value };
  }
}

/** The kind of a price field, the same in all models that have it; undefined when no model has the field. */
export function kindOfPrice(key: string): PriceKind | undefined {
  return kinds.get(key);
}

const kinds = new Map(Object.entries({ ...priceFields, ...labels }).flatMap(kindsWithin));

function kindsWithin([name, field]: [string, PriceField | TiersField]): [string, PriceKind][] {
  return 'tier' in field ? Object.entries(field.tier).flatMap(kindsWithin) : [[name, field.kind]];
}

/** Fields of other kinds than `money` must not hold objects or nested lists, in which amounts could hide. */
function kindIn(field: PriceField | TiersField | undefined, key: string, value: unknown): PriceValue['kind'] {
  const kind = field && 'kind' in field ? field.kind : 'unknown';
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
