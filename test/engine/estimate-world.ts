import { type World, world } from './service-world.ts';
import {
  chargeRecord,
  customerRecord,
  eventRecord,
  metricRecord,
  planRecord,
  subscriptionRecord,
  taxRecord,
} from './world.ts';

export const NOW = '2026-03-22T12:00:00.000Z';
export const advance = (metric: string, fields: object = {}) =>
  chargeRecord(metric, { pay_in_advance: true, ...fields });
const tiers = [
  { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '5' },
  { from_value: 11, to_value: null, per_unit_amount: '0.5', flat_amount: '2' },
];
export const graduated = { charge_model: 'graduated', properties: { graduated_ranges: tiers } };
const seen = (n: number, code: string, properties: object, day = '2026-03-05') =>
  eventRecord(n, { timestamp: `${day}T00:00:00.000Z`, code, properties: properties as never });

export function openEstimates(): Promise<World> {
  return world(
    {
      taxes: [taxRecord('vat', '20')],
      customers: [customerRecord({ tax_codes: ['vat'] })],
      billable_metrics: [
        metricRecord('units', { rounding_function: 'ceil' }),
        metricRecord('fresh'),
        metricRecord('calls', { aggregation_type: 'count_agg', field_name: null }),
        metricRecord('users', { aggregation_type: 'unique_count_agg' }),
        metricRecord('peak', { aggregation_type: 'max_agg' }),
        metricRecord('last', { aggregation_type: 'latest_agg' }),
        metricRecord('bytes', { expression: 'event.properties.kb * 1024' }),
        metricRecord('seats', { recurring: true }),
        metricRecord('dyn'),
        metricRecord('tiered'),
        metricRecord('card'),
        metricRecord('regions'),
      ],
      plans: [
        planRecord({
          charges: [
            advance('units'),
            advance('units', { id: 'second', properties: { amount: '0.10' }, invoiceable: false }),
            chargeRecord('units', { id: 'arrears' }),
            advance('fresh', graduated),
            advance('tiered', graduated),
            advance('calls'),
            advance('users'),
            chargeRecord('peak'),
            chargeRecord('last'),
            advance('bytes', { properties: { amount: '0.001' } }),
            advance('seats', { prorated: true, properties: { amount: '31' } }),
            advance('dyn', { charge_model: 'dynamic', properties: {} }),
            advance('card', {
              charge_model: 'percentage',
              properties: { rate: '10', fixed_amount: '1', free_units_per_events: 1 },
            }),
            advance('regions', {
              filters: [
                { id: 'eu', invoice_display_name: 'Europe', properties: { amount: '3' }, values: { region: ['eu'] } },
              ],
            }),
          ],
        }),
      ],
      subscriptions: [
        subscriptionRecord(),
        subscriptionRecord({ id: 'later', external_id: 'later', status: 'pending', started_at: null }),
        subscriptionRecord({ id: 'future', external_id: 'future', subscription_at: '2026-04-01T00:00:00.000Z' }),
        subscriptionRecord({
          id: 'past',
          external_id: 'past',
          status: 'terminated',
          terminated_at: '2026-03-01T00:00:00.000Z',
        }),
        subscriptionRecord({ id: 'over', external_id: 'over', ending_at: '2026-03-20T00:00:00.000Z' }),
        subscriptionRecord({
          id: 'ending',
          external_id: 'ending',
          status: 'terminated',
          terminated_at: '2026-03-30T00:00:00.000Z',
        }),
      ],
      events: [
        seen(1, 'units', { value: 10 }),
        seen(2, 'units', { value: -4 }),
        seen(3, 'users', { value: 'ann' }),
        seen(4, 'users', { value: 'bob' }),
        eventRecord(5, {
          timestamp: '2026-03-06T00:00:00.000Z',
          code: 'users',
          properties: { value: 'bob', operation_type: 'remove' },
        }),
        seen(6, 'tiered', { value: 9 }),
        seen(7, 'units', { value: 1000 }, '2026-02-05'),
        seen(8, 'units', { value: 1000 }, '2026-03-30'),
      ],
    },
    NOW,
  );
}
