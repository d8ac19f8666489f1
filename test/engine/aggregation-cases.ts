import { aggregateUsage } from '../../src/engine/aggregation.ts';
import type { BillableMetricRecord, ChargeRecord } from '../../src/engine/records/index.ts';
import type { UsageRow, UsageWindow } from '../../src/engine/types.ts';
import { charge, metric, month, usage } from './reference-records.ts';

export const invoiced = { purpose: 'invoice', grouped: false } as const;
export const march = month('2026-03-05');
export const april = month('2026-04-05');

export function units(
  of: Partial<BillableMetricRecord>,
  row: Partial<UsageRow>,
  on: Partial<ChargeRecord> = {},
  window: UsageWindow = march,
): string {
  const own = charge(on);
  return aggregateUsage(own, metric(of), own.properties, usage(row), window, invoiced).units.toFixed();
}
