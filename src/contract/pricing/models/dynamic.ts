import { fromCents, ZERO } from '../money.ts';
import { costOf, type Model } from './model.ts';

/** The sum of the events' own amounts; 0 when there are no units (§9). Throws `TypeError` without a currency. */
export const dynamic: Model = {
  parse: () => ({
    cost: (usage, currency) => {
      if (currency === undefined) throw new TypeError('priceCharge: pass the currency of a dynamic charge’s cents');
      const amount = usage.units.eq(ZERO) ? ZERO : fromCents(usage.precise_total_amount_cents, currency);
      return costOf(amount, usage.full_units, {});
    },
    line: () => 'the amount sent with each event',
    isAlike: true,
    isByEvent: true,
    usageOf: units => (units.gt(ZERO) ? 'each event brings its own price' : { units }),
  }),
};
