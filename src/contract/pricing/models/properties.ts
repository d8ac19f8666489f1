/** Reads a charge's properties: decimals are text in plan data, counts may be numbers (§1.6, §9). */

import type Big from 'big.js';
import { unsigned } from '../../../lib/decimals.ts';
import { fieldOf, isGiven, isJsonObject } from '../../../lib/json.ts';
import { decimal, ZERO } from '../money.ts';
import type { PriceProperties } from '../types.ts';

/** One tier. `to` is null on the last. */
export interface Tier {
  from: Big;
  to: Big | null;
  flat: Big;
  /** Per unit in graduated and volume charges; percent in graduated-percentage charges. */
  rate: Big;
}

type TierList = Extract<keyof PriceProperties, `${string}_ranges`>;
/** What the price of a tier is called. */
export type RateName = 'per_unit_amount' | 'rate';

type Name = keyof PriceProperties;

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
  return readBy(properties, storedAmount, value => value ?? ZERO);
}

/** As an answer may show them. `isSound` is false once a value was missing, malformed or negative. */
export function shownProperties(properties: object): Properties & { isSound(): boolean } {
  let sound = true;
  const orUnsound = (value: Big | null) => {
    sound &&= value !== null;
    return value ?? ZERO;
  };
  const read = (of: object, name: string) => {
    const value = fieldOf(of, name);
    return isGiven(value) && value !== '' ? orUnsound(unsigned(value as string | number)) : null;
  };
  const reader = readBy(properties, read, orUnsound);
  const tiers: Properties['tiers'] = (name, rate) => {
    const list = reader.tiers(name, rate);
    sound &&= areTiers(list);
    return list;
  };
  return { ...reader, tiers, isSound: () => sound };
}

function readBy(
  properties: object,
  read: (of: object, name: string) => Big | null,
  needed: (value: Big | null) => Big,
): Properties {
  return {
    needed: name => needed(read(properties, name)),
    optional: name => read(properties, name) ?? ZERO,
    orNull: name => read(properties, name),
    tiers(name, rate) {
      const list = fieldOf(properties, name);
      return (Array.isArray(list) ? list.filter(isJsonObject) : []).map(tier => ({
        from: needed(read(tier, 'from_value')),
        to: read(tier, 'to_value'),
        flat: read(tier, 'flat_amount') ?? ZERO,
        rate: needed(read(tier, rate)),
      }));
    },
  };
}

function storedAmount(of: object, name: string): Big | null {
  const value = fieldOf(of, name);
  if (typeof value === 'number') return decimal(String(value));
  return typeof value === 'string' && value.trim() !== '' ? decimal(value.trim()) : null;
}

/** Do the tiers start at 0 or 1 and follow each other upwards, all but the last with an end? */
function areTiers(tiers: readonly Tier[]): boolean {
  return (
    tiers.length > 0 &&
    tiers.every(({ from, to }, index) => {
      const before = tiers[index - 1];
      const follows = before === undefined ? from.lte(1) : before.to !== null && from.gte(before.to);
      return follows && (to === null) === (index === tiers.length - 1) && (to === null || from.lte(to));
    })
  );
}
