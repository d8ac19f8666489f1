/** What is taken out of a record, and what is not looked into. */
import { describe, expect, it } from 'vitest';
import { hide } from '../../../../src/calls/access/mask/hide.ts';
import { fieldsWithin } from '../../../../src/contract/fields.ts';
import { hiddenNames } from '../../../../src/contract/hidden-names.ts';
import { hiddenText, type MaskedField, maskedFields } from '../../../../src/contract/masked-fields.ts';
import { resourceSchemas } from '../../../../src/contract/resources.ts';

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

it.each([
  ...[
    'billing_email',
    'billingEmail',
    'E-Mail',
    'em\u200bail',
    'contact_phone',
    'phone_number',
    'fax',
    'billing_address',
  ],
  ...['street', 'postal_code', 'shipping_city', 'vat_number', 'registration_number'],
])('hides a field that only reads like one, in any record: %s', name => {
  expect(hidden({ wallet: { [name]: 'a', name: 'b' } })).toEqual({ wallet: { [name]: hiddenText, name: 'b' } });
});

it('hides no other field of the contract', () => {
  const known = Object.values(resourceSchemas).flatMap(resource => fieldsWithin(resource).map(([name]) => name));
  const expected = new Set([...Object.values(hiddenNames).flat(), 'user_email']);
  const taken = known.filter(name => (hidden({ [name]: 1 }) as Record<string, unknown>)[name] === hiddenText);
  expect(taken.filter(name => !expected.has(name))).toEqual([]);
});

it.each([
  ['in its wrapper', { customer: { external_id: 'a', loyalty: 'b', billing_disabled: 1 } }, {}],
  ['in a list', { customers: [{ external_id: 'a', loyalty: 'b', billing_disabled: 1 }] }, {}],
  ['in another record', { invoice: { customer: { external_id: 'a', loyalty: 'b', billing_disabled: 1 } } }, {}],
  ['without its wrapper', { external_id: 'a', loyalty: 'b', billing_disabled: 1 }, { isCustomer: true }],
])('hides what nobody has judged of a customer %s', (_, value, kind) => {
  const shown = JSON.stringify(hide(value, new Set<MaskedField>(['email']), kind).value);
  expect(shown).toContain(`{"external_id":"a","loyalty":"${hiddenText}","billing_disabled":"${hiddenText}"}`);
  expect(JSON.stringify(hide(value, new Set(), kind).value)).toBe(JSON.stringify(value));
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
