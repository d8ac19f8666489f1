/** The bodies that leave the server, as a recording billing API gets them, byte for byte. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/runtime.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';

let api: Server;
let runtime: Runtime;
let client: TestClient;
const bodies: string[] = [];

beforeAll(async () => {
  api = createServer(async (request, response) => {
    const body = await text(request);
    if (body !== '') bodies.push(body);
    response.writeHead(400, { 'content-type': 'application/problem+json' });
    response.end('{"title":"Recorded","detail":"Nothing is done here."}');
  });
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  const settings = { BILLING_CONFIRM: 'never', BILLING_READ_BEFORE_WRITE: 'false' };
  runtime = startRuntime(`http://127.0.0.1:${port}`, settings);
  client = await connectClient(runtime, '2026-07-28', false);
});
afterAll(async () => {
  await client.close();
  await runtime.close();
  api.closeAllConnections();
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
  bodies.length = 0;
  const answer = await client.call(tool, args);
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) expect(body).toContain(part);
  expect(answer.text).toContain('Recorded: Nothing is done here.');
});
