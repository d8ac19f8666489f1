import { fromCents, ZERO } from '../money.ts';
import { type PriceModel, priceOf } from './model.ts';

/** The sum of the events' own amounts; 0 when there are no units (§9). Throws `TypeError` without a currency. */
export const dynamic: PriceModel = (_properties, aggregate, currency) => {
  if (currency === undefined) throw new TypeError('priceCharge: pass the currency of a dynamic charge’s cents');
  const amount = aggregate.units.eq(ZERO) ? ZERO : fromCents(aggregate.precise_total_amount_cents, currency);
  return priceOf(amount, aggregate.full_units, {});
};
