/** Reads a charge's properties: decimals are text in plan data, counts may be numbers (§1.6, §9). */

import type Big from 'big.js';
import { unsigned } from '../../../lib/decimals.ts';
import { anyRecord, fieldOf, isGiven, isJsonObject } from '../../../lib/json.ts';
import { decimal, ZERO } from '../money.ts';
import type { PriceProperties } from '../types.ts';
import { areTiers, type Tier } from './tiers.ts';

type Name = keyof PriceProperties;
type TierList = Extract<Name, `${string}_ranges`>;
/** What a tier's price is called. */
type RateName = 'per_unit_amount' | 'rate';

/** The values of a charge's properties. */
export interface Properties {
  needed(name: Name): Big;
  /** 0 when it is absent, null or blank. */
  optional(name: Name): Big;
  /** Null when it is absent, null or blank. */
  orNull(name: Name): Big | null;
  tiers(name: TierList, rate: RateName): Tier[];
}

/** As the engine reads stored properties: what is missing is 0. Throws where a value is no number. */
export function storedProperties(properties: PriceProperties): Properties {
  const orNull = (name: Name) => amountOrNull(properties, name);
  const optional = (name: Name) => orNull(name) ?? ZERO;
  const tierOf = (entry: object, rate: RateName): Tier => ({
    from: amountOrNull(entry, 'from_value') ?? ZERO,
    to: amountOrNull(entry, 'to_value'),
    flat: amountOrNull(entry, 'flat_amount') ?? ZERO,
    rate: amountOrNull(entry, rate) ?? ZERO,
  });
  const tiers = (name: TierList, rate: RateName) =>
    listOf(properties, name)
      .filter(isJsonObject)
      .map(entry => tierOf(entry, rate));
  return { needed: optional, optional, orNull, tiers };
}

/** As an answer may show them. `isSound` is false once a value was missing, malformed or negative. */
export function shownProperties(properties: object): Properties & { isSound(): boolean } {
  let sound = true;
  const orUnsound = <Value>(value: Value | null, isRight = value !== null) => {
    sound &&= isRight;
    return value;
  };
  const needed = (name: string, of = properties) => orUnsound(unsigned(plainIn(of, name))) ?? ZERO;
  const orNull = (name: string, of = properties) => {
    const value = plainIn(of, name);
    return isGiven(value) && value !== '' ? orUnsound(unsigned(value)) : null;
  };
  const tierOf = (entry: unknown, rate: RateName): Tier => {
    const of = anyRecord(entry);
    const flat = orNull('flat_amount', of) ?? ZERO;
    return { from: needed('from_value', of), to: orNull('to_value', of), flat, rate: needed(rate, of) };
  };
  const tiers = (name: TierList, rate: RateName) => {
    const list = listOf(properties, name).map(entry => tierOf(entry, rate));
    orUnsound(list, areTiers(list));
    return list;
  };
  return { needed, orNull, optional: name => orNull(name) ?? ZERO, tiers, isSound: () => sound };
}

function plainIn(of: object, name: string): string | number | null | undefined {
  return fieldOf(of, name) as string | number | null | undefined;
}

/** A decimal property; null when it is absent, null or blank. */
function amountOrNull(properties: object, name: string): Big | null {
  const value = fieldOf(properties, name);
  if (typeof value === 'number') return decimal(String(value));
  return typeof value === 'string' && value.trim() !== '' ? decimal(value.trim()) : null;
}

function listOf(properties: object, name: TierList): unknown[] {
  const list = fieldOf(properties, name);
  return Array.isArray(list) ? list : [];
}
