/**
 * `npm run bench -- engine [sqlite|postgres] [events]`: how long a preview of 50 charges and an estimate take over
 * 100,000 events of the running period, on either database. Prints the figures; it is no test.
 */
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import type { ChargeRecord, EventRecord, JsonObject } from '../../src/service/records.ts';
import { ofSubscription, type World, world } from '../engine/service-world.ts';
import { chargeRecord, eventRecord, metricRecord, planRecord, subscriptionRecord, taxRecord } from '../engine/world.ts';

const NOW = '2026-03-31T23:00:00.000Z';
const CHARGES = 50;
const RUNS = 15;

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

/** One charge in ten of each kind, so that every way of asking for usage is in the figures. */
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

function kind(n: number) {
  return kinds[n % kinds.length] ?? kinds[0]!;
}

function* events(count: number): Generator<EventRecord> {
  const start = Date.parse('2026-03-01T00:00:00Z');
  const step = (Date.parse(NOW) - start) / count;
  for (let n = 0; n < count; n++) {
    const properties: JsonObject = { value: ((n * 7919) % 5000) / 100, region: ['eu', 'us', 'ap'][n % 3] ?? null };
    yield eventRecord(n, { code: `m${n % CHARGES}`, timestamp: new Date(start + n * step).toISOString(), properties });
  }
}

async function account(count: number, databaseUrl?: string): Promise<World> {
  const codes = Array.from({ length: CHARGES }, (_, n) => `m${n}`);
  const opened = await world(
    {
      taxes: [taxRecord('vat', '20')],
      billable_metrics: codes.map((code, n) => metricRecord(code, kind(n).metric)),
      plans: [planRecord({ tax_codes: ['vat'], charges: codes.map((code, n) => chargeRecord(code, kind(n).charge)) })],
      subscriptions: [subscriptionRecord({ subscription_at: '2026-02-10T00:00:00.000Z' })],
    },
    NOW,
    databaseUrl,
  );
  await opened.account.insertMany('events', [...events(count)]);
  if (databaseUrl) await settle(databaseUrl);
  return opened;
}

/** What the server does by itself within a minute of such a load: an index can then answer alone. */
async function settle(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum analyze events');
  await client.end();
}

async function measure(work: () => Promise<unknown>): Promise<string> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1).padStart(7);
  return `median ${at(0.5)} ms   fastest ${at(0)} ms   slowest ${at(1)} ms`;
}

async function report(name: string, count: number, databaseUrl?: string): Promise<void> {
  const opened = await account(count, databaseUrl);
  const preview = await measure(() => opened.post('/invoices/preview', ofSubscription()));
  const event = { code: 'm0', external_subscription_id: 'sub', properties: { value: 3, region: 'eu' } };
  const estimate = await measure(() => opened.post('/events/estimate_fees', { event }));
  await opened.close();
  const size = `${count.toLocaleString('en-US')} events`.padStart(15);
  process.stdout.write(`${name.padEnd(10)} ${size}  preview   ${preview}\n${' '.repeat(28)}estimate  ${estimate}\n`);
}

async function onPostgres(counts: readonly number[]): Promise<void> {
  const { startPostgres } = await import('../support/postgres.ts');
  const server = await startPostgres();
  try {
    for (const count of counts) await report('PostgreSQL', count, await server.freshDatabase());
  } finally {
    await server.stop();
  }
}

const [only, events_] = process.argv.slice(2);
const counts = events_ ? [Number(events_)] : [25_000, 100_000];
process.stdout.write(`A preview of ${CHARGES} charges, through HTTP injection, ${RUNS} runs after one to warm up\n`);
if (only !== 'postgres') for (const count of counts) await report('SQLite', count);
if (only !== 'sqlite') await onPostgres(counts);
