import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../src/service/store/store.ts';
import { withDatabase } from '../support/postgres.ts';
import { comparable } from './reference-usage.ts';
import {
  eventArbitrary,
  insertMany,
  kinds,
  LONG,
  plain,
  queriesOf,
  queryOf,
  record,
  sharedAccount,
  sorted,
} from './usage-sql-cases.ts';

const { name, missing, fresh } = await withDatabase();

describe.skipIf(missing)(`usage from ${name}`, () => {
  describe('answers', () => {
    const shared = sharedAccount(fresh);
    let account: AccountStore;
    beforeAll(() => {
      account = shared.account;
    });

    it.each<[string, string, (string | null)[], object]>([
      ['sum of 5, abc, 3: 8 units of 2 events', 'sum', ['5', 'abc', '3'], { sum: '8', events_count: 2 }],
      ['max of 5, abc, none, 3: 5 of 2 events', 'max', ['5', 'abc', null, '3'], { max: '5', events_count: 2 }],
      ['latest of 5, 3, abc: 3 of 2 events', 'latest', ['5', '3', 'abc'], { events_count: 2 }],
      ['weighted sum of abc, 3: 1 event', 'weighted', ['abc', '3'], { sum: '3', events_count: 1 }],
      ['count of 5, abc, none: 3 events', 'count', ['5', 'abc', null], { events_count: 3 }],
      ['unique: a, none, b, none: 3 values', 'unique', ['a', null, 'b', null], { unique_count: 3, events_count: 4 }],
      ['unique: none and an empty text: 2 values', 'unique', [null, ''], { unique_count: 2 }],
      ['unique: none and the text "-": 2 values', 'unique', [null, '-'], { unique_count: 2 }],
    ])('%s', async (name, code, list, expected) => {
      const rows = list.map((value, i) => record(code, name, i, { ...plain, value, minute: i, cents: '7' }));
      await insertMany(account, rows);
      const query = { ...queryOf(code, name), amounts: true };
      const [row] = (await account.usage([query])).get(code) ?? [];
      const exist = (expected as { events_count?: number }).events_count ?? list.length;
      expect(row).toMatchObject({ ...expected, precise_total_amount_cents: String(7 * exist) });
      const grouped = { ...query, need: 'events' as const, dimensions: ['amount'] };
      const groups = (await account.usage([grouped])).get(code) ?? [];
      expect(groups.flatMap(group => group.events)).toHaveLength(exist);
      expect(groups.every(group => group.events_count > 0)).toBe(true);
    });

    it('a removal without the property removes that value: a, none, b, less none: 2', async () => {
      const rows = ['a', null, 'b', null].map((value, i) =>
        record('unique', 'none removed', i, { ...plain, value, minute: i, remove: i === 3 }),
      );
      await insertMany(account, rows);
      const [row] = (await account.usage([queryOf('unique', 'none removed')])).get('unique') ?? [];
      expect(row?.unique_count).toBe(2);
    });

    it('a recurring sum with the events of earlier periods: 3 and, within the period, 1', async () => {
      const rows = ['1', '2', 'abc', '3', '4'].map((value, i) =>
        record('sum-on', 'carried', i, { ...plain, value, past: i < 4 }),
      );
      await insertMany(account, rows);
      const [row] = (await account.usage([queryOf('sum-on', 'carried')])).get('sum-on') ?? [];
      expect(row).toMatchObject({ carried_events: 3, carried_sum: '6', events_count: 1, sum: '4' });
    });

    it('the same for many queries at once as for each by itself', async () => {
      const drawn = [plain, ...fc.sample(eventArbitrary, 30)];
      await insertMany(
        account,
        kinds.flatMap(({ code }) => drawn.map((fields, i) => record(code, 'at once', i, fields))),
      );
      const queries = queriesOf('at once');
      const together = await account.usage(queries);
      expect(queries.filter(({ key }) => together.get(key)?.length === 0)).toEqual([]);
      for (const query of queries) {
        const alone = (await account.usage([query])).get(query.key);
        // PostgreSQL gives groups, and values of a group, in an order of its own.
        const compared = (rows: typeof alone = []) => sorted(rows.map(row => comparable(row, query)));
        expect(compared(together.get(query.key))).toEqual(compared(alone));
      }
    });

    it('sums beyond 64 bits exactly: 9999 × 999999999999999.5 = 9998999999999995000.5', async () => {
      const rows = Array.from({ length: 9999 }, (_, i) =>
        record('sum', 'large', i, { ...plain, value: '999999999999999.5' }),
      );
      await insertMany(account, rows);
      const [row] = (await account.usage([queryOf('sum', 'large')])).get('sum') ?? [];
      expect(row?.sum).toBe('9998999999999995000.5');
    });

    // Numbers of up to 15 digits before the point and 18 after it are stored as integers; longer ones are read from text.
    it.each([
      ['beyond any stored in columns', ['7', '-99999999999999999999', '88888888888888888888', '66666666666666666666']],
      ['before any stored in columns', ['88888888888888888888', '7.5', '66666666666666666666']],
      ['in fractions', ['88888888888888888888.5', '88888888888888888888.25', '88888888888888888888.125']],
    ])('the largest of numbers with more digits than are stored: %s', async (name, list) => {
      const rows = list.map((value, i) => record('max', `wide ${name}`, i, { ...plain, value, minute: i }));
      await insertMany(account, rows);
      const [row] = (await account.usage([queryOf('max', `wide ${name}`)])).get('max') ?? [];
      expect(row?.max).toBe(list.find(value => value.startsWith('888')));
    });

    it('the largest in columns where those with more digits are smaller', async () => {
      const rows = ['-99999999999999999999', '7.5', '0.0000000000000000001'].map((value, i) =>
        record('max', 'narrow', i, { ...plain, value, minute: i }),
      );
      await insertMany(account, rows);
      const [row] = (await account.usage([queryOf('max', 'narrow')])).get('max') ?? [];
      expect(row?.max).toBe('7.5');
    });

    it('only the first events that a free allowance asks for', async () => {
      const rows = Array.from({ length: 1000 }, (_, i) =>
        record('sum', 'first', i, { ...plain, value: '1.5', minute: i }),
      );
      await insertMany(account, rows);
      const first = { ...queryOf('sum', 'first'), need: 'events' as const, first_events: 3 };
      const until = { ...queryOf('sum', 'first'), need: 'events' as const, until_total: '600' };
      const grouped = { ...first, dimensions: ['region'] };
      expect((await account.usage([first])).get('sum')?.[0]?.events).toHaveLength(3);
      expect((await account.usage([grouped])).get('sum')?.[0]?.events).toHaveLength(3);
      // 400 × 1.5 = 600 does not exceed 600; the 401st event does.
      expect((await account.usage([until])).get('sum')?.[0]?.events).toHaveLength(401);
      expect((await account.usage([until])).get('sum')?.[0]?.events_count).toBe(1000);
    });

    it.each([
      ['a', 'b'],
      [LONG, `${LONG}!`],
    ])('the history of one value when only that is requested: %.5s…', async (asked, other) => {
      const subscription = `probe ${asked.length}`;
      const rows = [asked, other, asked].map((value, i) =>
        record('unique', subscription, i, { ...plain, value, minute: i }),
      );
      await insertMany(account, rows);
      const query = { ...queryOf('unique', subscription), in_advance: true, probe: asked };
      const [row] = (await account.usage([query])).get('unique') ?? [];
      expect(row).toMatchObject({
        unique_count: 2,
        net: '2',
        peak: '2',
        values: [{ value: asked, added_before: null }],
      });
    });

    it('no events where units were paid and no event is needed, all events where no units were paid', async () => {
      const asked = (subscription: string) => {
        const query = { ...queryOf('sum', subscription), need: 'events' as const, first_events: 0, in_advance: true };
        return account.usage([query]);
      };
      await insertMany(
        account,
        ['0', '2'].map((value, i) => record('sum', 'paid', i, { ...plain, value })),
      );
      await insertMany(
        account,
        ['0', '0'].map((value, i) => record('sum', 'unpaid', i, { ...plain, value })),
      );
      expect((await asked('paid')).get('sum')?.[0]?.events).toHaveLength(0);
      expect((await asked('unpaid')).get('sum')?.[0]?.events).toHaveLength(2);
    });

    // 9999 × 999999999999999.5 × 60000 ms = 599939999999999700030000
    it('weighted sums beyond 64 bits exactly', async () => {
      const rows = Array.from({ length: 9999 }, (_, i) =>
        record('weighted', 'heavy', i, { ...plain, value: '999999999999999.5', minute: 1 }),
      );
      await insertMany(account, rows);
      const [row] = (await account.usage([queryOf('weighted', 'heavy')])).get('weighted') ?? [];
      expect(row?.moment).toBe('599939999999999700030000');
    });
  });
});
