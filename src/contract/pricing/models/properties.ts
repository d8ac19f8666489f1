/** Reads a charge's properties: decimals are text in plan data, counts may be numbers (§1.6, §9). */

import type Big from 'big.js';
import type { JsonObject } from '../../../lib/json.ts';
import { isJsonObject } from '../../../lib/json.ts';
import { decimal, ZERO } from '../money.ts';

/** A decimal property; absent, null and blank are 0. */
export function amountOf(properties: JsonObject, key: string): Big {
  return amountOrNull(properties, key) ?? ZERO;
}

/** A decimal property; null when it is absent, null or blank. */
export function amountOrNull(properties: JsonObject, key: string): Big | null {
  const value = properties[key];
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

/** The tiers under a key, in their order. */
export function rangesOf(properties: JsonObject, key: string): Range[] {
  const list = properties[key];
  return Array.isArray(list) ? list.filter(isJsonObject).map(toRange) : [];
}

function toRange(entry: JsonObject): Range {
  return {
    from: amountOf(entry, 'from_value'),
    to: amountOrNull(entry, 'to_value'),
    flat: amountOf(entry, 'flat_amount'),
    rate: amountOrNull(entry, 'per_unit_amount') ?? amountOf(entry, 'rate'),
  };
}
