/**
 * Converts every parameter of a statement to a value that both databases store alike. libsql aborts the process on a
 * bound boolean and silently cuts text at U+0000.
 */
import { StoreError } from './errors.ts';

export type Bound = string | number | bigint | null;

/** Booleans become 0 or 1, dates ISO text. Throws `UnstorableText` for U+0000, TypeError for any other type. */
export function bound(value: unknown): Bound {
  if (value === null || typeof value === 'bigint') return value;
  if (typeof value === 'string') return boundText(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`A database parameter must be text, a number, a boolean, a date or null, not ${kindOf(value)}.`);
}

/** JSON text of a value. U+0000 is refused here too, although JSON would escape it. */
export function boundJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`A JSON column cannot hold ${kindOf(value)}.`);
  if (text.includes('\\u0000') && holdsNul(value)) throw new StoreError('UnstorableText');
  return text;
}

// A lone surrogate has no UTF-8 form. Each database would replace it in its own way, so it is replaced here.
function boundText(text: string): string {
  if (text.includes('\0')) throw new StoreError('UnstorableText');
  return /\p{Surrogate}/u.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}') : text;
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || holdsNul(inner));
}

function kindOf(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor?.name ?? 'object') : typeof value;
}
