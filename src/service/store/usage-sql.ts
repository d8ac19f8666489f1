/** Parts of SQL for the usage statements. Their meaning is the same on both databases. */
import Big from 'big.js';
import { type RawBuilder, sql } from 'kysely';
import type { InstantText } from '../../engine/records/index.ts';
import type { UsageRow } from '../../engine/types.ts';
import { dimensionText } from '../../engine/usage.ts';
import type { Db, DialectName } from './schema.ts';

/** Which events a statement reads. */
export interface UsageScope {
  db: Db;
  dialect: DialectName;
  organizationId: string;
  subscription: string;
  codes: readonly string[];
  /** Only events with a numeric value: for sums, max, latest and weighted sums the others do not exist (§8). */
  numeric: boolean;
  dimensions: readonly string[];
}

/** `from` null: from the first event. `before`: `to` itself is not included. */
export interface TimeRange {
  from: InstantText | null;
  to: InstantText;
  before?: boolean;
}

export type SqlRow = Record<string, string | number | bigint | null>;
export type Sql = RawBuilder<unknown>;

export function where(scope: UsageScope, range: TimeRange): Sql {
  const start = range.from === null ? sql`` : sql`and timestamp >= ${range.from}`;
  const end = range.before ? sql`and timestamp < ${range.to}` : sql`and timestamp <= ${range.to}`;
  const [onlyCode] = scope.codes;
  const codes = scope.codes.length === 1 ? sql`code = ${onlyCode}` : sql`code in (${sql.join(scope.codes)})`;
  // Numbers with more digits than the integer columns hold are only in the text (see `NumberParts`).
  const numeric = scope.numeric ? sql`and (value_int is not null or exact = 0)` : sql``;
  return sql`where organization_id = ${scope.organizationId} and external_subscription_id = ${scope.subscription}
    and ${codes} ${start} ${end} ${numeric}`;
}

/** `code, d0, d1, …`: the dimensions as JSON text, null when missing. */
export function grouping(scope: UsageScope): Sql {
  return sql.join([
    sql`code`,
    ...scope.dimensions.map((key, i) => sql`${propertyJson(scope, key)} as ${sql.ref(`d${i}`)}`),
  ]);
}

/** `1, 2, 3`: the columns of `grouping` by position, because their expressions contain parameters. */
export function positions(scope: UsageScope): Sql {
  return sql.raw([...scope.dimensions, ''].map((_, i) => String(i + 1)).join(', '));
}

/** `code, d0, d1, …` of an inner statement. */
function groupNames(scope: UsageScope): Sql {
  return sql.raw(['code', ...scope.dimensions.map((_, i) => `d${i}`)].join(', '));
}

export async function rowsOf(scope: UsageScope, statement: Sql): Promise<SqlRow[]> {
  return (await statement.execute(scope.db)).rows as SqlRow[];
}

/** A metric's code and a combination of dimension values, as JSON text. */
export interface Group {
  code: string;
  dimensions: UsageRow['dimensions'];
}

/** The group of a statement's row. */
export function groupOf(scope: UsageScope, row: SqlRow): Group {
  const values = scope.dimensions.map((key, i) => [key, (row[`d${i}`] ?? null) as string | null] as const);
  return { code: String(row.code), dimensions: Object.fromEntries(values) };
}

export function groupKey({ code, dimensions }: Group): string {
  return JSON.stringify([code, ...Object.entries(dimensions)]);
}

/** The first `most` rows, by `order`, of each group that a statement with `grouping` gives; `sorted`: all in that order. */
export function firstOfEach(
  scope: UsageScope,
  rows: Sql,
  { order, most, sorted = false }: { order: Sql; most: number; sorted?: boolean },
): Promise<SqlRow[]> {
  const ranked = sql`select grouped.*, row_number() over (partition by ${groupNames(scope)} order by ${order}) as place
    from (${rows}) as grouped`;
  const inOrder = sorted ? sql`order by ${order}` : sql``;
  return rowsOf(scope, sql`select * from (${ranked}) as ranked where place <= ${most} ${inOrder}`);
}

/** Dimension values as the engine compares them, read from JSON text: 1 and "1" are equal. */
export function readDimensions(dimensions: UsageRow['dimensions']): UsageRow['dimensions'] {
  const entries = Object.entries(dimensions);
  return Object.fromEntries(
    entries.map(([key, json]) => [key, json === null ? null : dimensionText(JSON.parse(json))]),
  );
}

/** The three summed parts of a number as one exact decimal (see `NumberParts`). */
export function readNumber(int: SqlRow[string], hi: SqlRow[string], lo: SqlRow[string]): Big {
  return readSum(int).plus(readSum(hi).times('0.000000001')).plus(readSum(lo).times('0.000000000000000001'));
}

/** Reads `billions rest`, a sum that was split to stay within 64 bits, or a plain integer; null is 0. */
export function readSum(value: SqlRow[string] | undefined): Big {
  const [first = '0', rest] = String(value ?? '0').split(' ');
  return rest === undefined ? new Big(first) : new Big(first).times(1e9).plus(rest);
}

/**
 * A property as JSON text; null when it is missing or null. `readDimensions` parses the text later: parsing in SQL would
 * read the JSON twice per event.
 */
function propertyJson(scope: UsageScope, key: string): Sql {
  if (scope.dialect === 'postgres') return sql`nullif((properties::json -> ${key}::text)::text, 'null')`;
  return sql`nullif(properties -> ${key.includes('"') ? key : `$."${key}"`}, 'null')`;
}
