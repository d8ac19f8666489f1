/** What a summary says of personal data that is hidden from its reader. */

import { fieldNames } from '../contract/field-names.ts';
import { hiddenNames } from '../contract/hidden-names.ts';
import { hiddenText, hiddenWords, maskedFields } from '../contract/masked-fields.ts';
import type { Customer } from '../contract/shown.ts';
import { fieldOf } from '../lib/json.ts';
import { allOf } from '../lib/text.ts';

/** `Hidden here: email addresses and phone numbers`: what of the customer's record is hidden; null for nothing. */
export function hiddenNote(customer: Customer): string | null {
  const names = Object.keys(customer).filter(name => fieldOf(customer, name) === hiddenText);
  const hidden = maskedFields.filter(field => hiddenNames[field].some(name => names.includes(name)));
  const isNewer = names.some(name => fieldNames.customer?.includes(name) === false);
  const words = [...hidden.map(field => hiddenWords(new Set([field]))), ...(isNewer ? ['unknown fields'] : [])];
  return words.length === 0 ? null : `Hidden here: ${allOf(words)}`;
}
