/** Counts, sums, largest and latest values of events, computed in the database (service-behaviour §8). */
import Big from 'big.js';
import { sql } from 'kysely';
import { isNumeric } from '../../contract/pricing/money.ts';
import type { UsageRow } from '../../engine/types.ts';
import {
  firstOfEach,
  type Group,
  grouping,
  groupKey,
  groupOf,
  positions,
  readNumber,
  readSum,
  rowsOf,
  type Sql,
  type SqlRow,
  type TimeRange,
  type UsageScope,
  where,
} from './usage-sql.ts';

/** What to compute besides the count of events. */
export interface WantedTotals {
  sum: boolean;
  /** Is some value negative, so that running sums may fall? */
  falls: boolean;
  max: boolean;
  latest: boolean;
  amounts: boolean;
  /** For weighted sums: Σ value × time. */
  moments: boolean;
}

export interface Total extends Group {
  events_count: number;
  sum: Big;
  falls: boolean;
  max: Big | null;
  latest: UsageRow['latest'];
  amounts: Big;
  /** Σ value × milliseconds since 1970. */
  moment: Big;
}

/** One total for every code and combination of dimension values that has events in the range. */
export async function eventTotals(scope: UsageScope, range: TimeRange, wanted: WantedTotals): Promise<Total[]> {
  const rows = await summedRows(scope, range, wanted);
  const totals = rows.map(row => totalOf(scope, row));
  const totalByKey = new Map(totals.map(total => [groupKey(total), total]));
  const withTotals = (read: readonly SqlRow[]) =>
    read.flatMap(row => {
      const total = totalByKey.get(groupKey(groupOf(scope, row)));
      return total ? [{ row, total }] : [];
    });
  if (wanted.max && rows.some(row => Number(row.has_fraction) === 1)) {
    // `exact` is in the index. With another column, such as transaction_id, PostgreSQL would read the table.
    const largest = await firstEvents(scope, range, LARGEST_FIRST, sql`exact`);
    for (const { row, total } of withTotals(largest)) total.max = exactValue(row);
  }
  if (wanted.latest) {
    const latest = await firstEvents(scope, range, LATEST_FIRST, sql`timestamp, transaction_id`);
    for (const { row, total } of withTotals(latest)) total.latest = latestOf(row, exactValue(row));
  }
  if (rows.some(row => row.exact !== undefined && Number(row.exact) === 0)) {
    for (const { row, total } of withTotals(await inexactEvents(scope, range))) addInexact(total, row);
  }
  return totals;
}

async function summedRows(scope: UsageScope, range: TimeRange, wanted: WantedTotals): Promise<SqlRow[]> {
  try {
    return await rowsOf(scope, summingStatement(scope, range, wanted, false));
  } catch (error) {
    // SQLite adds integers in 64 bits and fails on overflow.
    if (!/integer overflow/i.test(String(error))) throw error;
    return rowsOf(scope, summingStatement(scope, range, wanted, true));
  }
}

function summingStatement(scope: UsageScope, range: TimeRange, wanted: WantedTotals, splitSums: boolean) {
  const columns: Sql[] = [grouping(scope), sql`count(*) as n`];
  if (wanted.sum) columns.push(...sumColumns('value', splitSums));
  if (wanted.falls) columns.push(LEAST);
  if (wanted.amounts) columns.push(...sumColumns('amount', splitSums));
  if (wanted.moments) columns.push(...MOMENTS.map(name => sumColumn(name, splitSums)));
  if (wanted.max) columns.push(sql`max(value_int) as largest`, HAS_FRACTION);
  const readsValues = wanted.sum || wanted.amounts || wanted.max || wanted.latest;
  if (readsValues) columns.push(sql`min(exact) as exact`);
  return sql`select ${sql.join(columns)} from events ${where(scope, range)} group by ${positions(scope)}`;
}

const MOMENTS = ['moment_0', 'moment_1', 'moment_2', 'moment_3'];
const LARGEST_FIRST = sql`value_int desc, value_frac_hi desc, value_frac_lo desc`;
const LATEST_FIRST = sql`timestamp desc, transaction_id desc`;
// Each part of a number has its sign, so the sum of the parts has it too.
const LEAST = sql`min(value_int + value_frac_hi + value_frac_lo) as least`;
const HAS_FRACTION = sql`max(case when value_frac_hi <> 0 or value_frac_lo <> 0 then 1 else 0 end) as has_fraction`;

