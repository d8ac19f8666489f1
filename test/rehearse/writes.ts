/** Writes to the demo account, and the account before and after them. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import type { Snapshot } from '../../src/rehearse/types.ts';
import { startService } from '../../src/service/start.ts';

export type Write = readonly [method: string, path: string, body: object];
export interface Written {
  before: Snapshot;
  after: Snapshot;
}

const now = '2026-03-15T12:00:00.000Z';

/** Services on copies of one demo account, in this folder: to load it takes longer than to write. */
export async function demoCopies(folder: string) {
  const loaded = join(folder, 'loaded');
  const service = await startService({ account: 'demo', now, data: loaded });
  const before = await service.snapshot();
  await service.close();
  const done = new Map<string, Promise<Written>>();

  async function write(writes: readonly Write[], data: string): Promise<Written> {
    for (const part of ['', '-wal']) if (existsSync(loaded + part)) copyFileSync(loaded + part, data + part);
    const copy = await startService({ now, data });
    try {
      for (const [method, path, body] of writes) {
        const headers = { authorization: `Bearer ${copy.apiKey}`, 'content-type': 'application/json' };
        const answer = await fetch(`${copy.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
        expect(answer.status, await answer.clone().text()).toBe(200);
      }
      return { before, after: await copy.snapshot() };
    } finally {
      await copy.close();
    }
  }

  /** The account before and after the writes, on a service of its own. */
  return (...writes: Write[]): Promise<Written> => {
    const key = JSON.stringify(writes);
    const known = done.get(key) ?? write(writes, join(folder, String(done.size)));
    done.set(key, known);
    return known;
  };
}

export const addOn = (changes: object): Write => ['PUT', `/add_ons/${demoIds.add_on_code}`, { add_on: changes }];
export const wallet = (changes: object): Write => ['PUT', `/wallets/${demoIds.wallet_svc_id}`, { wallet: changes }];
const invoice = (changes: object): Write => ['PUT', `/invoices/${demoIds.invoice_svc_id}`, { invoice: changes }];
export const entity = (name: string, code: string): Write => [
  'POST',
  '/billing_entities',
  { billing_entity: { name, code } },
];
export const override = (externalId: string, amount_cents: number): Write => [
  'PUT',
  `/subscriptions/${externalId}`,
  { subscription: { plan_overrides: { amount_cents } } },
];
export const alert = (externalId: string, code: string, value: string): Write => [
  'POST',
  `/subscriptions/${externalId}/alerts`,
  { alert: { code, alert_type: 'current_usage_amount', thresholds: [{ code: 'warn', value }, { value: '900000' }] } },
];
export const rule = (paid_credits: string) =>
  wallet({
    recurring_transaction_rules: [
      { trigger: 'threshold', threshold_credits: '10', paid_credits, ignore_paid_top_up_limits: true },
    ],
  });
export const metadata = (...keys: string[]) =>
  invoice({ metadata: keys.map(key => ({ key, value: `value of ${key}` })) });
