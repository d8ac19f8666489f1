import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentRecord, TableName } from '../../../src/service/records/index.ts';
import { columns } from '../../../src/service/store/columns.ts';
import { derivedColumns, derivedText } from '../../../src/service/store/derived.ts';
import { idOf } from '../../../src/service/store/ids.ts';
import { laterColumns, laterTables } from '../../../src/service/store/migrate-documents.ts';
import { migrate } from '../../../src/service/store/migrations.ts';
import { createAccount, type OpenStore, openStore } from '../../../src/service/store/open.ts';
import type { Condition } from '../../../src/service/store/store.ts';
import { event, metric } from '../../engine/reference-records.ts';
import { appliedCouponRecord, couponRecord, customerRecord, invoiceRecord, storedFee } from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { NOW, newAccount, organization } from './small-account.ts';

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

/** Makes the database as it was before the migration, as far as the next migrations would fail otherwise. */
async function rewind(store: OpenStore, migration: string): Promise<void> {
  await sql`delete from kysely_migration where name >= ${migration}`.execute(store.db);
  const indexes =
    store.dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index' and name like 'list_%'`
      : sql<{ name: string }>`select indexname as name from pg_indexes where indexname like 'list_%'`;
  for (const { name } of (await indexes.execute(store.db)).rows)
    await sql`drop index ${sql.id(name)}`.execute(store.db);
  for (const table of laterTables) await store.db.schema.dropTable(table).execute();
  for (const [table, names] of Object.entries(laterColumns)) {
    for (const column of names) await store.db.schema.alterTable(table).dropColumn(column).execute();
  }
  for (const [table, derived] of Object.entries(derivedText)) {
    for (const column of Object.keys(derived)) await store.db.schema.alterTable(table).dropColumn(column).execute();
  }
}

const paymentRecord: PaymentRecord = {
  ...{ id: 'payment', created_at: NOW, updated_at: NOW, customer_id: 'customer', invoice_ids: ['i1'] },
  ...{ payable_id: 'request', payable_type: 'Invoice', amount_cents: 300, amount_currency: 'EUR', status: 'ok' },
  ...{ payment_status: 'succeeded', type: 'provider', reference: null, payment_provider_code: null },
  ...{ payment_provider_type: null, provider_payment_id: null, provider_customer_id: null },
  ...{ payment_method_id: null, next_action: {} },
};

const typeOf = { text: 'text', json: 'text', int: 'bigint', flag: 'integer' } as const;

describe.skipIf(missing)(`the schema on ${name}`, () => {
  describe('after the migrations', () => {
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

    it('stays as it is when they run again', async () => {
      await migrate(store.db, store.dialect);
      expect((await columnTypes(store, 'kysely_migration')).size).toBe(2);
      const { rows } = await sql<{ count: number }>`select count(*) as count from kysely_migration`.execute(store.db);
      expect(Number(rows[0]?.count)).toBe(5);
    });

    it('replaces guessable secrets of portal links, and no others', async () => {
      const id = (last: number) => `11111111-1111-4111-8111-11111111111${last}`;
      const before = ['demo-hmac-key-that-signs-nothing', idOf('hmac key', id(1)), 'chosen by the account file'];
      for (const [last, hmac_key] of before.entries()) {
        await createAccount(store, { organization: { ...organization(id(last)), hmac_key }, apiKey: `key-${last}` });
      }
      await rewind(store, '0002');
      await migrate(store.db, store.dialect);
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
      await rewind(store, '0003');
      await migrate(store.db, store.dialect);
      expect(await derived()).toEqual(before);
    });

    it('derives the texts of records that are older than the columns', async () => {
      const account = await newAccount(store, 'older records', '44444444-4444-4444-8444-444444444444');
      const metadata = [{ id: 'm', key: 'tier', value: 'gold', created_at: NOW }];
      // More than one batch.
      const customers = Array.from({ length: 501 }, (_, n) =>
        customerRecord({ id: `c${n}`, external_id: `c${n}`, name: `ÉLAN ${n}`, metadata }),
      );
      await account.insertMany('customers', customers);
      await account.insert('invoices', invoiceRecord([], { id: 'i', number: 'INV-É-1' }));
      await rewind(store, '0004');
      await migrate(store.db, store.dialect);
      const found = async (where: Condition<'customers'>) => (await account.list('customers', { where })).total;
      expect(await found({ text: 'search_text', contains: 'élan' })).toBe(501);
      expect(await found({ metadata: 'tier', value: 'gold' })).toBe(501);
      const { rows } = await account.list('invoices', { where: { text: 'number_text', contains: 'inv-é' } });
      expect(rows.map(row => row.id)).toEqual(['i']);
    });

    it('makes what lists of documents read of older records', async () => {
      const account = await newAccount(store, 'older documents', '55555555-5555-4555-8555-555555555555');
      const coupon = couponRecord('ended', { status: 'terminated' });
      await account.insert('coupons', coupon);
      await account.insert('coupons', couponRecord('running', { reusable: false }));
      await account.insert('applied_coupons', appliedCouponRecord(coupon, { status: 'terminated' }));
      await account.insert('customers', customerRecord({ email: 'pay@acme.example' }));
      // More than one batch; and two fees with one id, which an older account may have.
      const fee = (id: string) => storedFee(100, { id, created_at: NOW });
      const invoices = Array.from({ length: 501 }, (_, n) => invoiceRecord([fee(`f${n}`), fee('f')], { id: `i${n}` }));
      // More fees than one statement takes.
      const long = Array.from({ length: 4000 }, (_, n) => fee(`long ${n}`));
      await account.insertMany('invoices', [...invoices, invoiceRecord(long, { id: 'long' })]);
      const payment = { ...paymentRecord, payable_type: 'PaymentRequest' as const, invoice_ids: ['i1', 'i2'] };
      await account.insert('payments', { ...payment, id: 'first', payment_status: 'failed' });
      await account.insert('payments', { ...payment, id: 'second', created_at: '2026-03-11T12:00:00.000Z' });
      await account.insert('payments', { ...payment, id: 'third', payable_type: 'Invoice', payable_id: 'i1' });
      await rewind(store, '0004');
      await migrate(store.db, store.dialect);
      expect(await account.count('fees')).toBe(4502);
      expect(await account.get('fees', 'f500')).toMatchObject({ invoice_id: 'i500', fee_type: 'subscription' });
      expect(await account.find('payment_requests')).toEqual([
        {
          ...{ id: 'request', created_at: NOW, updated_at: NOW, customer_id: 'customer', invoice_ids: ['i1', 'i2'] },
          ...{ amount_cents: 300, amount_currency: 'EUR', email: 'pay@acme.example', payment_status: 'failed' },
        },
      ]);
      expect(await account.get('coupons', 'ended')).toEqual({ ...coupon, terminated_at: coupon.updated_at });
      expect(await account.get('coupons', 'running')).toMatchObject({ terminated_at: null, reusable: true });
      expect(await account.find('applied_coupons')).toMatchObject([{ terminated_at: coupon.updated_at }]);
    });
  });
});
