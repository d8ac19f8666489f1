/** Both databases must give identical previews and estimates, whatever the plan and the events. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withPostgres } from '../support/postgres.ts';
import { anyEvent, NOW, recordsOf } from './random-usage.ts';
import { ofSubscription, world } from './service-world.ts';

const postgres = await withPostgres();

it.skipIf(postgres === null)(
  'SQLite and PostgreSQL give the same previews and estimates',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 60 }), async events => {
        const records = recordsOf(events);
        const answers = [];
        for (const url of [undefined, await postgres?.freshDatabase()]) {
          const one = await world(records, NOW, url);
          const preview = await one.post('/invoices/preview', ofSubscription());
          const estimates = [];
          for (const code of ['sum', 'unique']) {
            const event = { code, external_subscription_id: 'sub', properties: { value: 7, region: 'eu' } };
            const { body } = await one.post('/events/estimate_fees', { event });
            estimates.push(body.fees.map((fee: object) => ({ ...fee, event_transaction_id: null })));
          }
          await one.close();
          expect(preview.status).toBe(200);
          answers.push({ preview: preview.body, estimates });
        }
        expect(answers[1]).toEqual(answers[0]);
      }),
      { numRuns: 15 },
    );
  },
  120_000,
);
