/** Charges whose tiers price their own units (§9). */
import type Big from 'big.js';
import { unsigned } from '../../../lib/decimals.ts';
import type { AmountDetails, EntryIn } from '../../shown.ts';
import { decimalText, least, ZERO } from '../money.ts';
import type { PriceWords } from '../types.ts';
import { costOf, type FeePrice, type Model, type Price } from './model.ts';
import { type RateName, rateText, type Tier, tierEnds, tiersLine } from './tiers.ts';

/** Each tier prices its units and adds its flat amount once reached; the first tier always counts as reached (§9). */
export const graduated = tieredModel('graduated_ranges', 'per_unit_amount', unitsUpTo);

/** The same with a percentage of each tier's units. A full tier has `to` − max(`from`, 1) + 1 units (§9). */
export const graduatedPercentage = tieredModel('graduated_percentage_ranges', 'rate', ({ from, to }, units, isLast) => {
  if (!isLast && to !== null) return to.minus(from.lt(1) ? 1 : from).plus(1);
  return from.eq(ZERO) ? units : units.minus(from).plus(1);
});

type TiersName = 'graduated_ranges' | 'graduated_percentage_ranges';
/** The units of a reached tier. */
type UnitsIn = (tier: Tier, units: Big, isLast: boolean, isTouching: boolean) => Big;

function tieredModel(list: TiersName, rateName: RateName, unitsOf: UnitsIn): Model {
  return {
    parse: properties => tieredPrice(properties.tiers(list, rateName), list, rateName, unitsOf),
    explain: (details, words) => explainTiers(details[list] ?? [], rateName, words),
    terms: details =>
      (details[list] ?? []).map((tier: UsedTier) => [
        tier.from_value,
        tier.to_value,
        tier.flat_unit_amount,
        tier[rateName] ?? null,
      ]),
  };
}

function tieredPrice(tiers: readonly Tier[], list: TiersName, rateName: RateName, unitsOf: UnitsIn): Price {
  const isTouching = tiers.slice(1).every((tier, index) => tiers[index]?.to?.eq(tier.from) ?? false);
  const each = ({ rate }: Tier) => moneyOf(rate, rateName);
  const unitsIn = (units: Big) => {
    const reached = reachedTiers(tiers, units);
    return reached.map((tier, i) => ({ tier, units: unitsOf(tier, units, i === reached.length - 1, isTouching) }));
  };
  const [first] = tiers;
  return {
    cost({ units, full_units }) {
      const parts = unitsIn(units).map(part => ({ ...part, total: part.units.times(each(part.tier)) }));
      const amount = parts.reduce((sum, { tier, total }) => sum.plus(total).plus(tier.flat), ZERO);
      const details = parts.map(({ tier: { from, to, flat, rate }, units: held, total }) => ({
        units: decimalText(held),
        from_value: Number(from.toFixed()),
        to_value: to === null ? null : Number(to.toFixed()),
        flat_unit_amount: decimalText(flat),
        per_unit_total_amount: decimalText(total),
        total_with_flat_amount: decimalText(total.plus(flat)),
        // A tier without units shows no price of a unit.
        [rateName]: decimalText(held.eq(ZERO) && rateName === 'per_unit_amount' ? ZERO : rate),
      }));
      return costOf(amount, full_units, { [list]: details });
    },
    line: words =>
      tiersLine(tiers, rateName, words, tier => (tier.to === null ? 'then' : span(tier.from, tier.to, words))),
    ...(first && { first: each(first) }),
    steps: {
      tiers,
      unitsIn,
      each,
      details: parts => ({
        [list]: parts.map(({ tier, units, flat }) => ({
          units: units.toFixed(),
          [rateName]: tier.rate.toFixed(),
          flat_unit_amount: flat.toFixed(),
        })),
      }),
    },
    course: { ends: tierEnds(tiers) },
  };
}

/** Money for a unit. */
function moneyOf(rate: Big, name: RateName): Big {
  return name === 'rate' ? rate.div(100) : rate;
}

/** `1–1,000`: whole units are counted from 1. */
function span(from: Big, to: Big, { number }: PriceWords): string {
  const first = from.eq(0) && to.eq(to.round(0)) ? from.plus(1) : from;
  return first.eq(to) ? `unit ${number(to)}` : `${number(first)}–${number(to)}`;
}

/** The tiers up to the one that holds the last unit. */
function reachedTiers(tiers: readonly Tier[], units: Big): readonly Tier[] {
  const last = tiers.findIndex(({ to }) => to === null || to.gte(units));
  return last < 0 ? tiers : tiers.slice(0, last + 1);
}

/** If each tier starts where the previous one ends (0–10, 10–20), it holds the units above `from`. */
function unitsUpTo({ from, to }: Tier, units: Big, _isLast: boolean, isTouching: boolean): Big {
  const upTo = to === null ? units : least(units, to);
  if (from.eq(ZERO)) return upTo;
  return isTouching ? upTo.minus(from) : upTo.minus(from).plus(1);
}

type UsedTier = EntryIn<AmountDetails['graduated_ranges']> & EntryIn<AmountDetails['graduated_percentage_ranges']>;

/** More tiers of a fee than this are only counted. */
const mostUsed = 4;

/** `500 × $0.06 + 400 × $0.045`; null where a tier is not complete. */
function explainTiers(tiers: readonly UsedTier[], rateName: RateName, words: PriceWords): FeePrice | null {
  const parts = tiers.map(tier => ({
    units: unsigned(tier.units),
    rate: unsigned(tier[rateName]),
    flat: unsigned(tier.flat_unit_amount) ?? ZERO,
  }));
  const used = parts.filter(({ units, flat }) => !units?.eq(ZERO) || flat.gt(ZERO));
  let total = ZERO;
  const texts: string[] = [];
  for (const { units, rate, flat } of used.length > 0 ? used : parts) {
    if (units === null || rate === null) return null;
    total = total.plus(units.times(moneyOf(rate, rateName))).plus(flat);
    // A tier without units may have a flat amount alone.
    const isFlat = flat.gt(ZERO);
    const perUnit = units.eq(ZERO) && isFlat ? [] : [`${words.number(units)} × ${rateText(rate, rateName, words)}`];
    texts.push([...perUnit, ...(isFlat ? [`${words.money(flat)} flat`] : [])].join(' + '));
  }
  const rest = texts.length - mostUsed;
  const text = `${texts.slice(0, mostUsed).join(' + ')}${rest > 0 ? ` + ${rest} more tiers` : ''}`;
  return texts.length === 0 ? null : { text, total };
}
