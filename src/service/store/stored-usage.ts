/**
 * Answers the engine's usage queries with SQL (service-behaviour §8).
 * Equal queries, and queries that differ only in their metric, share one statement.
 */
import { decimal } from '../../contract/pricing/money.ts';
import { emptyUsage, mergeUsage, peakOfSum, peakOfValues } from '../../engine/merge-usage.ts';
import type { UsageAnswer, UsageQuery, UsageRow } from '../../engine/types.ts';
import { grouped } from '../../lib/collections.ts';
import { readsNumbers } from './events.ts';
import type { Db, DialectName } from './schema.ts';
import { eventsByGroup } from './usage-events.ts';
import { groupKey, readDimensions, type UsageScope } from './usage-sql.ts';
import { eventTotals, type Total, type WantedTotals } from './usage-totals.ts';
import { type CountedRow, countedValues, historyOfValue, listedValues } from './usage-values.ts';

/** For each query key, one row per combination of dimension values that has events. */
export async function answerUsage(
  db: Db,
  dialect: DialectName,
  organizationId: string,
  queries: readonly UsageQuery[],
): Promise<UsageAnswer> {
  const answer: UsageAnswer = new Map();
  for (const batch of grouped(queries, batchKey)) {
    const [first] = batch;
    if (!first) continue;
    const scope: UsageScope = {
      db,
      dialect,
      organizationId,
      subscription: first.external_subscription_id,
      codes: [...new Set(batch.map(({ metric }) => metric.code))],
      numeric: readsNumbers(first.metric.aggregation_type),
      dimensions: first.dimensions,
    };
    const rows = await answerBatch(scope, batch);
    for (const query of batch) answer.set(query.key, await withEvents(scope, query, rows));
  }
  return answer;
}

/** A row of usage with its metric's code. `falls`: its sum or count may fall, by a negative value or a removal. */
interface Row {
  code: string;
  falls: boolean;
  usage: UsageRow;
}
type Rows = Map<string, Row>;

/** Queries with one key share their statements: they differ only in the metrics' codes and in the wanted events. */
function batchKey(query: UsageQuery): string {
  const {
    metric,
    external_subscription_id: subscription,
    from,
    to,
    dimensions,
    in_advance,
    peaks_from,
    amounts,
  } = query;
  const kind = metric.aggregation_type;
  const unique = kind === 'unique_count_agg' ? [needsValues(query), query.probe] : [];
  const window = [subscription, from, to, dimensions, in_advance, peaks_from, amounts];
  return JSON.stringify([...window, kind, metric.recurring, unique]);
}

async function answerBatch(scope: UsageScope, batch: readonly UsageQuery[]): Promise<Rows> {
  const query = batch[0] as UsageQuery;
  const kind = query.metric.aggregation_type;
  const rows: Rows = new Map();
  if (kind === 'unique_count_agg') await addValues(scope, query, rows);
  const wanted = wantedOf(query);
  if (kind !== 'unique_count_agg' || wanted.amounts) {
    for (const total of await eventTotals(scope, query, wanted)) addTotal(rows, total, query);
  }
  if (query.metric.recurring && wanted.sum) await addCarried(scope, query, rows);
  if (query.in_advance && (kind === 'sum_agg' || kind === 'unique_count_agg')) await addPeaks(scope, batch, rows);
  return rows;
}

function wantedOf({ metric, amounts, in_advance, until_total }: UsageQuery): WantedTotals {
  const kind = metric.aggregation_type;
  const sum = kind === 'sum_agg' || kind === 'weighted_sum_agg';
  return {
    sum,
    falls: sum && (in_advance || until_total !== null),
    max: kind === 'max_agg',
    latest: kind === 'latest_agg',
    amounts,
    moments: kind === 'weighted_sum_agg',
  };
}

/** Is the history of each value needed, or only the number of values? */
function needsValues(query: UsageQuery): boolean {
  if (query.dimensions.length > 0 || query.need === 'events' || query.peaks_from !== null) return true;
  return query.in_advance && query.probe === null;
}

async function addValues(scope: UsageScope, query: UsageQuery, rows: Rows): Promise<void> {
  const { recurring } = query.metric;
  const hasAllValues = needsValues(query);
  let counted = await (hasAllValues ? listedValues(scope, query, recurring) : countedValues(scope, query, recurring));
  // After a removal, the peak depends on which values were carried.
  if (!hasAllValues && query.in_advance && counted.some(count => count.falls)) {
    counted = await listedValues(scope, query, recurring);
  }
  for (const count of counted) await addCount(scope, query, count, rows, hasAllValues);
}

async function addCount(
  scope: UsageScope,
  query: UsageQuery,
  count: CountedRow,
  rows: Rows,
  hasAllValues: boolean,
): Promise<void> {
  const { recurring } = query.metric;
  const row = rowAt(rows, count.code, count.dimensions);
  const probed = { ...scope, codes: [count.code] };
  const values =
    hasAllValues || query.probe === null ? count.values : await historyOfValue(probed, query, recurring, query.probe);
  const added = String(query.in_advance ? count.unique_count - count.carried_count : 0);
  row.falls = count.falls;
  row.usage = {
    ...row.usage,
    events_count: count.events_count,
    unique_count: count.unique_count,
    net: added,
    peak: added,
    carried_values: count.carried_values,
    values,
  };
}

