/**
 * Answers the engine's usage queries with SQL (service-behaviour §8).
 * Equal queries, and queries that differ only in their metric, share one statement.
 */
import type Big from 'big.js';
import { decimal } from '../../contract/pricing/money.ts';
import { emptyUsage, mergeUsage, peakOfSum, peakOfValues } from '../engine/merge-usage.ts';
import type { UsageAnswer, UsageQuery, UsageRow } from '../engine/types.ts';
import { readsNumbers } from './events.ts';
import type { Db, DialectName } from './migrations.ts';
import { type EventList, eventLists } from './usage-events.ts';
import { readDimensions, type UsageScope } from './usage-sql.ts';
import { nameOf, type Total, totals, type Wanted } from './usage-totals.ts';
import { type CountedRow, countedValues, historyOfValue, listedValues } from './usage-values.ts';

/** For each query key, one row per combination of dimension values that has events. */
export async function answerUsage(
  db: Db,
  dialect: DialectName,
  organizationId: string,
  queries: readonly UsageQuery[],
): Promise<UsageAnswer> {
  const answer: UsageAnswer = new Map();
  for (const batch of batches(queries)) {
    const [query] = batch;
    if (!query) continue;
    const scope: UsageScope = {
      db,
      dialect,
      organizationId,
      subscription: query.external_subscription_id,
      codes: [...new Set(batch.map(({ metric }) => metric.code))],
      numeric: readsNumbers(query.metric.aggregation_type),
      dimensions: query.dimensions,
    };
    const rows = await answerBatch(scope, batch);
    for (const one of batch) answer.set(one.key, await withEvents(scope, one, rows));
  }
  return answer;
}

/** A row of usage with its metric's code. `falls`: some of the window's values are negative, or were removed. */
interface Row {
  code: string;
  falls: boolean;
  usage: UsageRow;
}
type Rows = Map<string, Row>;

/** Groups of queries that share their statements: they differ only in the metrics' codes and in the wanted events. */
function batches(queries: readonly UsageQuery[]): UsageQuery[][] {
  const found = new Map<string, UsageQuery[]>();
  for (const query of queries) {
    const { metric } = query;
    const kind = metric.aggregation_type;
    const unique = kind === 'unique_count_agg' ? [needsValues(query), query.probe] : [];
    const { external_subscription_id: subscription, from, to, dimensions, in_advance, amounts } = query;
    const name = JSON.stringify([
      subscription,
      from,
      to,
      dimensions,
      in_advance,
      amounts,
      kind,
      metric.recurring,
      unique,
    ]);
    const batch = found.get(name);
    if (batch) batch.push(query);
    else found.set(name, [query]);
  }
  return [...found.values()];
}

async function answerBatch(scope: UsageScope, batch: readonly UsageQuery[]): Promise<Rows> {
  const query = batch[0] as UsageQuery;
  const kind = query.metric.aggregation_type;
  const rows: Rows = new Map();
  if (kind === 'unique_count_agg') await addValues(scope, query, rows);
  const wanted = wantedOf(query);
  if (kind !== 'unique_count_agg' || wanted.amounts) {
    for (const total of await totals(scope, query, wanted)) addTotal(rows, total, query);
  }
  if (query.metric.recurring && wanted.sum) await addCarried(scope, query, rows);
  if (query.in_advance && (kind === 'sum_agg' || kind === 'unique_count_agg')) await addPeaks(scope, batch, rows);
  return rows;
}

function wantedOf({ metric, amounts, in_advance, until_total }: UsageQuery): Wanted {
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
  if (query.dimensions.length > 0 || query.need === 'events') return true;
  return query.in_advance && query.probe === null;
}

async function addValues(scope: UsageScope, query: UsageQuery, rows: Rows): Promise<void> {
  const { recurring } = query.metric;
  const all = needsValues(query);
  let counted = await (all ? listedValues(scope, query, recurring) : countedValues(scope, query, recurring));
  // After a removal, the peak depends on which values were carried.
  if (!all && query.in_advance && counted.some(row => row.falls)) counted = await listedValues(scope, query, recurring);
  for (const row of counted) await addCount(scope, query, row, rows, all);
}

async function addCount(
  scope: UsageScope,
  query: UsageQuery,
  row: CountedRow,
  rows: Rows,
  all: boolean,
): Promise<void> {
  const { recurring } = query.metric;
  const own = rowAt(rows, row.code, row.dimensions);
  const probed = { ...scope, codes: [row.code] };
  const values = all || query.probe === null ? row.values : await historyOfValue(probed, query, recurring, query.probe);
  const added = String(query.in_advance ? row.unique_count - row.carried_count : 0);
  own.falls = row.falls;
  own.usage = {
    ...own.usage,
    events_count: row.events_count,
    unique_count: row.unique_count,
    net: added,
    peak: added,
    carried_values: row.carried_values,
    values,
  };
}

