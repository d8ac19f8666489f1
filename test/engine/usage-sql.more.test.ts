import fc from 'fast-check';
import { describe, it } from 'vitest';
import { runs } from '../support/extent.ts';
import { withPostgres } from '../support/postgres.ts';
import { asComputed, asMerged, sharedAccount } from './usage-sql-cases.ts';

const postgres = await withPostgres();

describe.skipIf(!postgres)('usage from PostgreSQL', () => {
  describe('answers', () => {
    const shared = sharedAccount(async () => postgres?.freshDatabase());

    it('the same as a plain computation from the events, whatever they are', async () => {
      await fc.assert(asComputed(shared), runs(40));
    });

    it('rows per property which together are what the events are without it', async () => {
      await fc.assert(asMerged(shared), runs(40));
    });
  });
});
