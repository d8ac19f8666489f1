/** Merges the usage of several combinations of dimension values that belong to one bucket (service-behaviour §8). */
import Big from 'big.js';
import { decimal, isNumeric, ZERO } from '../contract/pricing/money.ts';
import { type NetAndPeak, netAndPeak } from './peaks.ts';
import type { BillableMetricRecord } from './records/index.ts';
import type { UsageEvent, UsageRow, ValueHistory } from './types.ts';
import { countValues } from './unique-values.ts';

/** Usage without any events. */
export function emptyUsage(dimensions: UsageRow['dimensions'] = {}): UsageRow {
  return {
    dimensions,
    events_count: 0,
    carried_events: 0,
    sum: '0',
    max: null,
    latest: null,
    unique_count: 0,
    values: [],
    net: '0',
    peak: '0',
    peaks_from: null,
    precise_total_amount_cents: '0',
    moment: '0',
    carried_sum: '0',
    carried_values: [],
    events: [],
    earlier_events: [],
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
    carried_events: rows.reduce((sum, row) => sum + row.carried_events, 0),
    sum: total(rows.map(row => row.sum)),
    max: rows.reduce<string | null>(
      (most, row) => greater(most, row.max, (one, other) => new Big(one).gt(other)),
      null,
    ),
    latest: rows.reduce<UsageRow['latest']>(
      (last, row) =>
        greater(last, row.latest, (one, other) =>
          one.timestamp === other.timestamp
            ? one.transaction_id > other.transaction_id
            : one.timestamp > other.timestamp,
        ),
      null,
    ),
    unique_count: counted.unique,
    values,
    net: total(rows.map(row => row.net)),
    peak: total(rows.map(row => row.peak)),
    peaks_from: first.peaks_from,
    precise_total_amount_cents: total(rows.map(row => row.precise_total_amount_cents)),
    moment: total(rows.map(row => row.moment)),
    carried_sum: total(rows.map(row => row.carried_sum)),
    carried_values: counted.carried,
    events: rows.flatMap(row => row.events).sort(inTimeOrder),
    earlier_events: rows.flatMap(row => row.earlier_events).sort(inTimeOrder),
  };
  if (metric.aggregation_type === 'unique_count_agg') return { ...merged, ...peakOfValues(merged, counted.falls) };
  // Rows may reach their peaks at different times. Where a value is negative, the rows have all events: they give the peak.
  return merged.events.some(({ value }) => isNumeric(value) && decimal(value).lt(ZERO))
    ? { ...merged, ...peakOfSum(merged) }
    : merged;
}

/** `net` and `peak` of a sum, from all events of the window. */
export function peakOfSum({ events, peaks_from }: Pick<UsageRow, 'events' | 'peaks_from'>): NetAndPeakTexts {
  return netAndPeakTexts(netAndPeak('sum', events, [], peaks_from));
}

/** `net` and `peak` of a unique count. Its events are needed if a value was removed in the window (`falls`) or C starts later. */
export function peakOfValues(
  usage: Pick<UsageRow, 'unique_count' | 'carried_values' | 'events' | 'peaks_from'>,
  falls: boolean,
): NetAndPeakTexts {
  const { unique_count, carried_values: carried, events, peaks_from } = usage;
  if (falls || peaks_from !== null) return netAndPeakTexts(netAndPeak('unique', events, carried, peaks_from));
  const added = String(unique_count - carried.length);
  return { net: added, peak: added };
}

type NetAndPeakTexts = Pick<UsageRow, 'net' | 'peak'>;

function netAndPeakTexts({ net, peak }: NetAndPeak): NetAndPeakTexts {
  return { net: net.toFixed(), peak: peak.toFixed() };
}

/** Compares by time; at the same instant additions come before removals, then the transaction id decides. */
export function inTimeOrder(a: UsageEvent, b: UsageEvent): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? -1 : 1;
  if (a.operation_type !== b.operation_type) return a.operation_type === 'add' ? -1 : 1;
  return a.transaction_id < b.transaction_id ? -1 : 1;
}

function mergeHistories(histories: readonly ValueHistory[]): ValueHistory[] {
  const merged = new Map<string | null, ValueHistory>();
  for (const history of histories) {
    const known = merged.get(history.value);
    merged.set(history.value, known ? mergeHistory(known, history) : history);
  }
  return [...merged.values()];
}

function mergeHistory(a: ValueHistory, b: ValueHistory): ValueHistory {
  const later = (name: Exclude<keyof ValueHistory, 'value'>) => greater(a[name], b[name], (one, other) => one > other);
  return {
    value: a.value,
    added_before: later('added_before'),
    removed_before: later('removed_before'),
    added_within: later('added_within'),
    removed_within: later('removed_within'),
  };
}

/** The greater of two values, of which each may be missing; of equal ones the first. */
function greater<Value>(
  a: Value | null,
  b: Value | null,
  isAbove: (one: Value, other: Value) => boolean,
): Value | null {
  if (a === null || b === null) return a ?? b;
  return isAbove(b, a) ? b : a;
}

function total(values: readonly string[]): string {
  return values.reduce((sum, value) => sum.plus(value), ZERO).toFixed();
}
