/** The engine's usage queries, answered from events in memory (service-behaviour §8). */

import Big from 'big.js';
import { isNumeric, ZERO } from '../../src/contract/pricing/money.ts';
import { evaluateExpression } from '../../src/engine/expression.ts';
import { emptyUsage, inTimeOrder, peakOfSum, peakOfValues } from '../../src/engine/merge-usage.ts';
import type { BillableMetricRecord, EventRecord } from '../../src/engine/records/index.ts';
import type {
  UsageAnswer,
  UsageEvent,
  UsageQuery,
  UsageRow,
  UsageWindow,
  ValueHistory,
} from '../../src/engine/types.ts';
import { countValues } from '../../src/engine/unique-values.ts';
import { dimensionText } from '../../src/engine/usage.ts';

/** For each query, one row for each combination of the values that divide its usage. */
export function answerFromEvents(events: readonly EventRecord[], queries: readonly UsageQuery[]): UsageAnswer {
  return new Map(queries.map(query => [query.key, rowsOf(events, query)]));
}

function rowsOf(events: readonly EventRecord[], query: UsageQuery): UsageRow[] {
  const { metric, dimensions } = query;
  const groups = new Map<string, { values: UsageRow['dimensions']; events: UsageEvent[] }>();
  for (const event of eventsIn(events, metric, query.external_subscription_id, query)) {
    const usageEvent = usageEventOf(event, metric);
    if (needsNumber(metric) && !isNumeric(usageEvent.value)) continue;
    const values = Object.fromEntries(dimensions.map(key => [key, dimensionText(event.properties[key])]));
    const key = JSON.stringify(Object.values(values));
    const group = groups.get(key) ?? { values, events: [] };
    group.events.push(usageEvent);
    groups.set(key, group);
  }
  return [...groups.values()].map(group => rowOf(group.values, group.events.sort(inTimeOrder), query));
}

/** Events of a metric of a subscription that count in a window: where the metric carries its value, all earlier ones too. */
export function eventsIn(
  events: readonly EventRecord[],
  metric: BillableMetricRecord,
  externalId: string,
  { from, to }: Pick<UsageWindow, 'from' | 'to'>,
): EventRecord[] {
  return events
    .filter(event => event.code === metric.code && event.external_subscription_id === externalId)
    .filter(({ timestamp }) => timestamp <= to && (metric.recurring || timestamp >= from));
}

/** Sums, maxima, latest values and weighted sums leave out events without a number (§8). */
export function needsNumber({ aggregation_type: type }: Pick<BillableMetricRecord, 'aggregation_type'>): boolean {
  return type !== 'count_agg' && type !== 'unique_count_agg' && type !== 'custom_agg';
}

/** An event as a metric counts it. An expression is evaluated where the event does not hold its value. */
export function usageEventOf(event: EventRecord, metric: BillableMetricRecord): UsageEvent {
  const { properties, transaction_id, timestamp, precise_total_amount_cents } = event;
  return {
    transaction_id,
    timestamp,
    value: dimensionText(properties[metric.field_name ?? '']) ?? valueOfExpression(event, metric),
    operation_type: properties.operation_type === 'remove' ? 'remove' : 'add',
    precise_total_amount_cents,
  };
}

function valueOfExpression(event: EventRecord, { expression }: BillableMetricRecord): string | null {
  if (!expression) return null;
  try {
    return evaluateExpression(expression, event);
  } catch {
    return null;
  }
}

function rowOf(dimensions: UsageRow['dimensions'], events: readonly UsageEvent[], query: UsageQuery): UsageRow {
  const { metric, from, peaks_from } = query;
  const within = events.filter(({ timestamp }) => timestamp >= from);
  const earlier = events.filter(({ timestamp }) => timestamp < from);
  const last = within.findLast(({ value }) => isNumeric(value));
  const row: UsageRow = {
    ...emptyUsage(dimensions),
    events_count: within.length,
    carried_events: metric.recurring && metric.aggregation_type === 'sum_agg' ? earlier.length : 0,
    sum: sumOf(within),
    max: largest(within),
    latest: last ? { timestamp: last.timestamp, transaction_id: last.transaction_id, value: last.value ?? '0' } : null,
    peaks_from,
    precise_total_amount_cents: totalOf(within, event => event.precise_total_amount_cents ?? 0),
    // Σ value × milliseconds since the start of the window.
    moment: totalOf(within, ({ value, timestamp }) =>
      isNumeric(value) ? new Big(value).times(Date.parse(timestamp) - Date.parse(from)) : 0,
    ),
    carried_sum: metric.recurring ? sumOf(earlier) : '0',
    events: within,
    earlier_events: query.earlier ? earlier : [],
  };
  if (metric.aggregation_type === 'unique_count_agg') return withValues(row, events, query);
  return query.in_advance ? { ...row, ...peakOfSum(row) } : row;
}

function withValues(row: UsageRow, events: readonly UsageEvent[], { metric, from, in_advance }: UsageQuery): UsageRow {
  const histories = new Map<string | null, ValueHistory>();
  for (const { value, timestamp, operation_type } of events) {
    const history = histories.get(value) ?? { ...neverCounted, value };
    const added = operation_type === 'add';
    const field =
      timestamp < from ? (added ? 'added_before' : 'removed_before') : added ? 'added_within' : 'removed_within';
    histories.set(value, { ...history, [field]: timestamp });
  }
  const values = [...histories.values()];
  const { unique, carried, falls } = countValues(values, metric.recurring);
  const counted = { ...row, values, unique_count: unique, carried_values: carried };
  return in_advance ? { ...counted, ...peakOfValues(counted, falls) } : counted;
}

const neverCounted = { added_before: null, removed_before: null, added_within: null, removed_within: null };

function sumOf(events: readonly UsageEvent[]): string {
  return totalOf(events, ({ value }) => (isNumeric(value) ? value : 0));
}

function totalOf(events: readonly UsageEvent[], each: (event: UsageEvent) => Big.BigSource): string {
  return events.reduce((sum, event) => sum.plus(each(event)), ZERO).toFixed();
}

function largest(events: readonly UsageEvent[]): string | null {
  return events.reduce<string | null>(
    (most, { value }) => (isNumeric(value) && (most === null || new Big(value).gt(most)) ? value : most),
    null,
  );
}
