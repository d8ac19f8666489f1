/** The known word that someone most likely meant, by its spelling or a part of it, or null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word === '' || word.length > 60) return null;
  return closest(word, known) ?? contained(word.toLowerCase(), known);
}

/**
 * The one known word within `most` slips of the pen (a third of its length, at most 3); letter case is none. Null when
 * two are as near: either may be meant. Numbers are no slips: `plan_2024` is not meant by `plan_2025`.
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

/** `tax` for `tax_codes`, `Paris` for `Europe/Paris`: a word that only one known name holds. */
function contained(wanted: string, known: readonly string[]): string | null {
  if (wanted.length < 3) return null;
  const holders = known.filter(name => name.toLowerCase().includes(wanted) || wanted.includes(name.toLowerCase()));
  return holders.length === 1 ? holders[0]! : null;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
