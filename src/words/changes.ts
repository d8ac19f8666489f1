/**
 * Changes in plain words: what a question asks, and what is said of a write afterwards. Whose record, which fields, from what
 * value to what, with money in its currency. Amounts, rates, credits and dates are never left out or cut: no one can agree to a
 * price that is not shown. A question that is too long is not asked (`beyondReading`).
 */
import { addOn } from '../contract/add-on.ts';
import { kindOfPrice } from '../contract/charge-prices.ts';
import type { CreditNote, Invoice } from '../contract/shown.ts';
import { subscription } from '../contract/subscription.ts';
import { wallet } from '../contract/wallet.ts';
import type { KnownRecord } from '../definition/define.ts';
import { labelsOf } from '../definition/field-arguments.ts';
import type { Receipt } from '../definition/write-call.ts';
import { only } from '../lib/collections.ts';
import { fieldOf, isObject, membersOf, ownValue } from '../lib/json.ts';
import { escapeForSummary } from './safe-text.ts';
import * as w from './summary.ts';
import { momentIn, zoneOf } from './zoned-times.ts';

/** One requested change: the field, its new value and, where known, the old one, all in words. */
export interface Change {
  label: string;
  /** Null when the field is cleared. */
  to: string | null;
  /** Undefined when this server has not seen the record. */
  from: string | null | undefined;
}

export interface ChangeOptions {
  /** Arguments that select the record, and so are not changes. */
  selectors: readonly string[];
  labels?: Readonly<Record<string, string>>;
  currency?: unknown;
  /** The currency of the earlier amounts, where it may differ. */
  earlierCurrency?: unknown;
  /** The field as the record shows it, when known. */
  shown?: (field: string, record: object) => unknown;
  /** Fields whose values, null among them, need other words than the general ones. */
  words?: Readonly<Record<string, FieldWords>>;
}

/** Of a value of its own field, which the request's schema or the contract types. */
type FieldWords = (value: never) => string;

/** Characters of metadata, which holds the customer's own names and notes and no price. */
const MAX_METADATA = 600;
const MAX_TEXTS = 20;

/**
 * Every requested change, in the order of the arguments; fields that would stay as they are only where no other would
 * change.
 */
export function changesOf(args: object, known: KnownRecord, options: ChangeOptions): Change[] {
  const changes: (Change & { stays: boolean })[] = [];
  for (const [field, value] of Object.entries(args)) {
    if (value === undefined || options.selectors.includes(field)) continue;
    const before = known === null ? undefined : (options.shown?.(field, known) ?? fieldOf(known, field));
    const label = options.labels?.[field] ?? labelOf(field);
    const fieldWords = options.words?.[field];
    const leavesOutEarlier = before === undefined || (fieldWords === undefined && isComplex(value));
    const words = (one: unknown, currency: unknown) => fieldWords?.(one as never) ?? inWords(one, field, currency);
    const to = value === null && fieldWords === undefined ? null : words(value, options.currency);
    const from = leavesOutEarlier ? undefined : words(before, options.earlierCurrency ?? options.currency);
    // The same number in another currency is another price.
    changes.push({
      label,
      to,
      from,
      stays: from === (to ?? 'none') && JSON.stringify(before) === JSON.stringify(value),
    });
  }
  const realChanges = changes.filter(({ stays }) => !stays);
  return (realChanges.length > 0 ? realChanges : changes).map(({ stays: _, ...change }) => change);
}

/** A longer value is written on a line of its own, where `→` separates it from the other better than words. */
const longestInSentence = 45;

/**
 * `Change the price of add-on “Setup fee” from $1,000.00 to $1,250.00?`; several changes, and long values, have a line
 * each below the question: `price: $1,000.00 → $1,250.00`.
 */
export function updateQuestion(subject: string, changes: readonly Change[], ...more: readonly string[]): string {
  const change = more.length > 0 ? null : only(changes);
  const isLong = (value: string | null): boolean => value !== null && value.length > longestInSentence;
  if (change === null || (change.from && (isLong(change.from) || isLong(change.to))))
    return asLines(`Change ${subject}?`, [...changes.map(changeLine), ...more]);
  const { label, to, from } = change;
  const now = from ? ` (now ${from})` : '';
  if (to === null) return `Clear the ${label} of ${subject}${now}?`;
  return from ? `Change the ${label} of ${subject} from ${from} to ${to}?` : `Set the ${label} of ${subject} to ${to}?`;
}

