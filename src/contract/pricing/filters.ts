/** Which of a charge's prices an event is billed at: filters and groups (service-behaviour §8). */
import type { PriceProperties } from './types.ts';

/** Stands for all values that the metric declares for a filter key (§8). */
export const ALL_FILTER_VALUES = '__ALL_FILTER_VALUES__';

/** A charge's filter: it has prices of its own for events whose properties have certain values. */
export interface PriceFilter {
  values: { [key: string]: string[] };
}

/** The values that a metric declares for its filter keys. */
interface FilteredMetric {
  filters: readonly { key: string; values: readonly string[] }[];
}

/**
 * A filter matches when the event has each of its keys with a listed value. Of the matching filters with the most keys,
 * the plan's first; null when none matches. In usage and invoices (not in the fee of `oneEvent`), a filter that holds all
 * values of another one with the same keys is passed over (§8). Without the metric, `ALL_FILTER_VALUES` lists any value.
 */
export function matchingFilter<Filter extends PriceFilter>(
  charge: { filters: readonly Filter[] },
  metric: FilteredMetric | null,
  dimensions: { [key: string]: string | null },
  { oneEvent = false }: { oneEvent?: boolean } = {},
): Filter | null {
  const matching = charge.filters.filter(({ values }) => {
    const keys = Object.keys(values);
    return keys.length > 0 && keys.every(key => allowsValue(values, key, dimensions[key] ?? null, metric));
  });
  const most = Math.max(...matching.map(({ values }) => Object.keys(values).length));
  const best = matching.filter(({ values }) => Object.keys(values).length === most);
  const chosen = oneEvent
    ? best[0]
    : best.find(filter => !best.some(other => isNarrower(other.values, filter.values, metric)));
  return chosen ?? null;
}

type FilterValues = PriceFilter['values'];

/** Whether both filters have the same keys and `a` lists some of the values of `b`, not all. */
function isNarrower(a: FilterValues, b: FilterValues, metric: FilteredMetric | null): boolean {
  return isWithin(a, b, metric) && !isWithin(b, a, metric);
}

function isWithin(a: FilterValues, b: FilterValues, metric: FilteredMetric | null): boolean {
  return Object.keys(a).every(key => {
    const [inner, outer] = [valuesOf(a, key, metric), valuesOf(b, key, metric)];
    return outer === 'any' || (inner !== 'any' && inner.every(value => outer.includes(value)));
  });
}

/** `pricing_group_keys`, or under its older name `grouped_by`. */
export function groupKeys(properties: PriceProperties): string[] {
  for (const name of ['pricing_group_keys', 'grouped_by'] as const) {
    const keys = properties[name];
    if (Array.isArray(keys) && keys.length > 0) return keys.filter(key => typeof key === 'string');
  }
  return [];
}

function allowsValue(values: FilterValues, key: string, value: string | null, metric: FilteredMetric | null): boolean {
  if (value === null) return false;
  const listed = valuesOf(values, key, metric);
  return listed === 'any' || listed.includes(value) || (values[key] ?? []).includes(value);
}

/** The values that a filter lists for a key, `ALL_FILTER_VALUES` replaced by those that the metric declares. */
function valuesOf(values: FilterValues, key: string, metric: FilteredMetric | null): readonly string[] | 'any' {
  const listed = values[key] ?? [];
  if (!listed.includes(ALL_FILTER_VALUES)) return listed;
  return metric === null ? 'any' : (metric.filters.find(filter => filter.key === key)?.values ?? []);
}
