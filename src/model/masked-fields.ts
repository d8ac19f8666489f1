/** The personal data that can be left out of answers: by what they are, whatever each record calls them. */
export const maskedFields = ['email', 'phone', 'address', 'tax_id'] as const;

export type MaskedField = (typeof maskedFields)[number];
