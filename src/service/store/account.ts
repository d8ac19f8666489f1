/** One account's records. Both databases get the same queries, built from columns.ts. */
import { sql } from 'kysely';
import type {
  BillableMetricRecord,
  EventRecord,
  InvoiceRecord,
  OrganizationRecord,
  TableName,
  Tables,
} from '../../engine/records/index.ts';
import type { UsageAnswer, UsageQuery } from '../../engine/types.ts';
import type { Bound } from './binding.ts';
import { columns, decode, encode, type StoredRow } from './columns.ts';
import { every, is, ofAccount, type Rows } from './conditions.ts';
import { derivedColumns, derivedTexts, needsWholeRecord } from './derived.ts';
import { eventRow } from './events.ts';
import { listedFees } from './fees.ts';
import { listRows } from './list.ts';
import { reportsOf } from './reports.ts';
import type { DialectName } from './schema.ts';
import type { AccountStore, FindOptions, ListQuery, Window } from './store.ts';
import { answerUsage } from './stored-usage.ts';
import type { Transactions } from './transactions.ts';

/** Both databases allow more parameters; statements of this size are the fastest on SQLite. */
const MAX_PARAMETERS = 10_000;

/** After an insert of this many rows, PostgreSQL needs new statistics of the table. */
const MANY_ROWS = 1000;
const MAX_ARRAY_ROWS = 5_000;

/** The account of one organization. Every query is limited to that organization's rows. */
export function accountOf(
  database: Transactions,
  dialect: DialectName,
  organization: OrganizationRecord,
): AccountStore {
  const rows = new AccountRows(database, dialect, organization.id);
  const updateInvoice = (id: string, changes: Partial<InvoiceRecord>) =>
    database.transaction(async () => {
      await rows.update('invoices', id, changes);
      if (changes.fees === undefined) return;
      await rows.remove('fees', { invoice_id: id });
      await rows.insert('fees', listedFees({ id, fees: changes.fees }));
    });
  const account: AccountStore = {
    organization,
    get: async (table, id, options) => decoded(table, await rows.one(table, { id }, options?.lock === true)),
    find: async (table, where = {}, options = {}) =>
      (await rows.select(table, where, options)).map(row => decode(table, row)),
    first: async (table, where, options = {}) => {
      const [row] = await rows.select(table, where, { ...options, limit: 1 });
      return decoded(table, row);
    },
    count: (table, where = {}) => rows.count(table, where),
    list: async (table, { where = every(), order = [['created_at', 'desc']] }, window) => {
      const page = await rows.list(table, { where, order }, window);
      return { rows: page.rows.map(row => decode(table, row)), total: page.total };
    },
    insert: (table, record) =>
      table === 'invoices' ? account.insertMany(table, [record]) : rows.insert(table, [record]),
    insertMany: (table, records) =>
      database.transaction(async () => {
        await rows.insert(table, records);
        if (table === 'invoices') await rows.insert('fees', (records as readonly InvoiceRecord[]).flatMap(listedFees));
      }),
    update: (table, id, changes) =>
      table === 'invoices' ? updateInvoice(id, changes as Partial<InvoiceRecord>) : rows.update(table, id, changes),
    remove: (table, id) =>
      database.transaction(async () => {
        await rows.remove(table, { id });
        if (table === 'invoices') await rows.remove('fees', { invoice_id: id });
      }),
    usage: (queries: readonly UsageQuery[]): Promise<UsageAnswer> =>
      database.read(db => answerUsage(db, dialect, organization.id, queries)),
    reports: reportsOf(database.read, organization.id),
    transaction: work => database.transaction(() => work(account)),
  };
  return account;
}

function arrayType(table: TableName, name: string): string {
  const kind = columns[table].get(name) ?? derivedColumns(table)[name];
  if (kind === 'int') return 'bigint[]';
  return kind === 'flag' ? 'integer[]' : 'text[]';
}

function decoded<T extends TableName>(table: T, row: StoredRow | undefined): Tables[T] | undefined {
  return row && decode(table, row);
}

/** The rows of one organization in every table, as the database holds them. */
class AccountRows {
  readonly #database: Transactions;
  readonly #dialect: DialectName;
  readonly #organizationId: string;

  constructor(database: Transactions, dialect: DialectName, organizationId: string) {
    this.#database = database;
    this.#dialect = dialect;
    this.#organizationId = organizationId;
  }