/**
 * The question of an update: its changes, and its metadata in words (null where the update sends none). `mark`: what it does
 * besides, as a question without its mark, where that is no change of a field.
 */
export function questionWith(
  subject: string,
  changes: readonly Change[],
  metadata: { verb: 'replace' | 'add to'; words: string } | null,
  mark: string | null = null,
): string {
  if (metadata === null) return mark === null ? updateQuestion(subject, changes) : `${mark}?`;
  const { verb, words } = metadata;
  if (mark !== null) return `${mark}, and ${verb} its metadata: ${words}?`;
  if (changes.length === 0) return `${verb === 'replace' ? 'Replace' : 'Add to'} the metadata of ${subject}: ${words}?`;
  return updateQuestion(subject, changes, `${verb} its metadata: ${words}`);
}

/** `invoice SKY-1 of “Acme” ($187.14, due 31 March 2026)`; by its id while nothing is known of it. */
export function documentSubject(
  kind: string,
  known: Pick<Invoice | CreditNote, 'number' | 'customer'> | null,
  id: string,
  terms: readonly (string | null)[],
): string {
  const { name, external_id } = known?.customer ?? {};
  const number = w.code(known?.number) === null ? id : codeInWords(known?.number);
  return w.phrase`${kind} ${number}${w.say` of ${w.quoted(name) ?? w.code(external_id)}`}${w.say` (${w.joined(terms, ', ')})`}`;
}

const lineBegins = '\n- ';

/** A question with a line for each change below it. */
export function asLines(question: string, lines: readonly string[]): string {
  return [question, ...lines].join(lineBegins);
}

/** The question and its lines, each as `clean` makes it. */
export function eachLine(question: string, clean: (line: string) => string): string {
  return question.split(lineBegins).map(clean).join(lineBegins);
}

/** The same as one sentence: `Change add-on “Setup fee”, price: $10.00 → $12.50; code: setup → start?` */
export function asSentence(question: string): string {
  const [head = '', ...lines] = question.split(lineBegins);
  return lines.length === 0 ? question : `${head.slice(0, -1)}, ${lines.join('; ')}?`;
}

/** Any argument's value in words. The field's name shows money: in `currency` or, without it, in the record's own. */
export function inWords(value: unknown, field: string, currency: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return (field.endsWith('_cents') && w.money(value, currency)) || w.quantity(value) || String(value);
  if (typeof value === 'string') return textInWords(value, field);
  if (field === 'properties') return pricesInWords(value, field, currency);
  const words = compound(value, field, currency);
  return /metadata$/.test(field) ? w.clip(words, MAX_METADATA) : words;
}

/** `price: $1,000.00 → $1,250.00`; without the earlier value where it was not seen. */
export function changeLine({ label, to, from }: Change): string {
  return from === undefined ? `${label} → ${to ?? 'none'}` : `${label}: ${from || 'none'} → ${to ?? 'none'}`;
}

/** A charge's price settings, whatever their names: every value in full, money in its currency. */
function pricesInWords(value: unknown, field: string, currency: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) {
    const items = value.map(entry => pricesInWords(entry, field, currency));
    return w.listed(value.some(isNested) ? items.map(item => `(${item})`) : items, Number.POSITIVE_INFINITY) ?? 'none';
  }
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([key, entry]) => {
      const words = pricesInWords(entry, key, currency);
      return `${labelOf(key)} ${isObject(entry) ? `(${words})` : words}`;
    });
    return parts.join(', ') || 'nothing';
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const kind = kindOfPrice(field);
  const amount = kind === 'money' && typeof currency === 'string' ? w.major(value, currency) : null;
  const number = w.quantity(value);
  return amount ?? (number === null ? quotedWhole(value) : kind === 'rate' ? `${number} %` : number);
}

function quotedWhole(value: unknown): string {
  return `“${escapeForSummary(String(value)).replace(/[“”]/g, "'")}”`;
}

function textInWords(value: string, field: string): string {
  if (field === 'logo') return `an image (${w.quantity(Math.ceil((value.length * 3) / 4096))} KB)`;
  if (/(_at|_date|^from|^to)$/.test(field))
    return w.instant(value) ?? w.day(value) ?? w.quoted(value) ?? 'an empty text';
  if (/(codes?|currency|status|country|timezone|_id|^id)$/.test(field)) return codeInWords(value);
  if (field === 'units' || /^[-+.,\d]+$/.test(value)) return quotedWhole(value);
  return w.quoted(value) ?? 'an empty text';
}

