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

/** Does the text hold the words, without regard to case, marks and spacing? */
export function holdsWords(text: string, words: string): boolean {
  return folded(plain(text)).includes(folded(plain(words)));
}
