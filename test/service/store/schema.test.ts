import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columns } from '../../../src/service/store/columns.ts';
import { derivedEventColumns } from '../../../src/service/store/events.ts';
import { idOf } from '../../../src/service/store/ids.ts';
import { type DialectName, migrate } from '../../../src/service/store/migrations.ts';
import { createAccount, type OpenStore } from '../../../src/service/store/open.ts';
import { event, metric } from '../../engine/reference-records.ts';
import { withPostgres } from '../../support/postgres.ts';
import { databases, newAccount, organization } from './databases.ts';

const postgres = await withPostgres();

/** Name and type of every column, as the database reports them. */
async function columnTypes(store: OpenStore, table: string): Promise<Map<string, string>> {
  const query =
    store.dialect === 'sqlite'
      ? sql<{ name: string; type: string }>`select name, lower(type) as type from pragma_table_info(${table})`
      : sql<{ name: string; type: string }>`select column_name as name, data_type as type
          from information_schema.columns where table_name = ${table} order by ordinal_position`;
  const { rows } = await query.execute(store.db);
  return new Map(rows.map(row => [row.name, row.type]));
}

const typeOf = { text: 'text', json: 'text', int: 'bigint', flag: 'integer' } as const;

describe.each(databases(postgres))('the schema on $name', ({ name, open, missing }) => {
  describe.skipIf(missing)('after the migrations', () => {
    let store: OpenStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store?.close());

    it.each(Object.entries(columns))('has every column of %s in a type that holds it exactly', async (table, kinds) => {
      const derived = table === 'events' ? Object.entries(derivedEventColumns) : [];
      const expected = [...kinds, ...derived].map(([column, kind]) => [column, typeOf[kind]]);
      expect([...(await columnTypes(store, table))]).toEqual([['organization_id', 'text'], ...expected]);
    });

    it('stays as it is when they run again', async () => {
      await migrate(store.db, name as DialectName);
      expect((await columnTypes(store, 'kysely_migration')).size).toBe(2);
      const { rows } = await sql<{ count: number }>`select count(*) as count from kysely_migration`.execute(store.db);
      expect(Number(rows[0]?.count)).toBe(3);
    });

    it('replaces guessable secrets of portal links, and no others', async () => {
      const id = (last: number) => `11111111-1111-4111-8111-11111111111${last}`;
      const before = ['demo-hmac-key-that-signs-nothing', idOf('hmac key', id(1)), 'chosen by the account file'];
      for (const [last, hmac_key] of before.entries()) {
        await createAccount(store, { organization: { ...organization(id(last)), hmac_key }, apiKey: `key-${last}` });
      }
      await sql`delete from kysely_migration where name >= '0002'`.execute(store.db);
      await migrate(store.db, name as DialectName);
      const after = await Promise.all(
        before.map(async (_, last) => (await store.account(id(last)))!.organization.hmac_key),
      );
      const random = expect.stringMatching(/^[\w-]{43}$/);
      expect(after).toEqual([random, random, 'chosen by the account file']);
      expect(after[0]).not.toBe(after[1]);
    });

    it('derives what is stored of older events without a value: a key where values are counted, no trace in a sum', async () => {
      const account = await newAccount(store, 'older events');
      const kinds = [
        ['seats', 'unique_count_agg'],
        ['tokens', 'sum_agg'],
        ['calls', 'count_agg'],
      ] as const;
      for (const [code, aggregation_type] of kinds) {
        await account.insert('billable_metrics', metric({ code, aggregation_type }));
      }
      const values = { missing: {}, word: { amount: 'abc' }, long: { amount: '12345678901234567890' } };
      const tooLong = '0.1234567890123456789';
      for (const [code] of kinds) {
        for (const [name, properties] of Object.entries(values)) {
          const transaction_id = `${code} ${name}`;
          await account.insert(
            'events',
            event({ transaction_id, code, properties, precise_total_amount_cents: tooLong }),
          );
        }
      }
      const derived = async () => {
        const { rows } = await sql<{ transaction_id: string; exact: number; value_key: string | null }>`
          select transaction_id, exact, value_key from events where organization_id = ${account.organization.id}
          order by transaction_id`.execute(store.db);
        return rows.map(row => [row.transaction_id, Number(row.exact), row.value_key]);
      };
      const before = await derived();
      expect(before).toEqual([
        ['calls long', 0, null],
        ['calls missing', 0, null],
        ['calls word', 0, null],
        ['seats long', 0, '=12345678901234567890'],
        ['seats missing', 0, '-'],
        ['seats word', 0, '=abc'],
        ['tokens long', 0, null],
        ['tokens missing', 1, null],
        ['tokens word', 1, null],
      ]);
      await sql`update events set exact = 0, value_key = nullif(value_key, '-')`.execute(store.db);
      await sql`delete from kysely_migration where name >= '0003'`.execute(store.db);
      await migrate(store.db, name as DialectName);
      expect(await derived()).toEqual(before);
    });
  });
});