/** The code unchanged; quoted where a reader could take it for our own words: `setup; price to $1.00`. */
export function codeInWords(value: unknown): string {
  const text = w.code(value);
  if (text === null) return 'an empty text';
  return /[\s,;()?]/.test(text) ? quotedWhole(text) : text;
}

function compound(value: unknown, field: string, currency: unknown): string {
  if (Array.isArray(value)) {
    const singular = field.replace(/s$/, '');
    const items = value.map(entry =>
      isNested(entry) ? `(${inWords(entry, singular, currency)})` : inWords(entry, singular, currency),
    );
    return w.listed(items, value.some(isNested) ? items.length : MAX_TEXTS) ?? 'none';
  }
  const ownCurrency = currency ?? membersOf<'amount_currency'>(value).amount_currency;
  const parts = Object.entries(value as object)
    .filter(([, entry]) => entry !== undefined)
    .map(
      ([key, entry]) =>
        `${labelOf(key)} ${isObject(entry) ? `(${inWords(entry, key, ownCurrency)})` : inWords(entry, key, ownCurrency)}`,
    );
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/** A label that is not a plain word is quoted: a name made up by a caller must not read like our own words. */
export function labelOf(field: string): string {
  if (!/^[\w.:-]+$/.test(field)) return quotedWhole(field);
  return field
    .replace(/_cents$/, '')
    .replace(/^svc_/, '')
    .replace(/_/g, ' ');
}

/** Too long to be said before and after. A list of plain values is not. */
function isComplex(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isNested) : isNested(value);
}

function isNested(value: unknown): boolean {
  return isObject(value) || Array.isArray(value);
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

/** `Nothing to change: priority is already 1. Nothing was sent.` `requested` has the fields as they would be sent. */
export function nothingToChangeSentence(fields: readonly string[], requested: object, known: object): string {
  const { amount_currency, currency = amount_currency } = membersOf<'amount_currency' | 'currency'>(known);
  const phrases = fields.map(field => {
    const value = fieldOf(requested, field);
    const label = fieldLabel(field);
    if (value === undefined || (typeof value === 'object' && value !== null)) return `${label} already has this value`;
    const words = value === null ? 'empty' : (momentIn(value, zoneOf(known)) ?? inWords(value, field, currency));
    return `${label} is already ${words}`;
  });
  return w.sentences(`Nothing to change: ${w.listed(phrases, phrases.length)}`, 'Nothing was sent');
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

/** Sentences about a write besides the record: what was not applied or not shown, and the warnings. */
export function receiptSentences(receipt: Receipt): string[] {
  const sentences: string[] = [];
  if (receipt.found) sentences.push(`This was ${receipt.found}.`);
  if (receipt.changed_by_user) sentences.push(`Changed by the user: ${receipt.changed_by_user.join('; ')}.`);
  if (receipt.not_applied.length > 0) sentences.push(`Not applied: ${receipt.not_applied.join(', ')}.`);
  if (receipt.not_shown.length > 0) sentences.push(`Not shown in the answer: ${receipt.not_shown.join(', ')}.`);
  if (receipt.left_out)
    sentences.push(
      `Every argument was sent, so null means omitted: ${receipt.left_out.join(', ')} not cleared. To clear a field, name it in clear.`,
    );
  return [...sentences, ...receipt.warnings].map(escapeForSummary);
}

/**
 * The receipt without what stands elsewhere: what the caller sent, the record's id, and the warnings, which the summary
 * has. The audit line has the whole receipt.
 */
export function shortReceipt(receipt: Receipt): Partial<Receipt> {
  const { applied, not_applied, not_shown, left_out, changed_by_user, revert, confirmed_by, request_id } = receipt;
  return {
    applied,
    not_applied,
    ...(not_shown.length > 0 && { not_shown }),
    ...(left_out && { left_out }),
    ...(changed_by_user && { changed_by_user }),
    ...(revert && { revert }),
    ...(receipt.found && { found: receipt.found }),
    ...(receipt.account && { account: receipt.account }),
    ...(receipt.account_mode && { account_mode: receipt.account_mode }),
    confirmed_by,
    ...(receipt.note && { note: receipt.note }),
    request_id,
  };
}
