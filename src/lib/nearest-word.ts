import { only } from './collections.ts';

/** The known word that was most likely meant, by spelling or by a part of the word; null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word === '' || word.length > 60) return null;
  return closest(word, known) ?? contained(word.toLowerCase(), known);
}

/**
 * The nearest known word. It may differ by one typing error per three letters (at least one, at most `most`); letter case
 * is ignored. Null when two words are equally near. Digits must be equal: `plan_2025` does not mean `plan_2024`.
 */
export function closest(word: string, known: readonly string[], most = 3): string | null {
  if (word === '' || word.length > 60) return null;
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.min(most, Math.floor(wanted.length / 3)));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    if (other === wanted) return candidate;
    if (Math.abs(other.length - wanted.length) > bestDistance || digits(other) !== digits(wanted)) continue;
    const distance = editDistance(wanted, other);
    if (distance > bestDistance) continue;
    best = distance < bestDistance ? candidate : null;
    bestDistance = distance;
  }
  return best;
}

function digits(word: string): string {
  return word.replace(/\D/g, '');
}

/** The only known name that contains the word or is part of it: `tax_codes` for `tax`, `Europe/Paris` for `Paris`. */
function contained(wanted: string, known: readonly string[]): string | null {
  if (wanted.length < 3) return null;
  return only(known.filter(name => name.toLowerCase().includes(wanted) || wanted.includes(name.toLowerCase())));
}

/** The number of insertions, deletions, replacements and swaps of neighbouring letters between two texts. */
function editDistance(a: string, b: string): number {
  // A place outside of the table has an infinite distance, so that it is never the minimum.
  const at = (row: readonly number[], j: number): number => row[j] ?? Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}
