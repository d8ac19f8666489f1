/** An answer as a person reads it: without the marks of Markdown, in one spelling of quotes, dashes and spaces. */
import { folded } from '../../lib/folded.ts';

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

/** Does the text hold the words, from the beginning of a word, without regard to case, marks and spacing? */
export function holdsWords(text: string, words: string): boolean {
  const [whole, part] = [folded(plain(text)), folded(plain(words))];
  // "unpaid" does not say "paid".
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    if (!/^[\p{Script=Latin}\d]/u.test(part) || !/[\p{Script=Latin}\d]$/u.test(whole.slice(0, at))) return true;
  }
  return false;
}
