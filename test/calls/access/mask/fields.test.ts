/** Which fields of a customer's record are hidden, and that each of its texts is said to be hidden or not. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { customer } from '../../../../src/contract/customer.ts';
import { fieldsWithin, objectIn } from '../../../../src/contract/fields.ts';
import { hiddenNames } from '../../../../src/contract/hidden-names.ts';
import { invoiceCustomSection, tax } from '../../../../src/contract/shared.ts';

/** The account's own, also within a customer. */
const ofAccount = new Set<unknown>(
  [...fieldsWithin(tax), ...fieldsWithin(invoiceCustomSection)].map(([, field]) => field),
);

const fields = fieldsWithin(customer).filter(([, field]) => !ofAccount.has(field));
const maskOf = (field: z.ZodType) => (field as { mask?: unknown }).mask;

describe('a record of a customer', () => {
  it('has these hidden fields', () => {
    expect(hiddenNames).toEqual({
      email: ['email'],
      phone: ['phone'],
      address: ['address_line1', 'address_line2', 'city', 'state', 'zipcode', 'shipping_address'],
      tax_id: ['legal_number', 'tax_identification_number'],
    });
  });

  it('says of each field that can hold a free text whether it is hidden', () => {
    const unclear = fields.filter(([, field]) => holdsText(field) && maskOf(field) === undefined);
    expect(unclear.map(([name]) => name)).toEqual([]);
  });

  it('has no name that is hidden in one place and not in another, because hiding goes by names', () => {
    const hidden = new Set(Object.values(hiddenNames).flat());
    expect(fields.filter(([name, field]) => hidden.has(name) && !maskOf(field)).map(([name]) => name)).toEqual([]);
  });
});

/** A text, a list of texts, or an object with any names. */
function holdsText(field: z.ZodType): boolean {
  if ('unit' in field) return field.unit === 'text';
  const inner = plain(field);
  if (inner instanceof z.ZodArray) return inner.element instanceof z.ZodString;
  return Object.keys(objectIn(field)?.shape ?? { some: 1 }).length === 0;
}

function plain(field: unknown): unknown {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable ? plain(field.unwrap()) : field;
}
