/** Both databases must give identical previews, estimates and usage, whatever the plan and the events. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/extent.ts';
import { withPostgres } from '../support/postgres.ts';
import { anyEvent, NOW, recordsOf } from './random-usage.ts';
import { openHost, type ServiceHost, sharedHost } from './service-host.ts';
import { ofSubscription, type World, worldOn } from './service-world.ts';

const postgres = await withPostgres();

describe.skipIf(postgres === null)('SQLite and PostgreSQL', () => {
  let hosts: ServiceHost[];
  beforeAll(async () => {
    hosts = [await sharedHost(), await openHost(await postgres?.freshDatabase())];
  });
  afterAll(() => hosts?.[1]?.close());

  it('give the same previews, estimates and usage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 60 }), async events => {
        const records = recordsOf(events);
        const [one, other] = await Promise.all(hosts.map(async host => answersOf(await worldOn(host, records, NOW))));
        expect(other).toEqual(one);
      }),
      runs(15),
    );
  });
});

async function answersOf(one: World) {
  const preview = await one.post('/invoices/preview', ofSubscription());
  expect(preview.status).toBe(200);
  const estimates = [];
  for (const code of ['sum', 'unique']) {
    const event = { code, external_subscription_id: 'sub', properties: { value: 7, region: 'eu' } };
    const { body } = await one.post('/events/estimate_fees', { event });
    estimates.push(body.fees.map((fee: object) => ({ ...fee, event_transaction_id: null })));
  }
  const current = await one.get('/customers/acme/current_usage?external_subscription_id=sub');
  expect(current.body).toHaveProperty('customer_usage');
  const lifetime = await one.get('/subscriptions/sub/lifetime_usage');
  return { preview: preview.body, estimates, current: current.body, lifetime: lifetime.body };
}
