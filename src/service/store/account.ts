/** One account's records. Both databases get the same queries, built from columns.ts. */
import { sql } from 'kysely';
import {
  type BillableMetricRecord,
  type EventRecord,
  type FeeRecord,
  type InvoiceRecord,
  type ListedFeeRecord,
  listedFeeFields,
  type OrganizationRecord,
  type TableName,
  type Tables,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { UsageAnswer, UsageQuery } from '../../engine/types.ts';
import { fieldOf } from '../../lib/json.ts';
import type { Bound } from './binding.ts';
import { columns, decode, encode, type StoredRow } from './columns.ts';
import { type Condition, every, is, ofAccount, type Rows, type Where } from './conditions.ts';
import { derivedColumns, derivedTexts, needsWholeRecord } from './derived.ts';
import { eventRow } from './events.ts';
import { reportsOf } from './reports.ts';
import type { Db, DialectName } from './schema.ts';
import type { AccountStore, FindOptions, ListQuery, Window } from './store.ts';
import { answerUsage } from './stored-usage.ts';
import type { Transactions } from './transactions.ts';

type Selection = FindOptions & { lock?: boolean };
/** Which rows of a table, whose type is known outside. */
type Selected = Where<object> | Condition<TableName>;

/** Both databases allow more parameters; statements of this size are the fastest on SQLite. */
const MAX_PARAMETERS = 10_000;

/** After an insert of this many rows, PostgreSQL needs new statistics of the table. */
const MANY_ROWS = 1000;
const MAX_ARRAY_ROWS = 5_000;
const IDS_PER_STATEMENT = 1000;

/** The account of one organization. Every query is limited to that organization's rows. */
export function accountOf(
  database: Transactions,
  dialect: DialectName,
  organization: OrganizationRecord,
): AccountStore {
  const rows = new AccountRows(database, dialect, organization.id);
  const select = async <T extends TableName>(table: T, where: Selected, options: Selection) =>
    (await rows.select(table, where, options)).map(row => decode(table, row));
  const updateInvoice = (id: string, changes: Partial<InvoiceRecord>) =>
    database.transaction(async () => {
      await rows.update('invoices', id, changes);
      if (changes.fees === undefined) return;
      await rows.remove('fees', { invoice_id: id });
      await rows.insert('fees', listedFees({ id, fees: changes.fees }));
    });
  const account: AccountStore = {
    organization,
    get: async (table, id, options) => (await select(table, { id }, { ...options, limit: 1 }))[0],
    find: (table, where = {}, options = {}) => select(table, where as Selected, options),
    first: async (table, where, options) => (await select(table, where, { ...options, limit: 1 }))[0],
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

/**
 * The rows of `fees` for the fees of an invoice, in which they are stored. The table repeats the fields by which they are
 * filtered, sorted and added up: otherwise a list of fees would read every invoice. Fees that were only computed have no id
 * and no row.
 */
function listedFees(invoice: { id: string; fees: readonly FeeRecord[] }): ListedFeeRecord[] {
  return invoice.fees.flatMap(fee => {
    const { id, created_at, item } = fee;
    if (id === null || created_at === null) return [];
    const billable_metric_code = item.type === 'charge' ? item.code : null;
    const ofInvoice = { id, created_at, invoice_id: invoice.id, fee_type: item.type, billable_metric_code };
    return [{ ...ofInvoice, ...pick(fee, listedFeeFields) }];
  });
}

function arrayType(table: TableName, name: string): string {
  const kind = columns[table].get(name) ?? derivedColumns(table)[name];
  if (kind === 'int') return 'bigint[]';
  return kind === 'flag' ? 'integer[]' : 'text[]';
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

  select(table: TableName, where: Selected, options: Selection): Promise<StoredRow[]> {
    return this.#database.read(db => {
      let query = this.#limited(db.selectFrom(table).select([...columns[table].keys()]), table, where);
      // One record has no order.
      if (typeof fieldOf(where, 'id') !== 'string')
        query = query.orderBy('created_at', options.order === 'oldest' ? 'asc' : 'desc').orderBy('id', 'asc');
      if (options.limit !== undefined) query = query.limit(options.limit);
      return (options.lock && this.#dialect === 'postgres' ? query.forUpdate() : query).execute();
    });
  }

  count(table: TableName, where: Selected): Promise<number> {
    return this.#database.read(async db => {
      const query = db.selectFrom(table).select(db.fn.countAll().as('count'));
      return Number((await this.#limited(query, table, where).executeTakeFirst()).count);
    });
  }

  /** The window's rows, and the number of all rows. */
  list<T extends TableName>(
    table: T,
    { where, order }: Required<ListQuery<T>>,
    window: Window,
  ): Promise<{ rows: StoredRow[]; total: number }> {
    return this.#database.read(async db => {
      const matching = db.selectFrom(table as string).where(ofAccount(this.#rowsOf(table), where));
      const sorted = order.reduce(
        (query, [column, direction, nulls]) =>
          query.orderBy(sql`${sql.ref(column)} ${sql.raw(nulls ? `${direction} nulls ${nulls}` : direction)}`),
        matching,
      );
      // The id comes last, so that equal rows keep their order from one list page to the next.
      const ordered = sorted.orderBy('id');
      const page = await ordered.select('id').limit(window.limit).offset(window.offset).execute();
      const ids = page.map(({ id }) => id);
      const rows = await this.#rowsOfIds(db, table, ids);
      // A list page that is not full is the last one. Else the database counts, with the index that suits this best.
      const isLast = page.length < window.limit && (page.length > 0 || window.offset === 0);
      if (isLast) return { rows, total: window.offset + page.length };
      const counted = await matching.select(({ fn }) => fn.countAll().as('total')).executeTakeFirst();
      return { rows, total: Number(counted?.total) };
    });
  }

  /** The rows with the ids, in their order. Sorting whole rows in the database would cost more. */
  async #rowsOfIds(db: Db, table: TableName, ids: readonly string[]): Promise<StoredRow[]> {
    const rowsById = new Map<unknown, StoredRow>();
    for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
      const query = db.selectFrom(table).select([...columns[table].keys()]);
      const rows = await this.#limited(query, table, { id: ids.slice(at, at + IDS_PER_STATEMENT) }).execute();
      for (const row of rows) rowsById.set(row.id, row);
    }
    return ids.map(id => rowsById.get(id)).filter(row => row !== undefined);
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
      const [row] = await this.select(table, { id }, { lock: true, limit: 1 });
      const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
      if (row) return this.update(table, id, { ...decode(table, row), ...Object.fromEntries(changed) });
      throw new Error(`There is no record ${id} in ${table} to update.`);
    });
  }

  async remove(table: TableName, where: Selected): Promise<void> {
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
  #limited(query: any, table: TableName, where: Selected): any {
    const condition = typeof where === 'function' ? (where as Condition<TableName>) : is(where);
    return query.where(ofAccount(this.#rowsOf(table), condition));
  }
}
