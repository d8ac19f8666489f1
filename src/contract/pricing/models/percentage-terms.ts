/** Shared by both ways of pricing a percentage charge: its terms and its `amount_details` (§9). */
import type Big from 'big.js';
import { decimalText } from '../money.ts';
import type { Price, PriceProperties } from '../types.ts';
import { priceOf } from './model.ts';
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

export interface PercentageParts {
  units: Big;
  freeUnits: Big;
  paidUnits: Big;
  freeEvents: number;
  paidEvents: number;
  perUnitTotal: Big;
  fixedTotal: Big;
  adjustment: Big;
}

/** The price and the details that all percentage charges show. */
export function percentagePrice(terms: PercentageTerms, parts: PercentageParts, shownUnits: Big): Price {
  const amount = parts.perUnitTotal.plus(parts.fixedTotal).plus(parts.adjustment);
  return priceOf(amount, shownUnits, {
    units: decimalText(parts.units),
    free_units: decimalText(parts.freeUnits),
    paid_units: decimalText(parts.paidUnits),
    free_events: parts.freeEvents,
    paid_events: parts.paidEvents,
    rate: decimalText(terms.rate),
    per_unit_total_amount: decimalText(parts.perUnitTotal),
    fixed_fee_unit_amount: decimalText(terms.fixed),
    fixed_fee_total_amount: decimalText(parts.fixedTotal),
    min_max_adjustment_total_amount: decimalText(parts.adjustment),
  });
}
