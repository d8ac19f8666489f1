/** Questions in a person's words: who, what, from what to what, with money in its currency. */
import { clip, code, day, instant, listed, money, named, quantity, quoted } from '../src/present/summary.ts';
import type { JsonRecord, Known } from './define.ts';

/** One requested change: the words for the field, its new value and, where known, the old one (both in words). */
export interface Change {
  label: string;
  /** Null when the field is cleared. */
  to: string | null;
  /** Undefined when this server has not seen the record. */
  from: string | null | undefined;
}

export interface ChangeOptions {
  /** Arguments that say which record, and so are no change. */
  selectors: readonly string[];
  labels?: Readonly<Record<string, string>>;
  currency?: unknown;
  /** The field as the record shows it, when known. */
  shown?: (field: string, record: JsonRecord) => unknown;
}

const MAX_VALUE = 600;

/** Every requested change, in the order of the arguments. */
export function changesOf(args: JsonRecord, known: Known, options: ChangeOptions): Change[] {
  const changes: Change[] = [];
  for (const [field, value] of Object.entries(args)) {
    if (value === undefined || options.selectors.includes(field)) continue;
    const before = known === null ? undefined : (options.shown?.(field, known) ?? known[field]);
    changes.push({
      label: options.labels?.[field] ?? labelOf(field),
      to: value === null ? null : inWords(value, field, options.currency),
      from:
        known === null || before === undefined || isObject(value)
          ? undefined
          : inWords(before, field, options.currency),
    });
  }
  return changes;
}

/** `Set the price of add-on “Setup fee” (setup) to $1,250.00?`; several changes are listed after the subject. */
export function updateQuestion(subject: string, changes: readonly Change[]): string {
  if (changes.length !== 1) return `Change ${subject}: ${changes.map(phrase).join('; ')}?`;
  const { label, to, from } = changes[0]!;
  const now = from ? ` (now ${from})` : '';
  if (to === null) return `Clear the ${label} of ${subject}${now}?`;
  return from ? `Change the ${label} of ${subject} from ${from} to ${to}?` : `Set the ${label} of ${subject} to ${to}?`;
}

/** `add-on “Setup fee” (setup)`. */
export function subjectOf(kind: string, known: Known, id: string, nameField = 'name'): string {
  return `${kind} ${named(known?.[nameField], id) ?? quoted(id) ?? ''}`;
}

/** Any argument's value in words. Money by the field's name, in `currency` or one that stands beside it. */
export function inWords(value: unknown, field: string, currency: unknown): string {
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return (field.endsWith('_cents') && money(value, currency)) || quantity(value) || String(value);
  if (typeof value === 'string') return textInWords(value, field);
  return clip(compound(value, field, currency), MAX_VALUE);
}

function phrase({ label, to, from }: Change): string {
  if (to === null) return `clear the ${label}${from ? ` (now ${from})` : ''}`;
  return from ? `${label} from ${from} to ${to}` : `${label} to ${to}`;
}

function textInWords(value: string, field: string): string {
  if (field === 'logo') return `an image (${quantity(Math.ceil((value.length * 3) / 4096))} KB)`;
  if (/(_at|_date|^from|^to)$/.test(field)) return instant(value) ?? day(value) ?? quoted(value) ?? 'an empty text';
  if (/(codes?|currency|status|country|timezone|_id|^id)$/.test(field)) return code(value) ?? 'an empty text';
  return quoted(value) ?? 'an empty text';
}

function compound(value: unknown, field: string, currency: unknown): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const singular = field.replace(/s$/, '');
    return listed(
      value.map(entry =>
        isObject(entry) ? `(${inWords(entry, singular, currency)})` : inWords(entry, singular, currency),
      ),
      20,
    )!;
  }
  const record = value as JsonRecord;
  const own = record.amount_currency ?? currency;
  const parts = Object.entries(record)
    .filter(([, entry]) => entry !== undefined)
    .map(
      ([key, entry]) =>
        `${labelOf(key)} ${isPlainObject(entry) ? `(${inWords(entry, key, own)})` : inWords(entry, key, own)}`,
    );
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function labelOf(field: string): string {
  const text = (code(field) ?? '')
    .replace(/_cents$/, '')
    .replace(/^svc_/, '')
    .replace(/_/g, ' ');
  return text;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isPlainObject(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value);
}
