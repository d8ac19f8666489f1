/** The running service on an account file of a few fields, asked over HTTP: what a client sees, from file to cents. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../src/service/start.ts';
import { lines } from './preview-world.ts';
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

export interface ServiceAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  body: any;
}

export interface Service {
  post(path: string, body: unknown): Promise<ServiceAnswer>;
  put(path: string, body: unknown): Promise<ServiceAnswer>;
  get(path: string): Promise<ServiceAnswer>;
  close(): Promise<void>;
}

export async function serve(given: Case): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'account-file-'));
  const file = join(folder, 'account.json');
  await writeFile(file, JSON.stringify(accountOf(given)));
  const service = await startService({ account: file, now: given.now }).finally(() => rm(folder, { recursive: true }));
  const ask = async (method: string, path: string, body?: unknown): Promise<ServiceAnswer> => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    post: (path, body) => ask('POST', path, body),
    put: (path, body) => ask('PUT', path, body),
    get: path => ask('GET', path),
    close: service.close,
  };
}

/** The answer to one preview of a case; of the stored subscription `sub` unless a body is given. */
export async function previewOf(given: Case, body: unknown = ofSubscription()): Promise<ServiceAnswer> {
  return once(given, service => service.post('/invoices/preview', body));
}

/** The answer to one estimate of an event on `sub`. */
export async function estimateOf(given: Case, event: Entry): Promise<ServiceAnswer> {
  const body = { event: { external_subscription_id: 'sub', ...event } };
  return once(given, service => service.post('/events/estimate_fees', body));
}

/** Each fee of a preview as `type code cents`. */
export function linesOf({ status, body }: ServiceAnswer): string[] {
  if (status !== 200) throw new Error(JSON.stringify(body));
  return lines(body.invoice);
}

async function once(given: Case, ask: (service: Service) => Promise<ServiceAnswer>): Promise<ServiceAnswer> {
  const service = await serve(given);
  try {
    return await ask(service);
  } finally {
    await service.close();
  }
}

function accountOf({ entity, customer, plan, plans = [], metrics = [], subscription, rest, events = [] }: Case) {
  const base = { interval: 'monthly', amount_cents: 3100, amount_currency: 'EUR' };
  const sub = { external_id: 'sub', external_customer_id: 'acme', plan_code: 'plan', subscription_at: '2025-01-01' };
  return {
    organization: { name: 'Account' },
    billing_entities: [{ code: 'main', name: 'Main', ...entity }],
    billable_metrics: metrics.map(metric => ({ name: String(metric.code), ...metric })),
    plans: [{ code: 'plan', ...plan }, ...plans].map(each => ({ name: 'Plan', ...base, ...each })),
    customers: [{ external_id: 'acme', ...customer }],
    subscriptions: subscription === null ? [] : [{ ...sub, ...subscription }],
    events: events.map((event, i) => ({ transaction_id: `t${i}`, external_subscription_id: 'sub', ...event })),
    ...rest,
  };
}
