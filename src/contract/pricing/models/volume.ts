import Big from 'big.js';
import { unsigned } from '../../../lib/decimals.ts';
import { decimalText, ZERO } from '../money.ts';
import { costOf, type Model, notNegative, perUnit } from './model.ts';
import { tierEnds, tiersLine } from './tiers.ts';

/** The one tier that holds the full units n prices every unit: `from` ≤ ceil(n) and n ≤ `to`; shown per full unit (§9). */
export const volume: Model = {
  parse(properties) {
    const tiers = properties.tiers('volume_ranges', 'per_unit_amount');
    return {
      cost({ units, full_units }) {
        const size = notNegative(full_units);
        const wholeUnits = size.round(0, Big.roundUp);
        const tier = tiers.find(({ from, to }) => from.lte(wholeUnits) && (to === null || size.lte(to)));
        const [flat, rate] = [tier?.flat ?? ZERO, tier?.rate ?? ZERO];
        const perUnitTotal = units.times(rate);
        return costOf(perUnitTotal.plus(flat), full_units, {
          flat_unit_amount: decimalText(flat),
          per_unit_amount: decimalText(perUnit(perUnitTotal, full_units)),
          per_unit_total_amount: decimalText(perUnitTotal),
        });
      },
      /** `all units by volume: up to 100 at $0.02, beyond at $0.01` */
      line(words) {
        const line = tiersLine(tiers, 'per_unit_amount', words, ({ to }) =>
          to === null ? 'beyond' : `up to ${words.number(to)}`,
        );
        return tiers.length === 1 ? line : `all units by volume: ${line}`;
      },
      isProrated: true,
      course: { ends: tierEnds(tiers) },
    };
  },
  /**
   * The details hold an average over all units, of which fewer are priced where they are prorated (§9): it is the price of
   * a unit only where the plan does not prorate. Endless digits are those of a division.
   */
  explain(details, { money, roughly }, { units, isWhole }) {
    if (!('flat_unit_amount' in details)) return null;
    const [each, all] = [details.per_unit_amount, details.per_unit_total_amount].map(unsigned);
    if (!each || !all) return null;
    const flat = unsigned(details.flat_unit_amount) ?? ZERO;
    const total = all.plus(flat);
    // At no units, the price of one is shown as 0.
    if (units?.eq(ZERO) && all.eq(ZERO) && total.gt(ZERO)) return { text: `${money(flat)} flat`, total };
    const price = each.eq(each.round(8)) ? ` at ${money(each)}${isWhole ? '' : ' on average'}` : '';
    const text = `all${units === null ? '' : ` ${roughly(units)}`} units${price} (${money(all.round(8))})`;
    return { text: flat.gt(ZERO) ? `${text} + ${money(flat)} flat` : text, total };
  },
  terms: details => ('flat_unit_amount' in details ? [[details.flat_unit_amount, details.per_unit_amount]] : []),
};
