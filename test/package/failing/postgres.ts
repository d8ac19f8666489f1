/** Run only by test/package/harness.more.test.ts. */
import { expect, it } from 'vitest';
import { withPostgres } from '../../support/postgres.ts';

const postgres = await withPostgres();

it('fails with a database', async () => {
  expect(await postgres?.freshDatabase()).toBe('another');
});
