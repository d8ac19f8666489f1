/** Merges the usage of several combinations of dimension values that belong to one bucket (service-behaviour §8). */
import Big from 'big.js';
import type { BillableMetricRecord, InstantText } from '../records/index.ts';
import { ZERO } from './money.ts';
import type { UsageEvent, UsageRow, ValueHistory } from './types.ts';
import { countValues } from './unique-values.ts';

/** Usage without any events. */
export function emptyUsage(dimensions: UsageRow['dimensions'] = {}): UsageRow {
  return {
    dimensions,
    events_count: 0,
    sum: '0',
    max: null,
    latest: null,
    unique_count: 0,
    known_count: 0,
    values: [],
    highest_sum: '0',
    precise_total_amount_cents: '0',
    moment: '0',
    carried_sum: '0',
    carried_values: [],
    events: [],
  };
}

/** The rows merged into one; a single row is returned as it is. */
export function mergeUsage(rows: readonly UsageRow[], metric: BillableMetricRecord): UsageRow {
  const [first] = rows;
  if (!first) return emptyUsage();
  if (rows.length === 1) return first;
  const values = mergeHistories(rows.flatMap(row => row.values));
  const counted = countValues(values, metric.recurring);
  const merged: UsageRow = {
    dimensions: first.dimensions,
    events_count: rows.reduce((sum, row) => sum + row.events_count, 0),
    sum: total(rows.map(row => row.sum)),
    max: rows.reduce<string | null>((most, row) => larger(most, row.max), null),
    latest: rows.reduce<UsageRow['latest']>((last, row) => later(last, row.latest), null),
    unique_count: counted.unique,
    known_count: counted.known,
    values,
    highest_sum: total(rows.map(row => row.highest_sum)),
    precise_total_amount_cents: total(rows.map(row => row.precise_total_amount_cents)),
    moment: total(rows.map(row => row.moment)),
    carried_sum: total(rows.map(row => row.carried_sum)),
    carried_values: counted.carried,
    events: rows.flatMap(row => row.events).sort(inTimeOrder),
  };
  // Rows may reach their highest sums at different times. Where a sum fell, the events give the highest common sum.
  const fell = rows.some(row => !new Big(row.highest_sum).eq(new Big(row.carried_sum).plus(row.sum)));
  return fell && merged.events.length > 0 ? { ...merged, highest_sum: highestSum(merged).toFixed() } : merged;
}

/** By time; at the same instant additions before removals, then by transaction id. */
function inTimeOrder(a: UsageEvent, b: UsageEvent): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? -1 : 1;
  if (a.operation_type !== b.operation_type) return a.operation_type === 'add' ? -1 : 1;
  return a.transaction_id < b.transaction_id ? -1 : 1;
}

/** The highest running sum over all events of a row, from its carried sum on; at least 0. */
export function highestSum(row: Pick<UsageRow, 'carried_sum' | 'events'>): Big {
  let sum = new Big(row.carried_sum);
  let highest = sum.gt(ZERO) ? sum : ZERO;
  for (const event of row.events) {
    if (event.value === null || !/^-?\d+(\.\d+)?$/.test(event.value)) continue;
    sum = sum.plus(event.value);
    if (sum.gt(highest)) highest = sum;
  }
  return highest;
}

function mergeHistories(histories: readonly ValueHistory[]): ValueHistory[] {
  const merged = new Map<string, ValueHistory>();
  for (const history of histories) {
    const known = merged.get(history.value);
    merged.set(history.value, known ? mergeHistory(known, history) : history);
  }
  return [...merged.values()];
}

function mergeHistory(a: ValueHistory, b: ValueHistory): ValueHistory {
  return {
    value: a.value,
    added_before: latestOf(a.added_before, b.added_before),
    removed_before: latestOf(a.removed_before, b.removed_before),
    added_within: latestOf(a.added_within, b.added_within),
    removed_within: latestOf(a.removed_within, b.removed_within),
  };
}

function latestOf(a: InstantText | null, b: InstantText | null): InstantText | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function later(a: UsageRow['latest'], b: UsageRow['latest']): UsageRow['latest'] {
  if (a === null || b === null) return a ?? b;
  if (a.timestamp !== b.timestamp) return b.timestamp > a.timestamp ? b : a;
  return b.transaction_id > a.transaction_id ? b : a;
}

function larger(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return new Big(b).gt(a) ? b : a;
}

function total(values: readonly string[]): string {
  return values.reduce((sum, value) => sum.plus(value), ZERO).toFixed();
}
