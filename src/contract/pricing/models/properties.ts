/** Reads a charge's properties: decimals are text in plan data, counts may be numbers (§1.6, §9). */

import type Big from 'big.js';
import { isJsonObject } from '../../../lib/json.ts';
import type { ChargeProperties, EntryIn } from '../../shown.ts';
import { decimal, ZERO } from '../money.ts';
import type { PriceProperties } from '../types.ts';

/** A decimal property; absent, null and blank are 0. */
export function amountOf<Of extends object>(properties: Of, key: keyof Of): Big {
  return amountOrNull(properties, key) ?? ZERO;
}

/** A decimal property; null when it is absent, null or blank. */
export function amountOrNull<Of extends object>(properties: Of, key: keyof Of): Big | null {
  const value: unknown = properties[key];
  if (typeof value === 'number') return decimal(String(value));
  return typeof value === 'string' && value.trim() !== '' ? decimal(value.trim()) : null;
}

/** One tier. `to` is null on the last. */
export interface Range {
  from: Big;
  to: Big | null;
  flat: Big;
  /** Per unit in graduated and volume charges; percent in graduated-percentage charges. */
  rate: Big;
}

type RangeKey = Extract<keyof PriceProperties, `${string}_ranges`>;

/** The tiers under a key, in their order. */
export function rangesOf(properties: PriceProperties, key: RangeKey): Range[] {
  const list = properties[key];
  return Array.isArray(list) ? list.filter(isJsonObject).map(toRange) : [];
}

type RangeEntry = EntryIn<ChargeProperties['graduated_ranges']> &
  EntryIn<ChargeProperties['graduated_percentage_ranges']>;

function toRange(entry: RangeEntry): Range {
  return {
    from: amountOf(entry, 'from_value'),
    to: amountOrNull(entry, 'to_value'),
    flat: amountOf(entry, 'flat_amount'),
    rate: amountOrNull(entry, 'per_unit_amount') ?? amountOf(entry, 'rate'),
  };
}
