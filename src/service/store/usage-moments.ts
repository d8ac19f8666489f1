/** What weighted sums need of their events (service-behaviour §8), aggregated in the database hour by hour. */
import Big from 'big.js';
import { sql } from 'kysely';
import { isNumeric } from '../engine/aggregation.ts';
import type { Bounds, UsageRow } from '../engine/types.ts';
import { dimensionsOfRow, grouping, positions, rowsOf, type Scope, type SqlRow, where } from './usage-sql.ts';

export interface Moment {
  code: string;
  dimensions: UsageRow['dimensions'];
  moment: Big;
}

const HOUR = sql`substr(timestamp, 1, 13)`;
const MS_OF_HOUR = sql`(cast(substr(timestamp, 15, 2) as integer) * 60000
  + cast(substr(timestamp, 18, 2) as integer) * 1000 + cast(substr(timestamp, 21, 3) as integer))`;

/**
 * Σ value × milliseconds since the window's start, exact. Within an hour the factors are small enough for 64 bits; where
 * their sum is not, or a number is not split into integers, the events themselves are read.
 */
export async function moments(scope: Scope, bounds: Bounds): Promise<Moment[]> {
  try {
    const rows = await rowsOf(scope, hourly(scope, bounds));
    if (rows.every(row => Number(row.exact) === 1)) return ofHours(scope, rows, Date.parse(bounds.from));
  } catch (error) {
    if (!/integer overflow/i.test(String(error))) throw error;
  }
  const events = await singly(scope, bounds);
  return summed(
    scope,
    events,
    eventMoment(Date.parse(bounds.from)),
    (a, b) => a.plus(b),
    total => total,
  );
}

function ofHours(scope: Scope, rows: readonly SqlRow[], start: number): Moment[] {
  const toDecimal = (total: bigint) => new Big(String(total)).times('0.000000000000000001');
  return summed(scope, rows, hourMoment(start), (a, b) => a + b, toDecimal);
}

function hourly(scope: Scope, bounds: Bounds) {
  const total = (expression: ReturnType<typeof sql>, name: string) =>
    sql`cast(sum(${expression}) as text) as ${sql.ref(name)}`;
  const columns = [
    grouping(scope),
    sql`${HOUR} as hour`,
    sql`min(exact) as exact`,
    total(sql`value_int`, 'int'),
    total(sql`value_frac_hi`, 'hi'),
    total(sql`value_frac_lo`, 'lo'),
    // Two halves, as a value of 15 digits times 3,600,000 would not fit.
    total(sql`(value_int / 1000000) * ${MS_OF_HOUR}`, 'millions_ms'),
    total(sql`(value_int % 1000000) * ${MS_OF_HOUR}`, 'int_ms'),
    total(sql`value_frac_hi * ${MS_OF_HOUR}`, 'hi_ms'),
    total(sql`value_frac_lo * ${MS_OF_HOUR}`, 'lo_ms'),
  ];
  return sql`select ${sql.join(columns)} from events ${where(scope, bounds)} group by ${positions(scope)}, ${HOUR}`;
}

// Whole numbers of 1e-18, as big integers: there may be a row for every hour.
function hourMoment(start: number): (row: SqlRow) => bigint {
  return row => {
    const hour = BigInt(Date.parse(`${row.hour}:00:00.000Z`) - start);
    const whole = (name: string) => BigInt(row[name] ?? 0);
    const int = whole('int') * hour + whole('int_ms') + whole('millions_ms') * 1_000_000n;
    const hi = whole('hi') * hour + whole('hi_ms');
    const lo = whole('lo') * hour + whole('lo_ms');
    return (int * 1_000_000_000n + hi) * 1_000_000_000n + lo;
  };
}

function singly(scope: Scope, bounds: Bounds): Promise<SqlRow[]> {
  return rowsOf(scope, sql`select ${grouping(scope)}, timestamp, value_text from events ${where(scope, bounds)}`);
}

function eventMoment(start: number): (row: SqlRow) => Big {
  return row => {
    const text = row.value_text as string | null;
    return isNumeric(text) ? new Big(text).times(Date.parse(String(row.timestamp)) - start) : new Big(0);
  };
}

/** Adds up what rows of the same code and dimensions give, by `plus`, and finally makes a decimal of it. */
function summed<T>(
  scope: Scope,
  rows: readonly SqlRow[],
  momentOf: (row: SqlRow) => T,
  plus: (a: T, b: T) => T,
  toDecimal: (total: T) => Big,
): Moment[] {
  const found = new Map<string, { row: SqlRow; total: T }>();
  for (const row of rows) {
    const name = JSON.stringify([row.code, ...scope.dimensions.map((_, i) => row[`d${i}`])]);
    const known = found.get(name);
    if (known) known.total = plus(known.total, momentOf(row));
    else found.set(name, { row, total: momentOf(row) });
  }
  return [...found.values()].map(({ row, total }) => ({
    code: String(row.code),
    dimensions: dimensionsOfRow(scope, row),
    moment: toDecimal(total),
  }));
}
