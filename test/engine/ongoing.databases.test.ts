import { describe, expect, it } from 'vitest';
import { withDatabase } from '../support/postgres.ts';
import { records, shown, two } from './ongoing-world.ts';

const { name, missing, fresh } = await withDatabase();

describe('the ongoing balance of a stored wallet (§11.7)', () => {
  it.skipIf(missing)(
    `2000 − (1234 + tax 247) − (draft 100 + tax 20 − coupon 10), 300 in advance are billed: 409, 8.18 credits (${name})`,
    async () => {
      const expected = {
        balance_cents: 2000,
        ongoing_usage_balance_cents: 1591,
        ongoing_balance_cents: 409,
        credits_ongoing_usage_balance: '31.82',
        credits_ongoing_balance: '8.18',
      };
      expect(await shown(records(two), await fresh())).toMatchObject(expected);
    },
  );
});
