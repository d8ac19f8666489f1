import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TableName } from '../../../src/engine/records/index.ts';
import { columns } from '../../../src/service/store/columns.ts';
import { derivedColumns } from '../../../src/service/store/derived.ts';
import { StoreUnavailable } from '../../../src/service/store/errors.ts';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import { type Db, prepareSchema } from '../../../src/service/store/schema.ts';
import { withDatabase } from '../../support/postgres.ts';
import { newAccount } from './small-account.ts';

const { name, missing, fresh } = await withDatabase();
const open = async () => openStore({ databaseUrl: await fresh() });

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

describe.skipIf(missing)(`the schema on ${name}`, () => {
  describe('of an empty database', () => {
    let store: OpenStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store?.close());

    it.each(Object.entries(columns))('has every column of %s in a type that holds it exactly', async (table, kinds) => {
      const expected = [...kinds, ...Object.entries(derivedColumns(table as TableName))].map(([column, kind]) => [
        column,
        typeOf[kind],
      ]);
      expect(Object.fromEntries(await columnTypes(store, table))).toEqual({
        organization_id: 'text',
        ...Object.fromEntries(expected),
      });
    });
  });

  let store: OpenStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store?.close());

  it('stays as it is when the database is opened again', async () => {
    const account = await newAccount(store, 'stays');
    await prepareSchema(store.db, store.dialect);
    expect(await version(store)).toBe(2);
    expect(await store.account(account.organization.id)).not.toBeNull();
  });

  it('of a later version is refused, with what to do, and stays as it is', async () => {
    await prepareSchema(store.db, store.dialect, [addNote]);
    const opening = prepareSchema(store.db, store.dialect);
    await expect(opening).rejects.toThrow(StoreUnavailable);
    await expect(opening).rejects.toThrow('version 3 of its tables');
    expect(await version(store)).toBe(3);
  });

  it('from before there was a log of changes is refused, and stays as it is', async () => {
    await store.db.schema.dropTable('activity_logs').execute();
    await store.db.updateTable('schema_version').set({ version: 1 }).execute();
    await expect(prepareSchema(store.db, store.dialect)).rejects.toThrow('version 1 of its tables');
    expect(await version(store)).toBe(1);
  });

  it('from before there were versions is refused too', async () => {
    await store.db.schema.dropTable('schema_version').execute();
    await expect(prepareSchema(store.db, store.dialect)).rejects.toThrow('version 0 of its tables');
  });

  it('of an earlier version is brought up to date by the steps that it lacks, all or none', async () => {
    const failing = async () => {
      throw new Error('the second step fails');
    };
    await expect(prepareSchema(store.db, store.dialect, [addNote, failing])).rejects.toThrow('the second step fails');
    expect(await version(store)).toBe(2);
    expect((await columnTypes(store, 'taxes')).has('note')).toBe(false);
    await prepareSchema(store.db, store.dialect, [addNote]);
    await prepareSchema(store.db, store.dialect, [addNote]);
    expect(await version(store)).toBe(3);
    expect((await columnTypes(store, 'taxes')).get('note')).toBe('text');
  });
});

const addNote = (db: Db) => db.schema.alterTable('taxes').addColumn('note', 'text').execute();

async function version(store: OpenStore): Promise<number> {
  return (await store.db.selectFrom('schema_version').select('version').executeTakeFirstOrThrow()).version;
}