  one(table: TableName, where: object, lock: boolean): Promise<StoredRow | undefined> {
    return this.#database.read(db => {
      const query = this.#limited(db.selectFrom(table).select([...columns[table].keys()]), table, where);
      return (lock && this.#dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
    });
  }

  select(table: TableName, where: object, options: FindOptions): Promise<StoredRow[]> {
    return this.#database.read(db => {
      let query = this.#limited(db.selectFrom(table).select([...columns[table].keys()]), table, where)
        .orderBy('created_at', options.order === 'oldest' ? 'asc' : 'desc')
        .orderBy('id', 'asc');
      if (options.limit !== undefined) query = query.limit(options.limit);
      return query.execute();
    });
  }

  count(table: TableName, where: object): Promise<number> {
    return this.#database.read(async db => {
      const query = db.selectFrom(table).select(db.fn.countAll().as('count'));
      return Number((await this.#limited(query, table, where).executeTakeFirst()).count);
    });
  }

  list<T extends TableName>(table: T, query: Required<ListQuery<T>>, window: Window | undefined) {
    return this.#database.read(db => listRows(db, this.#rowsOf(table), query, window));
  }

  /** An older account may have two fees with one id: only the first gets a row in `fees`. */
  async insert<T extends TableName>(table: T, records: readonly Tables[T][]): Promise<void> {
    const rows = await this.#encoded(table, records);
    if (this.#dialect === 'postgres' && rows.length > 1) return this.#insertColumns(table, rows);
    const chunkSize = Math.max(1, Math.floor(MAX_PARAMETERS / (Object.keys(rows[0] ?? {}).length || 1)));
    for (let at = 0; at < rows.length; at += chunkSize) {
      await this.#database.write(db => {
        const query = db.insertInto(table).values(rows.slice(at, at + chunkSize));
        return (table === 'fees' ? query.onConflict(conflict => conflict.doNothing()) : query).execute();
      });
    }
  }

  /** Sends one array per column: PostgreSQL is slow with thousands of single parameters, and fast with arrays. */
  async #insertColumns(table: TableName, rows: readonly Record<string, Bound>[]): Promise<void> {
    const names = ['organization_id', ...columns[table].keys(), ...Object.keys(derivedColumns(table))];
    for (let at = 0; at < rows.length; at += MAX_ARRAY_ROWS) {
      const chunk = rows.slice(at, at + MAX_ARRAY_ROWS);
      const arrays = names.map(name => {
        const values = chunk.map(row => row[name] ?? null);
        return sql`${values}::${sql.raw(arrayType(table, name))}`;
      });
      const onConflict = table === 'fees' ? sql`on conflict do nothing` : sql``;
      const insert = sql`insert into ${sql.table(table)} (${sql.join(names.map(name => sql.ref(name)))})`;
      await this.#database.write(db =>
        sql`${insert} select * from unnest(${sql.join(arrays)}) ${onConflict}`.execute(db),
      );
    }
    // Without new statistics, PostgreSQL plans aggregations badly until it next analyzes the table by itself.
    if (rows.length >= MANY_ROWS) await this.#database.write(db => sql`analyze ${sql.table(table)}`.execute(db));
  }

  async update<T extends TableName>(table: T, id: string, changes: Partial<Tables[T]>): Promise<void> {
    if (needsWholeRecord(table, changes)) return this.#updateWhole(table, id, changes);
    const row = { ...encode(table, changes), ...derivedTexts(table, changes) };
    if (Object.keys(row).length === 0) return;
    const result: { numUpdatedRows: bigint } = await this.#database.write(db =>
      this.#limited(db.updateTable(table as string).set(row as object), table, { id }).executeTakeFirst(),
    );
    if (!result.numUpdatedRows) throw new Error(`There is no record ${id} in ${table} to update.`);
  }

  /** A text that is derived from several fields also needs those that do not change. */
  #updateWhole<T extends TableName>(table: T, id: string, changes: Partial<Tables[T]>): Promise<void> {
    return this.#database.transaction(async () => {
      const row = await this.one(table, { id }, true);
      const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
      if (row) return this.update(table, id, { ...decode(table, row), ...Object.fromEntries(changed) });
      throw new Error(`There is no record ${id} in ${table} to update.`);
    });
  }

  async remove(table: TableName, where: object): Promise<void> {
    await this.#database.write(db => this.#limited(db.deleteFrom(table), table, where).execute());
  }

  async #encoded<T extends TableName>(table: T, records: readonly Tables[T][]): Promise<Record<string, Bound>[]> {
    const metrics = table === 'events' ? await this.#metricsByCode(records as readonly EventRecord[]) : null;
    return records.map(record => ({
      organization_id: this.#organizationId,
      ...(metrics
        ? eventRow(record as EventRecord, metrics.get((record as EventRecord).code))
        : { ...encode(table, record), ...derivedTexts(table, record) }),
    }));
  }

  async #metricsByCode(events: readonly EventRecord[]): Promise<Map<string, BillableMetricRecord>> {
    const codes = [...new Set(events.map(event => event.code))];
    const metrics = await this.select('billable_metrics', { code: codes }, {});
    return new Map(metrics.map(row => [String(row.code), decode('billable_metrics', row)]));
  }

  #rowsOf<T extends TableName>(table: T): Rows<T> {
    return { table, alias: table, dialect: this.#dialect, organizationId: this.#organizationId };
  }

  // biome-ignore lint/suspicious/noExplicitAny: select, update and delete share `where`, but no type of Kysely's
  #limited(query: any, table: TableName, where: object): any {
    return query.where(ofAccount(this.#rowsOf(table), is(where)));
  }
}
