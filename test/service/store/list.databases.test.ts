import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CustomerRecord } from '../../../src/engine/records/index.ts';
import {
  any,
  type Condition,
  contains,
  equals,
  every,
  hasMetadata,
  is,
  less,
  linksTo,
  lists,
  not,
  range,
} from '../../../src/service/store/conditions.ts';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import type { AccountStore, Ordering } from '../../../src/service/store/store.ts';
import {
  creditNoteRecord,
  customerRecord,
  invoiceRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
} from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { NOW, newAccount } from './small-account.ts';

const { name, missing, fresh } = await withDatabase();
const whole = { limit: 1_000_000_000, offset: 0 };
const open = async () => openStore({ databaseUrl: await fresh() });

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
const entry = (key: string, value: string) => ({ id: key, key, value, created_at: NOW });
const customer = (id: string, fields: Partial<CustomerRecord>) =>
  customerRecord({ id, external_id: `ext-${id}`, name: null, created_at: day(1), ...fields });

const customers = [
  customer('a', { name: 'Foo Bar', country: 'FR', net_payment_term: 30, metadata: [entry('tier', 'gold')] }),
  customer('B', { name: 'ÉLAN 100%', country: 'DE', net_payment_term: 10, metadata: [entry('gold', 'tier')] }),
  customer('c', { firstname: 'Ada', lastname: 'Foo', legal_name: 'ΟΔΟΣ AE', metadata: [entry('tier', 'a"],["b\n')] }),
  customer('d', { name: 'Elan_x', country: 'FR', net_payment_term: 0, created_at: day(2), deleted_at: NOW }),
  customer('e', { name: 'ǅ \u{10400} İ', email: 'E@X.test', country: 'AT', created_at: day(3) }),
];

