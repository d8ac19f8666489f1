import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payInAdvancePrice } from '../../src/engine/advance.ts';
import { currentUsageFees, currentUsageQueries } from '../../src/engine/current-usage.ts';
import type {
  BillableMetricRecord,
  ChargeRecord,
  EventRecord,
  JsonObject,
  PlanRecord,
} from '../../src/engine/records/index.ts';
import type { UsageWindow } from '../../src/engine/types.ts';
import { bucketOfEvent, usageQuery } from '../../src/engine/usage.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { runs } from '../support/extent.ts';
import { withDatabase } from '../support/postgres.ts';
import { on, type Used } from './entries.ts';
import * as reference from './reference.ts';
import { charge, event, metric, month } from './reference-records.ts';
import { planRecord, subscriptionRecord, T0 } from './world.ts';

const { name, missing, fresh } = await withDatabase();
const nobody = { customer: null, subscription: null };
const february = month('2024-02-10');

const metrics = {
  sum: metric({ id: 'sum', code: 'sum' }),
  level: metric({ id: 'level', code: 'level', recurring: true }),
  unique: metric({ id: 'unique', code: 'unique', aggregation_type: 'unique_count_agg' }),
  seats: metric({ id: 'seats', code: 'seats', aggregation_type: 'unique_count_agg', recurring: true }),
  count: metric({ id: 'count', code: 'count', aggregation_type: 'count_agg', field_name: null }),
  ceiled: metric({ id: 'ceiled', code: 'ceiled', rounding_function: 'ceil', rounding_precision: -1 }),
};
const catalogue = { metrics: new Map(Object.values(metrics).map(one => [one.id, one])), add_ons: new Map() };

/** As `on`, in February 2024 instead of April 2026. */
const usedOn = (list: string) => on(list).map(([at, ...rest]): Used => [at.replace('2026', '2024'), ...rest]);

