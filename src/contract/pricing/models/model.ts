/** What a charge model tells of its prices and of the fees that they come to (service-behaviour §9). */
import type Big from 'big.js';
import type { AmountDetails } from '../../shown.ts';
import { ZERO } from '../money.ts';
import type { Aggregate, Cost, PriceDetails, PriceWords } from '../types.ts';
import type { Properties, Tier } from './properties.ts';

export interface Model {
  parse(properties: Properties): Price;
  /** How a fee with these details is priced; null where they are of another model, or not complete. */
  explain?(details: AmountDetails, words: PriceWords, fee: FeeUnits): FeePrice | null;
  /** What the price asks, without what was used: a list of tiers, of which fewer may be reached; else one entry. */
  terms?(details: AmountDetails): unknown[];
}

/** The price of a charge. */
export interface Price {
  /** Major units, unrounded. Models that read cents need the `currency`. */
  cost(usage: Aggregate, currency?: string): ModelCost;
  /** In one line; null where the properties hold no price. */
  line(words: PriceWords): string | null;
  /** Of every unit. */
  each?: Big;
  /** What a unit below 0 is priced at (§10.3); 0 for models with packages, free allowances or limits. */
  first?: Big;
  /** Tiers that price their own units, one after the other. */
  steps?: Steps;
  /** Whether groups and filters may be told as if they had one price: each unit or event costs the same. */
  isAlike?: true;
  /** Whether units alone do not tell the amount, because events are counted one by one. */
  isByEvent?: boolean;
  /** Whether usage may be prorated by time: flat amounts are not. */
  isProrated?: true;
  /** Where the price changes its course as units grow. */
  course?: { ends: readonly Big[]; size?: Big };
  /** The usage to price where only its totals are known; or why these do not decide its price. */
  usageOf?(units: Big, events: number | null): (Partial<Aggregate> & { units: Big }) | string;
}

export interface Steps {
  tiers: readonly Tier[];
  /** The reached tiers and the units in each. */
  unitsIn(units: Big): { tier: Tier; units: Big }[];
  /** Money for one unit. */
  each(tier: Tier): Big;
  /** What fees show of these tiers. */
  details(parts: readonly { tier: Tier; units: Big; flat: Big }[]): AmountDetails;
}

/** What of a fee its details leave open. */
export interface FeeUnits {
  units: Big | null;
  /** Is it known that its usage is not prorated? */
  isWhole: boolean;
}

/** What is said of a fee's price, and the amount that it comes to, in major units and not rounded. */
export interface FeePrice {
  text: string | null;
  total: Big;
}

/** A cost before `priceCharge` cuts amounts below 0. */
export type ModelCost = Omit<Cost, 'shown_units'>;

/** A cost from its amount; the unit amount is amount ÷ shown units, 0 when there are none (§6, §9). */
export function costOf(amount: Big, shownUnits: Big, details: PriceDetails): ModelCost {
  return { amount, unit_amount: perUnit(amount, shownUnits), amount_details: details };
}

/** amount ÷ units; 0 when there are no units. */
export function perUnit(amount: Big, units: Big): Big {
  return units.lte(ZERO) ? ZERO : amount.div(units);
}

/** The value, 0 when it is negative. */
export function notNegative(value: Big): Big {
  return value.lt(ZERO) ? ZERO : value;
}
