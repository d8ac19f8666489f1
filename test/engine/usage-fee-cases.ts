import { invoicedUsageFees } from '../../src/engine/fees-usage.ts';
import type { ChargeRecord } from '../../src/engine/records/index.ts';
import { usageBuckets } from '../../src/engine/usage.ts';
import { month, usage } from './reference-records.ts';
import { chargeRecord, customerRecord, metricRecord, subscriptionRecord } from './world.ts';

export const owner = { customer: customerRecord(), subscription: subscriptionRecord() };
export const metric = metricRecord('units');
export const march = month('2026-03-01');

export function fees(charge: ChargeRecord, rows: Parameters<typeof usage>[0][], window = march) {
  const buckets = usageBuckets(charge, metric, rows.map(usage), window);
  return invoicedUsageFees({ charge, metric, window, currency: 'EUR', owner }, buckets);
}

export const filtered = (fields: Partial<ChargeRecord> = {}) =>
  chargeRecord('units', {
    filters: [{ id: 'eu', invoice_display_name: 'Europe', properties: { amount: '2' }, values: { region: ['eu'] } }],
    ...fields,
  });