describe.skipIf(missing)(`current usage on ${name} (§8, §10.1)`, () => {
  describe('prices', () => {
    let store: OpenStore;
    let account: AccountStore;
    let used = 0;
    beforeAll(async () => {
      store = await openStore({ databaseUrl: await fresh() });
      const organization = { id: 'o', created_at: T0, updated_at: T0, name: 'A', slug_prefix: 'A', hmac_key: 'k' };
      account = await store.addAccount(organization, 'key');
      await account.insertMany('billable_metrics', Object.values(metrics));
    });
    afterAll(() => store?.close());

    async function subscribe(code: string, list: Used[]) {
      used += 1;
      const external_id = `sub ${used}`;
      await account.insertMany('events', eventsOf(external_id, code, list));
      return subscriptionRecord({ id: external_id, external_id });
    }

    async function current(own: BillableMetricRecord, on: Partial<ChargeRecord>, list: Used[], window = february) {
      const subject = { subscription: await subscribe(own.code, list), plan: planOf(own, on) };
      const answer = await account.usage(currentUsageQueries(subject, catalogue, window, 'now'));
      return currentUsageFees(subject, catalogue, answer, window, 'now', nobody).map(({ fee }) => fee);
    }

    const advance = { pay_in_advance: true };
    const dear = { ...advance, properties: { amount: '12' } };
    const prorated = { ...advance, prorated: true };
    const dearProrated = { ...prorated, properties: { amount: '100' } };
    const { sum, level, ceiled, unique, seats, count } = metrics;
    it.each<[string, BillableMetricRecord, Partial<ChargeRecord>, string, string]>([
      ['sum 10, then −4: 6 units shown, 10 priced at 1.00', sum, advance, '02 10, 03 -4', '6.0 1000 1.0'],
      [
        'the same with 20 carried: 26 units, 26 − 6 + 10 = 30 priced',
        level,
        advance,
        '01-05 20, 02 10, 03 -4',
        '26.0 3000 1.0',
      ],
      ['in arrears: 6 units, 6 priced', sum, {}, '02 10, 03 -4', '6.0 600 1.0'],
      ['sum −3, then 5 (C = 2, M = 2 + 3 = 5): 2 units, 5 priced', sum, advance, '02 -3, 03 5', '2.0 500 1.0'],
      ['sum −3 alone: 0 units, 0 priced', sum, advance, '02 -3', '0.0 0 0.0'],
      ['sum 20 carried, nothing since (C = M = 0): 20 units, 20 priced', level, advance, '01-05 20', '20.0 2000 1.0'],
      [
        'sum 2 carried, −5: −3 units shown as 0; −3 + 5 − 5 < 0 priced as 0',
        level,
        advance,
        '01-05 2, 02 -5',
        '0.0 0 0.0',
      ],
      ['ceil to tens: 11, then −8: 3 → 10 units, 11 → 20 priced', ceiled, advance, '02 11, 03 -8', '10.0 2000 1.0'],
      [
        'unique at 12.00: add a, add b, remove b: 1 unit, 2 priced',
        unique,
        dear,
        '02 a, 03 b, 04 b remove',
        '1.0 2400 12.0',
      ],
      [
        'unique, x carried and removed first (C = M = 0), then y: 1 unit, 1 priced',
        seats,
        dear,
        '01-05 x, 02 x remove, 03 y',
        '1.0 1200 12.0',
      ],
      [
        'unique, x carried, z added, x removed: 1 unit, 1 − 0 + 1 = 2 priced',
        seats,
        dear,
        '01-05 x, 02 z, 03 x remove',
        '1.0 2400 12.0',
      ],
      ['count has no peak: 2 events', count, advance, '02 10, 03 -4', '2.0 200 1.0'],
      [
        'prorated seat, 7 of 29 days, then removed: 0 units, 0.24138 priced',
        seats,
        prorated,
        '23 a, 24 a remove',
        '0.0 24 0.0',
      ],
      [
        'prorated sum, 20 carried, 10 on the 23rd, −4 on the 24th: 26 units; 26 − 6 = 20 and 10 × 7 ÷ 29 = 2.4138',
        level,
        dearProrated,
        '01-05 20, 23 10, 24 -4',
        '26.0 224138 86.206923076923077',
      ],
      [
        'prorated sum, 20 carried, −4: 16 − max(−4, 0) = 16 priced',
        level,
        prorated,
        '01-05 20, 23 -4',
        '16.0 1600 1.0',
      ],
    ])('%s', async (_name, own, fields, list, expected) => {
      const [fee] = await current(own, fields, usedOn(list));
      expect([fee?.units, fee?.amount_cents, fee?.precise_unit_amount].join(' ')).toBe(expected);
      expect(fee?.pay_in_advance).toBe(fields.pay_in_advance ?? false);
    });

    it('prorated, from 10 February, 20 of 29 days: 20 × 20 ÷ 29 = 13.7931… → 13.79311, shown 20', async () => {
      const window: UsageWindow = { ...february, from: '2024-02-10T00:00:00.000Z' };
      const [fee] = await current(
        metrics.level,
        { ...advance, prorated: true, properties: { amount: '1000' } },
        usedOn('01-05 20'),
        window,
      );
      expect(fee).toMatchObject({ units: '20.0', amount_cents: 1_379_311 });
    });

    it('events of unique counts: the peak of 2 where there are no groups, the 1 value where there are', async () => {
      const list = usedOn('02 a, 03 b, 04 b remove');
      const grouped = { ...dear, properties: { amount: '12', pricing_group_keys: ['region'] } };
      const counts = [];
      for (const on of [dear, grouped, { properties: { amount: '12' } }]) {
        const [fee] = await current(metrics.unique, on, list);
        counts.push([fee?.amount_cents, fee?.events_count]);
      }
      expect(counts).toEqual([
        [2400, 2],
        [2400, 1],
        [1200, 1],
      ]);
    });

    it('each filter at its own peak: eu 10 − 4 → 10 at 2.00, the rest 7 at 1.00', async () => {
      const eu = { id: 'eu', invoice_display_name: null, properties: { amount: '2' }, values: { region: ['eu'] } };
      const list: Used[] = [
        ['02', 10, { region: 'eu' }],
        ['03', 7],
        ['04', -4, { region: 'eu' }],
      ];
      const fees = await current(metrics.sum, { ...advance, filters: [eu] }, list);
      expect(fees.map(fee => [fee.charge_filter_id, fee.units, fee.amount_cents])).toEqual([
        ['eu', '6.0', 2000],
        [null, '7.0', 700],
      ]);
    });

    it('many subscriptions asked at once as each by itself', async () => {
      const subjects = [];
      for (const value of [3, 4, 5]) {
        const subscription = await subscribe('sum', usedOn(`02 ${value}, 03 -1`));
        subjects.push({ subscription, plan: planOf(metrics.sum, advance) });
      }
      const queries = subjects.flatMap((one, i) => currentUsageQueries(one, catalogue, february, `${i}`));
      const answer = await account.usage(queries);
      const found = subjects.map((one, i) => currentUsageFees(one, catalogue, answer, february, `${i}`, nobody));
      expect(found.flat().map(({ fee, metric: own }) => [own.code, fee.units, fee.amount_cents])).toEqual([
        ['sum', '2.0', 300],
        ['sum', '3.0', 400],
        ['sum', '4.0', 500],
      ]);
    });

    it('what the rules say of C and M, event by event, whatever the events are', async () => {
      const property = fc.asyncProperty(
        fc.constantFrom(metrics.sum, metrics.level, metrics.unique, metrics.seats),
        fc.array(drawn, { maxLength: 4 }),
        fc.array(drawn, { maxLength: 8 }),
        async (own, before, within) => {
          const counts = own.aggregation_type === 'unique_count_agg';
          const listOf = (list: Drawn[], start: string): Used[] =>
            list.map(({ number, value, remove }, i) => [
              new Date(Date.parse(start) + i * 60_000).toISOString(),
              counts ? value : number,
              { operation_type: remove ? 'remove' : 'add' },
            ]);
          const events = listOf(within, february.from);
          const subscription = await subscribe(own.code, [...listOf(before, '2024-01-05T00:00:00Z'), ...events]);
          const earlier = own.recurring ? before : [];
          const expected = counts
            ? reference.peakOfValues(within, presentAfter(earlier))
            : reference.peakOfSum(
                within.map(one => one.number),
                earlier.reduce((sum, one) => sum + one.number, 0),
              );

          const tiered = {
            ...chargeOf(own, advance),
            charge_model: 'graduated' as const,
            properties: { graduated_ranges: ranges },
          };
          for (const [i, step] of expected.steps.entries()) {
            const one = within[i] as Drawn;
            const at = events[i]?.[0] ?? '';
            const value = counts ? one.value : String(one.number);
            const soFar = { from: february.from, to: new Date(Date.parse(at) - 1).toISOString() };
            const query = usageQuery(tiered, own, subscription.external_id, soFar, { purpose: 'event', probe: value });
            const rows = (await account.usage([query])).get(query.key) ?? [];
            const bucket = bucketOfEvent(tiered, own, {}, rows, february);
            const operation_type = one.remove ? ('remove' as const) : ('add' as const);
            const asked = { timestamp: at, value, operation_type, precise_total_amount_cents: null };
            const { units, price } = payInAdvancePrice(own, bucket, asked, february, 'EUR');
            const cents = priceOf(step.total) - priceOf(step.total - step.contribution);
            expect([units.toFixed(), price.amount.times(100).toFixed()]).toEqual([String(step.units), String(cents)]);
          }

          const subject = { subscription, plan: planOf(own, dear) };
          const answer = await account.usage(currentUsageQueries(subject, catalogue, february, 'now'));
          const [found] = currentUsageFees(subject, catalogue, answer, february, 'now', nobody);
          expect([found?.fee.units, found?.fee.amount_cents]).toEqual([`${expected.shown}.0`, expected.priced * 1200]);
        },
      );
      await fc.assert(property, runs(60));
    });
  });
});

