import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeUsage } from '../../src/service/engine/merge-usage.ts';
import type { UsageQuery } from '../../src/service/engine/types.ts';
import type { EventRecord } from '../../src/service/records/index.ts';
import { createAccount, type OpenStore, openStore } from '../../src/service/store/open.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { withPostgres } from '../support/postgres.ts';
import { event, metric } from './reference-records.ts';
import { comparable, referenceRows } from './reference-usage.ts';

const postgres = await withPostgres();
const FROM = '2026-03-01T00:00:00.000Z';
const TO = '2026-03-31T23:59:59.999Z';

const databases = [
  { name: 'SQLite', missing: false, open: () => openStore() },
  {
    name: 'PostgreSQL',
    missing: !postgres,
    open: async () => openStore({ databaseUrl: await postgres?.freshDatabase() }),
  },
];

describe.each(databases)('usage from $name', ({ missing, open }) => {
  describe.skipIf(missing)('answers', () => {
    let store: OpenStore;
    let account: AccountStore;
    beforeAll(async () => {
      store = await open();
      account = await createAccount(store, { organization: organization(), apiKey: 'key' });
      for (const kind of kinds) {
        await account.insert('billable_metrics', metric({ id: kind.code, ...kind }));
      }
    });
    afterAll(() => store?.close());

    it('the same as a plain computation from the events, whatever they are', async () => {
      let round = 0;
      const property = fc.asyncProperty(fc.array(eventArbitrary, { maxLength: 30 }), async drawn => {
        round += 1;
        const subscription = `sub ${round}`;
        // In every second round nothing is removed, because such usage is counted in another way.
        const kept = drawn.map(fields => (round % 2 === 0 ? { ...fields, remove: false } : fields));
        const events = kinds.flatMap(kind => kept.map((fields, i) => record(kind.code, subscription, i, fields)));
        await store.transaction(async () => {
          for (const one of events) await account.insert('events', one);
        });
        for (const query of queriesOf(subscription)) {
          const rows = (await account.usage([query])).get(query.key) ?? [];
          const expected = referenceRows(events, query).map(row => comparable(row, query));
          expect(sorted(rows.map(row => comparable(row, query))), query.key).toEqual(sorted(expected));
          if (query.need === 'events') expectEvents(query, rows, referenceRows(events, query));
        }
      });
      await fc.assert(property, { numRuns: 40 });
    });

    it('rows per property which together are what the events are without it', async () => {
      let round = 0;
      const property = fc.asyncProperty(fc.array(eventArbitrary, { maxLength: 20 }), async drawn => {
        round += 1;
        const subscription = `merged ${round}`;
        const codes = ['sum', 'sum-on', 'unique', 'unique-on'];
        const kept = drawn.map(fields => (round % 2 === 0 ? { ...fields, remove: false } : fields));
        const events = codes.flatMap(code => kept.map((fields, i) => record(code, subscription, i, fields)));
        await insertMany(account, events);
        for (const code of codes) {
          const query = { ...queryOf(code, subscription), in_advance: true };
          const split = { ...query, dimensions: ['region'] };
          for (const one of [split, { ...split, need: 'events' as const, first_events: 1 }]) {
            const merged = {
              ...mergeUsage((await account.usage([one])).get(code) ?? [], query.metric),
              dimensions: {},
            };
            const [expected] = referenceRows(events, query);
            if (expected) expect(comparable(merged, query), code).toEqual(comparable(expected, query));
          }
        }
      });
      await fc.assert(property, { numRuns: 40 });
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
      const queries = queriesOf('sub 1');
      const together = await account.usage(queries);
      for (const query of queries) {
        expect(together.get(query.key)).toEqual((await account.usage([query])).get(query.key));
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

const kinds = [
  { code: 'count', aggregation_type: 'count_agg', recurring: false },
  { code: 'sum', aggregation_type: 'sum_agg', recurring: false },
  { code: 'sum-on', aggregation_type: 'sum_agg', recurring: true },
  { code: 'max', aggregation_type: 'max_agg', recurring: false },
  { code: 'latest', aggregation_type: 'latest_agg', recurring: false },
  { code: 'unique', aggregation_type: 'unique_count_agg', recurring: false },
  { code: 'unique-on', aggregation_type: 'unique_count_agg', recurring: true },
  { code: 'weighted', aggregation_type: 'weighted_sum_agg', recurring: true },
] as const;

interface Drawn {
  value: string | number | boolean | null;
  region: string | number | boolean | null | undefined;
  remove: boolean;
  cents: string | null;
  minute: number;
  past: boolean;
}
/** Longer than the part of a value that an index holds on PostgreSQL. */
const LONG = 'long '.repeat(1000);
const plain: Drawn = { value: '1', region: 'eu', remove: false, cents: null, minute: 0, past: false };

const numberText = fc
  .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, scale]) => withPoint(digits, scale));
const eventArbitrary: fc.Arbitrary<Drawn> = fc.record({
  value: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('1', '2', '2.5', '-3', '0.000000000000000001', '1.000') },
    { weight: 2, arbitrary: numberText },
    fc.constantFrom('', 'abc', '1e5', ' 1', null, true, 7, 12.25, 'it\'s "x"', LONG, `${LONG}!`),
  ),
  region: fc.constantFrom<Drawn['region'][]>('eu', 'us', 'it\'s "x"', null, undefined, 1, 2.5, true, ''),
  remove: fc.boolean(),
  cents: fc.oneof(fc.constant(null), numberText),
  minute: fc.integer({ min: 0, max: 5 }),
  past: fc.boolean(),
});

function withPoint(digits: bigint, scale: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

function record(code: string, subscription: string, i: number, drawn: Drawn): EventRecord {
  const at = Date.parse(drawn.past ? '2026-02-10T00:00:00Z' : FROM) + drawn.minute * 60_000;
  const properties: EventRecord['properties'] = { amount: drawn.value };
  if (drawn.region !== undefined) properties.region = drawn.region;
  if (drawn.remove) properties.operation_type = 'remove';
  const transaction_id = `${code} ${i}`;
  return event({
    id: `${subscription} ${transaction_id}`,
    transaction_id,
    code,
    external_subscription_id: subscription,
    timestamp: new Date(at).toISOString(),
    properties,
    precise_total_amount_cents: drawn.cents,
  });
}

function queryOf(code: string, subscription: string): UsageQuery {
  const kind = kinds.find(one => one.code === code);
  return {
    key: code,
    metric: metric({ id: code, ...kind }),
    external_subscription_id: subscription,
    from: FROM,
    to: TO,
    dimensions: [],
    need: 'totals',
    first_events: null,
    until_total: null,
    in_advance: false,
    probe: null,
    amounts: false,
  };
}

function queriesOf(subscription: string): UsageQuery[] {
  return kinds.flatMap(({ code }) => {
    const query = queryOf(code, subscription);
    const variants = [
      query,
      { ...query, in_advance: true, amounts: true },
      { ...query, in_advance: true, probe: '2' },
      { ...query, dimensions: ['region'], in_advance: true },
      { ...query, dimensions: ['amount', 'region'], amounts: true },
      { ...query, need: 'events' as const, dimensions: ['region'] },
      { ...query, need: 'events' as const },
      { ...query, need: 'events' as const, in_advance: true },
      { ...query, need: 'events' as const, dimensions: ['region'], in_advance: true },
    ];
    return variants.map((variant, i) => ({ ...variant, key: `${code} ${i}` }));
  });
}

function expectEvents(
  query: UsageQuery,
  rows: readonly { dimensions: object; events: { transaction_id: string }[] }[],
  expected: ReturnType<typeof referenceRows>,
): void {
  const orders = rows.map(row => [row.dimensions, row.events.map(one => one.transaction_id)]);
  expect(sorted(orders), query.key).toEqual(sorted(expected.map(row => [row.dimensions, row.order])));
}

async function insertMany(account: AccountStore, rows: readonly EventRecord[]): Promise<void> {
  await account.insertMany('events', rows);
}

function sorted<T>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function organization() {
  const made = '2026-01-01T00:00:00.000Z';
  return { id: 'o1', created_at: made, updated_at: made, name: 'Acme', slug_prefix: 'ACM', hmac_key: 'k' };
}
