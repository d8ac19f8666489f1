/** Lists by conditions: a `ListQuery` as SQL that both databases read alike. */
import { type RawBuilder, sql } from 'kysely';
import type { TableName } from '../../engine/records/index.ts';
import { columns, encodeValue, type StoredRow } from './columns.ts';
import { FIELD_SEPARATOR, lowered, metadataPart } from './derived.ts';
import type { Db, DialectName } from './schema.ts';
import type { Window } from './store.ts';

const IDS_PER_STATEMENT = 1000;

type Sql = RawBuilder<unknown>;

export interface ListScope {
  db: Db;
  dialect: DialectName;
  organizationId: string;
}

/** `Condition` of any table; see there. */
type AnyCondition =
  | { every: readonly AnyCondition[] }
  | { any: readonly AnyCondition[] }
  | { not: AnyCondition }
  | { is: object }
  | { range: string; from?: unknown; to?: unknown }
  | { less: readonly [string, string] }
  | { text: string; contains?: string; equals?: string }
  | { metadata: string; value?: string }
  | { lists: string; id: string }
  | { link: string; to: TableName; by?: string; where: AnyCondition };

type AnyOrdering = readonly [string, 'asc' | 'desc', ('first' | 'last')?];

export interface TableQuery {
  table: TableName;
  where: AnyCondition;
  order: readonly AnyOrdering[];
}

/** The window's rows as the database holds them, and the number of all rows. Without a window: all rows. */
export async function listRows(
  scope: ListScope,
  query: TableQuery,
  window?: Window,
): Promise<{ rows: StoredRow[]; total: number }> {
  const from = sql`from ${sql.table(query.table)} where ${accountCondition(scope, query.table, query.table, query.where)}`;
  if (window === undefined) {
    const { rows } = await sql<StoredRow>`select ${allColumns(query.table)} ${from} ${orderBy(query.order)}`.execute(
      scope.db,
    );
    return { rows, total: rows.length };
  }
  const page = sql<{
    id: string;
  }>`select id ${from} ${orderBy(query.order)} limit ${window.limit} offset ${window.offset}`;
  const ids = (await page.execute(scope.db)).rows.map(({ id }) => id);
  const rows = await rowsOfIds(scope, query.table, ids);
  // A list page that is not full is the last one. Else the database counts, with the index that suits this best.
  const isLast = ids.length < window.limit && (ids.length > 0 || window.offset === 0);
  return { rows, total: isLast ? window.offset + ids.length : await countRows(scope, from) };
}

async function countRows(scope: ListScope, from: Sql): Promise<number> {
  const { rows } = await sql<{ total: unknown }>`select count(*) as total ${from}`.execute(scope.db);
  return Number(rows[0]?.total);
}

/** The rows with the ids, in their order. Sorting whole rows in the database would cost more. */
async function rowsOfIds(
  { db, organizationId }: ListScope,
  table: TableName,
  ids: readonly string[],
): Promise<StoredRow[]> {
  const rowsById = new Map<unknown, StoredRow>();
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
    const idList = sql.join(ids.slice(at, at + IDS_PER_STATEMENT));
    const ofIds = sql`organization_id = ${organizationId} and id in (${idList})`;
    const { rows } = await sql<StoredRow>`select ${allColumns(table)} from ${sql.table(table)} where ${ofIds}`.execute(
      db,
    );
    for (const row of rows) rowsById.set(row.id, row);
  }
  return ids.map(id => rowsById.get(id)).filter(row => row !== undefined);
}

function allColumns(table: TableName): Sql {
  return sql.join([...columns[table].keys()].map(name => sql.ref(name)));
}

/** The id comes last, so that equal rows keep their order from one list page to the next. */
function orderBy(order: readonly AnyOrdering[]): Sql {
  const parts = order.map(
    ([column, direction, nulls]) =>
      sql`${sql.ref(column)} ${sql.raw(direction)}${nulls ? sql.raw(` nulls ${nulls}`) : sql``}`,
  );
  return sql`order by ${sql.join([...parts, sql`id asc`])}`;
}

