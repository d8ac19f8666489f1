/** The service with an account file of a few fields, asked as a client asks: from file to cents. */
import { randomUUID } from 'node:crypto';
import type { Json } from '../../src/engine/records/index.ts';
import { loadAccount } from '../../src/service/account-file/load.ts';
import { processAllAlerts } from '../../src/service/operations/alerts.ts';
import { lines } from './preview-world.ts';
import { type Asked, type Reply, sharedHost } from './service-host.ts';
import { ofSubscription } from './service-world.ts';

export type Entry = Record<string, unknown>;

/** The entries that a case sets; the rest is one entity, one customer `acme`, one plan `plan`, one subscription `sub`. */
export interface Case {
  now: string;
  entity?: Entry;
  customer?: Entry;
  /** By default monthly, 3100 cents EUR, in arrears. */
  plan?: Entry;
  /** Other plans. */
  plans?: Entry[];
  metrics?: Entry[];
  /** Null: none. */
  subscription?: Entry | null;
  /** Other sections of the file. */
  rest?: Entry;
  events?: Entry[];
}

export type ServiceAnswer = Pick<Reply, 'status' | 'body'>;

export interface Service {
  /** `at`: the service's clock for this request, by default that of the case. */
  post(path: string, body: unknown, at?: string): Promise<ServiceAnswer>;
  put(path: string, body: unknown): Promise<ServiceAnswer>;
  get(path: string): Promise<ServiceAnswer>;
}

/** In the database that all cases share: an account that no other case sees. */
export async function serve(given: Case): Promise<Service> {
  const host = await sharedHost();
  const [apiKey, now] = [randomUUID(), new Date(given.now)];
  const account = await loadAccount(host.store, accountOf(given) as Json, { apiKey, now });
  await processAllAlerts(account, now);
  const ask = (method: Asked['method'], path: string, body?: unknown, at = given.now) =>
    host.ask({ apiKey, now: at, method, path, body });
  return {
    post: (path, body, at) => ask('POST', path, body, at),
    put: (path, body) => ask('PUT', path, body),
    get: path => ask('GET', path),
  };
}

/** The answer to one preview of a case; of the stored subscription `sub` unless a body is given. */
export async function previewOf(given: Case, body: unknown = ofSubscription()): Promise<ServiceAnswer> {
  return (await serve(given)).post('/invoices/preview', body);
}

/** The answer to one estimate of an event on `sub`. */
export async function estimateOf(given: Case, event: Entry): Promise<ServiceAnswer> {
  const body = { event: { external_subscription_id: 'sub', ...event } };
  return (await serve(given)).post('/events/estimate_fees', body);
}

/** The fees of a preview, see `lines`. */
export function linesOf({ status, body }: ServiceAnswer): string {
  if (status !== 200) throw new Error(JSON.stringify(body));
  return lines(body.invoice);
}

/** The same with the issuing date: `plan 3100 on 2026-05-01`. */
export function datedOf(answer: ServiceAnswer): string {
  return `${linesOf(answer)} on ${answer.body.invoice.issuing_date}`;
}

/** `404 plan_not_found`, `422 terminated_at cannot_be_in_past`. */
export function refusalOf({ status, body }: ServiceAnswer): string {
  const details = Object.entries(body.error_details ?? {}).map(([field, codes]) => `${field} ${codes}`);
  return `${status} ${details.join('; ') || (body.code ?? body.error)}`;
}

function accountOf({ entity, customer, plan, plans = [], metrics = [], subscription, rest, events = [] }: Case) {
  const base = { interval: 'monthly', amount_cents: 3100, amount_currency: 'EUR' };
  const sub = { external_id: 'sub', external_customer_id: 'acme', plan_code: 'plan', subscription_at: '2025-01-01' };
  return {
    organization: { id: randomUUID(), name: 'Account' },
    billing_entities: [{ code: 'main', name: 'Main', ...entity }],
    billable_metrics: metrics.map(metric => ({ name: String(metric.code), ...metric })),
    plans: [{ code: 'plan', ...plan }, ...plans].map(each => ({ name: 'Plan', ...base, ...each })),
    customers: [{ external_id: 'acme', ...customer }],
    subscriptions: subscription === null ? [] : [{ ...sub, ...subscription }],
    events: events.map((event, i) => ({ transaction_id: `t${i}`, external_subscription_id: 'sub', ...event })),
    ...rest,
  };
}