interface Drawn {
  number: number;
  value: string | null;
  remove: boolean;
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  number: fc.integer({ min: -9, max: 9 }),
  value: fc.constantFrom('a', 'b', 'c', 'd', null),
  remove: fc.boolean(),
});
const ranges = [
  { from_value: 0, to_value: 3, per_unit_amount: '1', flat_amount: '5' },
  { from_value: 4, to_value: null, per_unit_amount: '0.5', flat_amount: '7' },
];

/** Cents of so many units in these ranges: without units nothing, the first flat amount neither; below 0 the first rate (§10.3). */
function priceOf(units: number): number {
  if (units <= 0) return Math.round(units * Number(ranges[0]?.per_unit_amount) * 100);
  const list = ranges.map(range => ({
    from: range.from_value,
    to: range.to_value,
    rate: range.per_unit_amount,
    flat: range.flat_amount,
  }));
  return Number(reference.digits(reference.graduatedPrice(String(units), list), 2)) * 100;
}

function presentAfter(list: readonly Drawn[]): (string | null)[] {
  const present = new Set<string | null>();
  for (const { value, remove } of list) {
    if (remove) present.delete(value);
    else present.add(value);
  }
  return [...present];
}

function chargeOf(own: BillableMetricRecord, fields: Partial<ChargeRecord>): ChargeRecord {
  return charge({ billable_metric_id: own.id, ...fields });
}

function planOf(own: BillableMetricRecord, fields: Partial<ChargeRecord>): PlanRecord {
  return planRecord({ charges: [chargeOf(own, fields)] });
}

function eventsOf(external_subscription_id: string, code: string, list: Used[]): EventRecord[] {
  return list.map(([at, amount, more], i) =>
    event({
      id: `${external_subscription_id} ${i}`,
      transaction_id: `t${i}`,
      code,
      external_subscription_id,
      timestamp: new Date(at.length === 2 ? `2024-02-${at}T00:00:00Z` : at).toISOString(),
      properties: { ...(amount === null ? {} : { amount }), ...more } as JsonObject,
    }),
  );
}