describe.skipIf(missing)(`lists on ${name}`, () => {
  describe('of an account', () => {
    let store: OpenStore;
    let account: AccountStore;

    beforeAll(async () => {
      store = await open();
      account = await newAccount(store);
      await account.insertMany('customers', customers);
      await account.insert('invoices', invoiceRecord([storedFee(100)], { id: 'i1', customer_id: 'a' }));
      await account.insert('invoices', invoiceRecord([storedFee(100)], { id: 'i2', total_paid_amount_cents: 40 }));
      await account.insert('plans', planRecord({ id: 'p', code: 'basic' }));
      await account.insert('subscriptions', subscriptionRecord({ id: 's', customer_id: 'B', plan_id: 'p' }));
      const other = await newAccount(store, 'other', '22222222-2222-4222-8222-222222222222');
      await other.insertMany('customers', customers);
      await other.insert('subscriptions', subscriptionRecord({ id: 's', customer_id: 'a', plan_id: 'p' }));
      await other.insert('plans', planRecord({ id: 'p', code: 'basic' }));
    });
    afterAll(() => store?.close());

    async function ids(where: Condition<'customers'>, order?: readonly Ordering<'customers'>[], window = whole) {
      const { rows } = await account.list('customers', { where, ...(order && { order }) }, window);
      return rows.map(row => row.id).join(' ');
    }

    const searched = (term: string) => contains<'customers'>('search_text', term);
    const cases: [string, Condition<'customers'>, string][] = [
      ['everything, newest first, then by the bytes of the id', every(), 'e d B a c'],
      ['nothing', any(), ''],
      ['equal', is({ country: 'FR' }), 'd a'],
      ['equal, not deleted', is({ country: 'FR', deleted_at: null }), 'a'],
      ['equal to any of a list', is({ country: ['AT', 'DE'] }), 'e B'],
      ['equal to any of a list with null', is({ country: ['AT', null] }), 'e c'],
      ['equal to any of nothing', is({ country: [] }), ''],
      ['an undefined column', is({ country: undefined }), 'e d B a c'],
      ['a number', is({ net_payment_term: 30 }), 'a'],
      ['not null', not(is({ country: null })), 'e d B a'],
      ['the negation of a comparison with null', not(is({ country: 'FR' })), 'e B c'],
      ['every', every(is({ country: 'FR' }), is({ net_payment_term: 0 })), 'd'],
      ['any', any(is({ country: 'DE' }), is({ net_payment_term: 0 })), 'd B'],
      ['any within every', every(any(is({ country: 'DE' }), is({ country: 'FR' })), is({ created_at: day(1) })), 'B a'],
      ['a range with both ends in it', range('net_payment_term', 0, 10), 'd B'],
      ['a range of text', range('created_at', day(2)), 'e d'],
      ['a range without start', range('created_at', undefined, day(2)), 'd B a c'],
      ['a range without ends', range('net_payment_term', undefined), 'e d B a c'],
      ['a part of a text in another case', searched('FOO'), 'a c'],
      ['several words as one phrase', searched('oo b'), 'a'],
      ['not across fields', searched('adafoo'), ''],
      ['not across fields with what stands between them', searched('ada\u0001foo'), ''],
      ['a letter with an accent in another case', searched('élan'), 'B'],
      ['a letter without its accent', searched('elan'), 'd'],
      ['a percent sign as it is', searched('0%'), 'B'],
      ['an underscore as it is', searched('n_x'), 'd'],
      ['a letter beyond 16 bits in another case', searched('\u{10428}'), 'e'],
      ['letters with an own title case', searched('ǆ'), 'e'],
      ['the dotted capital i', searched('İ'), 'e'],
      ['an address in another case', searched('e@x.TEST'), 'e'],
      ['the external id', searched('EXT-B'), 'B'],
      ['not the legal name', searched('οδος'), ''],
      ['the legal name, with a final sigma', contains('legal_name_text', 'ΔΟΣ'), 'c'],
      ['an equal text in another case', equals('legal_name_text', 'οδοσ ae'), 'c'],
      ['not a part of a text where it must be equal', equals('legal_name_text', 'οδος'), ''],
      ['a key of metadata', hasMetadata('tier'), 'a c'],
      ['a key of metadata with a value', hasMetadata('tier', 'gold'), 'a'],
      ['not a value as a key', hasMetadata('gold', 'gold'), ''],
      ['not a part of a value', hasMetadata('tier', 'b'), ''],
      ['a value with characters of JSON', hasMetadata('tier', 'a"],["b\n'), 'c'],
      ['rows without a key', not(hasMetadata('tier')), 'e d B'],
      ['with invoices', linksTo('id', 'invoices', every(), 'customer_id'), 'a'],
      [
        'with a subscription of a plan',
        linksTo('id', 'subscriptions', linksTo('plan_id', 'plans', is({ code: 'basic' })), 'customer_id'),
        'B',
      ],
      ['without invoices', not(linksTo('id', 'invoices', every(), 'customer_id')), 'e d B c'],
    ];
    it.each(cases)('finds %s', async (_, where, expected) => {
      expect(await ids(where)).toBe(expected);
      // The same for a page of it, and exactly counted.
      const count = expected === '' ? 0 : expected.split(' ').length;
      const page = await account.list('customers', { where }, { limit: 2, offset: 1 });
      expect(page.rows.map(row => row.id).join(' ')).toBe(expected.split(' ').slice(1, 3).join(' '));
      expect(page.total).toBe(count);
      const beyond = await account.list('customers', { where }, { ...whole, offset: 1e18 });
      expect(beyond).toEqual({ rows: [], total: count });
    });

    it.each<[readonly Ordering<'customers'>[], string]>([
      [[['country', 'asc', 'first']], 'c e B a d'],
      [[['country', 'asc', 'last']], 'e B a d c'],
      [[['country', 'desc', 'last']], 'a d B e c'],
      [[['country', 'desc', 'first']], 'c a d B e'],
      [
        [
          ['country', 'asc', 'last'],
          ['created_at', 'desc'],
        ],
        'e B d a c',
      ],
      [[['external_id', 'asc']], 'B a c d e'],
      [[['created_at', 'asc']], 'B a c d e'],
      [[['created_at', 'desc']], 'e d B a c'],
    ])('orders by %j, then by the id', async (order, expected) => {
      expect(await ids(every(), order)).toBe(expected);
      expect(await ids(every(), order, { limit: 3, offset: 1 })).toBe(expected.split(' ').slice(1, 4).join(' '));
    });

    it('gives a page of any length', async () => {
      for (const where of [every<'customers'>(), searched('foo')]) {
        const { rows, total } = await account.list('customers', { where }, whole);
        expect(rows.length).toBe(total);
        expect(rows).toEqual(customers.filter(each => rows.some(row => row.id === each.id)).sort(newestFirst));
      }
    });

    it('compares two columns', async () => {
      const where = less<'invoices'>('total_paid_amount_cents', 'total_amount_cents');
      expect((await account.list('invoices', { where }, whole)).total).toBe(2);
      const paid = less<'invoices'>('total_amount_cents', 'total_paid_amount_cents');
      expect((await account.list('invoices', { where: paid }, whole)).total).toBe(0);
      const some = every(where, range('total_paid_amount_cents', 1));
      expect((await account.list('invoices', { where: some }, whole)).rows.map(row => row.id)).toEqual(['i2']);
    });

    it('finds an id in a list of ids', async () => {
      const [id, other] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];
      await account.update('invoices', 'i1', { subscription_ids: [id, other] });
      const found = async (wanted: string) =>
        (await account.list('invoices', { where: lists('subscription_ids', wanted) }, whole)).rows.map(row => row.id);
      expect(await found(other)).toEqual(['i1']);
      expect(await found(other.slice(1))).toEqual([]);
    });

    it('searches what was changed later', async () => {
      await account.insert('customers', customer('f', { name: 'Old', firstname: 'First', deleted_at: NOW }));
      await account.update('customers', 'f', { name: 'NEW', metadata: [entry('k', 'v')] });
      expect(await ids(searched('old'))).toBe('');
      expect(await ids(searched('new'))).toBe('f');
      expect(await ids(searched('first'))).toBe('f');
      expect(await ids(hasMetadata('k', 'v'))).toBe('f');
      await account.insert('credit_notes', creditNoteRecord('n', 100, { number: 'CN-1' }));
      await account.update('credit_notes', 'n', { number: 'CN-2' });
      expect((await account.list('credit_notes', { where: contains('number_text', 'cn-2') }, whole)).total).toBe(1);
      await account.remove('customers', 'f');
    });
  });
});

function newestFirst(one: CustomerRecord, other: CustomerRecord): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}
