import { expect, it } from 'vitest';
import { countries, currencies } from '../../../src/contract/codes.ts';
import type { CustomerRecord } from '../../../src/engine/records/index.ts';
import { customerRecord, entityRecord } from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const entry = (key: string, value: string) => ({ id: key, key, value, created_at: at(1) });
const customer = (id: string, day: number, fields: Partial<CustomerRecord>) =>
  customerRecord({
    id,
    external_id: `ext-${id}`,
    created_at: at(day),
    updated_at: at(day),
    name: null,
    currency: null,
    ...fields,
  });

const records = {
  billing_entities: [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })],
  customers: [
    customer('a', 1, {
      name: 'Foo Bar',
      account_type: 'partner',
      customer_type: 'company',
      country: 'FR',
      state: 'IDF',
      zipcode: '75001',
      currency: 'EUR',
      tax_identification_number: 'FR1',
      metadata: [entry('tier', 'gold'), entry('region', 'eu')],
    }),
    customer('b', 2, {
      firstname: 'Ada',
      lastname: 'Ünal',
      customer_type: 'individual',
      country: 'FR',
      state: 'ARA',
      zipcode: '69001',
      currency: 'USD',
      metadata: [entry('tier', 'silver')],
    }),
    customer('c', 2, { legal_name: 'Hidden Holdings', email: 'Foo@Example.test', country: 'DE', zipcode: '75001' }),
    customer('d', 3, { name: 'Foo gone', country: 'FR', deleted_at: at(4) }),
    customer('e', 3, { billing_entity_id: 'other', name: '50%_off', tax_identification_number: 'X', currency: 'EUR' }),
  ],
};

const oneOf = (words: readonly string[]) => `must be one of: ${words.join(', ')}`;

