/** Distinct values of events, and when each was added and removed (service-behaviour §8, unique counts). */
import { sql } from 'kysely';
import type { Bounds, UsageQuery, ValueHistory } from '../../engine/types.ts';
import { countValues } from '../../engine/unique-values.ts';
import { valueKey } from './events.ts';
import {
  type Group,
  grouping,
  groupKey,
  groupOf,
  positions,
  rowsOf,
  type Sql,
  type SqlRow,
  type TimeRange,
  type UsageScope,
  where,
} from './usage-sql.ts';

export interface CountedRow extends Group {
  events_count: number;
  unique_count: number;
  /** Was any value removed within the window? */
  falls: boolean;
  values: ValueHistory[];
  /** How many values are carried into the window; counted only for a query `in_advance` and for listed values. */
  carried_count: number;
  /** The carried values; empty unless the values are listed. */
  carried_values: (string | null)[];
}

/** Only counts, all made in the database; `scope` has no dimensions. */
export async function countedValues(
  scope: UsageScope,
  query: Bounds & Pick<UsageQuery, 'in_advance'>,
  recurring: boolean,
): Promise<CountedRow[]> {
  const range = countedRange(query, recurring);
  const byCode = (columns: Sql, events: Sql) => sql`select code, ${columns} ${events} group by code`;
  const statements = [byCode(sql`count(*) as n`, sql`from events ${where(scope, query)}`)];
  const removals = sql`from events ${where(scope, range)} and operation_type = 'remove'`;
  // Without any removal every value counts as added, and the values' histories need not be read.
  if ((await rowsOf(scope, sql`select code ${removals} limit 1`)).length > 0) {
    statements.push(countByHistory(scope, query, recurring));
  } else {
    // Without other aggregates in the statement, SQLite counts the distinct keys in index order and needs no temporary table.
    statements.push(byCode(sql`count(distinct value_key) as added`, eventsWithKeys(scope, range)));
    const before = eventsWithKeys(scope, { from: null, to: query.from, before: true });
    if (recurring && query.in_advance) statements.push(byCode(sql`count(distinct value_key) as carried`, before));
  }
  const rows = new Map<SqlRow[string], SqlRow>();
  for (const statement of statements) {
    for (const row of await rowsOf(scope, statement)) {
      const code = row.code ?? null;
      rows.set(code, { ...rows.get(code), ...row });
    }
  }
  return [...rows.values()].map(row => ({
    ...emptyCount(scope, { n: 0, ...row }),
    unique_count: Number(row.added ?? 0),
    falls: Number(row.removed ?? 0) > 0,
    carried_count: Number(row.carried ?? 0),
  }));
}

function countByHistory(scope: UsageScope, bounds: Bounds, recurring: boolean): Sql {
  const histories = sql`select code, value_key, ${historyColumns(bounds, recurring)}
    ${eventsWithKeys(scope, countedRange(bounds, recurring))} group by code, value_key`;
  const flag = (condition: Sql) => sql`sum(case when ${condition} then 1 else 0 end)`;
  return sql`select code, ${flag(isAdded(recurring))} as added, ${flag(recurring ? CARRIED : sql`1 = 0`)} as carried,
    ${flag(sql`removed_within is not null`)} as removed from (${histories}) as histories group by code`;
}

/** Reads the index of values in its order. Otherwise SQLite would choose the index of times, and then sort. */
function eventsWithKeys(scope: UsageScope, range: TimeRange): Sql {
  const index = scope.dialect === 'sqlite' ? sql`indexed by events_values` : sql``;
  return sql`from events ${index} ${where(scope, range)} and value_key is not null`;
}

/** For recurring metrics, values that were added before the window count too. */
function countedRange({ from, to }: Bounds, recurring: boolean): TimeRange {
  return { from: recurring ? null : from, to };
}

/** Every value with its history, for buckets of several combinations, proration and pay-in-advance fees. */
export async function listedValues(scope: UsageScope, bounds: Bounds, recurring: boolean): Promise<CountedRow[]> {
  const countByGroup = new Map<string, CountedRow>();
  for (const row of await rowsOf(scope, selectHistories(scope, bounds, recurring))) {
    const valueCount = emptyCount(scope, row);
    const key = groupKey(valueCount);
    const count = countByGroup.get(key) ?? { ...valueCount, events_count: 0 };
    count.events_count += valueCount.events_count;
    count.values.push(historyOf(row));
    countByGroup.set(key, count);
  }
  return [...countByGroup.values()].map(row => {
    const { unique, carried, falls } = countValues(row.values, recurring);
    return { ...row, unique_count: unique, falls, carried_count: carried.length, carried_values: carried };
  });
}

/** The history of one value, or none; `scope` has one code and no dimensions. */
export async function historyOfValue(
  scope: UsageScope,
  bounds: Bounds,
  recurring: boolean,
  value: string,
): Promise<ValueHistory[]> {
  const rows = await rowsOf(scope, selectHistories(scope, bounds, recurring, sql`and value_key = ${valueKey(value)}`));
  return rows.map(historyOf);
}

function selectHistories(scope: UsageScope, bounds: Bounds, recurring: boolean, keyCondition: Sql = sql``): Sql {
  return sql`select ${grouping(scope)}, value_text, ${historyColumns(bounds, recurring)}
    from events ${where(scope, countedRange(bounds, recurring))} ${keyCondition} group by ${positions(scope)}, value_text`;
}

function historyColumns(bounds: Bounds, recurring: boolean): Sql {
  const last = (operation: string, when: Sql, name: string) =>
    sql`max(case when operation_type = ${operation} and ${when} then timestamp end) as ${sql.ref(name)}`;
  const since = sql`timestamp >= ${bounds.from}`;
  const before = sql`timestamp < ${bounds.from}`;
  const never = (name: string) => sql`cast(null as text) as ${sql.ref(name)}`;
  const columns = [
    recurring ? last('add', before, 'added_before') : never('added_before'),
    recurring ? last('remove', before, 'removed_before') : never('removed_before'),
    last('add', since, 'added_within'),
    last('remove', since, 'removed_within'),
    sql`sum(case when ${since} then 1 else 0 end) as n`,
  ];
  return sql.join(columns);
}

const CARRIED = sql`(added_before is not null and (removed_before is null or added_before > removed_before))`;

function isAdded(recurring: boolean): Sql {
  const within = sql`(added_within is not null and (removed_within is null or added_within > removed_within))`;
  if (!recurring) return within;
  return sql`(${within} or (added_within is null and removed_within is null and ${CARRIED}))`;
}

function emptyCount(scope: UsageScope, row: SqlRow): CountedRow {
  return {
    ...groupOf(scope, row),
    events_count: Number(row.n),
    unique_count: 0,
    falls: false,
    values: [],
    carried_count: 0,
    carried_values: [],
  };
}

function historyOf(row: SqlRow): ValueHistory {
  return {
    value: row.value_text as string | null,
    added_before: row.added_before as string | null,
    removed_before: row.removed_before as string | null,
    added_within: row.added_within as string | null,
    removed_within: row.removed_within as string | null,
  };
}
