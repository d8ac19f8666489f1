/** Metadata in words: what a write keeps, adds and removes. */
import { code, joined, listed, opt, phrase, quoted, say } from './summary.ts';

/** Metadata as pairs of key and value, in their order. */
export type Pairs = readonly (readonly [key: string, value: unknown])[];

/** Why metadata that was not read as it is stored cannot be merged here. */
export const hiddenInMetadata =
  'cannot keep the stored metadata, because it has hidden characters: send all of it, without merge';

/** The pairs of a metadata object; an empty list for anything else. */
export function pairsOf(metadata: unknown): Pairs {
  return typeof metadata === 'object' && metadata !== null ? Object.entries(metadata) : [];
}

/** `keeps cost_center, adds dispute (“open”), removes po_number`; `before` is null where the record was not seen. */
export function metadataWords(before: Pairs | null, after: Pairs): string {
  const earlier = new Map(before ?? []);
  const later = new Map(after);
  const kept = after.filter(([key, value]) => earlier.has(key) && isSame(earlier.get(key), value));
  const changed = after.filter(([key, value]) => earlier.has(key) && !isSame(earlier.get(key), value));
  const added = after.filter(([key]) => !earlier.has(key));
  const removed = [...earlier].filter(([key]) => !later.has(key));
  const parts = [
    verbWithPairs('keeps', kept, ([key]) => keyWords(key)),
    verbWithPairs('changes', changed, changeWords(earlier)),
    verbWithPairs(before === null ? 'sets' : 'adds', added, withValue),
    verbWithPairs('removes', removed, ([key]) => keyWords(key)),
  ];
  return joined(parts, ', ') ?? (before === null ? 'removes everything' : 'keeps it empty');
}

/**
 * `metadata dispute (“open” → “closed”)`; with keys that are new or gone, `the metadata keys are now cost_center and dispute;
 * added: dispute (“open”)`. Null where nothing changed.
 */
export function metadataNow(before: Pairs | null, after: Pairs): string | null {
  const earlier = new Map(before ?? []);
  const unchanged = after.every(([key, value]) => earlier.has(key) && isSame(earlier.get(key), value));
  if (before !== null && unchanged && before.length === after.length) return null;
  const keptKeys = new Set(after.map(([key]) => key));
  const removedPairs = (before ?? []).filter(([key]) => !keptKeys.has(key));
  const changed = after.filter(([key, value]) => earlier.has(key) && !isSame(earlier.get(key), value));
  const added = before === null ? [] : after.filter(([key]) => !earlier.has(key));
  const changedWords = listed(changed.map(changeWords(earlier)), 20);
  // The keys are the same: only the values are news.
  if (after.length === earlier.size && changed.length > 0 && added.length === 0)
    return phrase`metadata ${changedWords}`;
  const keys = after.map(([key]) => keyWords(key));
  const rest = phrase`${say`; changed: ${changedWords}`}${say`; added: ${listed(added.map(withValue), 20)}`}`;
  const removed = opt`; removed: ${listed(removedPairs.map(withValue), 50)}`;
  return phrase`the metadata ${after.length === 1 ? 'key is' : after.length === 0 ? 'is' : 'keys are'} now ${listed(keys, 20) ?? 'empty'}${rest}${removed}`;
}

type Pair = readonly [key: string, value: unknown];

function verbWithPairs(verb: string, pairs: readonly Pair[], say: (pair: Pair) => string): string | null {
  return pairs.length === 0 ? null : `${verb} ${listed(pairs.map(say), Number.POSITIVE_INFINITY)}`;
}

/** A key is quoted where a reader could take it for our own words. */
function keyWords(key: string): string {
  return /^[\w.:-]+$/.test(key) ? (code(key) ?? 'an empty key') : (quoted(key) ?? 'an empty key');
}

const withValue = ([key, value]: Pair) => `${keyWords(key)} (${valueWords(value)})`;
const changeWords =
  (earlier: ReadonlyMap<string, unknown>) =>
  ([key, value]: Pair) =>
    `${keyWords(key)} (${valueWords(earlier.get(key))} → ${valueWords(value)})`;

function valueWords(value: unknown): string {
  return quoted(value) ?? 'empty';
}

function isSame(left: unknown, right: unknown): boolean {
  return (left ?? null) === (right ?? null);
}
