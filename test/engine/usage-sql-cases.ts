/** Usage queries of every kind, and random events for them. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { mergeUsage } from '../../src/engine/merge-usage.ts';
import type { EventRecord } from '../../src/engine/records/index.ts';
import type { UsageQuery } from '../../src/engine/types.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { event, metric } from './reference-records.ts';
import { comparable, referenceRows } from './reference-usage.ts';

const FROM = '2026-03-01T00:00:00.000Z';
const TO = '2026-03-31T23:59:59.999Z';

/** An account with a metric of each kind, for the tests of the block that calls this. */
export function sharedAccount(fresh: () => Promise<string | undefined>): { account: AccountStore } {
  const shared = {} as { account: AccountStore };
  let store: OpenStore;
  beforeAll(async () => {
    store = await openStore({ databaseUrl: await fresh() });
    shared.account = await store.addAccount(organization(), 'key');
    for (const kind of kinds) {
      await shared.account.insert('billable_metrics', metric({ id: kind.code, ...kind }));
    }
  });
  afterAll(() => store?.close());
  return shared;
}

/** The database's answer to each query is that of a plain computation from the events. */
export function asComputed(shared: { account: AccountStore }) {
  let round = 0;
  return fc.asyncProperty(fc.array(eventArbitrary, { maxLength: 30 }), async drawn => {
    const { account } = shared;
    round += 1;
    const subscription = `sub ${round}`;
    // In every second round nothing is removed, because such usage is counted in another way.
    const kept = drawn.map(fields => (round % 2 === 0 ? { ...fields, remove: false } : fields));
    const events = kinds.flatMap(kind => kept.map((fields, i) => record(kind.code, subscription, i, fields)));
    const [first, ...others] = events;
    if (first) await account.insert('events', first);
    await insertMany(account, others);
    for (const query of queriesOf(subscription)) {
      const rows = (await account.usage([query])).get(query.key) ?? [];
      const computed = referenceRows(events, query);
      const expected = computed.map(row => comparable(row, query));
      expect(sorted(rows.map(row => comparable(row, query))), query.key).toEqual(sorted(expected));
      if (query.need === 'events') expectEvents(query, rows, computed);
    }
  });
}

/** Rows per value of a property, merged, are what the events are without it. */
export function asMerged(shared: { account: AccountStore }) {
  let round = 0;
  return fc.asyncProperty(fc.array(eventArbitrary, { maxLength: 20 }), async drawn => {
    const { account } = shared;
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
}

export const kinds = [
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
export const LONG = 'long '.repeat(1000);
export const plain: Drawn = { value: '1', region: 'eu', remove: false, cents: null, minute: 0, past: false };

const numberText = fc
  .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, scale]) => withPoint(digits, scale));
export const eventArbitrary: fc.Arbitrary<Drawn> = fc.record({
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

export function record(code: string, subscription: string, i: number, drawn: Drawn): EventRecord {
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

export function queryOf(code: string, subscription: string): UsageQuery {
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
    earlier: false,
    in_advance: false,
    peaks_from: null,
    probe: null,
    amounts: false,
  };
}

export function queriesOf(subscription: string): UsageQuery[] {
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

export async function insertMany(account: AccountStore, rows: readonly EventRecord[]): Promise<void> {
  await account.insertMany('events', rows);
}

export function sorted<T>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function organization() {
  const made = '2026-01-01T00:00:00.000Z';
  return { id: 'o1', created_at: made, updated_at: made, name: 'Acme', slug_prefix: 'ACM', hmac_key: 'k' };
}
