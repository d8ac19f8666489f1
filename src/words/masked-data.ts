/** What a summary says of personal data that is hidden from its reader. */

import { hiddenText, hiddenWords, maskedFields, masks } from '../contract/masked-fields.ts';
import type { JsonRecord } from '../lib/json.ts';

/** `Hidden here: e-mail addresses and phone numbers`, of those that the customer's record has; null for none. */
export function hiddenNote(customer: JsonRecord): string | null {
  const hidden = maskedFields.filter(field => masks[field].fields.some(name => customer[name] === hiddenText));
  return hidden.length === 0 ? null : `Hidden here: ${hiddenWords(new Set(hidden))}`;
}
