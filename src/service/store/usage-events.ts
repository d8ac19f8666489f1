/** Single events in time order, limited to those that the charge model needs (service-behaviour §9, percentage). */
import Big from 'big.js';
import { sql } from 'kysely';
import { isNumeric } from '../../contract/pricing/money.ts';
import type { UsageEvent, UsageQuery, UsageRow } from '../engine/types.ts';
import {
  dimensionsOfRow,
  grouping,
  groupNames,
  rowsOf,
  type Sql,
  type SqlRow,
  type UsageScope,
  where,
} from './usage-sql.ts';

export interface EventList {
  dimensions: UsageRow['dimensions'];
  events: UsageEvent[];
}

const ORDER = sql`timestamp, operation_type, transaction_id`;
const FIRST_CHUNK = 250;

/** The window's events per combination: all, the first ones, or (if no sum falls) those until a total is exceeded. */
export async function eventLists(scope: UsageScope, query: UsageQuery, falls: boolean): Promise<EventList[]> {
  const plain = scope.dimensions.length === 0;
  if (query.first_events !== null) {
    return lists(scope, await (plain ? read(scope, query, query.first_events, 0) : firstOfEach(scope, query)));
  }
  if (query.until_total !== null && plain && !falls) return lists(scope, await readUntil(scope, query));
  return lists(scope, await read(scope, query, null, 0));
}

async function read(scope: UsageScope, query: UsageQuery, limit: number | null, offset: number): Promise<SqlRow[]> {
  const slice = limit === null ? sql`` : sql`limit ${limit} offset ${offset}`;
  return rowsOf(scope, sql`select ${columnsOf(scope)} from events ${where(scope, query)} order by ${ORDER} ${slice}`);
}

async function firstOfEach(scope: UsageScope, query: UsageQuery): Promise<SqlRow[]> {
  const inner = sql`select ${columnsOf(scope)} from events ${where(scope, query)}`;
  const ranked = sql`select found.*, row_number() over (partition by ${groupNames(scope)} order by ${ORDER}) as place
    from (${inner}) as found`;
  return rowsOf(scope, sql`select * from (${ranked}) as ranked where place <= ${query.first_events} order by ${ORDER}`);
}

/** Reads in growing chunks: a small total needs few rows, and the work for a large one stays linear. */
async function readUntil(scope: UsageScope, query: UsageQuery): Promise<SqlRow[]> {
  const found: SqlRow[] = [];
  let total = new Big(0);
  for (let size = FIRST_CHUNK; ; size *= 4) {
    const rows = await read(scope, query, size, found.length);
    for (const row of rows) {
      found.push(row);
      const text = row.value_text as string | null;
      if (isNumeric(text)) total = total.plus(text);
      if (total.gt(query.until_total ?? 0)) return found;
    }
    if (rows.length < size) return found;
  }
}

function columnsOf(scope: UsageScope): Sql {
  return sql`${grouping(scope)}, transaction_id, timestamp, value_text, operation_type, precise_total_amount_cents`;
}

function lists(scope: UsageScope, rows: readonly SqlRow[]): EventList[] {
  if (scope.dimensions.length === 0) return rows.length > 0 ? [{ dimensions: {}, events: rows.map(eventOf) }] : [];
  const found = new Map<string, EventList>();
  for (const row of rows) {
    const dimensions = dimensionsOfRow(scope, row);
    const name = JSON.stringify(Object.entries(dimensions));
    const list = found.get(name) ?? { dimensions, events: [] };
    list.events.push(eventOf(row));
    found.set(name, list);
  }
  return [...found.values()];
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
