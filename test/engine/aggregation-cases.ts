import { aggregateUsage } from '../../src/service/engine/aggregation.ts';
import type { UsageRow, UsageWindow } from '../../src/service/engine/types.ts';
import type { BillableMetricRecord, ChargeRecord } from '../../src/service/records/index.ts';
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
