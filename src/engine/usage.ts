/** From a charge to its usage query, and from the answer to the buckets that are priced (service-behaviour §8). */
import { filterOfEvent, groupKeys, matchingFilters } from '../contract/pricing/filters.ts';
import { refuseUnpriced } from '../contract/pricing/models/index.ts';
import { isPerTransaction, type PercentageTerms, termsOf } from '../contract/pricing/models/percentage.ts';
import { decimalText, ZERO } from '../contract/pricing/money.ts';
import { OutOfScope } from '../contract/pricing/out-of-scope.ts';
import { aggregateUsage, customAggregation, hasPeak, type UsagePurpose } from './aggregation.ts';
import { emptyUsage, mergeUsage } from './merge-usage.ts';
import { dividingKeys, presentationKeys, wholeParts } from './presentation.ts';
import type { BillableMetricRecord, ChargeFilterRecord, ChargeRecord, EventProperties } from './records/index.ts';
import type { Bounds, Bucket, UsageQuery, UsageRow, UsageWindow } from './types.ts';

/**
 * The usage query of a charge. `probe` is the value of the event whose fee is computed, for metrics that count values.
 * Throws `OutOfScope` for custom metrics and charges and for prorated graduated charges (§16).
 */
export function usageQuery(
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  externalSubscriptionId: string,
  bounds: Bounds,
  {
    purpose = 'invoice',
    probe = null,
    key = charge.id,
  }: { purpose?: UsagePurpose; probe?: string | null; key?: string } = {},
): UsageQuery {
  refuseOutOfScope(charge, metric);
  const dimensions = dimensionsOf(charge);
  const in_advance = purpose === 'event' || (purpose === 'current' && hasPeak(charge, metric));
  const divided = dimensionsOf(charge, dividingKeys(metric, purpose));
  return {
    key,
    metric,
    external_subscription_id: externalSubscriptionId,
    from: bounds.from,
    to: bounds.to,
    dimensions: divided,
    ...eventsNeeded(charge, metric, purpose),
    // The first events of a part are not the first of the whole, so all of them are read.
    ...(divided.length > dimensions.length && { first_events: null, until_total: null }),
    in_advance,
    // C and M belong to the charge: the copies that an override makes start at 0.
    peaks_from: in_advance && charge.parent_id !== null && charge.created_at > bounds.from ? charge.created_at : null,
    probe,
    amounts: charge.charge_model === 'dynamic',
  };
}

/** What is never computed approximately: custom metrics and charges, prorated graduated ones, limited weighted sums (§16). */
function refuseOutOfScope(charge: ChargeRecord, metric: BillableMetricRecord): void {
  if (metric.aggregation_type === 'custom_agg') throw customAggregation(metric);
  refuseUnpriced(charge);
  if (metric.aggregation_type !== 'weighted_sum_agg' || charge.charge_model !== 'percentage') return;
  if ([charge, ...charge.filters].some(({ properties }) => isPerTransaction(termsOf(properties)))) {
    const name = `The charge ${JSON.stringify(charge.code)}`;
    throw new OutOfScope(
      'transaction_limits_on_weighted_sum',
      `${name} limits amounts per transaction on a weighted sum (§9, §16).`,
    );
  }
}

/**
 * A bucket for every filter and one for the charge itself, each split by its grouping values (§8), also without usage.
 * Filters come in the plan's order, the charge's own bucket last. `purpose` is that of the query.
 */
export function usageBuckets(
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  rows: readonly UsageRow[],
  window: UsageWindow,
  { purpose = 'invoice' }: { purpose?: UsagePurpose } = {},
): Bucket[] {
  refuseOutOfScope(charge, metric);
  const byFilter = new Map<ChargeFilterRecord | null, UsageRow[]>();
  for (const filter of [...charge.filters, null]) byFilter.set(filter, []);
  const filtersOf = purpose === 'event' ? filterOfEvent : matchingFilters;
  for (const row of rows) {
    for (const filter of filtersOf(charge, metric, row.dimensions)) byFilter.get(filter)?.push(row);
  }
  return [...byFilter].flatMap(([filter, rowsOfFilter]) => {
    const properties = filter?.properties ?? charge.properties;
    const keys = groupKeys(properties);
    return [...byGroup(rowsOfFilter, keys)].map(([, group]) => {
      const options = { purpose, grouped: keys.length > 0 };
      const aggregateOf = (usage: UsageRow) => aggregateUsage(charge, metric, properties, usage, window, options);
      const usage = mergeUsage(group.rows, metric);
      const aggregate = aggregateOf(usage);
      const parts = partsOf(group.rows, charge.properties, rows => aggregateOf(mergeUsage(rows, metric)));
      const presentation_breakdowns = wholeParts(parts, aggregate.shown_units);
      const divided = presentation_breakdowns.length > 0 && { presentation_breakdowns };
      return { charge, filter, properties, grouped_by: group.values, aggregate, usage, ...divided };
    });
  });
}

/**
 * The units of each combination of the values that divide them: the charge's keys divide its filters too (lookups §6.1).
 * None where there is no usage, or where the rows were not read in parts.
 */
