/** Run only by test/package/harness.more.test.ts, which says how it must end; never with the other tests. */
import { expect, it } from 'vitest';
import { withPostgres } from '../../support/postgres.ts';

const postgres = await withPostgres();

it('is as it is told to be', async () => {
  await postgres?.freshDatabase();
  expect(process.env.OUTCOME).toBe('green');
});
