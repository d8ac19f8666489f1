/** What weighted sums need of their events (service-behaviour §8), aggregated in the database hour by hour. */
import Big from 'big.js';
import { sql } from 'kysely';
import { isNumeric } from '../engine/aggregation.ts';
import type { Bounds, UsageRow } from '../engine/types.ts';
import { dimensionsOfRow, grouping, joined, positions, rowsOf, type Scope, type SqlRow, where } from './usage-sql.ts';

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
  const start = Date.parse(bounds.from);
  try {
    const rows = await rowsOf(scope, hourly(scope, bounds));
    if (rows.some(row => Number(row.exact) === 0))
      return summed(scope, await singly(scope, bounds), eventMoment(start));
    return summed(scope, rows, hourMoment(start));
  } catch (error) {
    if (!/integer overflow/i.test(String(error))) throw error;
    return summed(scope, await singly(scope, bounds), eventMoment(start));
  }
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

function hourMoment(start: number): (row: SqlRow) => Big {
  return row => {
    const hour = Date.parse(`${row.hour}:00:00.000Z`) - start;
    const within = joined(row.int_ms ?? null, row.hi_ms ?? null, row.lo_ms ?? null);
    const millions = new Big(String(row.millions_ms ?? '0')).times(1_000_000);
    return joined(row.int ?? null, row.hi ?? null, row.lo ?? null)
      .times(hour)
      .plus(within)
      .plus(millions);
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

function summed(scope: Scope, rows: readonly SqlRow[], momentOf: (row: SqlRow) => Big): Moment[] {
  const found = new Map<string, Moment>();
  for (const row of rows) {
    const own = { code: String(row.code), dimensions: dimensionsOfRow(scope, row), moment: momentOf(row) };
    const name = JSON.stringify([own.code, ...Object.entries(own.dimensions)]);
    const known = found.get(name);
    if (known) known.moment = known.moment.plus(own.moment);
    else found.set(name, own);
  }
  return [...found.values()];
}
