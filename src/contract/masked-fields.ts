/** Personal data that the operator can hide (`BILLING_MASK`): the names of the setting, and their words. */

import { allOf } from '../lib/text.ts';

/** The fields that each covers are marked in the description of a customer (`masked`, fields.ts). */
const masks = {
  email: 'email addresses',
  phone: 'phone numbers',
  address: 'addresses',
  tax_id: 'tax and registration numbers',
};

export type MaskedField = keyof typeof masks;
export const maskedFields = Object.keys(masks) as MaskedField[];

/** Shown instead of a hidden field's value, also where the field is empty. */
export const hiddenText = '[hidden]';

/** `email addresses and phone numbers`, in the order of the setting. */
export function hiddenWords(hidden: ReadonlySet<MaskedField>): string {
  return allOf(maskedFields.filter(field => hidden.has(field)).map(field => masks[field]));
}

/** Links to documents, which show the whole address: hidden wherever any field is. */
export const documentLinks = ['file_url', 'xml_url', 'web_url'] as const;
