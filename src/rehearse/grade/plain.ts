/** An answer as a user reads it: without the marks of Markdown, in one spelling of quotes, dashes and spaces. */
import { folded } from '../../lib/case-folding.ts';

/** Case is kept: it tells currency codes from words. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’‚‛´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[*`|]+/g, ' ')
    .replace(/(?<![\p{L}\d])_+|_+(?![\p{L}\d])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Texts are compared without regard to case, marks and spacing. */
export function comparable(text: string): string {
  return folded(plain(text));
}

/** Does the text, made comparable, hold the words from the beginning of a word? */
export function holdsWords(whole: string, words: string): boolean {
  const part = comparable(words);
  const beginsWord = (at: number) => !(isPartOfWord(part.charAt(0)) && isPartOfWord(whole.charAt(at - 1)));
  // "unpaid" does not say "paid".
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) if (beginsWord(at)) return true;
  return false;
}

function isPartOfWord(character: string): boolean {
  return /[\p{Script=Latin}\d]/u.test(character);
}
