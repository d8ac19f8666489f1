/**
 * The accounts that the engine's benchmark measures: fifty charges of every kind, one charge that has all events, and a
 * page of wallets.
 */
import type { ChargeRecord, EventRecord, JsonObject } from '../../src/engine/records/index.ts';
import { ownWorld, type Records, type World } from '../engine/service-world.ts';
import {
  chargeRecord,
  customerRecord,
  eventRecord,
  metricRecord,
  planRecord,
  subscriptionRecord,
  taxRecord,
  walletRecord,
} from '../engine/world.ts';

export const NOW = '2026-03-31T23:00:00.000Z';
export const CHARGES = 50;

const tiers = [
  { from_value: 0, to_value: 100, per_unit_amount: '1.005', flat_amount: '5' },
  { from_value: 101, to_value: 1000, per_unit_amount: '0.5', flat_amount: '0' },
  { from_value: 1001, to_value: null, per_unit_amount: '0.333', flat_amount: '0' },
];
const percentTiers = tiers.map(({ from_value, to_value }) => ({ from_value, to_value, rate: '2.5', flat_amount: '1' }));
const byRegion = {
  filters: [
    { id: 'eu', invoice_display_name: null, properties: { amount: '0.3' }, values: { region: ['eu'] } },
    { id: 'us', invoice_display_name: null, properties: { amount: '0.2' }, values: { region: ['us'] } },
  ],
};

/** Ten kinds of charges, used equally often, so that the figures cover every kind of usage query. */
const kinds: { metric: object; charge: Partial<ChargeRecord> }[] = [
  { metric: {}, charge: { pay_in_advance: true, properties: { amount: '0.01' } } },
  { metric: {}, charge: { charge_model: 'graduated', properties: { graduated_ranges: tiers } } },
  {
    metric: {},
    charge: { charge_model: 'graduated_percentage', properties: { graduated_percentage_ranges: percentTiers } },
  },
  {
    metric: { aggregation_type: 'count_agg', field_name: null },
    charge: { charge_model: 'package', properties: { amount: '3', package_size: 100, free_units: 10 } },
  },
  { metric: { aggregation_type: 'max_agg' }, charge: { charge_model: 'volume', properties: { volume_ranges: tiers } } },
  { metric: { aggregation_type: 'unique_count_agg' }, charge: { properties: { amount: '0.1' } } },
  { metric: { recurring: true, aggregation_type: 'weighted_sum_agg', weighted_interval: 'seconds' }, charge: {} },
  { metric: {}, charge: byRegion },
  {
    metric: {},
    charge: { charge_model: 'percentage', properties: { rate: '2.5', fixed_amount: '0.1', free_units_per_events: 5 } },
  },
  { metric: {}, charge: { properties: { amount: '0.05', pricing_group_keys: ['region'] } } },
];

const perTransaction = {
  charge_model: 'percentage',
  properties: { rate: '2.5', fixed_amount: '0.1', per_transaction_min_amount: '0.2', per_transaction_max_amount: '1' },
} as const;

/** The slowest queries: one charge that has all events. Charges paid in advance are estimated, others previewed. */
export const worstCases = {
  'sum, estimate': { metric: {}, charge: { pay_in_advance: true } },
  'unique count, estimate': { metric: { aggregation_type: 'unique_count_agg' }, charge: { pay_in_advance: true } },
  'percentage per transaction, estimate': { metric: {}, charge: { ...perTransaction, pay_in_advance: true } },
  'percentage per transaction, preview': { metric: {}, charge: perTransaction },
  'unique count, preview': { metric: { aggregation_type: 'unique_count_agg' }, charge: {} },
  'weighted sum, preview': { metric: { aggregation_type: 'weighted_sum_agg', recurring: true }, charge: {} },
  'sum by region, preview': { metric: {}, charge: byRegion },
} as const satisfies Record<string, { metric: object; charge: Partial<ChargeRecord> }>;

/** Fifty charges, each with its share of the events. */
export function fiftyCharges(count: number, databaseUrl?: string): Promise<World> {
  const codes = Array.from({ length: CHARGES }, (_, n) => `m${n}`);
  const records = {
    billable_metrics: codes.map((code, n) => metricRecord(code, kind(n).metric)),
    plans: [planRecord({ tax_codes: ['vat'], charges: codes.map((code, n) => chargeRecord(code, kind(n).charge)) })],
  };
  return account(records, [...events(count, CHARGES, 5000)], databaseUrl);
}

/** One charge, whose events have 50,000 different values. */
export function oneCharge(name: keyof typeof worstCases, count: number, databaseUrl?: string): Promise<World> {
  const { metric, charge } = worstCases[name];
  const records = {
    billable_metrics: [metricRecord('m0', metric)],
    plans: [planRecord({ tax_codes: ['vat'], charges: [chargeRecord('m0', charge)] })],
  };
  return account(records, [...events(count, 1, 50_000)], databaseUrl);
}

/** Wallets on a page that are shown with their ongoing balance, each of another customer. */
export const WALLETS = 20;
export const EVENTS_OF_EACH = 10_000;

/** Customers with a wallet each, and a subscription with a sum, a count and a graduated sum. */
export async function pageOfWallets(databaseUrl?: string): Promise<World> {
  const ids = Array.from({ length: WALLETS }, (_, n) => `c${n}`);
  const chosen = [kinds[1]!, kinds[3]!, kinds[9]!];
  const codes = chosen.map((_, n) => `m${n}`);
  const opened = await ownWorld(
    {
      taxes: [taxRecord('vat', '20')],
      billable_metrics: codes.map((code, n) => metricRecord(code, chosen[n]?.metric)),
      plans: [
        planRecord({ tax_codes: ['vat'], charges: codes.map((code, n) => chargeRecord(code, chosen[n]?.charge)) }),
      ],
      customers: ids.map(id => customerRecord({ id, external_id: id })),
      subscriptions: ids.map(id => subscriptionRecord({ id, external_id: id, customer_id: id })),
      wallets: ids.map(id => walletRecord(id, { customer_id: id })),
    },
    NOW,
    databaseUrl,
  );
  for (const id of ids) {
    const owner = { subscription_id: id, external_subscription_id: id, customer_id: id };
    const rows = [...events(EVENTS_OF_EACH, codes.length, 5000)].map(row => ({
      ...row,
      ...owner,
      id: `${id} ${row.id}`,
    }));
    await opened.account.insertMany('events', rows);
  }
  return opened;
}

async function account(records: Records, rows: EventRecord[], databaseUrl?: string): Promise<World> {
  const subscriptions = [subscriptionRecord({ subscription_at: '2026-02-10T00:00:00.000Z' })];
  const opened = await ownWorld({ taxes: [taxRecord('vat', '20')], subscriptions, ...records }, NOW, databaseUrl);
  await opened.account.insertMany('events', rows);
  return opened;
}

function kind(n: number) {
  return kinds[n % kinds.length] ?? kinds[0]!;
}

function* events(count: number, metrics: number, values: number): Generator<EventRecord> {
  const start = Date.parse('2026-03-01T00:00:00Z');
  const step = (Date.parse(NOW) - start) / count;
  for (let n = 0; n < count; n++) {
    const properties: JsonObject = { value: ((n * 7919) % values) / 100, region: ['eu', 'us', 'ap'][n % 3] ?? null };
    yield eventRecord(n, { code: `m${n % metrics}`, timestamp: new Date(start + n * step).toISOString(), properties });
  }
}
