import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payInAdvancePrice } from '../../src/engine/advance.ts';
import type { ChargeRecord, JsonObject } from '../../src/engine/records/index.ts';
import type { UsageQuery, UsageWindow } from '../../src/engine/types.ts';
import { bucketOfEvent, usageQuery } from '../../src/engine/usage.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import type { AccountStore } from '../../src/service/store/store.ts';
import { runs } from '../support/extent.ts';
import { event, metric } from './reference-records.ts';
import { chargeRecord } from './world.ts';

const FROM = '2026-03-01T00:00:00.000Z';
const TO = '2026-03-31T23:59:59.999Z';
const made = '2026-01-01T00:00:00.000Z';
const period = { from: FROM, to: TO, first_day: '2026-03-01', last_day: '2026-03-31' };
const window: UsageWindow = { from: FROM, to: TO, period, period_days: 31, timezone: 'UTC' };

const level = metric({ id: 'level', code: 'level', aggregation_type: 'sum_agg', recurring: true });
const metrics = [
  metric({ id: 'sum', code: 'sum', aggregation_type: 'sum_agg' }),
  level,
  metric({ id: 'unique', code: 'unique', aggregation_type: 'unique_count_agg' }),
  metric({ id: 'count', code: 'count', aggregation_type: 'count_agg', field_name: null }),
];

describe('the estimate of an event that is priced by itself', () => {
  let store: OpenStore;
  let account: AccountStore;
  beforeAll(async () => {
    store = await openStore();
    const organization = { id: 'o', created_at: made, updated_at: made, name: 'A', slug_prefix: 'A', hmac_key: 'k' };
    account = await store.addAccount(organization, 'key');
    await account.insertMany('billable_metrics', metrics);
  });
  afterAll(() => store?.close());

  it('is the same from the few events that are asked for as from all of them', async () => {
    let round = 0;
    const property = fc.asyncProperty(
      fc.constantFrom(...metrics),
      terms,
      fc.option(drawnEvent),
      fc.array(drawnEvent, { maxLength: 12 }),
      drawnEvent,
      async (own, properties, carried, within, next) => {
        round += 1;
        const subscription = `sub ${round}`;
        await account.insertMany(
          'events',
          [...(carried === null ? [] : [carried]), ...within].map((fields, i) =>
            event({
              id: `${subscription} ${i}`,
              transaction_id: `t${i}`,
              code: own.code,
              external_subscription_id: subscription,
              timestamp: new Date(Date.parse(FROM) + (carried === null ? i : i - 1) * 60_000).toISOString(),
              properties: propertiesOf(fields),
            }),
          ),
        );
        const charge = chargeRecord(own.code, { charge_model: 'percentage', pay_in_advance: true, ...properties });
        const query = usageQuery(charge, own, subscription, window, { purpose: 'event', probe: next.value });
        const all: UsageQuery = { ...query, need: 'events', first_events: null, until_total: null };
        expect(await price(query)).toBe(await price(all));

        async function price(asked: UsageQuery): Promise<string> {
          const rows = (await account.usage([asked])).get(asked.key) ?? [];
          const bucket = bucketOfEvent(charge, own, propertiesOf(next), rows, window);
          const one = {
            timestamp: TO,
            value: own.field_name === null ? null : next.value,
            operation_type: next.remove ? ('remove' as const) : ('add' as const),
            precise_total_amount_cents: null,
          };
          return payInAdvancePrice(own, bucket, one, window, 'EUR').price.amount.toFixed();
        }
      },
    );
    await fc.assert(property, {
      ...runs(1000),
      // 30 less carried: the units before the event are below 0 although the period's peak is 4.
      examples: [
        [
          level,
          { properties: { rate: '50', free_units_per_events: 1, per_transaction_min_amount: '2' }, filters: [] },
          numeric('-30'),
          Array.from({ length: 4 }, () => numeric('1')),
          numeric('40'),
        ],
      ],
    });
  });
});

const limit = fc.constantFrom(undefined, '0', '0.5', '2');
const allowance = fc.record(
  {
    rate: fc.constantFrom('0', '2.5', '50'),
    fixed_amount: fc.constantFrom('0', '0.1'),
    free_units_per_events: fc.constantFrom(0, 1, 3),
    free_units_per_total_aggregation: fc.constantFrom(undefined, '0', '4'),
    per_transaction_min_amount: limit,
    per_transaction_max_amount: limit,
  },
  { requiredKeys: ['rate'] },
);
const terms: fc.Arbitrary<Partial<ChargeRecord>> = fc.tuple(allowance, fc.option(allowance)).map(([own, filtered]) => ({
  properties: withoutGaps(own),
  filters:
    filtered === null
      ? []
      : [
          {
            id: 'eu',
            invoice_display_name: null,
            properties: withoutGaps(filtered),
            values: { region: ['eu'] },
          },
        ],
}));
const drawnEvent = fc.record({
  value: fc.constantFrom('0', '1', '2.5', '40', '-3', '-30', 'abc', null),
  region: fc.constantFrom('eu', 'us'),
  remove: fc.boolean(),
});

function numeric(value: '1' | '40' | '-30') {
  return { value, region: 'us' as const, remove: false };
}

function withoutGaps(properties: object): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}

function propertiesOf({
  value,
  region,
  remove,
}: {
  value: string | null;
  region: string;
  remove: boolean;
}): JsonObject {
  return { amount: value, region, ...(remove ? { operation_type: 'remove' } : {}) };
}
