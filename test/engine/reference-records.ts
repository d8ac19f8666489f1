/** Small records for the engine's tests: a case gives only the fields that it is about. */
import Big from 'big.js';
import type { Aggregate } from '../../src/contract/pricing/types.ts';
import { emptyUsage } from '../../src/engine/merge-usage.ts';
import { periodAt, periodDays } from '../../src/engine/periods.ts';
import type {
  BillableMetricRecord,
  ChargeFilterRecord,
  ChargeRecord,
  EventRecord,
  JsonObject,
} from '../../src/engine/records/index.ts';
import type { PeriodBasis, UsageEvent, UsageRow, UsageWindow } from '../../src/engine/types.ts';
import { chargeRecord, metricRecord } from './world.ts';

const MADE = '2026-01-01T00:00:00.000Z';

export function metric(fields: Partial<BillableMetricRecord> = {}): BillableMetricRecord {
  return metricRecord('calls', { id: `metric-${fields.code ?? 'calls'}`, field_name: 'amount', ...fields });
}

export function charge(fields: Partial<ChargeRecord> = {}): ChargeRecord {
  return chargeRecord('metric-calls', { id: 'charge-1', code: 'calls', created_at: MADE, ...fields });
}

export function filter(id: string, values: ChargeFilterRecord['values'], properties: JsonObject): ChargeFilterRecord {
  return { id, invoice_display_name: null, properties, values };
}

export function usage(fields: Partial<UsageRow> = {}): UsageRow {
  return { ...emptyUsage(), ...fields };
}

/** Events of one bucket: `[timestamp, value, operation]`, the timestamp without its seconds. */
export function events(...list: [string, string | null, ('add' | 'remove')?][]): UsageEvent[] {
  return list.map(([at, value, operation], i) => ({
    transaction_id: `t${String(i).padStart(6, '0')}`,
    timestamp: `${at}:00.000Z`,
    value,
    operation_type: operation ?? 'add',
    precise_total_amount_cents: null,
  }));
}

/** Aggregated units as price models take them. */
export function aggregate(units: string | number, fields: Partial<Aggregate> = {}): Aggregate {
  return {
    units: new Big(units),
    full_units: fields.full_units ?? new Big(units),
    shown_units: fields.full_units ?? new Big(units),
    total_aggregated_units: null,
    events_count: 0,
    precise_total_amount_cents: new Big(0),
    event_values: [],
    growth: 'sum',
    ...fields,
  };
}

/** A calendar month as the usage window. */
export function month(first: string, timezone = 'UTC'): UsageWindow {
  const basis: PeriodBasis = {
    interval: 'monthly',
    billing_time: 'calendar',
    start: '2020-01-01T00:00:00.000Z',
    timezone,
  };
  const period = periodAt(basis, `${first}T12:00:00.000Z`);
  return { from: period.from, to: period.to, period, period_days: periodDays(period, basis), timezone };
}

export function event(fields: Partial<EventRecord> & { transaction_id: string }): EventRecord {
  return {
    id: `event-${fields.transaction_id}`,
    code: 'calls',
    timestamp: '2026-03-05T10:00:00.000Z',
    external_subscription_id: 'sub',
    subscription_id: null,
    customer_id: null,
    properties: {},
    precise_total_amount_cents: null,
    created_at: MADE,
    ...fields,
  };
}
