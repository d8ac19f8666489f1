/** Writes at BILLING_MAX_AMOUNT and beyond it, to the embedded service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { KEY, startTestService, type TestService } from '../../service/routes/service.ts';
import { connectClient, startRuntime, type TestClient } from '../../support/clients.ts';

describe('the embedded service under a limit', () => {
  let service: TestService;
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    service = await startTestService();
    runtime = startRuntime(service.url, { BILLING_MAX_AMOUNT: 'USD:100,JPY:100', BILLING_API_KEY: KEY });
    client = await connectClient(runtime, '2026-07-28', false);
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
    await service.close();
  });

  const rule = (paid_credits: string) => ({
    svc_id: demoIds.wallet_svc_id,
    applies_to: {},
    recurring_transaction_rules: [{ trigger: 'interval', interval: 'monthly', method: 'fixed', paid_credits }],
  });

  it.each<[string, JsonRecord, RegExp | true]>([
    ['update_wallet', rule('100.01'), /100\.01 credits at \$1\.00 .*\$100\.01/],
    ['update_wallet', rule('100'), true],
    ['update_add_on', { code: demoIds.add_on_code, amount_currency: 'JPY' }, /is over the limit of ¥100/],
    ['update_add_on', { code: demoIds.add_on_code, amount_cents: 10_001 }, /is over the limit of \$100\.00/],
    ['update_add_on', { code: demoIds.add_on_code, amount_currency: 'USD' }, true],
    ['update_add_on', { code: demoIds.add_on_code, amount_cents: 10_000 }, true],
    ['update_add_on', { code: demoIds.add_on_code, amount_currency: 'KWD' }, /KWD, has no limit/],
    [
      'update_subscription',
      { external_id: demoIds.external_subscription_id, plan_overrides: { amount_cents: 1, amount_currency: 'EUR' } },
      /EUR, has no limit/,
    ],
    [
      'update_subscription',
      { external_id: demoIds.external_subscription_id, plan_overrides: { amount_cents: 10_000 } },
      true,
    ],
  ])('%s %j', async (tool, args, expected) => {
    const { isError, text } = await client.call(tool, args);
    if (expected === true) expect(text).not.toContain('amount_limit');
    else expect(text).toMatch(expected);
    expect(isError).toBe(expected !== true);
  });
});
