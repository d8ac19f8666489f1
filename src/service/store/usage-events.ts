/** Single events in time order, limited to those that the charge model needs (service-behaviour §9, percentage). */
import Big from 'big.js';
import { sql } from 'kysely';
import { isNumeric } from '../../contract/pricing/money.ts';
import type { UsageEvent, UsageQuery, UsageRow } from '../../engine/types.ts';
import {
  dimensionsOfRow,
  grouping,
  groupNames,
  rowsOf,
  type Sql,
  type SqlRow,
  type TimeRange,
  type UsageScope,
  where,
} from './usage-sql.ts';

export interface EventList {
  dimensions: UsageRow['dimensions'];
  events: UsageEvent[];
}

const ORDER = sql`timestamp, operation_type, transaction_id`;
const FIRST_CHUNK = 250;

/** Which events are read, and how many of them. */
type EventsRead = TimeRange & Pick<UsageQuery, 'first_events' | 'until_total'>;

/** A range's events per combination: all, the first ones, or (if no sum falls) those until a total is exceeded. */
export async function eventLists(scope: UsageScope, query: EventsRead, falls: boolean): Promise<EventList[]> {
  const ungrouped = scope.dimensions.length === 0;
  const limit = query.first_events;
  if (limit !== null && !ungrouped) return groupedEvents(scope, await firstOfEach(scope, query));
  if (limit === null && query.until_total !== null && ungrouped && !falls) {
    return groupedEvents(scope, await readUntilTotal(scope, query));
  }
  return groupedEvents(scope, await readEvents(scope, query, limit, 0));
}

async function readEvents(
  scope: UsageScope,
  query: EventsRead,
  limit: number | null,
  offset: number,
): Promise<SqlRow[]> {
  const slice = limit === null ? sql`` : sql`limit ${limit} offset ${offset}`;
  return rowsOf(scope, sql`select ${columnsOf(scope)} from events ${where(scope, query)} order by ${ORDER} ${slice}`);
}

async function firstOfEach(scope: UsageScope, query: EventsRead): Promise<SqlRow[]> {
  const inner = sql`select ${columnsOf(scope)} from events ${where(scope, query)}`;
  const ranked = sql`select grouped.*, row_number() over (partition by ${groupNames(scope)} order by ${ORDER}) as place
    from (${inner}) as grouped`;
  return rowsOf(scope, sql`select * from (${ranked}) as ranked where place <= ${query.first_events} order by ${ORDER}`);
}

/** Reads in growing chunks: a small total needs few rows, and the work for a large one stays linear. */
async function readUntilTotal(scope: UsageScope, query: EventsRead): Promise<SqlRow[]> {
  const selected: SqlRow[] = [];
  let total = new Big(0);
  for (let size = FIRST_CHUNK; ; size *= 4) {
    const rows = await readEvents(scope, query, size, selected.length);
    for (const row of rows) {
      selected.push(row);
      const text = row.value_text as string | null;
      if (isNumeric(text)) total = total.plus(text);
      if (total.gt(query.until_total ?? 0)) return selected;
    }
    if (rows.length < size) return selected;
  }
}

function columnsOf(scope: UsageScope): Sql {
  return sql`${grouping(scope)}, transaction_id, timestamp, value_text, operation_type, precise_total_amount_cents`;
}

function groupedEvents(scope: UsageScope, rows: readonly SqlRow[]): EventList[] {
  if (scope.dimensions.length === 0) return rows.length > 0 ? [{ dimensions: {}, events: rows.map(eventOf) }] : [];
  const listsByKey = new Map<string, EventList>();
  for (const row of rows) {
    const dimensions = dimensionsOfRow(scope, row);
    const key = JSON.stringify(Object.entries(dimensions));
    const list = listsByKey.get(key) ?? { dimensions, events: [] };
    list.events.push(eventOf(row));
    listsByKey.set(key, list);
  }
  return [...listsByKey.values()];
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