function addTotal(rows: Rows, total: Total, query: UsageQuery): void {
  const own = rowAt(rows, total.code, total.dimensions);
  const kind = query.metric.aggregation_type;
  own.falls ||= total.falls;
  const change = query.in_advance && kind === 'sum_agg' ? { net: total.sum.toFixed(), peak: total.sum.toFixed() } : {};
  own.usage = {
    ...own.usage,
    ...change,
    events_count: total.events_count,
    sum: total.sum.toFixed(),
    max: total.max?.toFixed() ?? null,
    latest: total.latest,
    precise_total_amount_cents: total.amounts.toFixed(),
    moment: kind === 'weighted_sum_agg' ? sinceStart(total, query).toFixed() : '0',
  };
}

/** Σ value × milliseconds since the window's start. */
function sinceStart({ moment, sum }: Total, { from }: UsageQuery): Big {
  return moment.minus(sum.times(Date.parse(from)));
}

/** Recurring sums include the values before the window, and count those events too (§8). */
async function addCarried(scope: UsageScope, query: UsageQuery, rows: Rows): Promise<void> {
  const wanted: Wanted = { sum: true, falls: false, max: false, latest: false, amounts: false, moments: false };
  for (const total of await totals(scope, { from: null, to: query.from, before: true }, wanted)) {
    const own = rowAt(rows, total.code, total.dimensions);
    const carried_events = query.metric.aggregation_type === 'sum_agg' ? total.events_count : 0;
    own.usage = { ...own.usage, carried_events, carried_sum: total.sum.toFixed() };
  }
}

/**
 * Sums and unique counts that never fall are highest at their end. For a metric with a falling row, the peaks are found
 * event by event.
 */
async function addPeaks(scope: UsageScope, batch: readonly UsageQuery[], rows: Rows): Promise<void> {
  for (const query of uniqueCodes(batch)) {
    const { code } = query.metric;
    const own = [...rows.values()].filter(row => row.code === code);
    if (!own.some(row => row.falls)) continue;
    const all = { ...query, first_events: null, until_total: null };
    const eventsOf = byDimensions(await eventLists({ ...scope, codes: [code] }, all, true));
    for (const row of own) {
      const usage = { ...row.usage, events: eventsOf(row.usage) };
      const isSum = query.metric.aggregation_type === 'sum_agg';
      row.usage = { ...usage, ...(isSum ? peakOfSum(usage.events) : peakOfValues(usage, row.falls)) };
    }
  }
}

/** The rows of one query, with the events that the query needs. */
async function withEvents(scope: UsageScope, query: UsageQuery, rows: Rows): Promise<UsageRow[]> {
  const { code } = query.metric;
  const own = [...rows.values()].filter(row => row.code === code);
  const usage = own.map(row => row.usage);
  // Where the peaks needed events, all of them were read.
  const isRead = usage.some(({ events }) => events.length > 0);
  if (query.need === 'totals' || own.length === 0 || isRead) return readable(usage, query);
  const falls = own.some(row => row.falls);
  const all = query.in_advance && own.some(isUnpaid);
  const asked = all ? { ...query, first_events: null } : query;
  const lists = await eventLists({ ...scope, codes: [code] }, asked, falls);
  const eventsOf = byDimensions(lists);
  const rowsWithEvents = usage.map(row => ({ ...row, events: eventsOf(row) }));
  return readable(rowsWithEvents, query);
}

/** Was no event of the row charged for any units (§10.3)? Carried units below 0 keep the first ones unpaid. */
function isUnpaid({ usage }: Row): boolean {
  return decimal(usage.peak).plus(usage.carried_sum).lte(0);
}

/** Parses the rows' dimensions from JSON. Rows whose dimensions are then equal are merged. */
function readable(rows: readonly UsageRow[], query: UsageQuery): UsageRow[] {
  if (query.dimensions.length === 0) return [...rows];
  const alike = new Map<string, UsageRow[]>();
  for (const row of rows) {
    const read = { ...row, dimensions: readDimensions(row.dimensions) };
    const name = JSON.stringify(Object.entries(read.dimensions));
    alike.set(name, [...(alike.get(name) ?? []), read]);
  }
  return [...alike.values()].map(list => mergeUsage(list, query.metric));
}

function rowAt(rows: Rows, code: string, dimensions: UsageRow['dimensions']): Row {
  const name = nameOf({ code, dimensions });
  const known = rows.get(name);
  if (known) return known;
  const row: Row = { code, falls: false, usage: emptyUsage(dimensions) };
  rows.set(name, row);
  return row;
}

function uniqueCodes(batch: readonly UsageQuery[]): UsageQuery[] {
  return [...new Map(batch.map(query => [query.metric.code, query])).values()];
}

/** Finds a row's events. */
function byDimensions(lists: readonly EventList[]): (row: Pick<UsageRow, 'dimensions'>) => EventList['events'] {
  const name = ({ dimensions }: Pick<UsageRow, 'dimensions'>) => JSON.stringify(Object.entries(dimensions));
  const found = new Map(lists.map(list => [name(list), list.events]));
  return row => found.get(name(row)) ?? [];
}
