/** Lists by conditions: a `ListQuery` as SQL that both databases read alike. */
import { type RawBuilder, sql } from 'kysely';
import type { TableName } from '../records/index.ts';
import { columns, encodeValue } from './columns.ts';
import { BETWEEN, lowered, metadataPart } from './derived.ts';
import type { Db, DialectName } from './migrations.ts';
import type { Window } from './store.ts';

/** How many ids a statement asks for at once. */
const MOST_IDS = 1000;

type Sql = RawBuilder<unknown>;
type Row = Record<string, unknown>;

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
): Promise<{ rows: Row[]; total: number }> {
  const from = sql`from ${sql.table(query.table)} where ${ofAccount(scope, query.table, query.table, query.where)}`;
  if (window === undefined) {
    const { rows } = await sql<Row>`select ${allColumns(query.table)} ${from} ${orderBy(query.order)}`.execute(
      scope.db,
    );
    return { rows, total: rows.length };
  }
  const page = sql<{
    id: string;
  }>`select id ${from} ${orderBy(query.order)} limit ${window.limit} offset ${window.offset}`;
  const ids = (await page.execute(scope.db)).rows.map(({ id }) => id);
  const rows = await rowsOfIds(scope, query.table, ids);
  // A page that is not full is the last one. Else the database counts, with the index that suits this best.
  const isLast = ids.length < window.limit && (ids.length > 0 || window.offset === 0);
  return { rows, total: isLast ? window.offset + ids.length : await counted(scope, from) };
}

async function counted(scope: ListScope, from: Sql): Promise<number> {
  const { rows } = await sql<{ total: unknown }>`select count(*) as total ${from}`.execute(scope.db);
  return Number(rows[0]?.total);
}

/** The rows with the ids, in their order. Sorting whole rows in the database would cost more. */
async function rowsOfIds({ db, organizationId }: ListScope, table: TableName, ids: readonly string[]): Promise<Row[]> {
  const found = new Map<unknown, Row>();
  for (let at = 0; at < ids.length; at += MOST_IDS) {
    const some = sql.join(ids.slice(at, at + MOST_IDS));
    const own = sql`organization_id = ${organizationId} and id in (${some})`;
    const { rows } = await sql<Row>`select ${allColumns(table)} from ${sql.table(table)} where ${own}`.execute(db);
    for (const row of rows) found.set(row.id, row);
  }
  return ids.map(id => found.get(id)).filter(row => row !== undefined);
}

function allColumns(table: TableName): Sql {
  return sql.join([...columns[table].keys()].map(name => sql.ref(name)));
}

/** The id comes last, so that equal rows keep their order over pages. */
function orderBy(order: readonly AnyOrdering[]): Sql {
  const parts = order.map(
    ([column, direction, nulls]) =>
      sql`${sql.ref(column)} ${sql.raw(direction)}${nulls ? sql.raw(` nulls ${nulls}`) : sql``}`,
  );
  return sql`order by ${sql.join([...parts, sql`id asc`])}`;
}

function ofAccount(scope: ListScope, table: TableName, name: string, where: AnyCondition): Sql {
  return sql`${sql.ref(`${name}.organization_id`)} = ${scope.organizationId} and ${condition(scope, table, name, where)}`;
}

/** A condition on a row of the table, which the statement calls `name`. */
function condition(scope: ListScope, table: TableName, name: string, tree: AnyCondition): Sql {
  const column = (field: string) => sql.ref(`${name}.${field}`);
  const inner = (each: AnyCondition) => condition(scope, table, name, each);
  if ('every' in tree) return joined(tree.every.map(inner), 'and');
  if ('any' in tree) return joined(tree.any.map(inner), 'or');
  // A comparison with null is neither true nor false: without `is not true` its negation would not be true either.
  if ('not' in tree) return sql`(${inner(tree.not)}) is not true`;
  if ('is' in tree)
    return joined(
      Object.entries(tree.is).map(pair => equality(table, column, ...pair)),
      'and',
    );
  if ('range' in tree) return inRange(table, tree, column(tree.range));
  if ('less' in tree) return sql`${column(tree.less[0])} < ${column(tree.less[1])}`;
  if ('link' in tree) {
    const other = `${name}_${tree.to}`;
    const chosen = sql`select ${sql.ref(`${other}.${tree.by ?? 'id'}`)} from ${sql.table(tree.to)} as ${sql.ref(other)}`;
    return sql`${column(tree.link)} in (${chosen} where ${ofAccount(scope, tree.to, other, tree.where)})`;
  }
  if ('lists' in tree) return holds(scope, column(tree.lists), JSON.stringify(tree.id));
  if ('metadata' in tree) return holds(scope, column('metadata_text'), metadataPart(tree.metadata, tree.value ?? null));
  if (tree.equals !== undefined) return sql`${column(tree.text)} = ${lowered(tree.equals)}`;
  if (tree.contains?.includes(BETWEEN)) return never;
  return holds(scope, column(tree.text), lowered(tree.contains ?? ''));
}

const always = sql`1 = 1`;
const never = sql`1 = 0`;

/** Without any part: true for `and`, false for `or`. */
function joined(parts: readonly Sql[], word: 'and' | 'or'): Sql {
  const needed = word === 'and' ? parts.filter(part => part !== always) : parts;
  const [only] = needed;
  if (only === undefined) return word === 'and' ? always : never;
  return needed.length === 1 ? only : sql`(${sql.join(needed, sql.raw(` ${word} `))})`;
}

/** As in `find`: a list allows any of its values, null matches null, undefined allows everything. */
function equality(table: TableName, column: (field: string) => Sql, field: string, wanted: unknown): Sql {
  if (wanted === undefined) return always;
  const values = (Array.isArray(wanted) ? wanted : [wanted]).map(value => encodeValue(table, field, value));
  const given = values.filter(value => value !== null);
  const parts = given.length === 1 ? [sql`${column(field)} = ${given[0]}`] : [];
  if (given.length > 1) parts.push(sql`${column(field)} in (${sql.join(given)})`);
  if (given.length < values.length) parts.push(sql`${column(field)} is null`);
  return joined(parts, 'or');
}

function inRange(
  table: TableName,
  { range, from, to }: { range: string; from?: unknown; to?: unknown },
  column: Sql,
): Sql {
  const bounds = [];
  if (from !== undefined) bounds.push(sql`${column} >= ${encodeValue(table, range, from)}`);
  if (to !== undefined) bounds.push(sql`${column} <= ${encodeValue(table, range, to)}`);
  return joined(bounds, 'and');
}

function holds({ dialect }: ListScope, column: Sql, part: string): Sql {
  return dialect === 'postgres' ? sql`strpos(${column}, ${part}) > 0` : sql`instr(${column}, ${part}) > 0`;
}
