/** Distinct values of events and when each was added and removed (service-behaviour §8, unique counts). */
import { type RawBuilder, sql } from 'kysely';
import type { Bounds, UsageRow, ValueHistory } from '../engine/types.ts';
import { countValues } from '../engine/unique-values.ts';
import {
  dimensionsOfRow,
  grouping,
  groupNames,
  positions,
  rowsOf,
  type Scope,
  type Sql,
  type SqlRow,
  where,
} from './usage-sql.ts';

export interface CountedRow {
  code: string;
  dimensions: UsageRow['dimensions'];
  events_count: number;
  unique_count: number;
  known_count: number;
  values: ValueHistory[];
  carried_values: string[];
}

/** Counts only, all done in the database. */
export async function countedValues(scope: Scope, bounds: Bounds, recurring: boolean): Promise<CountedRow[]> {
  const rows = await rowsOf(
    scope,
    sql`select ${groupNames(scope)}, sum(n) as n, sum(${flag(isAdded(recurring))}) as added,
      sum(${flag(isKnown(recurring))}) as known
      from (${histories(scope, bounds, recurring)}) as histories group by ${groupNames(scope)}`,
  );
  return rows.map(row => ({
    ...emptyCount(scope, row),
    unique_count: Number(row.added ?? 0),
    known_count: Number(row.known ?? 0),
  }));
}

/** Every value with its history, for buckets of several combinations, proration and pay-in-advance fees. */
export async function listedValues(scope: Scope, bounds: Bounds, recurring: boolean): Promise<CountedRow[]> {
  const found = new Map<string, CountedRow>();
  for (const row of await rowsOf(scope, histories(scope, bounds, recurring))) {
    const own = emptyCount(scope, row);
    const name = JSON.stringify([own.code, ...Object.entries(own.dimensions)]);
    const known = found.get(name) ?? { ...own, events_count: 0 };
    known.events_count += own.events_count;
    if (row.value_text !== null) known.values.push(historyOf(row));
    found.set(name, known);
  }
  return [...found.values()].map(row => {
    const counted = countValues(row.values, recurring);
    return { ...row, unique_count: counted.unique, known_count: counted.known, carried_values: counted.carried };
  });
}

/** The history of one value, or none; `scope` has one code and no dimensions. */
export async function historyOfValue(
  scope: Scope,
  bounds: Bounds,
  recurring: boolean,
  value: string,
): Promise<ValueHistory[]> {
  const rows = await rowsOf(scope, histories(scope, bounds, recurring, sql`and value_text = ${value}`));
  return rows.map(historyOf);
}

function histories(scope: Scope, bounds: Bounds, recurring: boolean, only: Sql = sql``): RawBuilder<unknown> {
  const within = sql`timestamp >= ${bounds.from}`;
  const last = (operation: string, when: Sql, name: string) =>
    sql`max(case when operation_type = ${operation} and ${when} then timestamp end) as ${sql.ref(name)}`;
  const before = sql`timestamp < ${bounds.from}`;
  const never = (name: string) => sql`cast(null as text) as ${sql.ref(name)}`;
  const columns = [
    recurring ? last('add', before, 'added_before') : never('added_before'),
    recurring ? last('remove', before, 'removed_before') : never('removed_before'),
    last('add', within, 'added_within'),
    last('remove', within, 'removed_within'),
    sql`sum(case when ${within} then 1 else 0 end) as n`,
  ];
  const range = { from: recurring ? null : bounds.from, to: bounds.to };
  return sql`select ${grouping(scope)}, value_text, ${sql.join(columns)} from events ${where(scope, range)} ${only}
    group by ${positions(scope)}, value_text`;
}

const CARRIED = sql`(added_before is not null and (removed_before is null or added_before > removed_before))`;

function isAdded(recurring: boolean): Sql {
  const within = sql`(added_within is not null and (removed_within is null or added_within > removed_within))`;
  if (!recurring) return within;
  return sql`(${within} or (added_within is null and removed_within is null and ${CARRIED}))`;
}

function isKnown(recurring: boolean): Sql {
  return recurring ? sql`(added_within is not null or ${CARRIED})` : sql`added_within is not null`;
}

function flag(condition: Sql): Sql {
  return sql`case when value_text is not null and ${condition} then 1 else 0 end`;
}

function emptyCount(scope: Scope, row: SqlRow): CountedRow {
  return {
    code: String(row.code),
    dimensions: dimensionsOfRow(scope, row),
    events_count: Number(row.n),
    unique_count: 0,
    known_count: 0,
    values: [],
    carried_values: [],
  };
}

function historyOf(row: SqlRow): ValueHistory {
  return {
    value: String(row.value_text),
    added_before: row.added_before as string | null,
    removed_before: row.removed_before as string | null,
    added_within: row.added_within as string | null,
    removed_within: row.removed_within as string | null,
  };
}
