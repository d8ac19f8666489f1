import Big from 'big.js';
import { decimalText, ZERO } from '../money.ts';
import { notNegative, type PriceModel, perUnit } from './model.ts';
import { amountOf } from './properties.ts';

const NOTHING_USED = {
  free_units: decimalText(ZERO),
  paid_units: decimalText(ZERO),
  per_package_size: 0,
  per_package_unit_amount: decimalText(ZERO),
};

/**
 * Units beyond `free_units` are sold in whole packages of `package_size` at `amount` each; per unit: amount ÷ paid
 * units. Without units the details are all zero, the size included (§9).
 */
export const packagePrice: PriceModel = (properties, { units }) => {
  if (units.eq(ZERO)) return { amount: ZERO, unit_amount: ZERO, amount_details: NOTHING_USED };
  const free = amountOf(properties, 'free_units');
  const size = amountOf(properties, 'package_size');
  const perPackage = amountOf(properties, 'amount');
  const paid = notNegative(units.minus(free));
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
