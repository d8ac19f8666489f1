/** Tiers of a price, and how they are said. */
import type Big from 'big.js';
import type { PriceProperties, PriceWords } from '../types.ts';

/** One tier. `to` is null on the last. */
export interface Tier {
  from: Big;
  to: Big | null;
  flat: Big;
  /** Per unit in graduated and volume charges; percent in graduated-percentage charges. */
  rate: Big;
}

export type TierList = Extract<keyof PriceProperties, `${string}_ranges`>;
/** What the price of a tier is called. */
export type RateName = 'per_unit_amount' | 'rate';

/** Do the tiers start at 0 or 1 and follow each other upwards, all but the last with an end? */
export function areTiers(tiers: readonly Tier[]): boolean {
  return (
    tiers.length > 0 &&
    tiers.every(({ from, to }, index) => {
      const before = tiers[index - 1];
      const follows = before === undefined ? from.lte(1) : before.to !== null && from.gte(before.to);
      return follows && (to === null) === (index === tiers.length - 1) && (to === null || from.lte(to));
    })
  );
}

/** Where the price changes: before the first unit of a tier, and after its last. */
export function tierEnds(tiers: readonly Tier[]): Big[] {
  return tiers.flatMap(({ from, to }) => [from.minus(1), ...(to === null ? [] : [to])]);
}

/** `$0.02` or `1.5%` */
export function rateText(rate: Big, name: RateName, { money, number }: PriceWords): string {
  return name === 'rate' ? `${number(rate)}%` : money(rate);
}

/**
 * `1–100 at $0.02 + $1.00 flat, then $0.01`, without the middle ones of many. `unitsOf` says which units a tier is for. A
 * single tier is a price for each unit, or a percentage.
 */
export function tiersLine(
  tiers: readonly Tier[],
  name: RateName,
  words: PriceWords,
  unitsOf: (tier: Tier) => string,
): string {
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
