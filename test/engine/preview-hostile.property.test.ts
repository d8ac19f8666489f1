import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/extent.ts';
import { type World, world } from './service-world.ts';
import { chargeRecord, planRecord, subscriptionRecord } from './world.ts';

let shared: World;
beforeAll(async () => {
  const plans = [planRecord({ charges: [chargeRecord('units')] })];
  shared = await world({ plans, subscriptions: [subscriptionRecord()] }, '2026-03-10T12:00:00.000Z');
});
afterAll(() => shared.close());

describe('a preview of hostile input', () => {
  const wild = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      '',
      'plan',
      'acme',
      'sub',
      'nope',
      '9'.repeat(400),
      '1e308',
      '2026-13-45',
      '-271821-04-20',
      '9999-12-31T23:59:59Z',
      'GMT+12',
    ),
    fc.constantFrom(1e308, -1, 2 ** 53, 0.1, true, null),
  );
  const body = fc.record(
    {
      plan_code: fc.oneof(fc.constant('plan'), wild),
      billing_time: wild,
      subscription_at: wild,
      billing_entity_code: wild,
      customer: fc.oneof(
        wild,
        fc.record(
          {
            external_id: fc.oneof(fc.constant('acme'), wild),
            timezone: wild,
            country: wild,
            shipping_address: wild,
            integration_customers: fc.oneof(wild, fc.array(wild)),
          },
          { requiredKeys: [] },
        ),
      ),
      coupons: fc.oneof(
        wild,
        fc.array(
          fc.record(
            { code: wild, coupon_type: wild, amount_cents: wild, percentage_rate: wild, amount_currency: wild },
            { requiredKeys: [] },
          ),
        ),
      ),
      subscriptions: fc.oneof(
        wild,
        fc.record(
          { external_ids: fc.oneof(fc.constant(['sub']), fc.array(wild), wild), plan_code: wild, terminated_at: wild },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );

  it('is answered with a clear error or a preview, never with a 500', async () => {
    await fc.assert(
      fc.asyncProperty(body, async sent => {
        const answer = await shared.post('/invoices/preview', sent);
        expect([200, 400, 404, 422]).toContain(answer.status);
        if (answer.status === 200) expect(Number.isSafeInteger(answer.body.invoice.total_amount_cents)).toBe(true);
        else expect(answer.body).toMatchObject({ status: answer.status, error: expect.any(String) });
      }),
      runs(600),
    );
  });
});
