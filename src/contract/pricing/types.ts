/** What the price models take and return (service-behaviour §8, §9). Decimals are `Big`. */
import type Big from 'big.js';
import type { JsonOf } from '../../lib/json.ts';
import type { AmountDetails, ChargeProperties } from '../shown.ts';

/** Price settings of a charge: a price model judges their values. */
export type PriceProperties = JsonOf<ChargeProperties>;

/** How an amount came about. */
export type PriceDetails = JsonOf<AmountDetails>;

/** The aggregated usage of a bucket, ready to be priced (§8). */
export interface Aggregate {
  /** Units that are priced. */
  units: Big;
  /** For the range of a volume charge and for the unit amount: the full units if the charge is prorated, else `units`. */
  full_units: Big;
  /** Units that the fee shows. */
  shown_units: Big;
  /** Current level of a recurring or weighted metric; null otherwise. */
  total_aggregated_units: Big | null;
  events_count: number;
  precise_total_amount_cents: Big;
  /** Value of each event in time order, for models that need them (perhaps only the first ones); empty otherwise. */
  event_values: Big[];
  /**
   * How the running totals grow that free allowances use: by 1 (count, unique count) or by the value (sum). Weighted sums,
   * maxima and prorated metrics keep none.
   */
  growth: 'one' | 'sum' | 'none';
}

/** What an aggregate costs, in major units and not rounded (§9). */
export interface Cost {
  amount: Big;
  unit_amount: Big;
  /** Units that the fee shows. */
  shown_units: Big;
  amount_details: PriceDetails;
}

/** How amounts and quantities are said. */
export interface PriceWords {
  /** Major units: `$0.02`. */
  money(amount: Big): string;
  number(quantity: Big): string;
  /** A quantity with endless digits as about two decimals. */
  roughly(quantity: Big): string;
  /** Where there are more tiers than this, the first ones and the last one are said. */
  mostTiers: number;
}
