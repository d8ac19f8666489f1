/**
 * Two machines with one Redis and one account: two conversations under one credential, each bound to its own customer. What
 * one of them may see is in no answer to the other, and in no log line and metric.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindingOf } from '../../../src/calls/access/intersect-customers.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { type RunningService, startService } from '../../../src/service/start.ts';
import { accountOf, type Ids, idsOf, type Seed } from '../../calls/access/bounds-world.ts';
import { samples } from '../../calls/change/samples.ts';
import { customerKey, customerToken } from '../../support/customer-tokens.ts';
import { runs } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { key, stateKeyText } from '../../support/settings.ts';
import { both, places } from './support/customers.ts';
import { endProcess, type Machine, startMachine, startRedis, type TestRedis } from './support/machines.ts';
import { callLegacy, callModern, requestLegacy } from './support/messages.ts';

const redis: TestRedis | null = await startRedis();
const credential = 'token-of-the-desk-0001';
const desk = { headers: { authorization: `Bearer ${credential}` } };
const seeds: readonly [Seed, Seed] = [
  { external_id: 'acme', name: 'Acmark Corp', marker: 'acmark', cents: 4_203_117 },
  { external_id: 'globex', name: 'Zglob Inc', marker: 'zglob', cents: 7_654_321 },
];
const most = 300;
const calls = runs(most).numRuns;

const [acme, globex] = seeds.map(idsOf) as [Ids, Ids];
const nobody = idsOf({ external_id: 'nobody', name: 'Nobody Ltd', marker: 'znone', cents: 0 });
/** The marker alone is never sent: it is looked for in answers. */
const kinds = (Object.keys(nobody) as (keyof Ids)[]).filter(kind => kind !== 'marker');

/** Calls that are answered with a record where the ids in them are those of one customer. */
const answered: Readonly<Record<string, JsonRecord>> = {
  ...samples,
  compare_plans: { plan_codes: ['pro', 'basic'], customer: { external_id: 'acme' } },
  estimate_fees: { external_subscription_id: 'sub-1', code: 'gb', properties: { amount: '3' } },
  // Of a kind that the accounts have no alert of.
  create_subscription_alert: { ...samples.create_subscription_alert, alert_type: 'lifetime_usage_amount' },
  list_catalogue: { kind: 'fees', external_customer_id: 'acme' },
  preview_invoice: { customer: { external_id: 'acme' }, subscriptions: { external_ids: ['sub-1'] } },
};

/** The kind of record that an argument names; undefined where it names none. */
function kindOf(tool: string, name: string): keyof Ids | undefined {
  if (name === 'svc_id') return ofTool.find(([pattern]) => pattern.test(tool))?.[1];
  if (name === 'external_id') return tool.includes('subscription') ? 'subscription' : 'customer';
  if (name === 'code') return tool === 'get_wallet_alert' ? 'walletAlert' : undefined;
  return named[name];
}

const ofTool: [RegExp, keyof Ids][] = [
  [/wallet_transaction$/, 'transaction'],
  [/wallet/, 'wallet'],
  [/invoice/, 'invoice'],
  [/credit_note/, 'creditNote'],
  [/payment/, 'payment'],
];
const named: Record<string, keyof Ids> = {
  ...{ external_customer_id: 'customer', external_subscription_id: 'subscription', external_ids: 'subscription' },
  ...{ transaction_id: 'event', wallet_code: 'walletCode', invoice_id: 'invoice', invoice_number: 'number' },
  search_term: 'name',
};

/** The arguments of a sample call, whose names of records are those that `pick` gives. */
function mixed(tool: string, value: unknown, pick: (kind: keyof Ids) => string, name = ''): unknown {
  const kind = kindOf(tool, name);
  if (typeof value === 'string') return kind === undefined ? value : pick(kind);
  if (Array.isArray(value)) return value.map(entry => mixed(tool, entry, pick, name));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, mixed(tool, entry, pick, key)]);
  return Object.fromEntries(entries);
}

interface Call {
  tool: string;
  args: JsonRecord;
  era: 'modern' | 'older';
  place: keyof typeof places;
  machine: number;
}

