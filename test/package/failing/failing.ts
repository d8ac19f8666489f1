/** Run by test/package/failing.test.ts, never with the other tests. */
import { expect, it } from 'vitest';
import { withPostgres } from '../../support/postgres.ts';

const postgres = await withPostgres();

it('fails', async () => {
  await postgres?.freshDatabase();
  expect('red').toBe('green');
});