function sumColumns(prefix: 'value' | 'amount', splitSums: boolean): Sql[] {
  return ['int', 'frac_hi', 'frac_lo'].map(name => sumColumn(`${prefix}_${name}`, splitSums));
}

function sumColumn(name: string, splitSums: boolean): Sql {
  const column = sql.ref(name);
  const as = sql.ref(`sum_${name}`);
  if (!splitSums) return sql`cast(sum(${column}) as text) as ${as}`;
  const [billions, rest] = [sql`sum(${column} / 1000000000)`, sql`sum(${column} % 1000000000)`];
  return sql`cast(${billions} as text) || ' ' || cast(${rest} as text) as ${as}`;
}

function totalOf(scope: UsageScope, row: SqlRow): Total {
  return {
    ...groupOf(scope, row),
    events_count: Number(row.n),
    sum: readNumber(row.sum_value_int ?? null, row.sum_value_frac_hi ?? null, row.sum_value_frac_lo ?? null),
    falls: Number(row.least ?? 0) < 0,
    max: row.largest === null || row.largest === undefined ? null : new Big(String(row.largest)),
    latest: null,
    amounts: readNumber(row.sum_amount_int ?? null, row.sum_amount_frac_hi ?? null, row.sum_amount_frac_lo ?? null),
    moment: momentOf(row),
  };
}

/** See `MomentParts`. */
function momentOf(row: SqlRow): Big {
  return MOMENTS.reduce((sum, name, i) => sum.plus(readSum(row[`sum_${name}`]).times(`1e${12 * i - 18}`)), new Big(0));
}

/** The first event of every group in the given order. Without dimensions an index may give it without sorting. */
async function firstEvents(scope: UsageScope, range: TimeRange, order: Sql, extraColumns: Sql): Promise<SqlRow[]> {
  const columns = sql`${grouping(scope)}, ${extraColumns}, value_int, value_frac_hi, value_frac_lo`;
  const events = (of: UsageScope) => sql`select ${columns} from events ${where(of, range)} and value_int is not null`;
  if (scope.dimensions.length > 0) return firstOfEach(scope, events(scope), { order, most: 1 });
  const rows: SqlRow[] = [];
  for (const code of scope.codes) {
    rows.push(...(await rowsOf(scope, sql`${events({ ...scope, codes: [code] })} order by ${order} limit 1`)));
  }
  return rows;
}

function exactValue(row: SqlRow): Big {
  return readNumber(row.value_int ?? null, row.value_frac_hi ?? null, row.value_frac_lo ?? null);
}

function latestOf(row: SqlRow, value: Big): NonNullable<UsageRow['latest']> {
  return { timestamp: String(row.timestamp), transaction_id: String(row.transaction_id), value: value.toFixed() };
}

function inexactEvents(scope: UsageScope, range: TimeRange): Promise<SqlRow[]> {
  return rowsOf(
    scope,
    sql`select ${grouping(scope)}, timestamp, transaction_id, value_text, value_int, amount_int, precise_total_amount_cents
      from events ${where(scope, range)} and exact = 0 order by timestamp, transaction_id`,
  );
}

/** Numbers with more digits than the integer columns can hold are read as text and added here. */
function addInexact(total: Total, row: SqlRow): void {
  const amount = row.precise_total_amount_cents as string | null;
  if (row.amount_int === null && isNumeric(amount)) total.amounts = total.amounts.plus(amount);
  const text = row.value_text as string | null;
  if (row.value_int !== null || !isNumeric(text)) return;
  const value = new Big(text);
  total.sum = total.sum.plus(value);
  total.moment = total.moment.plus(value.times(Date.parse(String(row.timestamp))));
  total.falls ||= value.lt(0);
  if (total.max === null || value.gt(total.max)) total.max = value;
  const latest = latestOf(row, value);
  const known = total.latest;
  const isLater =
    known === null ||
    latest.timestamp > known.timestamp ||
    (latest.timestamp === known.timestamp && latest.transaction_id > known.transaction_id);
  if (isLater) total.latest = latest;
}
