import type Big from 'big.js';
import type { JsonOf } from '../../../lib/json.ts';
import type { AmountDetails, EntryIn } from '../../shown.ts';
import { decimalText, ZERO } from '../money.ts';
import { reachedRanges, tierDetails } from './graduated.ts';
import { type PriceModel, priceOf } from './model.ts';
import { type Range, rangesOf } from './properties.ts';

/** Like graduated, with a percentage of each tier's units. A full tier has `to` − max(`from`, 1) + 1 units (§9). */
export const graduatedPercentage: PriceModel = (properties, { units, full_units }) => {
  const ranges = reachedRanges(rangesOf(properties, 'graduated_percentage_ranges'), units);
  const tiers = ranges.map((range, index) => tierOf(range, unitsIn(range, units, index === ranges.length - 1)));
  const amount = tiers.reduce((sum, tier) => sum.plus(tier.total), ZERO);
  return priceOf(amount, full_units, { graduated_percentage_ranges: tiers.map(tier => tier.details) });
};

function unitsIn(range: Range, units: Big, last: boolean): Big {
  if (!last && range.to !== null) return range.to.minus(range.from.lt(1) ? 1 : range.from).plus(1);
  return range.from.eq(ZERO) ? units : units.minus(range.from).plus(1);
}

function tierOf(
  range: Range,
  units: Big,
): { total: Big; details: JsonOf<EntryIn<AmountDetails['graduated_percentage_ranges']>> } {
  const perUnitTotal = units.times(range.rate).div(100);
  return {
    total: perUnitTotal.plus(range.flat),
    details: { ...tierDetails(range, units, perUnitTotal), rate: decimalText(range.rate) },
  };
}
