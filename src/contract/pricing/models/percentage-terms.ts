/** The terms of a percentage charge (§9). */
import type Big from 'big.js';
import type { PriceProperties } from '../types.ts';
import { amountOf, amountOrNull } from './properties.ts';

export interface PercentageTerms {
  rate: Big;
  fixed: Big;
  freeEvents: number; // free_units_per_events
  freeAmount: Big; // free_units_per_total_aggregation
  min: Big | null;
  max: Big | null;
}

export function termsOf(properties: PriceProperties): PercentageTerms {
  return {
    rate: amountOf(properties, 'rate'),
    fixed: amountOf(properties, 'fixed_amount'),
    freeEvents: Number(amountOf(properties, 'free_units_per_events').toFixed()),
    freeAmount: amountOf(properties, 'free_units_per_total_aggregation'),
    min: amountOrNull(properties, 'per_transaction_min_amount'),
    max: amountOrNull(properties, 'per_transaction_max_amount'),
  };
}

/** Whether each event is priced by itself, because a transaction has a least or a largest amount. */
export function isPerTransaction({ min, max }: PercentageTerms): boolean {
  return min !== null || max !== null;
}
