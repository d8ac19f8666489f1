/** Two customers in one account of the embedded service, each with every kind of record, behind a proxy that counts. */

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Roles } from '../../../src/calls/access/roles/role.ts';
import type { UpstreamAnswer } from '../../../src/definition/api.ts';
import { nobody } from '../../../src/definition/asking.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Observer } from '../../../src/server/logs/types.ts';
import { createRuntime, type Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import type { AccountFile } from '../../../src/service/account-file/schema.ts';
import { startService } from '../../../src/service/start.ts';
import { listening, textOf } from '../../support/listening.ts';
import { environment, key, stateKeyText } from '../../support/settings.ts';

const clock = '2026-03-15T12:00:00Z';

/** What one customer's records are made of. */
export interface Seed {
  external_id: string;
  name: string;
  /** Stands in every text of its records, and nowhere else. */
  marker: string;
  /** Of its invoices and credits, in cents. */
  cents: number;
}

/** The ids of one customer's records. */
export interface Ids {
  customer: string;
  name: string;
  marker: string;
  subscription: string;
  over: string;
  wallet: string;
  walletCode: string;
  walletAlert: string;
  transaction: string;
  invoice: string;
  number: string;
  creditNote: string;
  noteNumber: string;
  payment: string;
  event: string;
  alert: string;
}

export function idsOf({ external_id, name, marker }: Seed): Ids {
  return {
    ...{ customer: external_id, name, marker, subscription: `${marker}-main`, over: `${marker}-over` },
    ...{ wallet: uuid(`${marker} wallet`), walletCode: `${marker}-credits`, walletAlert: `${marker}-low` },
    ...{ transaction: uuid(`${marker} transaction`), invoice: uuid(`${marker} invoice`), number: `${marker}-INV-1` },
    ...{ creditNote: uuid(`${marker} note`), noteNumber: `${marker}-CN-1`, payment: uuid(`${marker} payment`) },
    ...{ event: `${marker}-event-1`, alert: `${marker}-spend` },
  };
}

export function uuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The customer of bound callers, and another one. */
export const acme = { external_id: 'acme', name: 'Acme Corp', marker: 'acmark', cents: 1_203 };
export const globex = { external_id: 'globex', name: 'Globex Inc', marker: 'zglob', cents: 7_654_321 };
export const [ours, theirs] = [idsOf(acme), idsOf(globex)];
/** Ids of the same form, of nobody. */
export const missing = idsOf({ external_id: 'nobody', name: 'Nobody Ltd', marker: 'znone', cents: 0 });

/** Everybody's: a plan with a metric billed at its end and one billed at once. */
export function accountOf(seeds: readonly Seed[]): AccountFile {
  const parts = seeds.map(partOf);
  const all = <Part>(pick: (part: ReturnType<typeof partOf>) => readonly Part[]): Part[] => parts.flatMap(pick);
  return {
    organization: { name: 'Both' },
    billing_entities: [{ code: 'both', name: 'Both' }],
    taxes: [{ code: 'vat', name: 'VAT', rate: '20' }],
    billable_metrics: [
      { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' },
      { code: 'gb', name: 'Gigabytes', aggregation_type: 'sum_agg', field_name: 'amount' },
    ],
    add_ons: [{ code: 'setup', name: 'Setup', amount_cents: 5000, amount_currency: 'USD' }],
    coupons: [{ code: 'ten', name: 'Ten off', coupon_type: 'percentage', percentage_rate: '10', frequency: 'forever' }],
    plans: [planOf('basic', 1000), planOf('pro', 3000)],
    webhook_endpoints: [{ id: uuid('hook'), webhook_url: 'https://hooks.example/billing', name: 'Production' }],
    customers: all(part => [part.customer]),
    subscriptions: all(part => part.subscriptions),
    wallets: all(part => [part.wallet]),
    alerts: all(part => part.alerts),
    invoices: all(part => part.invoices),
    credit_notes: all(part => [part.creditNote]),
    payments: all(part => [part.payment]),
    events: all(part => part.events),
  } as AccountFile;
}

function planOf(code: string, amount_cents: number) {
  const charges = [
    { code: 'calls', billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '0.5' } },
    {
      ...{ code: 'gb', billable_metric_code: 'gb', charge_model: 'standard', pay_in_advance: true },
      properties: { amount: '2' },
    },
  ];
  return { code, name: code.toUpperCase(), interval: 'monthly', amount_cents, amount_currency: 'USD', charges };
}

/** One customer with an active and a terminated subscription, and one of everything else, more of what has pages. */
function partOf(seed: Seed) {
  const { external_id, name, marker, cents } = seed;
  const ids = idsOf(seed);
  const metadata = [{ key: 'note', value: `${marker} metadata` }];
  const subscription = { external_customer_id: external_id, plan_code: 'basic', name: `${marker} subscription` };
  const invoice = (n: number, more: object = {}) => ({
    ...{ external_customer_id: external_id, number: `${marker}-INV-${n}`, issuing_date: `2026-02-0${n}`, metadata },
    fees: [
      {
        ...{ type: 'charge', external_subscription_id: ids.subscription, charge_code: 'calls', units: '2' },
        ...{ amount: major(cents + n), description: `${marker} fee`, events_count: 2 },
      },
    ],
    ...more,
  });
  return {
    customer: {
      ...{ external_id, name, legal_name: `${marker} Holding`, email: `billing@${marker}.example`, currency: 'USD' },
      ...{
        phone: `+1 ${marker}`,
        address_line1: `1 ${marker} Street`,
        city: `${marker}ville`,
        country: 'US',
        metadata,
      },
      applied_coupons: [{ code: 'ten' }],
    },
    subscriptions: [
      { ...subscription, external_id: ids.subscription, subscription_at: '2026-01-01' },
      {
        ...{ ...subscription, external_id: ids.over, status: 'terminated', subscription_at: '2025-01-01' },
        terminated_at: '2025-12-01T00:00:00Z',
      },
    ],
    wallet: {
      ...{ id: ids.wallet, external_customer_id: external_id, code: ids.walletCode, name: `${marker} wallet` },
      credits_balance: major(cents),
      transactions: [
        {
          ...{ id: ids.transaction, transaction_status: 'purchased', credit_amount: major(cents) },
          ...{ name: `${marker} top-up`, settled_at: '2026-01-05T00:00:00Z' },
        },
      ],
      metadata: { note: `${marker} wallet metadata` },
    },
    alerts: [
      {
        ...{ external_subscription_id: ids.subscription, code: ids.alert, name: `${marker} alert` },
        ...{ alert_type: 'current_usage_amount', thresholds: [{ value: cents, code: `${marker}-level` }] },
      },
      {
        ...{ external_customer_id: external_id, wallet_code: ids.walletCode, code: ids.walletAlert },
        ...{ name: `${marker} wallet alert`, alert_type: 'wallet_balance_amount', thresholds: [{ value: cents }] },
      },
    ],
    invoices: [invoice(1, { id: ids.invoice }), invoice(2), invoice(3, { payment_overdue: true })],
    creditNote: {
      ...{ id: ids.creditNote, number: ids.noteNumber, invoice_number: ids.number, issuing_date: '2026-02-20' },
      ...{
        description: `${marker} credit`,
        items: [{ fee: 0, amount_cents: 5 }],
        metadata: { note: `${marker} note` },
      },
    },
    payment: {
      ...{ id: ids.payment, invoice_numbers: [ids.number], payment_status: 'failed', status: `${marker}-declined` },
      ...{
        reference: `${marker} reference`,
        provider_payment_id: `${marker}-pi`,
        payment_provider_code: `${marker}-card`,
      },
    },
    events: [1, 2, 3].map(n => ({
      ...{ transaction_id: `${marker}-event-${n}`, code: 'calls', timestamp: `2026-03-0${n}T08:00:00Z` },
      ...{ external_subscription_id: ids.subscription, properties: { host: `${marker}-host` } },
    })),
  };
}

/** One world for the tests of a file, from which nothing is rewritten after each of them. */
export function sharedWorld(make = () => boundWorld(accountOf([acme, globex]))): BoundWorld {
  const world = {} as BoundWorld;
  beforeAll(async () => void Object.assign(world, await make()));
  afterEach(() => world.rewrite(undefined));
  afterAll(() => world.close?.());
  return world;
}

function major(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

interface Answer {
  isError: boolean;
  text: string;
  code: string | null;
}

export interface BoundWorld {
  runtime: Runtime;
  /** `GET /customers/acme`, in the order of arrival. */
  received: string[];
  /** From now on, answers are changed on their way: the body that the service sent, or another one. */
  rewrite(change: ((path: string, body: unknown) => unknown) | undefined): void;
  caller(customers?: readonly string[]): Caller;
  /** One request as the client of this caller sends it. */
  send(caller: Caller, endpoint: string, body?: unknown): Promise<UpstreamAnswer>;
  /** For a client that shows pages, with what its page draws. */
  call(caller: Caller, tool: string, args: JsonRecord, showsPages?: boolean): Promise<Answer>;
  /** A bound caller for whom nothing is kept yet. */
  newCaller(customers?: readonly string[]): Caller;
  close(): Promise<void>;
}

export async function boundWorld(
  account: AccountFile,
  {
    settings = {},
    observer = {},
    roles,
  }: { settings?: Record<string, string>; observer?: Observer; roles?: Roles } = {},
): Promise<BoundWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'bounds-'));
  const file = join(folder, 'account.json');
  await writeFile(file, JSON.stringify(account));
  const service = await startService({ account: file, apiKey: key, now: clock });
  const counter = await startCounter(service.port);
  const { config } = loadConfig([], {
    ...environment(counter.url, { BILLING_STATE_KEY: stateKeyText, BILLING_MAX_WRITES_PER_MINUTE: '100000' }),
    ...{ BILLING_CONFIRM: 'never', ...settings },
  });
  const runtime = createRuntime({ config, observer, roles });
  let callers = 0;
  const caller = (customers?: readonly string[]) => ({
    ...runtime.ownCaller(customers ? `bound-${uuid(customers.join())}` : 'local'),
    customers,
  });
  return {
    runtime,
    caller,
    newCaller: (customers = ['acme']) => ({ ...caller(customers), id: `bound-${++callers}` }),
    received: counter.received,
    rewrite: counter.rewrite,
    send(caller, endpoint, body) {
      const [method = '', target = ''] = endpoint.split(' ');
      const effect = method === 'GET' ? 'read' : 'write';
      const upstream = runtime.upstreams.of(counter.url, key, caller.id, runtime.pipeline.accessOf(caller));
      return upstream.send({ tool: 'get_it', effect, method: method as 'GET', target, body });
    },
    async call(caller, tool, args, showsPages = false) {
      const client = { ...nobody, shows: (route: string) => showsPages && route === 'buttons' };
      const outcome = await runtime.pipeline.call(tool, args, { caller, client });
      if (outcome.kind !== 'result') throw new Error(outcome.kind);
      const text = JSON.stringify({ ...outcome.answer, record: undefined });
      return { isError: outcome.record.code !== null, text, code: outcome.record.code };
    },
    async close() {
      await runtime.close();
      await counter.close();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function startCounter(port: number) {
  const received: string[] = [];
  let change: ((path: string, body: unknown) => unknown) | undefined;
  const { url, close } = await listening((incoming, outgoing) => {
    const { method, url: target = '', headers } = incoming;
    const path = target.replace('/api/v1', '');
    received.push(`${method} ${path}`);
    const onward = forward({ port, host: '127.0.0.1', method, path: target, headers }, async answer => {
      const sent = await textOf(answer);
      const text = change ? JSON.stringify(change(path, JSON.parse(sent))) : sent;
      const { 'content-length': _, 'transfer-encoding': __, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, others).end(text);
    });
    incoming.pipe(onward);
  });
  return {
    received,
    url,
    close,
    rewrite: (rewriting: typeof change) => {
      change = rewriting;
    },
  };
}
