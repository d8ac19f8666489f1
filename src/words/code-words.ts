/** The interface's codes in a user's words; the record keeps the codes. */

import { codeWords } from '../contract/code-words.ts';
import type { ErrorDetail } from '../contract/shown.ts';
import { ownValue } from '../lib/json.ts';
import { code, listed, phrase, say } from './summary.ts';

/** The words of a code; an unknown code is written as words: `do_not_honor` as `do not honor`. Null for no code. */
export function wordsOf(table: keyof typeof codeWords, value: unknown): string | null {
  const text = code(value);
  if (text === null) return null;
  return ownValue(codeWords[table] as Readonly<Record<string, string>>, text) ?? plainWords(text);
}

/** `the tax could not be computed (the tax date is too far in the future)`: of customers, invoices and credit notes. */
export function problemsInWords(errors: readonly ErrorDetail[]): string {
  const kinds = errors.map(error => {
    const details = Object.values(error.details ?? {}).map(detail => wordsOf('provider', detail));
    return phrase`${wordsOf('problem', error.error_code) ?? 'an error'}${say` (${listed(details, 3)})`}`;
  });
  return listed(kinds, 5) ?? 'an unknown error';
}

/** `taxDateTooFarInFuture` → `tax date too far in future`; what does not look like a code stays as it is. */
function plainWords(text: string): string {
  if (!/^[a-z][A-Za-z0-9]*(_[a-z0-9]+)*$/.test(text)) return text;
  return text.replaceAll('_', ' ').replace(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, letter => ` ${letter.toLowerCase()}`);
}
