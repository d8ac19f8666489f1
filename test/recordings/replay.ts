/**
 * Sends the recorded requests of `account-NN` to the embedded service and compares its answers with the recorded ones.
 *
 *     npx tsx test/recordings/replay.ts [--seeds 1,3] [--only REGEX] [--examples 3]
 *
 * REGEX is about kind and name (`preview termination sub0-0 in 40 days`). Reads that it leaves out are not sent.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Json } from '../../src/engine/records/index.ts';
import { loadAccount } from '../../src/service/account-file/load.ts';
import { processAllAlerts } from '../../src/service/operations/alerts.ts';
import { type Asked, openHost, type ServiceHost } from '../engine/service-host.ts';
import { recording } from '../support/recorded.ts';
import { differences, mapObject, marked, type Value } from './compare.ts';
import { type Accepted, judge, type Result, reportOf } from './results.ts';

interface Request {
  kind: string;
  name: string;
  method: Asked['method'];
  path: string;
  body?: Value;
  /** In place of a body, as it is. */
  raw?: string;
  headers?: Record<string, string>;
  /** Null: no authorization. */
  auth?: string | null;
  /** Reads a value for each name, which path and body have as `{name}`. */
  let?: Record<string, { path: string; list?: string; object?: string; where?: Record<string, Value>; take?: string }>;
  compare?: 'status';
  /** Restores the account. */
  reset_after?: { method: Asked['method']; path: string; body: Value };
}

interface Recording {
  now: string;
  account: Json;
  requests: Request[];
  /** By kind and name. */
  answers: { name: string; status: number; json?: Value; text?: string }[];
}

type Answer = { status: number; json: Value; text: string };
type Send = (sent: Pick<Request, 'method' | 'path' | 'body' | 'raw' | 'headers' | 'auth'>) => Promise<Answer>;

export const accepted: Accepted[] = JSON.parse(readFileSync(new URL('accepted.json', import.meta.url), 'utf8'));

