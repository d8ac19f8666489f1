/** What a summary says of personal data that is hidden from its reader. */

import { hiddenNames } from '../contract/hidden-names.ts';
import { hiddenText, hiddenWords, maskedFields } from '../contract/masked-fields.ts';
import type { Customer } from '../contract/shown.ts';
import { fieldOf } from '../lib/json.ts';

/** `Hidden here: e-mail addresses and phone numbers`: what of the customer's record is hidden; null for nothing. */
export function hiddenNote(customer: Customer): string | null {
  const hidden = maskedFields.filter(field => hiddenNames[field].some(name => fieldOf(customer, name) === hiddenText));
  return hidden.length === 0 ? null : `Hidden here: ${hiddenWords(new Set(hidden))}`;
}
