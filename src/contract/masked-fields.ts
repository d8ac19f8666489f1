/** Personal data that the operator can hide (`BILLING_MASK`): what each name of the setting covers. */

import { allOf } from '../lib/lists.ts';

/**
 * The fields of customers by the name of the setting, by their names in the specification. The country of an address
 * stays, because taxes go by it; that of a shipping address does not.
 */
export const masks = {
  email: { fields: ['email'], words: 'e-mail addresses' },
  phone: { fields: ['phone'], words: 'phone numbers' },
  address: {
    fields: ['address_line1', 'address_line2', 'city', 'state', 'zipcode', 'shipping_address'],
    words: 'addresses',
  },
  tax_id: { fields: ['tax_identification_number', 'legal_number'], words: 'tax and registration numbers' },
} as const;

export type MaskedField = keyof typeof masks;
export const maskedFields = Object.keys(masks) as MaskedField[];

/** Shown in place of a hidden field's value, also where the field is empty. */
export const hiddenText = '[hidden]';

/** `e-mail addresses and phone numbers`, in the order of the setting. */
export function hiddenWords(hidden: ReadonlySet<MaskedField>): string {
  return allOf(maskedFields.filter(field => hidden.has(field)).map(field => masks[field].words));
}
