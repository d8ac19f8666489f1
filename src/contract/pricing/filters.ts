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

type FiltersOf = <Filter extends PriceFilter>(
  charge: { filters: readonly Filter[] },
  metric: FilteredMetric | null,
  dimensions: { [key: string]: string | null },
) => [Filter | null, ...Filter[]];

/**
 * The filters in which usage counts, `[null]` for the charge's own price. A filter matches when the event has each of its
 * keys with a listed value; without the metric, `ALL_FILTER_VALUES` lists any value. An event leaves a filter for another
 * that has its keys and more, or the same keys with some of its values; of identical filters the plan's first counts. In
 * every other case it counts in each matching filter (§8).
 */
export const matchingFilters: FiltersOf = (charge, metric, dimensions) => {
  const matching = matchesOf(charge.filters, metric, dimensions);
  const [first = null, ...others] = matching.filter(
    (filter, i) => !matching.some((other, j) => i !== j && isLeftFor(filter.values, other.values, metric, j < i)),
  );
  return [first, ...others];
};

/** The one filter of a fee that bills an event at once: the one with the most keys, of several the plan's first (§8). */
export const filterOfEvent: FiltersOf = (charge, metric, dimensions) => {
  const matching = matchesOf(charge.filters, metric, dimensions);
  const most = Math.max(...matching.map(({ values }) => Object.keys(values).length));
  return [matching.find(({ values }) => Object.keys(values).length === most) ?? null];
};

function matchesOf<Filter extends PriceFilter>(
  filters: readonly Filter[],
  metric: FilteredMetric | null,
  dimensions: { [key: string]: string | null },
): Filter[] {
  return filters.filter(({ values }) => {
    const keys = Object.keys(values);
    return keys.length > 0 && keys.every(key => allows(values, key, dimensions[key], metric));
  });
}

function allows(values: FilterValues, key: string, value: string | null | undefined, metric: FilteredMetric | null) {
  if (value == null) return false;
  const listed = valuesOf(values, key, metric);
  return listed === 'any' || listed.includes(value) || (values[key] ?? []).includes(value);
}

type FilterValues = PriceFilter['values'];

/** Whether an event that matches both filters counts in `b`, not in `a`. */
function isLeftFor(a: FilterValues, b: FilterValues, metric: FilteredMetric | null, bIsFirst: boolean): boolean {
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (!keys.every(key => others.includes(key))) return false;
  if (others.length > keys.length) return true;
  return isWithin(b, a, metric) && (bIsFirst || !isWithin(a, b, metric));
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

/** The values that a filter lists for a key, `ALL_FILTER_VALUES` replaced by those that the metric declares. */
function valuesOf(values: FilterValues, key: string, metric: FilteredMetric | null): readonly string[] | 'any' {
  const listed = values[key] ?? [];
  if (!listed.includes(ALL_FILTER_VALUES)) return listed;
  return metric === null ? 'any' : (metric.filters.find(filter => filter.key === key)?.values ?? []);
}
