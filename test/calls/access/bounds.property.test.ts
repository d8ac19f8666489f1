/**
 * Two bound callers in one account, with random records of both: whatever is called, read, completed or prompted, nothing
 * of the other's records stands in an answer, a log line or a metric, and nothing of the other's is written to.
 */

import { Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { createLog, logCalls } from '../../../src/server/logs/log.ts';
import { createMetrics } from '../../../src/server/logs/metrics.ts';
import { combine } from '../../../src/server/logs/observers.ts';
import { prompts } from '../../../src/server/protocol/prompts.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { runs, sameRuns, whole } from '../../support/extent.ts';
import { samples } from '../change/samples.ts';
import { accountOf, type BoundWorld, boundWorld, type Ids, idsOf, type Seed, uuid } from './bounds-world.ts';

/** Of 5 accounts × 2 callers × 200 calls, a tenth with `npm test`. */
const accounts = sameRuns(5);
const callsOfEach = whole ? 200 : 100;

const letters = (text: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...text), minLength: min, maxLength: max });
/** Names as people write them, with what a path or a query could stumble over. */
const name = fc
  .tuple(letters('Aaéß漢 &%+/?#"\'', 0, 6), letters('bcdfgh', 3, 6))
  .map(([odd, plain]) => `${odd}${plain} Ltd`);
const seed = (prefix: string, base: number): fc.Arbitrary<Seed> =>
  fc.record({
    external_id: letters('abc019._~@+ -', 1, 8).map(text => `${prefix}c${text}${prefix}`),
    name: name.map(text => `${text} ${prefix}n`),
    marker: letters('mnopq', 5, 8).map(text => `${prefix}${text}`),
    cents: fc.integer({ min: base, max: base + 800_000 }),
  });

interface Pools {
  customers: string[];
  subscriptions: string[];
  /** Of wallets, invoices, notes, payments, transactions and of nothing. */
  svcIds: string[];
  texts: string[];
}

function poolsOf(all: readonly Ids[]): Pools {
  const of = (...fields: (keyof Ids)[]) => all.flatMap(ids => fields.map(field => ids[field]));
  return {
    customers: [...of('customer', 'name', 'marker'), 'nobody'],
    subscriptions: [...of('subscription', 'over'), 'none'],
    svcIds: [...of('wallet', 'invoice', 'creditNote', 'payment', 'transaction'), uuid('nothing')],
    texts: [...of('number', 'noteNumber', 'event', 'alert', 'walletCode', 'walletAlert', 'marker', 'customer'), 'a'],
  };
}

/** Names that may mean a record. What a write changes comes from the samples, so that the call gets as far as the record. */
const naming = /customer|subscription|_id$|number|search_term|code$/;

/** A valid call of the tool, with any ids, and with a filter or two more. */
function argumentsOf(tool: string, schema: JsonRecord, pools: Pools): fc.Arbitrary<JsonRecord> {
  const properties = schema.properties as Record<string, JsonRecord>;
  const sample = samples[tool] ?? {};
  const named = Object.keys(sample).filter(key => naming.test(key) || key === 'kind');
  const more = Object.keys(properties).filter(key => naming.test(key) && !named.includes(key));
  const values = (keys: readonly string[]) =>
    fc.record(Object.fromEntries(keys.map(key => [key, valueFor(key, properties[key] ?? {}, pools)])));
  const extra = fc
    .tuple(fc.nat({ max: 3 }), fc.subarray(more, { maxLength: Math.min(2, more.length) }))
    .chain(([often, keys]) => values(often === 0 ? keys : []));
  return fc.tuple(values(named), extra).map(([ids, others]) => ({ ...sample, ...ids, ...others }));
}

function valueFor(key: string, schema: JsonRecord, pools: Pools): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (key === 'plan_codes') return fc.constant(['basic', 'pro']);
  if (key === 'plan_code') return fc.constantFrom('basic', 'pro');
  if (key === 'customer') return fc.constantFrom(...pools.customers).map(external_id => ({ external_id }));
  if (key === 'subscriptions')
    return fc.subarray(pools.subscriptions, { minLength: 1, maxLength: 2 }).map(external_ids => ({ external_ids }));
  if (key === 'search_term') return fc.constantFrom(...pools.texts, ...pools.customers, ...pools.svcIds);
  if (/customer/.test(key)) return fc.constantFrom(...pools.customers);
  if (/subscription|^external_id$/.test(key) && schema.type === 'string')
    return fc.constantFrom(...pools.subscriptions);
  if (/svc_id|invoice_id/.test(key)) return fc.constantFrom(...pools.svcIds);
  if (/billable_metric|^code$/.test(key)) return fc.constantFrom('calls', 'gb', ...pools.texts);
  if (schema.type === 'array') return fc.constantFrom(...pools.texts).map(value => [value]);
  return fc.constantFrom(...pools.texts);
}

type Ask = (client: Client) => Promise<unknown>;
interface Step {
  /** What is asked, with every text that is given. */
  given: unknown;
  ask: Ask;
}

