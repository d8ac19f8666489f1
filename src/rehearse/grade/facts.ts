/** Does an answer say a fact? Without a model: texts, amounts, numbers and days in the usual ways of writing them. */
import type { Fact } from '../types.ts';
import { isClaimed } from './claims.ts';
import { namesDay } from './dates.ts';
import { isAttachedToWord, markBeside } from './money-marks.ts';
import { numbersIn, plainDecimal } from './numbers.ts';
import { holdsWords, plain } from './plain.ts';

/**
 * `says`: an amount counts unless another currency stands beside it, since a table may name the currency in its head.
 * `says_none`: with a currency it counts only where that stands beside it, since other things have numbers too.
 */
type Wanted = 'says' | 'says_none';

/** Who lists all figures that there could be has said none of them. A table of a hundred invoices has fewer. */
const mostFigures = 1000;

/** Does the text hold so many figures that none of them counts as said? */
export function listsFigures(text: string): boolean {
  return (text.match(/\d+/g) ?? []).length > mostFigures;
}

/** Signs do not count: a credit of 157.75 is said as `-$157.75`, `($157.75)` and "a credit of $157.75". */
export function isSaid(fact: Fact, text: string, wanted: Wanted): boolean {
  if (typeof fact === 'string') return holdsWords(text, fact);
  if ('any' in fact) return fact.any.some(each => isSaid(each, text, wanted));
  if ('claim' in fact) return isClaimed(fact.claim, text);
  if (wanted === 'says' && listsFigures(text)) return false;
  const said = plain(text);
  if ('date' in fact) return namesDay(said, fact.date);
  const numbers = numbersIn(said);
  if ('number' in fact) return numbers.some(({ values }) => values.includes(plainDecimal(fact.number)));
  const value = plainDecimal(fact.amount);
  return numbers.some(
    ({ values, before, after, percent }) =>
      values.includes(value) &&
      !percent &&
      !isAttachedToWord(before, after) &&
      isIn(fact.currency, before, after, wanted),
  );
}

function isIn(currency: string | undefined, before: string, after: string, wanted: Wanted): boolean {
  if (currency === undefined) return true;
  const mark = markBeside(before, after, currency);
  return mark === 'same' || (mark === 'none' && wanted === 'says');
}

const mostNamed = 3;

/** `“X”`, `118.67 USD`, `1 May`: for a sentence about what was or was not said. */
export function factText(fact: Fact): string {
  if (typeof fact === 'string') return `“${fact}”`;
  if ('claim' in fact) return `“${fact.claim}”`;
  if ('any' in fact) {
    const some = fact.any.slice(0, mostNamed).map(factText).join(' or ');
    return fact.any.length > mostNamed ? `${some} or the like` : some;
  }
  if ('date' in fact) return `the date ${fact.date}`;
  if ('number' in fact) return `the number ${fact.number}`;
  return fact.currency === undefined ? `the amount ${fact.amount}` : `${fact.amount} ${fact.currency}`;
}
