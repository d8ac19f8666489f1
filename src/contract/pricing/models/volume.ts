import Big from 'big.js';
import { decimalText, ZERO } from '../money.ts';
import { notNegative, type PriceModel, perUnit, priceOf } from './model.ts';
import { rangesOf } from './properties.ts';

/** The one tier that holds the full units n prices every unit: `from` ≤ ceil(n) and n ≤ `to`; shown per full unit (§9). */
export const volume: PriceModel = (properties, { units, full_units }) => {
  const size = notNegative(full_units);
  const wholeUnits = size.round(0, Big.roundUp);
  const range = rangesOf(properties, 'volume_ranges').find(
    ({ from, to }) => from.lte(wholeUnits) && (to === null || size.lte(to)),
  );
  const flat = range?.flat ?? ZERO;
  const rate = range?.rate ?? ZERO;
  const perUnitTotal = units.times(rate);
  return priceOf(perUnitTotal.plus(flat), full_units, {
    flat_unit_amount: decimalText(flat),
    per_unit_amount: decimalText(perUnit(perUnitTotal, full_units)),
    per_unit_total_amount: decimalText(perUnitTotal),
  });
};
