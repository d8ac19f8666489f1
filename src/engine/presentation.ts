/** Usage divided for display by `presentation_group_keys` of the charge's properties; no price depends on it. */
import { decimal, decimalText, ZERO } from '../contract/pricing/money.ts';
import type { PriceProperties } from '../contract/pricing/types.ts';
import type { UsagePurpose } from './aggregation.ts';
import type { BillableMetricRecord, PresentationPart as Part } from './records/index.ts';

/** The event properties that divide usage. */
export function presentationKeys(properties: PriceProperties): string[] {
  return keyEntries(properties).map(({ value }) => value);
}

/** Those of them that invoices show: `options.display_in_invoice` is true (§4). */
export function invoicePresentationKeys(properties: PriceProperties): string[] {
  return keyEntries(properties).flatMap(({ value, options }) => (options?.display_in_invoice === true ? [value] : []));
}

interface KeyEntry {
  value: string;
  options?: { display_in_invoice?: unknown } | null;
}

function keyEntries({ presentation_group_keys: keys }: PriceProperties): KeyEntry[] {
  if (!Array.isArray(keys)) return [];
  const entries = keys as readonly (Partial<KeyEntry> | null)[];
  return entries.filter((entry): entry is KeyEntry => typeof entry?.value === 'string');
}

/**
 * The keys that a charge's usage is read by for display: only counts and sums add up, and one event's fee has no parts.
 */
export function dividingKeys(
  { aggregation_type }: Pick<BillableMetricRecord, 'aggregation_type'>,
  purpose: UsagePurpose,
): typeof presentationKeys {
  const isDivisible = aggregation_type === 'count_agg' || aggregation_type === 'sum_agg';
  return isDivisible && purpose !== 'event' ? presentationKeys : () => [];
}

/** The parts by these of their keys alone; none where they have none of them. */
export function partsBy(keys: readonly string[], parts: readonly Part[]): Part[] {
  const narrowed = parts.map(part => ({
    presentation_by: Object.fromEntries(Object.entries(part.presentation_by).filter(([key]) => keys.includes(key))),
    units: part.units,
  }));
  return mergedParts(narrowed.filter(({ presentation_by }) => Object.keys(presentation_by).length > 0));
}

/** The parts with the same values put together, in the order in which the values come first. */
export function mergedParts(parts: readonly Part[]): Part[] {
  const byValues = new Map<string, Part>();
  for (const part of parts) {
    const values = JSON.stringify(Object.entries(part.presentation_by));
    const known = byValues.get(values);
    const units = known === undefined ? part.units : decimalText(decimal(known.units).plus(part.units));
    byValues.set(values, { presentation_by: part.presentation_by, units });
  }
  return [...byValues.values()];
}

/** The parts, or none where they are not all of the units: a metric's rounding may part them. */
export function wholeParts(parts: readonly Part[], units: Parameters<typeof decimal>[0]): Part[] {
  const sum = parts.reduce((total, part) => total.plus(part.units), ZERO);
  return sum.eq(units) ? [...parts] : [];
}
