/** What a list says of states that the contract does not list, which a newer service may have. */
import { isText } from '../lib/json.ts';
import { codeInWords } from './changes.ts';
import { count, listed } from './summary.ts';

/** The rows whose `field` holds text that is none of `values`. */
export function isUnlisted<Name extends string>(
  row: { readonly [Field in Name]?: string | null | undefined },
  field: Name,
  values: readonly string[],
): boolean {
  const value = row[field];
  return isText(value) && !values.includes(value);
}

/** `3 rows have an unknown payment_status and are left out of sums by it: on_hold`; null for none. */
export function unlistedNote<Name extends string>(
  rows: readonly { readonly [Field in Name]?: string | null | undefined }[],
  field: Name,
  values: readonly string[],
): string | null {
  const unlisted = rows.filter(row => isUnlisted(row, field, values));
  if (unlisted.length === 0) return null;
  const names = [...new Set(unlisted.map(row => codeInWords(row[field])))];
  return `${count(unlisted.length, 'row has', 'rows have')} an unknown ${field} and ${unlisted.length === 1 ? 'is' : 'are'} left out of sums by it: ${listed(names)}`;
}
