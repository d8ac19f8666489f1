/** Sentences about a change: which metadata a write keeps, adds and removes, and which fields it has changed. */

import { addOn } from '../contract/add-on.ts';
import { subscription } from '../contract/subscription.ts';
import { wallet } from '../contract/wallet.ts';
import { labelsOf } from '../definition/field-arguments.ts';
import { only } from '../lib/collections.ts';
import { fieldOf, membersOf, ownValue } from '../lib/json.ts';
import { type Change, type ChangeOptions, changesOf, inWords, labelOf, updateQuestion } from './questions.ts';
import { code, listed, quoted, sentences } from './summary.ts';
import { whenIn, zoneOf } from './zoned-times.ts';

/** Metadata as pairs of key and value, in their order. */
export type Pairs = readonly (readonly [key: string, value: unknown])[];

/** Why metadata that was not read as it is stored cannot be merged here. */
export const hiddenInMetadata =
  'cannot keep the stored metadata, because it holds hidden characters: send all of it, without merge';

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
    verbWithPairs(
      'changes',
      changed,
      ([key, value]) => `${keyWords(key)} (${valueWords(earlier.get(key))} → ${valueWords(value)})`,
    ),
    verbWithPairs(
      before === null ? 'sets' : 'adds',
      added,
      ([key, value]) => `${keyWords(key)} (${valueWords(value)})`,
    ),
    verbWithPairs('removes', removed, ([key]) => keyWords(key)),
  ];
  return parts.filter(part => part !== null).join(', ') || (before === null ? 'removes everything' : 'keeps it empty');
}

/**
 * `The metadata is now cost_center and dispute`, with what was removed; null where nothing changed. The record shows
 * the values.
 */
export function metadataNow(before: Pairs | null, after: Pairs): string | null {
  const earlier = new Map(before ?? []);
  const unchanged = after.every(([key, value]) => earlier.has(key) && isSame(earlier.get(key), value));
  if (before !== null && unchanged && before.length === after.length) return null;
  const keptKeys = new Set(after.map(([key]) => key));
  const removedKeys = (before ?? []).filter(([key]) => !keptKeys.has(key)).map(([key]) => keyWords(key));
  const now =
    listed(
      after.map(([key]) => keyWords(key)),
      20,
    ) ?? 'empty';
  const removed = listed(removedKeys, 50);
  return `the metadata is now ${now}${removed === null ? '' : `; removed: ${removed}`}`;
}

/** The question of an update: its changes, and its metadata in words (null where the update sends none). */
export function questionWith(
  subject: string,
  changes: readonly Change[],
  metadata: { verb: 'replace' | 'add to'; words: string } | null,
): string {
  if (metadata === null) return updateQuestion(subject, changes);
  const { verb, words } = metadata;
  if (changes.length === 0) return `${verb === 'replace' ? 'Replace' : 'Add to'} the metadata of ${subject}: ${words}?`;
  return updateQuestion(subject, changes, `${verb} its metadata: ${words}`);
}

/** The changes that the answer shows against the record before the write; without that record, all requested ones. */
export function changesMade(
  args: object,
  before: object | undefined,
  record: object,
  options: ChangeOptions,
): Change[] {
  const now = Object.keys(args)
    .filter(field => fieldOf(args, field) !== undefined && !options.selectors.includes(field))
    .map(field => [field, options.shown?.(field, record) ?? fieldOf(record, field)] as const)
    .filter(([, value]) => value !== undefined);
  const changes = changesOf(Object.fromEntries(now), before ?? null, options);
  return changes.filter(({ from, to }) => from === undefined || from !== (to ?? 'none'));
}

/** No field has another label in another resource. */
const labels = { ...labelsOf(addOn), ...labelsOf(subscription), ...labelsOf(wallet) };

/** The field in words, as questions say it: `price` for `amount_cents`. */
export function fieldLabel(field: string): string {
  return ownValue(labels, field) ?? labelOf(field);
}

/**
 * `Nothing to change: priority is already 1. Nothing was sent.` `requested` has the fields as they would have been
 * sent.
 */
export function nothingToChangeSentence(fields: readonly string[], requested: object, known: object): string {
  const { amount_currency, currency = amount_currency } = membersOf<'amount_currency' | 'currency'>(known);
  const phrases = fields.map(field => {
    const value = fieldOf(requested, field);
    const label = fieldLabel(field);
    if (value === undefined || (typeof value === 'object' && value !== null)) return `${label} has this value already`;
    const words = value === null ? 'empty' : (whenIn(value, zoneOf(known)) ?? inWords(value, field, currency));
    return `${label} is already ${words}`;
  });
  return sentences(`Nothing to change: ${listed(phrases, phrases.length)}`, 'Nothing was sent');
}

/** `Changed: the price of add-on “Setup” is now $12.50 (was $10.00)`; null where nothing is known to have changed. */
export function changedSentence(
  subject: string,
  changes: readonly Change[],
  ...others: (string | null)[]
): string | null {
  const more = others.filter(other => other !== null);
  const change = only(changes);
  const first =
    change === null
      ? changes.map(({ label, to, from }) => `${label} ${to ?? 'none'}${earlierInBrackets(from)}`).join('; ')
      : `the ${change.label} of ${subject} ${/[^su]s$/.test(change.label) ? 'are' : 'is'} now ${change.to ?? 'none'}${earlierInBrackets(change.from)}`;
  if (first === '' && more.length === 0) return null;
  const text = [...(first === '' ? [] : [first]), ...more].join('; ');
  return change !== null ? `Changed: ${text}` : `Changed: ${subject}: ${text}`;
}

/** A longer earlier value is not repeated: the receipt's `revert` has it whole. */
const longestEarlier = 60;

function earlierInBrackets(from: string | null | undefined): string {
  return from === undefined || from === null || from.length > longestEarlier ? '' : ` (was ${from})`;
}

type Pair = readonly [key: string, value: unknown];

function verbWithPairs(verb: string, pairs: readonly Pair[], say: (pair: Pair) => string): string | null {
  return pairs.length === 0 ? null : `${verb} ${listed(pairs.map(say), Number.POSITIVE_INFINITY)}`;
}

/** A key is quoted where a reader could take it for our own words. */
function keyWords(key: string): string {
  return /^[\w.:-]+$/.test(key) ? (code(key) ?? 'an empty key') : (quoted(key) ?? 'an empty key');
}

function valueWords(value: unknown): string {
  return quoted(value) ?? 'empty';
}

function isSame(left: unknown, right: unknown): boolean {
  return (left ?? null) === (right ?? null);
}
