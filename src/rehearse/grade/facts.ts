/** Does an answer say a fact? Without a model: texts, amounts, numbers and days in the usual ways of writing them. */
import type { Fact } from '../types.ts';
import { isClaimed } from './claims.ts';
import { namesDay } from './dates.ts';
import { isAttachedToWord, markBeside } from './money-marks.ts';
import { type FoundNumber, numbersIn, plainDecimal } from './numbers.ts';
import { comparable, holdsWords, plain } from './plain.ts';

/**
 * `says`: an amount counts unless another currency stands next to it, since a table may name the currency in its head.
 * `says_none`: with a currency it counts only where that stands next to it, since other things have numbers too.
 */
type Wanted = 'says' | 'says_none';

/** An answer that lists every possible figure has said none of them. A table of a hundred invoices has fewer. */
const mostFigures = 1000;

/** Does the text hold so many figures that none of them counts as said? Counted after `plain`, which makes `７` a 7. */
export function listsFigures(text: string): boolean {
  return (plain(text).match(/\d+/g) ?? []).length > mostFigures;
}

/**
 * Tells which facts the text says; it is read once for all of them. Signs do not count: a credit of 157.75 is said as
 * `-$157.75`, `($157.75)` and "a credit of $157.75".
 */
export function saidIn(text: string, wanted: Wanted): (fact: Fact) => boolean {
  const plainAnswer = plain(text);
  const words = comparable(text);
  const countsNone = wanted === 'says' && listsFigures(text);
  const figures = countsNone ? [] : numbersIn(plainAnswer);
  const isSaid = (fact: Fact): boolean => {
    if (typeof fact === 'string') return holdsWords(words, fact);
    if ('any' in fact) return fact.any.some(isSaid);
    if ('claim' in fact) return isClaimed(fact.claim, words);
    if ('date' in fact) return !countsNone && namesDay(plainAnswer, fact.date);
    if ('number' in fact) return figures.some(({ values }) => values.includes(plainDecimal(fact.number)));
    return figures.some(figure => isAmount(figure, fact, wanted));
  };
  return isSaid;
}

function isAmount(
  { values, before, after, percent }: FoundNumber,
  { amount, currency }: { amount: string; currency?: string },
  wanted: Wanted,
): boolean {
  if (percent || !values.includes(plainDecimal(amount)) || isAttachedToWord(before, after)) return false;
  return isInCurrency(currency, before, after, wanted);
}

function isInCurrency(currency: string | undefined, before: string, after: string, wanted: Wanted): boolean {
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
