import Big from 'big.js';
import { unsigned } from '../../../lib/decimals.ts';
import { decimalText, ZERO } from '../money.ts';
import type { PriceDetails } from '../types.ts';
import { type Model, notNegative, perUnit } from './model.ts';

/** Without units the details are all zero, the size included (§9). */
const NOTHING_USED: PriceDetails = {
  free_units: decimalText(ZERO),
  paid_units: decimalText(ZERO),
  per_package_size: 0,
  per_package_unit_amount: decimalText(ZERO),
};

/** Units beyond `free_units` are sold in whole packages of `package_size` at `amount` each; per unit: amount ÷ paid units. */
export const packages: Model = {
  parse(properties) {
    const [each, size] = [properties.needed('amount'), properties.needed('package_size')];
    const free = properties.optional('free_units');
    return {
      cost({ units }) {
        if (units.eq(ZERO)) return { amount: ZERO, unit_amount: ZERO, amount_details: NOTHING_USED };
        const paid = notNegative(units.minus(free));
        const amount = paid.eq(ZERO) ? ZERO : sold(paid, size).times(each);
        return {
          amount,
          unit_amount: perUnit(amount, paid),
          amount_details: {
            free_units: decimalText(free),
            paid_units: decimalText(paid),
            per_package_size: Number(size.toFixed()),
            per_package_unit_amount: decimalText(each),
          },
        };
      },
      line({ money, number }) {
        if (size.eq(ZERO)) return null;
        const price = size.eq(1) ? `${money(each)} each` : `packages of ${number(size)} at ${money(each)}`;
        return free.eq(ZERO) ? price : `${price} after ${number(free)} free`;
      },
      course: { ends: [free], size },
    };
  },
  /** `3 packages of 1,000 at $2.50 after 500 free` */
  explain(details, { money, number }) {
    const [paid, size, each] = [details.paid_units, details.per_package_size, details.per_package_unit_amount].map(
      unsigned,
    );
    if (!paid || !each || !size?.gt(ZERO)) return null;
    const free = unsigned(details.free_units) ?? ZERO;
    const count = sold(paid, size);
    const after = free.gt(ZERO) ? ` after ${number(free)} free` : '';
    const text = count.eq(ZERO)
      ? `0 units beyond ${number(free)} free`
      : `${number(count)} ${count.eq(1) ? 'package' : 'packages'} of ${number(size)} at ${money(each)}${after}`;
    return { text, total: count.times(each) };
  },
  terms: ({ free_units, per_package_size, per_package_unit_amount }) =>
    Number(per_package_size) > 0 ? [[free_units, per_package_size, per_package_unit_amount]] : [],
};

function sold(paid: Big, size: Big): Big {
  return paid.div(size).round(0, Big.roundUp);
}