/**
 * Calls of the listed tools in turn. The first of each tool names the own records; the others name those of one customer,
 * or of nobody, and now and then an argument is another's, or of a wrong kind, or a filter is added.
 */
function randomCalls(
  tools: readonly { name: string; inputSchema: { properties?: object } }[],
  [own, other]: [Ids, Ids],
  seed: number,
): Call[] {
  const owner = fc.constantFrom(own, own, own, other, other, nobody);
  const slip = fc.record({ owner, kind: fc.option(fc.constantFrom(...kinds), { freq: 4 }) });
  const random = fc.record({
    owner,
    slips: fc.array(fc.oneof({ arbitrary: fc.constant(null), weight: 7 }, { arbitrary: slip, weight: 1 }), {
      minLength: 8,
    }),
    more: fc.option(fc.nat()),
    era: fc.constantFrom('modern' as const, 'older' as const),
    place: fc.constantFrom('header' as const, '_meta' as const),
    machine: fc.nat(1),
  });
  return fc.sample(random, { seed, ...runs(most) }).map(({ owner, slips, more, ...how }, index) => {
    const { name, inputSchema } = tools[index % tools.length]!;
    let next = 0;
    const pick = (kind: keyof Ids): string => {
      if (index < tools.length) return own[kind];
      const slipped = slips[next++ % slips.length];
      return (slipped?.owner ?? owner)[slipped?.kind ?? kind];
    };
    const filters = Object.keys(inputSchema.properties ?? {}).filter(field => kindOf(name, field) !== undefined);
    const filter = more === null || more % 3 > 0 || index < tools.length ? undefined : filters[more % filters.length];
    const extra = filter === undefined ? {} : { [filter]: 'x' };
    return { tool: name, args: mixed(name, { ...extra, ...answered[name] }, pick) as JsonRecord, ...how };
  });
}

/** Everything that tells of a customer's records, amounts as cents and as they are written. */
function tracesOf(ids: Ids): string[] {
  const { cents } = seeds.find(({ marker }) => marker === ids.marker)!;
  const amounts = [0, 1, 2, 3].map(more => cents + more);
  const written = amounts.map(amount => (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 }));
  return [...Object.values(ids), ...amounts.map(String), ...written];
}

/** The text without these words, the longest first. */
function without(text: string, words: readonly string[]): string {
  const longestFirst = words.filter(word => word !== '').sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, '·'), text);
}

/** The texts that a call sends. */
function wordsOf({ args }: Call): string[] {
  return (JSON.stringify(args).match(/"(?:[^"\\]|\\.)*"/g) ?? []).map(word => JSON.parse(word) as string);
}

