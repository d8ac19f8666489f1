/**
 * A plain in-memory reading of the aggregation rules (§8) and of C and M (§10.3), to compare the database's answers with.
 * Written from the specification.
 */
import Big from 'big.js';
import type { EventRecord, Json } from '../../src/engine/records/index.ts';
import type { UsageQuery, UsageRow } from '../../src/engine/types.ts';

export interface ReferenceRow {
  dimensions: { [key: string]: string | null };
  count: number;
  carriedCount: number;
  sum: string;
  max: string | null;
  latest: string | null;
  amounts: string;
  carriedSum: string;
  moment: string;
  net: string;
  peak: string;
  unique: string[];
  carried: string[];
  order: string[];
}

/** One row for each combination of dimension values that has an event for the query. */
export function referenceRows(all: readonly EventRecord[], query: UsageQuery): ReferenceRow[] {
  const { metric } = query;
  const own = all
    .filter(event => event.code === metric.code)
    .filter(event => event.external_subscription_id === query.external_subscription_id)
    .filter(event => event.timestamp <= query.to && (metric.recurring || event.timestamp >= query.from))
    .filter(event => exists(event, query))
    .sort(byTime);
  const groups = new Map<string, EventRecord[]>();
  for (const event of own) {
    const name = JSON.stringify(query.dimensions.map(key => text(event.properties[key])));
    groups.set(name, [...(groups.get(name) ?? []), event]);
  }
  return [...groups.values()].map(events => referenceRow(events, query));
}

/** "For sum, max, latest and weighted_sum an event without [a numeric property] does not exist." */
function exists(event: EventRecord, { metric }: UsageQuery): boolean {
  if (metric.aggregation_type === 'count_agg' || metric.aggregation_type === 'unique_count_agg') return true;
  return isNumber(text(event.properties[metric.field_name ?? '']));
}

function referenceRow(events: readonly EventRecord[], query: UsageQuery): ReferenceRow {
  const field = query.metric.field_name ?? '';
  const within = events.filter(event => event.timestamp >= query.from);
  const before = events.filter(event => event.timestamp < query.from);
  const numbers = (list: readonly EventRecord[]) =>
    list.map(event => text(event.properties[field])).filter((value): value is string => isNumber(value));
  const sumOf = (list: readonly string[]) => list.reduce((sum, value) => sum.plus(value), new Big(0));
  const carried = added(before, field, []);
  const inNumbers = within.filter(event => isNumber(text(event.properties[field])));
  const last = [...inNumbers].sort((a, b) =>
    a.timestamp + a.transaction_id < b.timestamp + b.transaction_id ? -1 : 1,
  );
  const isUnique = query.metric.aggregation_type === 'unique_count_agg';
  const { net, peak } = isUnique ? peakOfValues(within, field, carried) : peakOfSum(numbers(within));
  return {
    dimensions: Object.fromEntries(query.dimensions.map(key => [key, text(events[0]?.properties[key])])),
    count: within.length,
    carriedCount: before.length,
    sum: sumOf(numbers(within)).toFixed(),
    max: numbers(within).reduce<string | null>(
      (max, value) => (max === null || new Big(value).gt(max) ? value : max),
      null,
    ),
    latest: text(last.at(-1)?.properties[field]),
    amounts: within.reduce((sum, { precise_total_amount_cents: cents }) => sum.plus(cents ?? 0), new Big(0)).toFixed(),
    carriedSum: sumOf(numbers(before)).toFixed(),
    moment: inNumbers
      .reduce((sum, { properties, timestamp }) => {
        const ms = Date.parse(timestamp) - Date.parse(query.from);
        return sum.plus(new Big(text(properties[field]) ?? 0).times(ms));
      }, new Big(0))
      .toFixed(),
    net,
    peak,
    unique: added(within, field, carried),
    carried,
    order: within.map(event => event.transaction_id),
  };
}

/** C and M of a sum: "first event C = M = v; later, if C + v > M: M = C + v ([quirk] if M was negative: C + v − M)". */
function peakOfSum(values: readonly string[]): { net: string; peak: string } {
  const [first, ...others] = values.map(value => new Big(value));
  let c = first ?? new Big(0);
  let m = c;
  for (const v of others) {
    const reached = c.plus(v);
    if (reached.gt(m)) m = m.lt(0) ? reached.minus(m) : reached;
    c = reached;
  }
  return { net: c.toFixed(), peak: m.toFixed() };
}

/** C and M of a unique count: "+1 (value not present), −1 (removes a present value) or 0"; a removal that is first: 0. */
function peakOfValues(events: readonly EventRecord[], field: string, carried: readonly string[]) {
  let c = 0;
  let m = 0;
  for (let i = 0; i < events.length; i++) {
    const present = added(events.slice(0, i), field, carried).length;
    const then = added(events.slice(0, i + 1), field, carried).length;
    if (i > 0 || then > present) c += then - present;
    if (c > m) m = c;
  }
  return { net: String(c), peak: String(m) };
}

/** Values still added, sorted; events without the property are the one value `(missing)`. */
function added(events: readonly EventRecord[], field: string, start: readonly string[]): string[] {
  const values = new Set(start);
  for (const event of events) {
    const value = text(event.properties[field]);
    const name = value === null ? '(missing)' : `"${value}"`;
    if (event.properties.operation_type === 'remove') values.delete(name);
    else values.add(name);
  }
  return [...values].sort();
}

/** The numbers of an answer's row in the reference's form; only those that its metric needs. */
export function comparable(row: UsageRow | ReferenceRow, query: UsageQuery): object {
  const kind = query.metric.aggregation_type;
  const own = 'events_count' in row ? ofAnswer(row) : ofReference(row);
  const sums = kind === 'sum_agg' || kind === 'weighted_sum_agg';
  const picked: Record<string, unknown> = { dimensions: own.dimensions, count: own.count };
  if (sums) picked.sum = own.sum;
  if (sums && query.metric.recurring) picked.carriedSum = own.carriedSum;
  if (kind === 'sum_agg' && query.metric.recurring) picked.carriedCount = own.carriedCount;
  const peaks = query.in_advance && (kind === 'sum_agg' || kind === 'unique_count_agg');
  if (peaks) Object.assign(picked, { net: own.net, peak: own.peak });
  if (kind === 'weighted_sum_agg') picked.moment = own.moment;
  if (kind === 'max_agg') picked.max = own.max;
  if (kind === 'latest_agg') picked.latest = own.latest;
  if (kind === 'unique_count_agg') picked.unique = own.unique;
  if (query.amounts) picked.amounts = own.amounts;
  return picked;
}

function ofAnswer(row: UsageRow) {
  return {
    dimensions: row.dimensions,
    count: row.events_count,
    carriedCount: row.carried_events,
    sum: plain(row.sum),
    max: plain(row.max),
    latest: plain(row.latest?.value ?? null),
    carriedSum: plain(row.carried_sum),
    net: plain(row.net),
    peak: plain(row.peak),
    moment: plain(row.moment),
    amounts: plain(row.precise_total_amount_cents),
    unique: row.unique_count,
  };
}

function ofReference(row: ReferenceRow) {
  return {
    ...row,
    max: plain(row.max),
    latest: plain(row.latest),
    moment: plain(row.moment),
    unique: row.unique.length,
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