function accountCondition(scope: ListScope, table: TableName, alias: string, where: AnyCondition): Sql {
  return sql`${sql.ref(`${alias}.organization_id`)} = ${scope.organizationId} and ${condition(scope, table, alias, where)}`;
}

/** A condition on a row of the table, under the alias that it has in the statement. */
function condition(scope: ListScope, table: TableName, alias: string, where: AnyCondition): Sql {
  const column = (field: string) => sql.ref(`${alias}.${field}`);
  const inner = (each: AnyCondition) => condition(scope, table, alias, each);
  if ('every' in where) return combined(where.every.map(inner), 'and');
  if ('any' in where) return combined(where.any.map(inner), 'or');
  // A comparison with null is neither true nor false: without `is not true` its negation would not be true either.
  if ('not' in where) return sql`(${inner(where.not)}) is not true`;
  if ('is' in where)
    return combined(
      Object.entries(where.is).map(pair => equality(table, column, ...pair)),
      'and',
    );
  if ('range' in where) return inRange(table, where, column(where.range));
  if ('less' in where) return sql`${column(where.less[0])} < ${column(where.less[1])}`;
  if ('link' in where) {
    const other = `${alias}_${where.to}`;
    const chosen = sql`select ${sql.ref(`${other}.${where.by ?? 'id'}`)} from ${sql.table(where.to)} as ${sql.ref(other)}`;
    return sql`${column(where.link)} in (${chosen} where ${accountCondition(scope, where.to, other, where.where)})`;
  }
  if ('lists' in where) return containsText(scope, column(where.lists), JSON.stringify(where.id));
  if ('metadata' in where)
    return containsText(scope, column('metadata_text'), metadataPart(where.metadata, where.value ?? null));
  if (where.equals !== undefined) return sql`${column(where.text)} = ${lowered(where.equals)}`;
  if (where.contains?.includes(FIELD_SEPARATOR)) return never;
  return containsText(scope, column(where.text), lowered(where.contains ?? ''));
}

const always = sql`1 = 1`;
const never = sql`1 = 0`;

/** Without conditions: true for `and`, false for `or`. */
function combined(conditions: readonly Sql[], operator: 'and' | 'or'): Sql {
  const needed = operator === 'and' ? conditions.filter(condition => condition !== always) : conditions;
  const [only] = needed;
  if (only === undefined) return operator === 'and' ? always : never;
  return needed.length === 1 ? only : sql`(${sql.join(needed, sql.raw(` ${operator} `))})`;
}

/** As in `find`: a list allows any of its values, null matches null, undefined allows everything. */
function equality(table: TableName, column: (field: string) => Sql, field: string, wanted: unknown): Sql {
  if (wanted === undefined) return always;
  const values = (Array.isArray(wanted) ? wanted : [wanted]).map(value => encodeValue(table, field, value));
  const nonNull = values.filter(value => value !== null);
  const conditions = nonNull.length === 1 ? [sql`${column(field)} = ${nonNull[0]}`] : [];
  if (nonNull.length > 1) conditions.push(sql`${column(field)} in (${sql.join(nonNull)})`);
  if (nonNull.length < values.length) conditions.push(sql`${column(field)} is null`);
  return combined(conditions, 'or');
}

function inRange(
  table: TableName,
  { range, from, to }: { range: string; from?: unknown; to?: unknown },
  column: Sql,
): Sql {
  const bounds = [];
  if (from !== undefined) bounds.push(sql`${column} >= ${encodeValue(table, range, from)}`);
  if (to !== undefined) bounds.push(sql`${column} <= ${encodeValue(table, range, to)}`);
  return combined(bounds, 'and');
}

function containsText({ dialect }: ListScope, column: Sql, text: string): Sql {
  return dialect === 'postgres' ? sql`strpos(${column}, ${text}) > 0` : sql`instr(${column}, ${text}) > 0`;
}