onDatabase('the list of customers', database, records, account => {
  const found: [string, string, string][] = [
    ['those not deleted, newest first, then by id', '', 'e b c a'],
    ['a term in a name, in an e-mail', 'search_term=foo', 'c a'],
    ['a term without the blanks around it', 'search_term=%20%20foo%20bar%20', 'a'],
    ['a phrase as it is', 'search_term=bar%20foo', ''],
    ['all for a blank term', 'search_term=%20', 'e b c a'],
    ['a term in the legal name', 'search_term=HOLDINGS', 'c'],
    ['a term in an external id', 'search_term=EXT-B', 'b'],
    ['a term with an accent in another case', 'search_term=ÜNAL', 'b'],
    ['nothing without the accent', 'search_term=unal', ''],
    ['signs of patterns as they are', `search_term=${encodeURIComponent('%_')}`, 'e'],
    ['an external id', 'external_id=ext-a', 'a'],
    ['an external id in its own case only', 'external_id=EXT-A', ''],
    ['an external id, whatever the term', 'external_id=ext-b&search_term=foo', 'b'],
    ['a deleted one by nothing', 'external_id=ext-d', ''],
    ['an account type', 'account_type[]=partner', 'a'],
    ['several account types', 'account_type[]=partner&account_type[]=customer', 'e b c a'],
    ['all for a scalar account type', 'account_type=partner', 'e b c a'],
    ['a customer type', 'customer_type=individual', 'b'],
    ['with a customer type', 'has_customer_type=true', 'b a'],
    ['without a customer type', 'has_customer_type=false', 'e c'],
    ['with a customer type of a kind', 'has_customer_type=true&customer_type=company', 'a'],
    ['a billing entity', 'billing_entity_codes[]=other', 'e'],
    [
      'several billing entities, one twice',
      'billing_entity_codes[]=other&billing_entity_codes[]=main&billing_entity_codes[]=main',
      'e b c a',
    ],
    ['all for a scalar billing entity', 'billing_entity_codes=other', 'e b c a'],
    ['a country', 'countries[]=FR', 'b a'],
    ['any of several countries', 'countries[]=FR&countries[]=DE', 'b c a'],
    ['a state', 'states[]=IDF', 'a'],
    ['a state in its own case only', 'states[]=idf', ''],
    ['a zip code', 'zipcodes[]=75001', 'c a'],
    ['every part of an address', 'countries[]=FR&states[]=IDF&states[]=ARA&zipcodes[]=69001', 'b'],
    ['a currency', 'currencies[]=EUR', 'e a'],
    ['any of several currencies', 'currencies[]=EUR&currencies[]=USD', 'e b a'],
    ['with a tax number', 'has_tax_identification_number=true', 'e a'],
    ['without a tax number', 'has_tax_identification_number=false', 'b c'],
    ['a pair of metadata', 'metadata[tier]=gold', 'a'],
    ['every pair of metadata', 'metadata[tier]=gold&metadata[region]=us', ''],
    ['no such key of metadata', 'metadata[region]=', 'e b c'],
    ['one key but not another', 'metadata[tier]=silver&metadata[region]=', 'b'],
    ['what meets every filter', 'countries[]=FR&currencies[]=USD&customer_type=individual&search_term=ada', 'b'],
    ['a page', 'per_page=2&page=2', 'c a'],
    ['a page of a search', 'search_term=foo&per_page=1&page=2', 'a'],
    ['nothing beyond the last page', 'per_page=2&page=3', ''],
  ];
  it.each(found)('finds %s', async (_, query, expected) => {
    expect(await account.ids(`/customers?${query}`)).toBe(expected);
  });

  it('counts exactly, on every page', async () => {
    const { body } = await account.get('/customers?per_page=3&page=2&has_tax_identification_number=false');
    expect(body.meta).toEqual({ current_page: 2, next_page: null, prev_page: 1, total_pages: 1, total_count: 2 });
    const empty = await account.get('/customers?external_id=nobody');
    expect(empty.body).toEqual({
      customers: [],
      meta: { current_page: 0, next_page: null, prev_page: null, total_pages: 0, total_count: 0 },
    });
  });

  const refusals: [string, unknown][] = [
    ['account_type[]=partner&account_type[]=friend', { account_type: { 1: [oneOf(['customer', 'partner'])] } }],
    ['customer_type=person', { customer_type: [oneOf(['company', 'individual'])] }],
    ['has_customer_type=yes', { has_customer_type: [oneOf(['true', 'false'])] }],
    [
      'has_customer_type=false&customer_type=company',
      { customer_type: ['must be absent when has_customer_type is false'] },
    ],
    ['has_tax_identification_number=1', { has_tax_identification_number: [oneOf(['true', 'false'])] }],
    ['countries[]=fr&countries[]=DE', { countries: { 0: [oneOf(countries)] } }],
    ['currencies[]=EUR&currencies[]=EUR&currencies[]=XXX', { currencies: { 2: [oneOf(currencies)] } }],
    ['metadata[a][b]=c', { metadata: { a: ['must be a string'] } }],
    [
      'customer_type=person&has_customer_type=no',
      { customer_type: [oneOf(['company', 'individual'])], has_customer_type: [oneOf(['true', 'false'])] },
    ],
  ];
  it.each(refusals)('refuses %s', async (query, details) => {
    expect(await account.refusal(`/customers?${query}`)).toEqual(refused(details));
  });

  it('does not know an unknown billing entity', async () => {
    const query = 'billing_entity_codes[]=main&billing_entity_codes[]=none';
    expect(await account.refusal(`/customers?${query}`)).toEqual(missing('billing_entity'));
  });

  it('names the keys that had no effect', async () => {
    expect(
      await account.notice('/customers?search=foo&account_type=partner&page=1&per_page=5&countries[]=FR'),
    ).toContain('no effect: search, account_type');
    expect(await account.notice('/customers?metadata[tier]=gold&states[]=x&search_term=')).toBeUndefined();
    expect(await account.notice('/customers?external_id=a&search_term=b')).toContain('no effect: search_term');
  });
});
