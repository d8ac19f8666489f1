/** Single events in time order, limited to those that the charge model needs (service-behaviour §9, percentage). */
import Big from 'big.js';
import { sql } from 'kysely';
import { isNumeric } from '../../contract/pricing/money.ts';
import type { UsageEvent, UsageQuery } from '../../engine/types.ts';
import {
  firstOfEach,
  type Group,
  grouping,
  groupKey,
  groupOf,
  rowsOf,
  type SqlRow,
  type TimeRange,
  type UsageScope,
  where,
} from './usage-sql.ts';

const ORDER = sql`timestamp, operation_type, transaction_id`;
const FIRST_CHUNK = 250;

/** Which events are read, and how many of them. */
type EventsRead = TimeRange & Pick<UsageQuery, 'first_events' | 'until_total'>;

/** A range's events of each group: all, the first ones, or (if no sum falls) those until a total is exceeded. */
export async function eventsByGroup(scope: UsageScope, query: EventsRead, falls: boolean) {
  const rows = await rowsRead(scope, query, falls);
  const isUngrouped = scope.dimensions.length === 0 && scope.codes.length === 1;
  if (isUngrouped) {
    const events = rows.map(eventOf);
    return () => events;
  }
  const eventsByKey = new Map<string, UsageEvent[]>();
  for (const row of rows) {
    const key = groupKey(groupOf(scope, row));
    const events = eventsByKey.get(key);
    if (events) events.push(eventOf(row));
    else eventsByKey.set(key, [eventOf(row)]);
  }
  return (group: Group): UsageEvent[] => eventsByKey.get(groupKey(group)) ?? [];
}

function rowsRead(scope: UsageScope, query: EventsRead, falls: boolean): Promise<SqlRow[]> {
  const isUngrouped = scope.dimensions.length === 0;
  const { first_events: limit, until_total: untilTotal } = query;
  if (limit !== null && !isUngrouped)
    return firstOfEach(scope, selected(scope, query), { order: ORDER, most: limit, sorted: true });
  if (limit === null && untilTotal !== null && isUngrouped && !falls) return readUntilTotal(scope, query, untilTotal);
  return readEvents(scope, query, limit, 0);
}

function readEvents(scope: UsageScope, query: EventsRead, limit: number | null, offset: number): Promise<SqlRow[]> {
  const slice = limit === null ? sql`` : sql`limit ${limit} offset ${offset}`;
  return rowsOf(scope, sql`${selected(scope, query)} order by ${ORDER} ${slice}`);
}

/** Reads in growing chunks: a small total needs few rows, and the work for a large one stays linear. */
async function readUntilTotal(scope: UsageScope, query: EventsRead, untilTotal: string): Promise<SqlRow[]> {
  const read: SqlRow[] = [];
  let total = new Big(0);
  for (let size = FIRST_CHUNK; ; size *= 4) {
    const rows = await readEvents(scope, query, size, read.length);
    for (const row of rows) {
      read.push(row);
      const text = row.value_text as string | null;
      if (isNumeric(text)) total = total.plus(text);
      if (total.gt(untilTotal)) return read;
    }
    if (rows.length < size) return read;
  }
}

function selected(scope: UsageScope, range: TimeRange) {
  return sql`select ${grouping(scope)}, transaction_id, timestamp, value_text, operation_type, precise_total_amount_cents
    from events ${where(scope, range)}`;
}

function eventOf(row: SqlRow): UsageEvent {
  return {
    transaction_id: String(row.transaction_id),
    timestamp: String(row.timestamp),
    value: row.value_text as string | null,
    operation_type: row.operation_type === 'remove' ? 'remove' : 'add',
    precise_total_amount_cents: row.precise_total_amount_cents as string | null,
  };
}
