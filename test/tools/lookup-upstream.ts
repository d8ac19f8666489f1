/** A billing API over loopback that answers scripted bodies, for the tests of lookups. */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { nobody } from '../../src/definition/asking.ts';
import { createRuntime, type Runtime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import type { Durations } from '../../src/server/settings/usual.ts';

/** What one request is answered with: a body (200) or its JSON, the rows of a list, all on one page, or a status and a body. */
export type Scripted = object | string | { status: number; body: object };
/** By path without the query, or for each request. */
export type Script =
  | Record<string, Scripted>
  | ((url: URL, request: IncomingMessage) => Scripted | undefined | Promise<Scripted | undefined>);

export interface LookupWorld {
  /** Replaced by `renew`. */
  runtime: Runtime;
  /** Of the billing API. */
  port: number;
  /** Paths with their queries, decoded, in the order of the requests. */
  asked: string[];
  /** The same as they were sent, byte for byte. */
  sent: string[];
  script(script: Script): void;
  /** A server of ours that has read nothing yet, with these settings, in front of the same billing API. */
  renew(env?: Record<string, string>, durations?: Partial<Durations>): Promise<void>;
  /** The tool's answer: its summary, its fields, and the error where it failed. */
  call(
    tool: string,
    args: object,
  ): Promise<Record<string, unknown> & { summary: string; error?: { code: string; hint: string } }>;
  close(): Promise<void>;
}

/** Unscripted paths answer as an installation does that lacks them. */
export async function lookupWorld(env: Record<string, string> = {}): Promise<LookupWorld> {
  let current: Script = {};
  const asked: string[] = [];
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://upstream');
    const path = url.pathname.replace('/api/v1', '');
    asked.push(decodeURIComponent(path + url.search));
    sent.push((request.url ?? '').replace('/api/v1', ''));
    const found = typeof current === 'function' ? await current(url, request) : current[decodeURIComponent(path)];
    const answer = found ?? { status: 404, body: { status: 404, error: 'Not Found', code: 'resource_not_found' } };
    const [status, body] =
      typeof answer === 'object' && 'status' in answer && 'body' in answer
        ? [Number(answer.status), answer.body]
        : [200, Array.isArray(answer) ? pageOf(path, answer) : answer];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const start = (more: Record<string, string>, durations: Partial<Durations> = {}) => {
    const settings = { BILLING_BASE_URL: `http://127.0.0.1:${port}`, BILLING_API_KEY: 'test-key', ...more };
    return createRuntime({ config: loadConfig([], settings).config, durations });
  };
  const world: LookupWorld = {
    runtime: start(env),
    port,
    asked,
    sent,
    script(script) {
      current = script;
      asked.length = 0;
      sent.length = 0;
    },
    async renew(more = env, durations = {}) {
      await world.runtime.close();
      world.runtime = start(more, durations);
    },
    async call(tool, args) {
      const outcome = await world.runtime.pipeline.call(tool, args, {
        caller: world.runtime.ownCaller(),
        client: nobody,
      });
      if (outcome.kind !== 'result') throw new Error(outcome.kind);
      return { summary: outcome.answer.summary, ...JSON.parse(JSON.stringify(outcome.answer.fields)) };
    },
    async close() {
      await world.runtime.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return world;
}

/** The world of a file's tests, until the last of them has ended. */
export async function sharedWorld(env?: Record<string, string>): Promise<LookupWorld> {
  const world = await lookupWorld(env);
  afterAll(() => world.close());
  return world;
}

/** The same, with a server of ours for each test: what one has read is not remembered in the next. */
export async function freshWorld(env?: Record<string, string>): Promise<LookupWorld> {
  const world = await sharedWorld(env);
  beforeEach(() => world.renew());
  return world;
}

/** Called at the top of a file: each of its tests is of one day, since sentences name the year of other years' days. */
export function onOneDay(instant = '2026-11-23T12:00:00Z'): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** A refusal of the service. */
export function refusal(status: number, code: string): { status: number; body: object } {
  return { status, body: { status, error: code, code } };
}

/** A list's only page, under the key that the list of this path has; some have no `meta` (docs/lookups.md §0). */
function pageOf(path: string, rows: readonly unknown[]): object {
  const name = path.split('/').at(-1) ?? '';
  const report = path.startsWith('/analytics/');
  const key = name === 'past_usage' ? 'usage_periods' : report ? `${name}s` : name;
  return { [key]: rows, ...(!report && name !== 'billing_entities' && { meta: meta(rows.length) }) };
}

/** `meta` of one page that holds everything, or as given. */
export function meta(total_count: number, { page = 1, pages = 1 } = {}): object {
  return {
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count,
  };
}
