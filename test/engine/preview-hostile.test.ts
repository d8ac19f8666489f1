import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type World, world } from './service-world.ts';
import { chargeRecord, planRecord, subscriptionRecord } from './world.ts';

let shared: World;
beforeAll(async () => {
  const plans = [planRecord({ charges: [chargeRecord('units')] })];
  shared = await world({ plans, subscriptions: [subscriptionRecord()] }, '2026-03-10T12:00:00.000Z');
});
afterAll(() => shared.close());

const proposal = (extra: object) => ({ plan_code: 'plan', customer: { external_id: 'acme' }, ...extra });

describe('a preview of hostile input', () => {
  it.each(['1900-01-01', '9000-12-31T23:59:59Z', '2026-03-29T02:30:00+14:00', '2024-02-29'])(
    'starts at %s',
    async subscription_at => {
      for (const billing_time of ['calendar', 'anniversary']) {
        const answer = await shared.post('/invoices/preview', proposal({ subscription_at, billing_time }));
        expect(answer.status).toBe(200);
      }
    },
  );

  it('refuses input that is nested too deeply', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    expect((await shared.post('/invoices/preview', `{"plan_code":"plan","customer":${deep}}`)).status).toBe(400);
  });
});
