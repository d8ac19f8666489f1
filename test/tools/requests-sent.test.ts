/** The bodies that leave the server, as a recording billing API gets them, byte for byte. */
import { afterAll, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { startStrict } from './sent-by.ts';

const server = await startStrict();
afterAll(() => server.close());

const svc_id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const granting = {
  ...{ trigger: 'interval', method: 'target', interval: 'monthly', target_ongoing_balance: '500' },
  grants_target_top_up: true,
};

it.each<[string, string, JsonRecord, string]>([
  [
    'several alerts',
    'create_subscription_alert',
    {
      external_id: 's',
      alerts: [
        { code: 'c', alert_type: 'current_usage_amount', thresholds: [{ value: 7.1, recurring: true }], name: 'C' },
        {
          ...{ code: 'd', alert_type: 'billable_metric_current_usage_units', billable_metric_code: 'calls' },
          thresholds: [{ value: '2', code: 'low' }],
        },
      ],
    },
    '{"alerts":[{"code":"c","alert_type":"current_usage_amount","thresholds":[{"value":"7.1","recurring":true}],"name":"C"},{"code":"d","alert_type":"billable_metric_current_usage_units","thresholds":[{"value":"2","code":"low"}],"billable_metric_code":"calls"}]}',
  ],
  [
    'what stands on the invoices of a wallet',
    'update_wallet',
    { svc_id, purchase_order_number: 'PO-7', billing_entity_code: 'skylark-eu' },
    '{"wallet":{"purchase_order_number":"PO-7","billing_entity_code":"skylark-eu"}}',
  ],
  [
    'no number on the invoices of a wallet',
    'update_wallet',
    { svc_id, clear: ['purchase_order_number'] },
    '{"wallet":{"purchase_order_number":null}}',
  ],
  [
    'a number of a rule, and top-ups that are granted',
    'update_wallet',
    { svc_id, recurring_transaction_rules: [{ ...granting, purchase_order_number: 'PO-8' }] },
    `{"wallet":{"recurring_transaction_rules":[${JSON.stringify(granting).slice(0, -1)},"purchase_order_number":"PO-8"}]}}`,
  ],
  [
    'a rule that falls back to the number of its wallet',
    'update_wallet',
    { svc_id, recurring_transaction_rules: [{ ...granting, purchase_order_number: null }] },
    `{"wallet":{"recurring_transaction_rules":[${JSON.stringify(granting).slice(0, -1)},"purchase_order_number":null}]}}`,
  ],
  ['a preview for nobody', 'preview_invoice', { plan_code: 'p' }, '"customer":{}'],
  ['a comparison for nobody', 'compare_plans', { plan_codes: ['p'] }, '"customer":{}'],
  [
    'a preview for somebody',
    'preview_invoice',
    { plan_code: 'p', customer: { external_id: 'acme' } },
    '"customer":{"external_id":"acme"}',
  ],
  ...Object.entries({
    metadata: { cost_center: '7', team: null },
    charges: [{ id: 'c', applied_pricing_unit: { conversion_rate: '0.050' } }],
  }).map(([field, value]): [string, string, JsonRecord, string] => [
    `${field} of the copy of a plan`,
    'update_subscription',
    { external_id: 's', plan_overrides: { [field]: value } },
    `{"subscription":{"plan_overrides":{"${field}":${JSON.stringify(value)}}}}`,
  ]),
  ...Object.entries({
    usage_thresholds: [
      { amount_cents: 5000, threshold_display_name: 'First' },
      { amount_cents: 100, recurring: true },
    ],
    activation_rules: [{ type: 'payment', timeout_hours: 48 }],
    purchase_order_number: 'PO-7',
    consolidate_invoice: false,
    billing_entity_code: 'fr',
    progressive_billing_disabled: true,
  }).map(([field, value]): [string, string, JsonRecord, string] => [
    `${field} of a subscription`,
    'update_subscription',
    { external_id: 's', [field]: value },
    `{"subscription":{"${field}":${JSON.stringify(value)}}}`,
  ]),
  [
    'no thresholds of its own',
    'update_subscription',
    { external_id: 's', usage_thresholds: [] },
    '"usage_thresholds":[]',
  ],
  [
    'no purchase order number',
    'update_subscription',
    { external_id: 's', clear: ['purchase_order_number'] },
    '{"subscription":{"purchase_order_number":null}}',
  ],
])('%s', async (_, tool, args, part) => {
  server.taken();
  const answer = await server.client.call(tool, args);
  const requests = server.taken().filter(request => !request.startsWith('GET '));
  expect(requests.length).toBeGreaterThan(0);
  for (const request of requests) expect(request).toContain(part);
  expect(answer.text).toContain('Recorded: Nothing is done here.');
});
