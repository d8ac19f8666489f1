/**
 * A database that may not grow answers as if its disk were full: SQLite's page limit gives the error of a full disk, and
 * PostgreSQL is made to raise its own.
 */
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/service/app.ts';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import { withDatabase } from '../../support/postgres.ts';
import { NOW, newAccount, organization, tax } from './small-account.ts';

const { name, missing, fresh } = await withDatabase();
const large = (code: string) => ({ ...tax(code), description: 'x'.repeat(200_000) });
const full = 'The disk that holds the database is full. Nothing was changed.';

async function fullSqlite(): Promise<OpenStore> {
  const store = await openStore();
  await newAccount(store);
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
  await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(store.db);
  return store;
}

async function fullPostgres(): Promise<OpenStore> {
  const store = await openStore({ databaseUrl: await fresh() });
  await newAccount(store);
  await sql`create function full_disk() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/5/1": No space left on device' using errcode = 'disk_full'; end $$`.execute(
    store.db,
  );
  for (const table of ['taxes', 'billing_entities']) {
    await sql`create trigger full_disk before insert on ${sql.table(table)} execute function full_disk()`.execute(
      store.db,
    );
  }
  return store;
}

describe.skipIf(missing)(`a full disk under ${name}`, () => {
  describe('that a write runs into', () => {
    const stores: OpenStore[] = [];
    const opened = async () => {
      const store = await (name === 'SQLite' ? fullSqlite() : fullPostgres());
      stores.push(store);
      return { store, account: await store.addAccount(organization(), 'key') };
    };
    afterAll(() => Promise.all(stores.map(store => store.close())));

    it('is named, inside and outside a transaction, and reads still work', async () => {
      const { account } = await opened();
      await expect(account.insert('taxes', large('alone'))).rejects.toThrow(full);
      await expect(account.transaction(inside => inside.insert('taxes', large('together')))).rejects.toThrow(full);
      expect(await account.count('taxes')).toBe(0);
    });

    it('is a 507 with its own code for the call', async () => {
      const { store } = await opened();
      const bugs: unknown[] = [];
      const app = createApp({
        store,
        now: () => new Date(NOW),
        portalSecret: 's',
        onUnexpected: bug => bugs.push(bug),
      });
      const response = await app.inject({
        method: 'POST',
        url: '/api/v1/billing_entities',
        headers: { authorization: 'Bearer key' },
        payload: { billing_entity: { code: 'large', name: 'Large', legal_name: 'x'.repeat(200_000) } },
      });
      expect(response.json()).toEqual({
        status: 507,
        error: 'Insufficient Storage',
        code: 'disk_full',
        error_details: full,
      });
      expect(bugs).toEqual([]);
      await app.close();
    });
  });
});
