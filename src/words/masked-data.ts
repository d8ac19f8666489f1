/** What a summary says of personal data that is hidden from its reader. */

import { hiddenText, hiddenWords, maskedFields, masks } from '../contract/masked-fields.ts';
import type { Customer } from '../contract/shown.ts';

/** `Hidden here: e-mail addresses and phone numbers`: what of the customer's record is hidden; null for nothing. */
export function hiddenNote(customer: Customer): string | null {
  const hidden = maskedFields.filter(field => masks[field].fields.some(name => customer[name] === hiddenText));
  return hidden.length === 0 ? null : `Hidden here: ${hiddenWords(new Set(hidden))}`;
}
