/** What is taken out of a record, and what is not looked into. */
import { describe, expect, it } from 'vitest';
import { hide } from '../../src/calls/upstream/mask/hide.ts';
import { hiddenText, type MaskedField, maskedFields } from '../../src/contract/masked-fields.ts';

const everything = new Set<MaskedField>(maskedFields);
const hidden = (value: unknown) => hide(value, everything).value;

describe('a hidden field', () => {
  it.each([
    ['that is empty', { email: null, city: '' }, { email: hiddenText, city: hiddenText }],
    ['that is a record', { shipping_address: { country: 'FR' } }, { shipping_address: hiddenText }],
  ])('%s reads like any other', (_, value, expected) => {
    expect(hidden(value)).toEqual(expected);
  });
});

it.each([
  ['metadata', { metadata: { city: 'a', email: 'b' } }],
  ['metadata in list form', { metadata: [{ key: 'email', value: 'b' }] }],
  ['properties of an event', { event: { properties: { city: 'a' } } }],
  ['the groups and filters of usage', { fees: [{ item: { grouped_by: { city: 'a' }, filters: { state: ['b'] } } }] }],
  ['the seller', { billing_entity: { email: 'a', city: 'b' } }],
  ['a country, a name and an id', { customer: { country: 'FR', name: 'a@b.example', external_id: 'a@b.example' } }],
])('does not look into %s', (_, value) => {
  expect(hidden(value)).toEqual(value);
});

it('takes what it hides out of the errors of a tax provider, as whole words', () => {
  const customer = {
    ...{ address_line1: '4 place du Marché', city: 'Lyon', state: 'A' },
    error_details: [{ details: { tax_error: 'no “4 Place du Marché” in LYON; Lyonnais is another place' } }],
  };
  expect(hidden({ customer })).toMatchObject({
    customer: { error_details: [{ details: { tax_error: 'no “[hidden]” in [hidden]; Lyonnais is another place' } }] },
  });
});