function addTotal(rows: Rows, total: Total, query: UsageQuery): void {
  const row = rowAt(rows, total.code, total.dimensions);
  const kind = query.metric.aggregation_type;
  row.falls ||= total.falls;
  const change = query.in_advance && kind === 'sum_agg' ? { net: total.sum.toFixed(), peak: total.sum.toFixed() } : {};
  row.usage = {
    ...row.usage,
    ...change,
    events_count: total.events_count,
    sum: total.sum.toFixed(),
    max: total.max?.toFixed() ?? null,
    latest: total.latest,
    precise_total_amount_cents: total.amounts.toFixed(),
    // Σ value × milliseconds since the window's start.
    moment: kind === 'weighted_sum_agg' ? total.moment.minus(total.sum.times(Date.parse(query.from))).toFixed() : '0',
  };
}

/** Recurring sums include the values before the window, and count those events too (§8). */
async function addCarried(scope: UsageScope, query: UsageQuery, rows: Rows): Promise<void> {
  const wanted: WantedTotals = { sum: true, falls: false, max: false, latest: false, amounts: false, moments: false };
  for (const total of await eventTotals(scope, { from: null, to: query.from, before: true }, wanted)) {
    const row = rowAt(rows, total.code, total.dimensions);
    const carried_events = query.metric.aggregation_type === 'sum_agg' ? total.events_count : 0;
    row.usage = { ...row.usage, carried_events, carried_sum: total.sum.toFixed() };
  }
}

/**
 * Sums and unique counts that never fall are highest at their end. For a metric with a falling row, or whose peaks start
 * within the window, they are found event by event.
 */
async function addPeaks(scope: UsageScope, batch: readonly UsageQuery[], rows: Rows): Promise<void> {
  const queryByCode = new Map(batch.map(query => [query.metric.code, query]));
  for (const [code, query] of queryByCode) {
    const rowsOfCode = [...rows.values()].filter(row => row.code === code);
    if (query.peaks_from === null && !rowsOfCode.some(row => row.falls)) continue;
    const allEvents = { ...query, first_events: null, until_total: null };
    const eventsOf = await eventsByGroup({ ...scope, codes: [code] }, allEvents, true);
    for (const row of rowsOfCode) {
      const usage = {
        ...row.usage,
        events: eventsOf({ code, dimensions: row.usage.dimensions }),
        peaks_from: query.peaks_from,
      };
      const isSum = query.metric.aggregation_type === 'sum_agg';
      row.usage = { ...usage, ...(isSum ? peakOfSum(usage) : peakOfValues(usage, row.falls)) };
    }
  }
}

/** The rows of one query, with the events that the query needs. */
async function withEvents(scope: UsageScope, query: UsageQuery, rows: Rows): Promise<UsageRow[]> {
  const { code } = query.metric;
  const rowsOfCode = [...rows.values()].filter(row => row.code === code);
  const usage = rowsOfCode.map(row => row.usage);
  // If the peaks needed events, all events were read.
  const isRead = usage.some(({ events }) => events.length > 0);
  if (query.need === 'totals' || rowsOfCode.length === 0) return withParsedDimensions(usage, query);
  const scopeOfCode = { ...scope, codes: [code] };
  const before = { ...query, from: null, to: query.from, before: true };
  const earlierOf = query.earlier ? await eventsByGroup(scopeOfCode, before, false) : () => [];
  const withEarlier = usage.map(row => ({ ...row, earlier_events: earlierOf({ code, dimensions: row.dimensions }) }));
  if (isRead) return withParsedDimensions(withEarlier, query);
  // A level that was carried below 0 uses up a free amount later than the events of the window alone.
  const falls = rowsOfCode.some(row => row.falls || (query.earlier && decimal(row.usage.carried_sum).lt(0)));
  const needsAll = query.in_advance && rowsOfCode.some(isUnpaid);
  const eventsQuery = needsAll ? { ...query, first_events: null } : query;
  const eventsOf = await eventsByGroup(scopeOfCode, eventsQuery, falls);
  const rowsWithEvents = withEarlier.map(row => ({ ...row, events: eventsOf({ code, dimensions: row.dimensions }) }));
  return withParsedDimensions(rowsWithEvents, query);
}

/** Was no event of the row charged for any units (§10.3)? While carried units are below 0, the first units cost nothing. */
function isUnpaid({ usage }: Row): boolean {
  return decimal(usage.peak).plus(usage.carried_sum).lte(0);
}

/** Parses the rows' dimensions from JSON, and merges rows whose dimensions are then equal. */
function withParsedDimensions(rows: readonly UsageRow[], query: UsageQuery): UsageRow[] {
  if (query.dimensions.length === 0) return [...rows];
  const parsed = rows.map(row => ({ ...row, dimensions: readDimensions(row.dimensions) }));
  const equal = grouped(parsed, ({ dimensions }) => JSON.stringify(Object.entries(dimensions)));
  return equal.map(list => mergeUsage(list, query.metric));
}

function rowAt(rows: Rows, code: string, dimensions: UsageRow['dimensions']): Row {
  const key = groupKey({ code, dimensions });
  const existing = rows.get(key);
  if (existing) return existing;
  const row: Row = { code, falls: false, usage: emptyUsage(dimensions) };
  rows.set(key, row);
  return row;
}
