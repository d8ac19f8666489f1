import type Big from 'big.js';
import type { JsonOf } from '../../../lib/json.ts';
import type { AmountDetails, EntryIn } from '../../shown.ts';
import { decimalText, least, ZERO } from '../money.ts';
import type { PriceProperties } from '../types.ts';
import { type PriceModel, priceOf } from './model.ts';
import { type Range, rangesOf } from './properties.ts';

/** Each tier prices its units and adds its flat amount once reached; the first tier always counts as reached (§9). */
export const graduated: PriceModel = (properties, { units, full_units }) => {
  const tiers = graduatedTiers(properties, units).map(tier => tierOf(tier.range, tier.units));
  const amount = tiers.reduce((sum, tier) => sum.plus(tier.total), ZERO);
  return priceOf(amount, full_units, { graduated_ranges: tiers.map(tier => tier.details) });
};

/** The reached tiers and the units in each. */
export function graduatedTiers(properties: PriceProperties, units: Big): { range: Range; units: Big }[] {
  const ranges = rangesOf(properties, 'graduated_ranges');
  const touching = shareBoundaries(ranges);
  return reachedRanges(ranges, units).map(range => ({ range, units: unitsIn(range, units, touching) }));
}

/** The tiers up to the one that holds the last unit. */
export function reachedRanges(ranges: readonly Range[], units: Big): Range[] {
  const last = ranges.findIndex(range => range.to === null || range.to.gte(units));
  return last < 0 ? [...ranges] : ranges.slice(0, last + 1);
}

/** Bounds and flat amount of a tier as `amount_details` shows them. */
export function tierDetails(
  range: Range,
  units: Big,
  perUnitTotal: Big,
): JsonOf<EntryIn<AmountDetails['graduated_ranges']>> {
  return {
    units: decimalText(units),
    from_value: Number(range.from.toFixed()),
    to_value: range.to === null ? null : Number(range.to.toFixed()),
    flat_unit_amount: decimalText(range.flat),
    per_unit_total_amount: decimalText(perUnitTotal),
    total_with_flat_amount: decimalText(perUnitTotal.plus(range.flat)),
  };
}

/** Whether each range starts where the previous one ends (0–10, 10–20): a tier then holds the units above `from`. */
function shareBoundaries(ranges: readonly Range[]): boolean {
  return ranges.slice(1).every((range, index) => ranges[index]?.to?.eq(range.from) ?? false);
}

function unitsIn(range: Range, units: Big, touching: boolean): Big {
  const upTo = range.to === null ? units : least(units, range.to);
  if (range.from.eq(ZERO)) return upTo;
  return touching ? upTo.minus(range.from) : upTo.minus(range.from).plus(1);
}

function tierOf(range: Range, units: Big): { total: Big; details: JsonOf<EntryIn<AmountDetails['graduated_ranges']>> } {
  const perUnitTotal = units.times(range.rate);
  return {
    total: perUnitTotal.plus(range.flat),
    details: {
      ...tierDetails(range, units, perUnitTotal),
      per_unit_amount: decimalText(units.eq(ZERO) ? ZERO : range.rate),
    },
  };
}
