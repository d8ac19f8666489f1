/** A plain in-memory implementation of the aggregation rules (§8), to compare the database's answers with. */
import Big from 'big.js';
import type { UsageQuery, UsageRow } from '../../src/service/engine/types.ts';
import type { EventRecord, Json } from '../../src/service/records/index.ts';

export interface ReferenceRow {
  dimensions: { [key: string]: string | null };
  count: number;
  sum: string;
  max: string | null;
  latest: string | null;
  amounts: string;
  carriedSum: string;
  moment: string;
  highest: string;
  unique: string[];
  known: string[];
  carried: string[];
  order: string[];
}

/** One row for each combination of dimension values that has an event for the query. */
export function referenceRows(all: readonly EventRecord[], query: UsageQuery): ReferenceRow[] {
  const own = all
    .filter(event => event.code === query.metric.code)
    .filter(event => event.external_subscription_id === query.external_subscription_id)
    .filter(event => event.timestamp <= query.to && (query.metric.recurring || event.timestamp >= query.from))
    .sort(byTime);
  const groups = new Map<string, EventRecord[]>();
  for (const event of own) {
    const name = JSON.stringify(query.dimensions.map(key => text(event.properties[key])));
    groups.set(name, [...(groups.get(name) ?? []), event]);
  }
  return [...groups.values()].map(events => referenceRow(events, query));
}

function referenceRow(events: readonly EventRecord[], query: UsageQuery): ReferenceRow {
  const field = query.metric.field_name ?? '';
  const within = events.filter(event => event.timestamp >= query.from);
  const before = events.filter(event => event.timestamp < query.from);
  const numbers = (list: readonly EventRecord[]) =>
    list.map(event => text(event.properties[field])).filter((value): value is string => isNumber(value));
  const carriedSum = numbers(before).reduce((sum, value) => sum.plus(value), new Big(0));
  let running = carriedSum;
  let highest = running.gt(0) ? running : new Big(0);
  for (const value of numbers(within)) {
    running = running.plus(value);
    if (running.gt(highest)) highest = running;
  }
  const carried = added(before, field, new Set());
  const known = new Set(carried);
  for (const event of within) {
    const value = text(event.properties[field]);
    if (value !== null && event.properties.operation_type !== 'remove') known.add(value);
  }
  const inNumbers = within.filter(event => isNumber(text(event.properties[field])));
  const last = [...inNumbers].sort((a, b) =>
    a.timestamp + a.transaction_id < b.timestamp + b.transaction_id ? -1 : 1,
  );
  return {
    dimensions: Object.fromEntries(query.dimensions.map(key => [key, text(events[0]?.properties[key])])),
    count: within.length,
    sum: running.minus(carriedSum).toFixed(),
    max: numbers(within).reduce<string | null>(
      (max, value) => (max === null || new Big(value).gt(max) ? value : max),
      null,
    ),
    latest: text(last.at(-1)?.properties[field]),
    amounts: within.reduce((sum, { precise_total_amount_cents: cents }) => sum.plus(cents ?? 0), new Big(0)).toFixed(),
    carriedSum: carriedSum.toFixed(),
    moment: inNumbers
      .reduce((sum, { properties, timestamp }) => {
        const ms = Date.parse(timestamp) - Date.parse(query.from);
        return sum.plus(new Big(text(properties[field]) ?? 0).times(ms));
      }, new Big(0))
      .toFixed(),
    highest: highest.toFixed(),
    unique: [...added(within, field, carried)].sort(),
    known: [...known].sort(),
    carried: [...carried].sort(),
    order: within.map(event => event.transaction_id),
  };
}

function added(events: readonly EventRecord[], field: string, start: ReadonlySet<string>): Set<string> {
  const values = new Set(start);
  for (const event of events) {
    const value = text(event.properties[field]);
    if (value === null) continue;
    if (event.properties.operation_type === 'remove') values.delete(value);
    else values.add(value);
  }
  return values;
}

/** The numbers of an answer's row in the reference's form; only those that its metric needs. */
export function comparable(row: UsageRow | ReferenceRow, query: UsageQuery): object {
  const kind = query.metric.aggregation_type;
  const own = 'events_count' in row ? ofAnswer(row) : ofReference(row);
  const sums = kind === 'sum_agg' || kind === 'weighted_sum_agg';
  const picked: Record<string, unknown> = { dimensions: own.dimensions, count: own.count };
  if (sums) picked.sum = own.sum;
  if (sums && query.metric.recurring) picked.carriedSum = own.carriedSum;
  if (sums && query.in_advance) picked.highest = own.highest;
  if (kind === 'weighted_sum_agg') picked.moment = own.moment;
  if (kind === 'max_agg') picked.max = own.max;
  if (kind === 'latest_agg') picked.latest = own.latest;
  if (kind === 'unique_count_agg') Object.assign(picked, { unique: own.unique, known: own.known });
  if (query.amounts) picked.amounts = own.amounts;
  return picked;
}

function ofAnswer(row: UsageRow) {
  return {
    dimensions: row.dimensions,
    count: row.events_count,
    sum: plain(row.sum),
    max: plain(row.max),
    latest: plain(row.latest?.value ?? null),
    carriedSum: plain(row.carried_sum),
    highest: plain(row.peak),
    moment: plain(row.moment),
    amounts: plain(row.precise_total_amount_cents),
    unique: row.unique_count,
    known: row.unique_count,
  };
}

function ofReference(row: ReferenceRow) {
  return {
    ...row,
    max: plain(row.max),
    latest: plain(row.latest),
    moment: plain(row.moment),
    unique: row.unique.length,
    known: row.known.length,
  };
}

function plain(value: string | null): string | null {
  return value === null ? null : new Big(value).toFixed().replace(/^-0$/, '0');
}

function byTime(a: EventRecord, b: EventRecord): number {
  const key = (event: EventRecord) =>
    `${event.timestamp} ${event.properties.operation_type === 'remove' ? 'remove' : 'add'} ${event.transaction_id}`;
  return key(a) < key(b) ? -1 : 1;
}

function text(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isNumber(value: string | null): boolean {
  return value !== null && /^-?\d+(\.\d+)?$/.test(value);
}
