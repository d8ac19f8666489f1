/** Tiers of a price, and how they are said. */
import type Big from 'big.js';
import type { PriceWords } from '../types.ts';

/** One tier. `to` is null on the last. */
export interface Tier {
  from: Big;
  to: Big | null;
  flat: Big;
  /** Per unit in graduated and volume charges; percent in graduated-percentage charges. */
  rate: Big;
}

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

/** `$0.02` or `1.5%`. */
export type SayRate = (rate: Big) => string;

/**
 * Each tier as `textOf` says it, but for the middle ones of many. A single tier is a price for each unit, or a percentage;
 * null where there is none.
 */
export function tierTexts(
  tiers: readonly Tier[],
  words: PriceWords,
  single: SayRate,
  textOf: (tier: Tier) => string,
): string[] | string | null {
  const [only, ...others] = tiers;
  if (only === undefined) return null;
  if (others.length === 0) return inTier(only, words, single);
  const texts = tiers.map(textOf);
  if (texts.length <= words.mostTiers) return texts;
  const kept = words.mostTiers - 2;
  return [...texts.slice(0, kept), `${texts.length - kept - 1} more tiers`, ...texts.slice(-1)];
}

/** `100–200 at $0.02 + $1.00 flat` */
export function withPrice(units: string, tier: Tier, words: PriceWords, sayRate: SayRate): string {
  const price = inTier(tier, words, sayRate);
  return `${units} ${price === 'free' ? price : `at ${price}`}`;
}

export function inTier({ rate, flat }: Tier, { money }: PriceWords, sayRate: SayRate): string {
  const parts = [rate.gt(0) ? sayRate(rate) : null, flat.gt(0) ? `${money(flat)} flat` : null];
  return parts.filter(part => part !== null).join(' + ') || 'free';
}

/** `1–1,000`: whole units are counted from 1. */
export function span({ from, to }: Tier, { number }: PriceWords): string {
  if (to === null) return number(from);
  const first = from.eq(0) && to.eq(to.round(0)) ? from.plus(1) : from;
  return first.eq(to) ? `unit ${number(to)}` : `${number(first)}–${number(to)}`;
}

/** Where the price changes: before the first unit of a tier, and after its last. */
export function tierEnds(tiers: readonly Tier[]): Big[] {
  return tiers.flatMap(({ from, to }) => [from.minus(1), ...(to === null ? [] : [to])]);
}
