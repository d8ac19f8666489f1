/** Random usage of a subscription whose plan has a charge of every kind, for properties over whole answers. */
import fc from 'fast-check';
import type { ChargeRecord } from '../../src/engine/records/index.ts';
import type { Records } from './service-world.ts';
import { chargeRecord, eventRecord, metricRecord, planRecord, subscriptionRecord, taxRecord } from './world.ts';

/** In the third month of the subscription, which runs until 14 April. */
export const NOW = '2026-03-22T12:00:00.000Z';

const tiers = [
  { from_value: 0, to_value: 10, per_unit_amount: '1.005', flat_amount: '5' },
  { from_value: 11, to_value: null, per_unit_amount: '0.333', flat_amount: '0' },
];
const percentTiers = tiers.map(({ from_value, to_value }) => ({ from_value, to_value, rate: '7.5', flat_amount: '1' }));
const metrics = [
  metricRecord('count', { aggregation_type: 'count_agg', field_name: null }),
  metricRecord('sum', { rounding_function: 'round', rounding_precision: 1 }),
  metricRecord('max', { aggregation_type: 'max_agg' }),
  metricRecord('latest', { aggregation_type: 'latest_agg' }),
  metricRecord('unique', { aggregation_type: 'unique_count_agg', recurring: true }),
  metricRecord('weighted', { aggregation_type: 'weighted_sum_agg', recurring: true, weighted_interval: 'seconds' }),
  metricRecord('level', { recurring: true }),
];
const grouped = { amount: '1.1', pricing_group_keys: ['region'] };
export const charges: ChargeRecord[] = [
  chargeRecord('count', { charge_model: 'package', properties: { amount: '3', package_size: 5, free_units: 2 } }),
  chargeRecord('sum', { charge_model: 'graduated', properties: { graduated_ranges: tiers } }),
  chargeRecord('sum', {
    id: 'sum-2',
    charge_model: 'graduated_percentage',
    properties: { graduated_percentage_ranges: percentTiers },
  }),
  chargeRecord('sum', {
    id: 'sum-3',
    charge_model: 'percentage',
    properties: { rate: '2.5', fixed_amount: '0.1', free_units_per_events: 2, free_units_per_total_aggregation: '50' },
  }),
  chargeRecord('sum', {
    id: 'sum-4',
    charge_model: 'percentage',
    properties: { rate: '2.5', per_transaction_min_amount: '0.5', per_transaction_max_amount: '3' },
  }),
  chargeRecord('sum', { id: 'sum-5', charge_model: 'dynamic', properties: {} }),
  chargeRecord('sum', { id: 'sum-6', pay_in_advance: true, properties: grouped }),
  chargeRecord('max', { charge_model: 'volume', properties: { volume_ranges: tiers } }),
  chargeRecord('latest', { properties: grouped, min_amount_cents: 900 }),
  chargeRecord('unique', { prorated: true, properties: { amount: '12' } }),
  chargeRecord('unique', { id: 'unique-2', pay_in_advance: true, properties: { amount: '12' } }),
  chargeRecord('weighted', { properties: { amount: '2.22' } }),
  chargeRecord('level', {
    prorated: true,
    filters: [{ id: 'eu', invoice_display_name: null, properties: { amount: '9' }, values: { region: ['eu'] } }],
  }),
];

export const anyEvent = fc.record({
  code: fc.constantFrom(...metrics.map(metric => metric.code)),
  minute: fc.integer({ min: -40_000, max: 44_000 }),
  value: fc.oneof(
    fc.integer({ min: -20, max: 60 }),
    fc.constantFrom('0.1', '12.345678901', 'text', '9999999999.25', null),
  ),
  region: fc.constantFrom('eu', 'us', null),
  operation_type: fc.constantFrom('add', 'add', 'remove'),
  cents: fc.constantFrom(null, '12.5', '0.333333333333'),
});

type AnyEvent = typeof anyEvent extends fc.Arbitrary<infer Event> ? Event : never;

/** The subscription `sub` of a plan with these charges, and its events. */
export function recordsOf(events: readonly AnyEvent[], planCharges = charges): Records {
  return {
    taxes: [taxRecord('vat', '19.6')],
    billable_metrics: metrics,
    plans: [planRecord({ charges: planCharges, tax_codes: ['vat'] })],
    subscriptions: [subscriptionRecord({ subscription_at: '2026-01-15T09:30:00.000Z', billing_time: 'anniversary' })],
    events: events.map(({ code, minute, cents, ...properties }, n) =>
      eventRecord(n, {
        code,
        timestamp: new Date(Date.parse('2026-03-01T00:00:00Z') + minute * 60_000).toISOString(),
        properties,
        precise_total_amount_cents: cents,
      }),
    ),
  };
}
