/** The type of a price model: a function of a charge's properties and its aggregated usage (service-behaviour §9). */
import type Big from 'big.js';
import { ZERO } from '../money.ts';
import type { Aggregate, Price, PriceDetails, PriceProperties } from '../types.ts';

/** Major units, unrounded. Models that read cents need the `currency`. */
export type PriceModel = (properties: PriceProperties, aggregate: Aggregate, currency?: string) => ModelPrice;

/** A price before `priceCharge` cuts amounts below 0. */
export type ModelPrice = Omit<Price, 'shown_units'>;

/** A price from its amount; the unit amount is amount ÷ shown units, 0 when there are none (§6, §9). */
export function priceOf(amount: Big, shownUnits: Big, details: PriceDetails): ModelPrice {
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