function stepOf(pools: Pools, listed: ReadonlyMap<string, JsonRecord>): fc.Arbitrary<Step> {
  const text = fc.constantFrom(...pools.customers, ...pools.subscriptions, ...pools.svcIds, ...pools.texts);
  const writing = { ...pools, texts: ['new-code', 'newer-code'] };
  const tool = fc
    .constantFrom(...listed.keys())
    // What a caller writes into its own records tells nothing of the other's.
    .chain(name =>
      argumentsOf(name, listed.get(name) ?? {}, /^(update|create)/.test(name) ? writing : pools).map(args => ({
        name,
        arguments: args,
      })),
    )
    .map(call => ({ given: call, ask: (client: Client) => client.callTool(call) }));
  const resource = fc
    .tuple(fc.constantFrom('customers/*', 'customers/*/overview', 'invoices/*', 'plans/*', 'plans'), text)
    .map(([path, id]) => ({ path, id, uri: `billing://${path.replace('*', encodeURIComponent(id))}` }))
    .map(given => ({ given, ask: (client: Client) => client.readResource({ uri: given.uri }) }));
  const completion = fc
    .record({
      argument: fc.constantFrom('external_customer_id', 'external_subscription_id', 'plan_code'),
      typed: fc.oneof(text, fc.constantFrom('', 'a', 'n')),
      customer: fc.option(fc.constantFrom(...pools.customers), { nil: undefined }),
    })
    .map(given => ({ given, ask: (client: Client) => client.complete(completionOf(given)) }));
  const prompt = fc
    .tuple(fc.constantFrom(...prompts), text)
    .map(([{ name, arguments: named = [] }, value]) => ({
      ...{ name, arguments: Object.fromEntries(named.map(each => [each.name, value])) },
    }))
    .map(given => ({ given, ask: (client: Client) => client.getPrompt(given) }));
  return fc.oneof(
    { arbitrary: tool, weight: 8 },
    { arbitrary: resource, weight: 2 },
    { arbitrary: completion, weight: 2 },
    { arbitrary: prompt, weight: 1 },
  );
}

function completionOf({
  argument,
  typed,
  customer,
}: {
  argument: string;
  typed: string;
  customer?: string | undefined;
}) {
  const ref = { type: 'ref/prompt' as const, name: 'answer_bill_question' };
  const context = customer === undefined ? {} : { context: { arguments: { external_customer_id: customer } } };
  return { ref, argument: { name: argument, value: typed }, ...context };
}

/** Everything that tells of these records: their texts, and their amounts as cents and as they are written. */
function tracesOf(ids: Ids, { cents }: Seed): string[] {
  const amounts = [0, 1, 2, 3].map(more => cents + more);
  const written = amounts.map(amount => (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 }));
  return [...Object.values(ids), ...amounts.map(String), ...written];
}

/** The text without what was given, as it is and as it is escaped or encoded. */
function without(text: string, given: unknown): string {
  const values = textsIn(given).flatMap(value => [
    ...[value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), value.trim(), value.toLowerCase()],
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
  ]);
  const longestFirst = values.filter(value => value.length > 1).sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, value) => rest.replaceAll(value, '·'), text);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function connected(world: BoundWorld, customer: string) {
  const [transport, far] = InMemoryTransport.createLinkedPair();
  const caller = world.caller([customer]);
  const server = serveStdio(() => world.runtime.createMcpServer({ caller }), { transport: far });
  const client = new Client({ name: 'bound', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport as never);
  const close = async () => {
    await client.close();
    await server.close();
  };
  return { client, close };
}

/** The answer, or the error that the client throws, as text. */
const said = (step: Step, client: Client) => step.ask(client).then(JSON.stringify, error => `${error.message}`);

describe('two bound callers in one account', () => {
  it("get nothing of each other's records in random calls", async () => {
    const outcomes = { ok: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        seed('zq', 1_000_000),
        seed('xk', 3_000_000),
        fc.infiniteStream(fc.nat()),
        async (a, b, numbers) => {
          const lines: string[] = [];
          const sink = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
          const metrics = createMetrics(toolDefinitions.map(tool => tool.name));
          const observer = combine(metrics.observer, logCalls(createLog('info', sink as never)));
          const world = await boundWorld(accountOf([a, b]), { observer });
          try {
            for (const [own, other] of [
              [a, b],
              [b, a],
            ] as const) {
              const [ours, theirs] = [idsOf(own), idsOf(other)];
              const { client, close } = await connected(world, own.external_id);
              const { tools } = await client.listTools();
              const listed = new Map(tools.map(tool => [tool.name, tool.inputSchema as JsonRecord]));
              const some = { minLength: callsOfEach, maxLength: callsOfEach };
              const ofBoth = fc.array(stepOf(poolsOf([ours, theirs]), listed), some);
              const [steps = []] = fc.sample(ofBoth, { ...runs(1), seed: numbers.next().value });
              const from = world.received.length;
              for (const step of steps) {
                const answer = await said(step, client);
                if (/"isError":true|not available|answered 404/.test(answer)) outcomes.refused += 1;
                else outcomes.ok += 1;
                const rest = without(answer, step.given);
                for (const trace of tracesOf(theirs, other)) {
                  if (rest.includes(trace)) expect.fail(`${trace} in ${answer}\nof ${JSON.stringify(step.given)}`);
                }
              }
              const writes = world.received.slice(from).filter(request => /^(PUT|POST|DELETE)/.test(request));
              for (const trace of tracesOf(theirs, other))
                expect(writes.filter(request => decodeURIComponent(request).includes(trace))).toEqual([]);
              await close();
            }
            const told = `${lines.join('')}${await metrics.registry.metrics()}`;
            expect(told).toContain('get_customer');
            for (const [ids, from] of [
              [idsOf(a), a],
              [idsOf(b), b],
            ] as const)
              for (const trace of tracesOf(ids, from)) expect(told).not.toContain(`"${trace}`);
          } finally {
            await world.close();
          }
        },
      ),
      { ...accounts, endOnFailure: true },
    );
    // Else the calls would prove little.
    expect(outcomes.ok).toBeGreaterThan(accounts.numRuns * callsOfEach * 0.4);
    expect(outcomes.refused).toBeGreaterThan(accounts.numRuns * callsOfEach * 0.2);
  });
});
