import Big from 'big.js';
import { decimalText, ZERO } from '../money.ts';
import { notNegative, type PriceModel, perUnit } from './model.ts';
import { amountOf } from './properties.ts';

/** Units beyond `free_units` are sold in whole packages of `package_size` at `amount` each; per unit: amount ÷ paid units (§9). */
export const packagePrice: PriceModel = (properties, { units }) => {
  const free = amountOf(properties, 'free_units');
  const size = amountOf(properties, 'package_size');
  const perPackage = amountOf(properties, 'amount');
  const paid = notNegative(notNegative(units).minus(free));
  const amount = paid.eq(ZERO) ? ZERO : paid.div(size).round(0, Big.roundUp).times(perPackage);
  return {
    amount,
    unit_amount: perUnit(amount, paid),
    amount_details: {
      free_units: decimalText(free),
      paid_units: decimalText(paid),
      per_package_size: Number(size.toFixed()),
      per_package_unit_amount: decimalText(perPackage),
    },
  };
};
