import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/extent.ts';
import { openEstimates } from './estimate-world.ts';
import type { World } from './service-world.ts';

let shared: World;
beforeAll(async () => {
  shared = await openEstimates();
});
afterAll(() => shared.close());

const ask = (code: string, properties: unknown = {}, extra: object = {}) =>
  shared.post('/events/estimate_fees', { event: { code, external_subscription_id: 'sub', properties, ...extra } });

describe('an estimate is refused (§13)', () => {
  it('never with a 500, whatever is sent', async () => {
    const code = fc.constantFrom('units', 'users', 'dyn', 'bytes', 'seats', 'card', 'regions', 'nope');
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(1e308, -1e308, 5e-324, '9'.repeat(31), '-0', '1.'));
    const properties = fc.oneof(
      fc.jsonValue(),
      fc.record({ value, kb: value, region: value, operation_type: value }, { requiredKeys: [] }),
    );
    await fc.assert(
      fc.asyncProperty(code, properties, value, value, async (metric, sent, timestamp, precise_total_amount_cents) => {
        const { status } = await ask(metric, sent, { timestamp, precise_total_amount_cents });
        expect([200, 400, 404, 422]).toContain(status);
      }),
      runs(600),
    );
  });
});
