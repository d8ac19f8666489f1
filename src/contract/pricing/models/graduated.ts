/** Charges whose tiers price their own units (§9). */
import type Big from 'big.js';
import { unsigned } from '../../../lib/decimals.ts';
import type { AmountDetails, EntryIn } from '../../shown.ts';
import { decimalText, least, ZERO } from '../money.ts';
import type { PriceWords } from '../types.ts';
import { costOf, type FeePrice, type Model, type Price } from './model.ts';
import { inTier, span, type Tier, tierEnds, tierTexts, withPrice } from './tiers.ts';

type UsedTier = EntryIn<AmountDetails['graduated_ranges']> & EntryIn<AmountDetails['graduated_percentage_ranges']>;

/** Each tier prices its units and adds its flat amount once reached; the first tier always counts as reached (§9). */
export const graduated: Model = {
  parse(properties) {
    const tiers = properties.tiers('graduated_ranges', 'per_unit_amount');
    const touching = shareBoundaries(tiers);
    return stepPrice(tiers, {
      unitsOf: (tier, units) => unitsUpTo(tier, units, touching),
      each: ({ rate }) => rate,
      rate: (rate, { money }) => money(rate),
      single: (rate, { money }) => `${money(rate)} each`,
      list: 'graduated_ranges',
      rateName: 'per_unit_amount',
      // A tier without units shows no price.
      shownRate: (tier, units) => (units.eq(ZERO) ? ZERO : tier.rate),
    });
  },
  explain: ({ graduated_ranges: tiers }, words) =>
    explainTiers(tiers ?? [], words, ({ per_unit_amount }) => {
      const each = unsigned(per_unit_amount);
      return each && { each, text: words.money(each) };
    }),
  terms: ({ graduated_ranges: tiers }) => termsOf(tiers ?? [], ({ per_unit_amount }) => per_unit_amount ?? null),
};

/** The same with a percentage of each tier's units. A full tier has `to` − max(`from`, 1) + 1 units (§9). */
export const graduatedPercentage: Model = {
  parse(properties) {
    const tiers = properties.tiers('graduated_percentage_ranges', 'rate');
    const percent = (rate: Big, { number }: PriceWords) => `${number(rate)}%`;
    return stepPrice(tiers, {
      unitsOf: (tier, units, isLast) => {
        if (!isLast && tier.to !== null) return tier.to.minus(tier.from.lt(1) ? 1 : tier.from).plus(1);
        return tier.from.eq(ZERO) ? units : units.minus(tier.from).plus(1);
      },
      each: ({ rate }) => rate.div(100),
      rate: percent,
      single: percent,
      list: 'graduated_percentage_ranges',
      rateName: 'rate',
      shownRate: ({ rate }) => rate,
    });
  },
  explain: ({ graduated_percentage_ranges: tiers }, words) =>
    explainTiers(tiers ?? [], words, ({ rate }) => {
      const percent = unsigned(rate);
      return percent && { each: percent.div(100), text: `${words.number(percent)}%` };
    }),
  terms: ({ graduated_percentage_ranges: tiers }) => termsOf(tiers ?? [], ({ rate }) => rate ?? null),
};

/** In what the two models differ. */
interface Kind {
  unitsOf(tier: Tier, units: Big, isLast: boolean): Big;
  /** Money for a unit. */
  each(tier: Tier): Big;
  rate(rate: Big, words: PriceWords): string;
  /** How the price of a single tier is said. */
  single(rate: Big, words: PriceWords): string;
  list: 'graduated_ranges' | 'graduated_percentage_ranges';
  rateName: 'per_unit_amount' | 'rate';
  shownRate(tier: Tier, units: Big): Big;
}

