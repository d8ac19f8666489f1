/** Does an answer state something, or does it only speak of it: deny it, or make it a condition? For texts in English. */
import { comparable } from './plain.ts';

/** Before the words in their clause: "nothing has been deleted", "whether it is gone", "once it has been paid". */
const denialBefore =
  /(?:\b(?:not|no|none|nothing|never|nobody|neither|nor|cannot|without|unable|whether|if|unless|until|once|before|after|when|would|could|should|might)\b|n't\b)/;
/** Directly behind them: "have added nothing", "have set no price". */
const denialBehind = /^ (?:nothing|no|none|neither|not)\b/;
const longestClause = 200;
/** A clause ends here, but a number does not: `$1,250`. */
const clauses = /[.!?;:,](?!\d)| - | (?:but|however|so|because|since|then) /g;

/** Is the text somewhere in the answer, made comparable, in a clause that does not take it back? */
export function isClaimed(claim: string, words: string): boolean {
  const wanted = comparable(claim);
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
    const clause =
      words
        .slice(Math.max(0, at - longestClause), at)
        .split(clauses)
        .at(-1) ?? '';
    if (!denialBefore.test(clause) && !denialBehind.test(words.slice(at + wanted.length, at + wanted.length + 10)))
      return true;
  }
  return false;
}