describe.runIf(redis)('two machines with one Redis', () => {
  const folder = temporaryFolder();
  let service: RunningService;
  let machines: Machine[];
  /** By the customer of the conversation. */
  const conversations = new Map<string, { call: Call; text: string; failed: boolean }[]>();

  beforeAll(async () => {
    const account = join(folder, 'account.json');
    await writeFile(account, JSON.stringify(accountOf(seeds)));
    service = await startService({ account, apiKey: key, port: 0, now: '2026-03-15T12:00:00Z' });
    const env = {
      ...{ BILLING_BASE_URL: service.baseUrl, BILLING_API_KEY: key, BILLING_STATE_KEY: stateKeyText },
      ...{ BILLING_REDIS_URL: redis!.url, BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: `desk:${credential}` },
      ...{ BILLING_CUSTOMER_TOKEN_KEY: customerKey, BILLING_AUDIT_LOG: 'stderr', BILLING_LOG_LEVEL: 'debug' },
    };
    const args = ['--confirm', 'never', '--rate-limit', '0', '--max-writes-per-minute', '100000'];
    machines = await Promise.all([1, 2].map(() => startMachine(args, env)));
  });
  afterAll(async () => {
    await Promise.all((machines ?? []).map(({ process }) => endProcess(process, 'SIGTERM')));
    await service?.close();
    await redis?.stop();
  });

  /** Makes the calls of one conversation. */
  async function converse(own: Ids, other: Ids, seed: number): Promise<void> {
    const token = await customerToken(own.customer);
    const listed = await requestLegacy(machines[0]!.url, 'tools/list', {}, both(desk, places.header(token)));
    const answers: { call: Call; text: string; failed: boolean }[] = [];
    for (const call of randomCalls(listed.result.tools, [own, other], seed)) {
      const send = call.era === 'modern' ? callModern : callLegacy;
      const { url } = machines[call.machine]!;
      const { body, result } = await send(url, call.tool, call.args, both(desk, places[call.place](token)));
      answers.push({ call, text: JSON.stringify(body), failed: result?.isError === true });
    }
    conversations.set(own.customer, answers);
  }

  const pairs: [Ids, Ids][] = [
    [acme, globex],
    [globex, acme],
  ];

  it('tell neither conversation anything of the other’s customer', async () => {
    await Promise.all(pairs.map(([own, other], index) => converse(own, other, index + 1)));
    for (const [own, other] of pairs) {
      const traces = tracesOf(other);
      for (const { call, text } of conversations.get(own.customer)!) {
        // An id of the other's that the call itself has named may stand in its answer.
        const named = wordsOf(call).filter(word => traces.includes(word));
        const rest = without(text, named);
        const told = traces.filter(trace => rest.includes(trace));
        expect(told, `${JSON.stringify(call)}\n${text}`).toEqual([]);
      }
    }
  });

  it('show each conversation its own customer, with every tool that has anything to show', () => {
    // What these answer holds no text of the customer's but what the call has sent.
    const wordless = new Set([
      ...['list_plans', 'compare_plans', 'get_customer_portal_url'],
      ...['estimate_fees', 'create_subscription_alert', 'get_usage'],
    ]);
    // Its sample changes an add-on, which is no customer's.
    const refused = new Set(['change_several']);
    for (const [own] of pairs) {
      const answers = conversations.get(own.customer)!;
      const shows = ({ call, text, failed }: (typeof answers)[number]) => {
        const rest = without(text, wordsOf(call));
        return !failed && tracesOf(own).some(trace => rest.includes(trace));
      };
      const silent = new Set(answers.map(({ call }) => call.tool).filter(tool => !refused.has(tool)));
      for (const answer of answers)
        if (wordless.has(answer.call.tool) ? !answer.failed : shows(answer)) silent.delete(answer.call.tool);
      const why = answers.filter(({ call }) => silent.has(call.tool)).map(({ text }) => text.slice(0, 400));
      expect([...silent], why.join('\n')).toEqual([]);
      expect(answers.filter(shows).length).toBeGreaterThan(calls / 4);
      expect(answers.filter(({ failed }) => failed).length).toBeGreaterThan(calls / 5);
    }
  });

  it('write into metrics nothing of either, and into log and audit lines of a conversation nothing of the other’s but what it had named', async () => {
    const named = pairs.map(([own, other]) => {
      const words = new Set(conversations.get(own.customer)!.flatMap(({ call }) => wordsOf(call)));
      return tracesOf(other).filter(trace => words.has(trace));
    });
    const marks = pairs.map(([own]) => bindingOf([own.customer]).mark);
    for (const { url, lines } of machines) {
      const metrics = await (await fetch(url.replace('/mcp', '/metrics'))).text();
      expect(metrics).toContain('billing_mcp_tool_calls_total');
      for (const [own] of pairs) for (const trace of tracesOf(own)) expect(metrics).not.toContain(trace);
      for (const line of lines) {
        expect(line).not.toMatch(/eyJ[\w-]{8,}\.eyJ/);
        // The conversation that the line is of; -1: of none, and then it may name neither customer.
        const of = marks.findIndex(mark => line.includes(mark));
        const rest = without(line, named[of] ?? []);
        const others = pairs.flatMap(([own], index) => (index === of ? [] : tracesOf(own)));
        const told = others.filter(trace => rest.includes(trace));
        expect(told, line).toEqual([]);
      }
      for (const mark of marks) expect(lines.filter(line => line.includes(mark)).length).toBeGreaterThan(calls / 4);
    }
  });
});
