/** The bodies that leave the server, as a recording billing API gets them, byte for byte. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/server/runtime.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { type Recorder, startRecorder } from './recorder.ts';

let api: Recorder;
let runtime: Runtime;
let client: TestClient;

beforeAll(async () => {
  api = await startRecorder();
  const settings = { BILLING_CONFIRM: 'never' };
  runtime = startRuntime(api.url, settings);
  client = await connectClient(runtime, '2026-07-28', false);
});
afterAll(async () => {
  await client.close();
  await runtime.close();
  api.close();
});

const alert = { external_id: 's', code: 'c', alert_type: 'current_usage_amount' };

it.each<[string, string, JsonRecord, string]>([
  [
    'thresholds as decimal text',
    'create_subscription_alert',
    { ...alert, thresholds: [{ value: 7.1 }, { value: '90071992547409931234.5' }] },
    '"thresholds":[{"value":"7.1"},{"value":"90071992547409931234.5"}]',
  ],
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
  ['a preview for nobody', 'preview_invoice', { plan_code: 'p' }, '"customer":{}'],
  ['a comparison for nobody', 'compare_plans', { plan_codes: ['p'] }, '"customer":{}'],
  [
    'a preview for somebody',
    'preview_invoice',
    { plan_code: 'p', customer: { external_id: 'acme' } },
    '"customer":{"external_id":"acme"}',
  ],
  [
    'units of fixed charges as numbers',
    'update_subscription',
    { external_id: 's', plan_overrides: { fixed_charges: [{ id: 'f', units: '2.50' }] } },
    '"fixed_charges":[{"id":"f","units":2.5}]',
  ],
])('%s', async (_, tool, args, part) => {
  api.taken();
  const answer = await client.call(tool, args);
  const requests = api.taken().filter(request => !request.startsWith('GET '));
  expect(requests.length).toBeGreaterThan(0);
  for (const request of requests) expect(request).toContain(part);
  expect(answer.text).toContain('Recorded: Nothing is done here.');
});
