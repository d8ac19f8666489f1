/** Charges whose prices have tiers (§9), and how tiers are said. */
import Big from 'big.js';
import { unsigned } from '../../../lib/decimals.ts';
import type { AmountDetails, EntryIn } from '../../shown.ts';
import { decimalText, least, ZERO } from '../money.ts';
import type { PriceWords } from '../types.ts';
import { costOf, type FeePrice, type Model, notNegative, type Price, perUnit } from './model.ts';
import type { RateName, Tier } from './properties.ts';

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

/** Where the price changes: before the first unit of a tier, and after its last. */
function tierEnds(tiers: readonly Tier[]): Big[] {
  return tiers.flatMap(({ from, to }) => [from.minus(1), ...(to === null ? [] : [to])]);
}

/** `$0.02` or `1.5%` */
function rateText(rate: Big, name: RateName, { money, number }: PriceWords): string {
  return name === 'rate' ? `${number(rate)}%` : money(rate);
}

/**
 * `1–100 at $0.02 + $1.00 flat, then $0.01`, without the middle ones of many. `unitsOf` says which units a tier is for. A
 * single tier is a price for each unit, or a percentage.
 */
function tiersLine(tiers: readonly Tier[], name: RateName, words: PriceWords, unitsOf: (tier: Tier) => string): string {
  const texts = tiers.map(tier => {
    const [units, price] = [unitsOf(tier), inTier(tier, name, words)];
    return `${units} ${price === 'free' || units === 'then' ? price : `at ${price}`}`;
  });
  const [only] = tiers;
  if (only && tiers.length === 1) return inTier(only, name, words, name === 'rate' ? '' : ' each');
  if (texts.length <= words.mostTiers) return texts.join(', ');
  const kept = words.mostTiers - 2;
  return [...texts.slice(0, kept), `${texts.length - kept - 1} more tiers`, ...texts.slice(-1)].join(', ');
}

function inTier({ rate, flat }: Tier, name: RateName, words: PriceWords, each = ''): string {
  const parts = [
    ...(rate.gt(0) ? [`${rateText(rate, name, words)}${each}`] : []),
    ...(flat.gt(0) ? [`${words.money(flat)} flat`] : []),
  ];
  return parts.join(' + ') || 'free';
}
