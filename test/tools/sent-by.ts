/** A client in front of a server of ours whose billing API only records, byte for byte, and refuses: what a call sends. */
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolByName } from '../../tools/all-tools.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { listening } from '../support/listening.ts';

const section = { invoice_custom_section_codes: ['x'] };
const manual = { payment_method_type: 'manual' };
const ranges = { graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '0.1' }] };

/** Calls with objects and lists at every depth, which hosts write in several ways. */
export const nestedCalls = {
  compare_plans: {
    plan_codes: ['p', 'q'],
    usage: [
      { billable_metric_code: 'm', units: 2.5, filter: { region: 'eu' }, groups: { team: 'a' }, events: 3 },
      { billable_metric_code: 'n', units: 1, groups: {} },
    ],
    customer: { country: 'FR', zipcode: '1' },
    coupons: [{ code: 'c', coupon_type: 'percentage', percentage_rate: '10' }],
  },
  update_subscription: {
    external_id: 's',
    usage_thresholds: [{ amount_cents: 9, recurring: true }],
    activation_rules: [{ type: 'payment', timeout_hours: 48 }],
    plan_overrides: {
      amount_cents: 5,
      metadata: { team: 'emea', empty: '' },
      minimum_commitment: { amount_cents: 100, tax_codes: ['vat'] },
      charges: [
        {
          ...{ id: 'c', properties: ranges, applied_pricing_unit: { conversion_rate: '0.5' } },
          filters: [{ values: { region: ['eu', 'us'] }, properties: { amount: '2' } }],
        },
        { id: 'd', min_amount_cents: 7 },
      ],
      fixed_charges: [{ id: 'f', units: '2.50', properties: { amount: '3' } }],
    },
    ...{ payment_method: manual, invoice_custom_section: section },
  },
  update_wallet: {
    svc_id: '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001',
    metadata: { team: 'emea', empty: '' },
    recurring_transaction_rules: [
      {
        ...{ trigger: 'interval', interval: 'monthly', paid_credits: '10', payment_method: manual },
        ...{ transaction_metadata: [{ key: 'a', value: 'b' }], invoice_custom_section: section },
      },
    ],
    ...{ payment_method: manual, invoice_custom_section: section },
  },
} as const satisfies Record<string, JsonRecord>;

interface StrictServer {
  client: TestClient;
  /** The requests of the tool itself, without the reads that some tools make beside them. */
  sentBy(tool: string, args: JsonRecord): Promise<string[]>;
  /** What was sent since the last call of this function. */
  taken(): string[];
  close(): Promise<void>;
}

export async function startStrict(): Promise<StrictServer> {
  const all: string[] = [];
  const api = await listening(async (request, response) => {
    all.push(`${request.method} ${request.url} ${await text(request)}`);
    response.writeHead(400, { 'content-type': 'application/problem+json' });
    response.end('{"title":"Recorded","detail":"Nothing is done here."}');
  });
  const runtime = startRuntime(api.url, { BILLING_CONFIRM: 'never' });
  const client = await connectClient(runtime, '2026-07-28', false);
  const taken = () => all.splice(0);
  return {
    client,
    taken,
    async sentBy(tool, args) {
      const [method = ''] = toolByName.get(tool)!.endpoint.split(' ');
      taken();
      await client.call(tool, args);
      const sent = taken().filter(request => request.startsWith(method));
      expect(sent.length).toBeGreaterThan(0);
      return sent.sort();
    },
    async close() {
      await client.close();
      await runtime.close();
      await api.close();
    },
  };
}