function partsOf(
  rows: readonly UsageRow[],
  properties: Bucket['properties'],
  aggregate: (rows: readonly UsageRow[]) => Bucket['aggregate'],
) {
  const keys = presentationKeys(properties);
  if (keys.length === 0 || rows.length === 0 || rows.some(({ dimensions }) => !keys.every(key => key in dimensions)))
    return [];
  return [...byGroup(rows, keys).values()].map(part => ({
    presentation_by: part.values,
    units: decimalText(aggregate(part.rows).shown_units),
  }));
}

/** The bucket that an event with these properties falls into, with the usage before the event; not rounded (§10.3, §13). */
export function bucketOfEvent(
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  eventProperties: EventProperties,
  rows: readonly UsageRow[],
  window: UsageWindow,
): Bucket {
  const dimensions = Object.fromEntries(dimensionsOf(charge).map(key => [key, dimensionText(eventProperties[key])]));
  const [filter] = filterOfEvent(charge, metric, dimensions);
  const properties = filter?.properties ?? charge.properties;
  const keys = groupKeys(properties);
  const group = Object.fromEntries(keys.map(key => [key, dimensions[key] ?? null]));
  const name = JSON.stringify(group);
  const buckets = usageBuckets(charge, metric, rows, window, { purpose: 'event' });
  const existing = buckets.find(bucket => bucket.filter === filter && JSON.stringify(bucket.grouped_by) === name);
  if (existing) return existing;
  const usage = emptyUsage(dimensions);
  const options = { purpose: 'event', grouped: keys.length > 0 } as const;
  const aggregate = aggregateUsage(charge, metric, properties, usage, window, options);
  return { charge, filter, properties, grouped_by: group, aggregate, usage };
}

/** The event properties that decide a charge's filters and groups, and those of `others`. */
function dimensionsOf(charge: ChargeRecord, others: typeof groupKeys = () => []): string[] {
  const keys = new Set(charge.filters.flatMap(filter => Object.keys(filter.values)));
  for (const properties of [charge.properties, ...charge.filters.map(filter => filter.properties)]) {
    for (const key of groupKeys(properties)) keys.add(key);
  }
  for (const key of others(charge.properties)) keys.add(key);
  return [...keys].sort();
}

/** A property as filters and groups compare it: text as it is, anything else as JSON; null when it is missing. */
export function dimensionText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type EventsNeeded = Pick<UsageQuery, 'need' | 'first_events' | 'until_total' | 'earlier'>;

/** Only proration and models that price event by event need single events; free allowances need only the first ones. */
function eventsNeeded(charge: ChargeRecord, metric: BillableMetricRecord, purpose: UsagePurpose): EventsNeeded {
  const everyEvent: EventsNeeded = { need: 'events', first_events: null, until_total: null, earlier: false };
  const totalsOnly: EventsNeeded = { ...everyEvent, need: 'totals' };
  if (charge.prorated) return everyEvent;
  const kind = metric.aggregation_type;
  const counts = kind === 'count_agg' || kind === 'unique_count_agg';
  if (charge.charge_model !== 'percentage' || counts) return totalsOnly;
  const terms = [charge.properties, ...charge.filters.map(filter => filter.properties)].map(termsOf);
  const perEvent = terms.some(isPerTransaction);
  if (perEvent && purpose !== 'event') return everyEvent;
  return kind === 'sum_agg' ? allowanceEvents(terms, perEvent, metric.recurring) : totalsOnly;
}

/** The events of a sum that its free allowances need: those that use them up. */
function allowanceEvents(terms: readonly PercentageTerms[], perEvent: boolean, recurring: boolean): EventsNeeded {
  const everyEvent: EventsNeeded = { need: 'events', first_events: null, until_total: null, earlier: recurring };
  const byEvents = Math.max(...terms.map(({ freeEvents }) => freeEvents));
  const byAmount = terms.reduce((most, { freeAmount }) => (freeAmount.gt(most) ? freeAmount : most), ZERO);
  // The price of one further event is a difference: earlier events matter only by the free allowance that they use.
  if (perEvent) return { ...everyEvent, first_events: byAmount.lte(ZERO) ? byEvents : null, earlier: false };
  if (byEvents === 0 && byAmount.lte(ZERO)) return { ...everyEvent, need: 'totals', earlier: false };
  // If one filter has free events and another a free amount, no limit fits both: read all.
  if (byEvents === 0) return { ...everyEvent, until_total: byAmount.toFixed() };
  const limited = terms.every(({ freeEvents, freeAmount }) => freeEvents > 0 || freeAmount.lte(ZERO));
  return { ...everyEvent, first_events: limited ? byEvents : null };
}

interface Group {
  values: { [key: string]: string | null };
  rows: UsageRow[];
}

function byGroup(rows: readonly UsageRow[], keys: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const values = Object.fromEntries(keys.map(key => [key, row.dimensions[key] ?? null]));
    const groupName = JSON.stringify(keys.map(key => values[key]));
    const known = groups.get(groupName);
    if (known) known.rows.push(row);
    else groups.set(groupName, { values, rows: [row] });
  }
  if (groups.size === 0) groups.set('', { values: Object.fromEntries(keys.map(key => [key, null])), rows: [] });
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}
