import { type PriceModel, priceOf } from './model.ts';
import { amountOf } from './properties.ts';

/** Units × `amount` (§9). */
export const standard: PriceModel = (properties, { units, full_units }) =>
  priceOf(units.times(amountOf(properties, 'amount')), full_units, {});