const seeds = readdirSync(new URL('.', import.meta.url))
  .flatMap(name => /^account-(\d+)\.json\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/** One account after the other. */
export async function replay(which = seeds, only = /^/): Promise<Result[]> {
  const host = await openHost();
  try {
    const results: Result[] = [];
    for (const seed of which) results.push(...(await replayOne(host, seed, only)));
    return results;
  } finally {
    await host.close();
  }
}

async function replayOne(host: ServiceHost, seed: number, only: RegExp): Promise<Result[]> {
  const { now, account, requests, answers } = recording<Recording>(`account-${String(seed).padStart(2, '0')}`);
  const apiKey = randomUUID();
  const loaded = await loadAccount(host.store, account, { apiKey, now: new Date(now), onWarning: () => {} });
  await processAllAlerts(loaded, new Date(now));
  const send = senderOf(host, apiKey, now);
  const recorded = new Map(answers.map(answer => [answer.name, answer] as const));
  const results: Result[] = [];
  for (const request of requests) {
    const title = `${request.kind} ${request.name}`;
    if (!only.test(title) && !changes(request)) continue;
    const result = await resultOf(send, request, recorded.get(title)!);
    if (only.test(title)) results.push({ seed, ...result });
  }
  return results;
}

function changes({ method, path }: Request): boolean {
  return method !== 'GET' && !/^\/(invoices\/preview|events\/estimate_fees)/.test(path);
}

function senderOf(host: ServiceHost, apiKey: string, now: string): Send {
  return async ({ method, path, body, raw, headers, auth }) => {
    // As a client would write the address.
    const { pathname, search } = new URL(`http://service${path}`);
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const more = { ...headers, ...(auth !== undefined && { authorization: auth ?? undefined }) };
    try {
      const asked = { apiKey, now, method, path: pathname + search, headers: more };
      const reply = await host.ask(payload === undefined ? asked : { ...asked, body: payload });
      return { status: reply.status, json: reply.body, text: reply.text };
    } catch (error) {
      return { status: 500, json: null, text: String(error) };
    }
  };
}

async function resultOf(send: Send, request: Request, real: Recording['answers'][number]) {
  const { kind, name } = request;
  const names = await namesOf(send, request);
  if (typeof names === 'string') {
    const missing = { path: '(needed record)', category: 'status' as const, real: 'found', ours: names };
    return { kind, name, differences: [missing] };
  }
  const path = request.path.replace(/\{(\w+)\}/g, (all, key) => encodeURIComponent(names[key] ?? all));
  const ours = await send({ ...request, path: path, body: filled(request.body, names) });
  const result = { kind, name, ...compared(real, ours, request.compare) };
  if (request.reset_after) {
    const { method, path: where, body } = request.reset_after;
    const back = where.replace(/\{(\w+)\}/g, (all, key) => encodeURIComponent(names[key] ?? all));
    await send({ method, path: back, body: filled(body, names) });
  }
  return result;
}

function compared(real: Recording['answers'][number], ours: Answer, only: Request['compare']) {
  if (real.status !== ours.status) {
    const [a, b] = [`${real.status} ${brief(real)}`, `${ours.status} ${brief(ours)}`];
    return { differences: [{ path: '(status)', category: 'status' as const, real: a, ours: b }] };
  }
  if (only === 'status') return { differences: [] };
  if (!real.json || ours.json === null) {
    const same = !real.json && ours.json === null;
    const shape = { path: '(answer)', category: 'shape' as const, real: real.text ?? 'JSON', ours: ours.text };
    return { differences: same ? [] : [shape] };
  }
  const json = marked(ours.json);
  const totals: [Value, Value] = [totalOf(real.json), totalOf(json)];
  const found = { differences: differences(real.json, json), answers: [real.json, json] as [Value, Value] };
  return real.status < 300 && totals[0] !== undefined ? { ...found, totals } : found;
}

function totalOf(answer: Value): Value {
  return answer.invoice?.total_amount_cents ?? answer.customer_usage?.total_amount_cents;
}

function brief({ json, text = '' }: { json?: Value; text?: string }): string {
  if (!json) return text.slice(0, 120);
  if (!json.code) return (json.error ?? JSON.stringify(json)).slice(0, 120);
  return `${json.code} ${json.error_details === undefined ? '' : JSON.stringify(json.error_details)}`.slice(0, 240);
}

/** The values of `let`, or what was not found. */
async function namesOf(send: Send, { let: wanted = {} }: Request): Promise<Record<string, string> | string> {
  const names: Record<string, string> = {};
  for (const [name, { path, list, object, where = {}, take = 'svc_id' }] of Object.entries(wanted)) {
    const { json, status } = await send({ method: 'GET', path });
    const all: Value[] = list ? (at(json, list) ?? []) : [(object && at(json, object)) ?? json ?? {}];
    const found = all.find(each => Object.entries(where).every(([key, value]) => each?.[key] === value));
    const value = at(found, take);
    if (value === undefined) return `${name}: ${path} has no ${JSON.stringify(where)} (${status})`;
    names[name] = value;
  }
  return names;
}

function at(value: Value, path: string): Value {
  return path.split('.').reduce((each, key) => each?.[key], value);
}

function filled(value: Value, names: Record<string, string>): Value {
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (all, key) => names[key] ?? all);
  if (Array.isArray(value)) return value.map(each => filled(each, names));
  return value && typeof value === 'object' ? mapObject(value, (_, each) => filled(each, names)) : value;
}

if (process.argv[1]?.endsWith('replay.ts')) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { seeds: text, only: text, examples: text } });
  const results = await replay(values.seeds?.split(',').map(Number), new RegExp(values.only ?? ''));
  const judged = judge(results, accepted);
  process.stdout.write(`${reportOf(judged, accepted, Number(values.examples ?? 3))}\n`);
  process.exitCode = judged.some(({ open }) => open.length > 0) ? 1 : 0;
}
