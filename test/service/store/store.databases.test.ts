import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnstorableNumber } from '../../../src/service/store/errors.ts';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import type { AccountStore } from '../../../src/service/store/store.ts';
import { withDatabase } from '../../support/postgres.ts';
import { NOW, newAccount, tax } from './small-account.ts';

const { name, missing, fresh } = await withDatabase();
const open = async () => openStore({ databaseUrl: await fresh() });

describe.skipIf(missing)(`the store on ${name}`, () => {
  describe('keeps records', () => {
    let store: OpenStore;
    let account: AccountStore;
    let other: AccountStore;

    beforeAll(async () => {
      store = await open();
      account = await newAccount(store);
      other = await newAccount(store, 'other key', '22222222-2222-4222-8222-222222222222');
    });
    afterAll(() => store?.close());

    it('finds an account by its key only', async () => {
      expect((await store.accountOfKey('key'))?.organization.name).toBe('Acme');
      expect(await store.accountOfKey('Key')).toBeNull();
      const stored = await store.db.selectFrom('api_keys').selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain('other key');
    });

    it('refuses a key that belongs to another account', async () => {
      await expect(newAccount(store, 'key', '33333333-3333-4333-8333-333333333333')).rejects.toMatchObject({
        name: 'ValueTaken',
      });
      expect(await store.account('33333333-3333-4333-8333-333333333333')).toBeNull();
    });

    it('gives an endpoint back exactly as it was stored', async () => {
      const endpoint = {
        id: 'w1',
        created_at: NOW,
        updated_at: NOW,
        webhook_url: 'https://example.test/ü😀',
        signature_algo: 'hmac' as const,
        name: null,
        event_types: ['invoice.created', 'it\'s "quoted"'],
      };
      await account.insert('webhook_endpoints', endpoint);
      expect(await account.get('webhook_endpoints', 'w1', { lock: true })).toEqual(endpoint);
    });

    it('keeps decimals, booleans and JSON with all their digits and types', async () => {
      const record = { ...tax('exact'), rate: '0.123456789012345678', applied_to_organization: true };
      await account.insert('taxes', record);
      expect(await account.first('taxes', { applied_to_organization: true })).toEqual(record);
    });

    it('never shows records of one account to another', async () => {
      await account.insert('taxes', tax('mine'));
      await other.insert('taxes', tax('mine', { rate: '7' }));
      await other.update('taxes', 'tax-mine', { rate: '8' });
      expect(await other.get('webhook_endpoints', 'w1')).toBeUndefined();
      expect((await account.get('taxes', 'tax-mine'))?.rate).toBe('20');
      await other.remove('taxes', 'tax-mine');
      expect(await account.count('taxes', { code: 'mine' })).toBe(1);
    });

    it('orders by creation, newest first, then by the bytes of the id', async () => {
      for (const [code, created_at] of [
        ['a', '2026-01-01T00:00:00.000Z'],
        ['B', '2026-01-02T00:00:00.000Z'],
        ['_c', '2026-01-02T00:00:00.000Z'],
        ['d', '2026-01-02T00:00:00.000Z'],
      ] as const) {
        await other.insert('taxes', tax(code, { id: code, created_at }));
      }
      const codes = async (options: Parameters<AccountStore['find']>[2]) =>
        (await other.find('taxes', {}, options)).map(found => found.code);
      expect(await codes({})).toEqual(['B', '_c', 'd', 'a']);
      expect(await codes({ order: 'oldest' })).toEqual(['a', 'B', '_c', 'd']);
      expect(await codes({ limit: 2 })).toEqual(['B', '_c']);
    });

    it('matches lists, nulls and nothing', async () => {
      expect(await other.count('taxes', { code: ['a', 'd', 'unknown'] })).toBe(2);
      expect(await other.count('taxes', { code: [] })).toBe(0);
      expect(await other.count('taxes', { description: null })).toBe(4);
      expect(await other.count('webhook_endpoints', { name: null })).toBe(0);
    });

    it('refuses a second record with the same unique value', async () => {
      await expect(account.insert('taxes', tax('mine', { id: 'another' }))).rejects.toMatchObject({
        name: 'ValueTaken',
      });
    });

    it('says that a record to update does not exist', async () => {
      await expect(account.update('taxes', 'nowhere', { rate: '1' })).rejects.toThrow('There is no record nowhere');
    });

    it.each([
      ['in text', () => account.insert('taxes', tax('n\0ul'))],
      ['in a changed field', () => account.update('taxes', 'tax-mine', { name: '\0' })],
      ['in a lookup', () => account.find('taxes', { code: 'mine\0' })],
      ['inside JSON', () => account.update('webhook_endpoints', 'w1', { event_types: ['a\0b'] })],
    ])('refuses U+0000 %s', async (_where, act) => {
      await expect(act()).rejects.toMatchObject({ name: 'UnstorableText' });
      expect(await account.count('taxes', { code: ['mine', 'n'] })).toBe(1);
    });

    it('keeps a backslash followed by u0000, which is not U+0000', async () => {
      await account.update('webhook_endpoints', 'w1', { event_types: ['\\u0000'] });
      expect((await account.get('webhook_endpoints', 'w1'))?.event_types).toEqual(['\\u0000']);
    });

    it.each([1.5, 2 ** 53, Number.NaN])('refuses %s cents', async amount_cents => {
      await expect(account.find('add_ons', { amount_cents })).rejects.toThrow(UnstorableNumber);
    });
  });

  it('forgets every account with its records and keys, and can be used again', async () => {
    const store = await open();
    const { organization } = await newAccount(store);
    await (await store.account(organization.id))?.insert('taxes', tax('mine'));
    await newAccount(store, 'other key', '22222222-2222-4222-8222-222222222222');
    await store.clear();
    expect([await store.firstAccount(), await store.accountOfKey('key')]).toEqual([null, null]);
    const again = await newAccount(store);
    expect(await again.count('taxes')).toBe(0);
    await store.close();
  });
});