function stepPrice(tiers: readonly Tier[], kind: Kind): Price {
  const { each, list, rateName } = kind;
  const unitsIn = (units: Big) => {
    const reached = reachedTiers(tiers, units);
    return reached.map((tier, i) => ({ tier, units: kind.unitsOf(tier, units, i === reached.length - 1) }));
  };
  const [first] = tiers;
  return {
    cost({ units, full_units }) {
      const parts = unitsIn(units).map(part => ({ ...part, total: part.units.times(each(part.tier)) }));
      const amount = parts.reduce((sum, { tier, total }) => sum.plus(total).plus(tier.flat), ZERO);
      const details = parts.map(part => ({
        ...tierDetails(part.tier, part.units, part.total),
        [rateName]: decimalText(kind.shownRate(part.tier, part.units)),
      }));
      return costOf(amount, full_units, { [list]: details });
    },
    /** `1–10,000 at $0.01, then $0.008 + $20.00 flat` */
    line(words) {
      const sayRate = (rate: Big) => kind.rate(rate, words);
      const single = (rate: Big) => kind.single(rate, words);
      const texts = tierTexts(tiers, words, single, tier =>
        tier.to === null ? `then ${inTier(tier, words, sayRate)}` : withPrice(span(tier, words), tier, words, sayRate),
      );
      return Array.isArray(texts) ? texts.join(', ') : texts;
    },
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

/** The tiers up to the one that holds the last unit. */
function reachedTiers(tiers: readonly Tier[], units: Big): readonly Tier[] {
  const last = tiers.findIndex(({ to }) => to === null || to.gte(units));
  return last < 0 ? tiers : tiers.slice(0, last + 1);
}

/** Whether each tier starts where the previous one ends (0–10, 10–20): it then holds the units above `from`. */
function shareBoundaries(tiers: readonly Tier[]): boolean {
  return tiers.slice(1).every((tier, index) => tiers[index]?.to?.eq(tier.from) ?? false);
}

function unitsUpTo({ from, to }: Tier, units: Big, touching: boolean): Big {
  const upTo = to === null ? units : least(units, to);
  if (from.eq(ZERO)) return upTo;
  return touching ? upTo.minus(from) : upTo.minus(from).plus(1);
}

/** Bounds and flat amount of a tier as `amount_details` shows them. */
function tierDetails({ from, to, flat }: Tier, units: Big, perUnitTotal: Big) {
  return {
    units: decimalText(units),
    from_value: Number(from.toFixed()),
    to_value: to === null ? null : Number(to.toFixed()),
    flat_unit_amount: decimalText(flat),
    per_unit_total_amount: decimalText(perUnitTotal),
    total_with_flat_amount: decimalText(perUnitTotal.plus(flat)),
  };
}

/** More tiers of a fee than this are only counted. */
const mostUsed = 4;

/** `500 × $0.06 + 400 × $0.045`; null where a tier is not complete. */
function explainTiers(
  tiers: readonly UsedTier[],
  { money, number }: PriceWords,
  priceOf: (tier: UsedTier) => { each: Big; text: string } | null,
): FeePrice | null {
  const parts = tiers.map(tier => ({
    units: unsigned(tier.units),
    price: priceOf(tier),
    flat: unsigned(tier.flat_unit_amount) ?? ZERO,
  }));
  const isUsed = ({ units, flat }: (typeof parts)[number]) => !units?.eq(ZERO) || flat.gt(ZERO);
  const used = parts.some(isUsed) ? parts.filter(isUsed) : parts;
  let total = ZERO;
  const texts: string[] = [];
  for (const { units, price, flat } of used) {
    if (units === null || price === null) return null;
    total = total.plus(units.times(price.each)).plus(flat);
    const fixed = flat.gt(ZERO) ? [`${money(flat)} flat`] : [];
    // A tier without units may have a flat amount alone.
    const perUnit = units.eq(ZERO) && flat.gt(ZERO) ? [] : [`${number(units)} × ${price.text}`];
    texts.push([...perUnit, ...fixed].join(' + '));
  }
  const rest = texts.length - mostUsed;
  const text = `${texts.slice(0, mostUsed).join(' + ')}${rest > 0 ? ` + ${rest} more tiers` : ''}`;
  return texts.length === 0 ? null : { text, total };
}

function termsOf(tiers: readonly UsedTier[], rateOf: (tier: UsedTier) => unknown): unknown[] {
  return tiers.map(tier => [tier.from_value, tier.to_value, tier.flat_unit_amount, rateOf(tier)]);
}
