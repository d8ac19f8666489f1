/**
 * Two machines with one Redis and one account: two conversations under one credential, each bound to its own customer. What
 * one of them may see is in no answer to the other, and in no log line and metric.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import { accountOf, type Ids, idsOf } from '../policy/bounds-world.ts';
import { samples } from '../policy/samples.ts';
import { customerKey, customerToken } from '../support/customer-tokens.ts';
import { key, stateKeyText } from '../support/settings.ts';
import { both, places } from './support/customers.ts';
import {
  buildProgram,
  endProcess,
  type Machine,
  startMachine,
  startRedis,
  type TestRedis,
} from './support/machines.ts';
import { callLegacy, callModern, requestLegacy } from './support/messages.ts';

const redis: TestRedis | null = await startRedis();
const credential = 'token-of-the-desk-0001';
const desk = { headers: { authorization: `Bearer ${credential}` } };
const seeds = [
  { external_id: 'acme', name: 'Acmark Corp', marker: 'acmark', cents: 1_203 },
  { external_id: 'globex', name: 'Zglob Inc', marker: 'zglob', cents: 7_654_321 },
] as const;
const calls = 200;

/** Whose ids a call names: of either customer, or of nobody. The marker alone is never sent: it is looked for in answers. */
const whose: Ids[] = [...seeds, { external_id: 'nobody', name: 'Nobody Ltd', marker: 'znone', cents: 0 }].map(idsOf);
const kinds = (Object.keys(whose[0] as Ids) as (keyof Ids)[]).filter(kind => kind !== 'marker');

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

/** Random calls of the listed tools, whose arguments name records of either customer, now and then of a wrong kind. */
function randomCalls(
  tools: readonly { name: string; inputSchema: { properties?: object } }[],
  own: Ids,
  seed: number,
): Call[] {
  // Its own more often, so that many calls are answered.
  const owners = [...whose, own, own, own];
  const call = fc
    .record({
      tool: fc.constantFrom(...tools),
      picks: fc.array(fc.tuple(fc.nat(whose.length + 2), fc.option(fc.constantFrom(...kinds), { freq: 8 })), {
        ...{ minLength: 8, maxLength: 8 },
      }),
      more: fc.option(fc.nat()),
      era: fc.constantFrom('modern' as const, 'older' as const),
      place: fc.constantFrom('header' as const, '_meta' as const),
      machine: fc.nat(1),
    })
    .map(({ tool: { name, inputSchema }, picks, more, ...how }) => {
      let next = 0;
      const pick = (kind: keyof Ids): string => {
        const [owner, other] = picks[next++ % picks.length] as [number, keyof Ids | null];
        return owners[owner]![other ?? kind];
      };
      const filters = Object.keys(inputSchema.properties ?? {}).filter(field => kindOf(name, field) !== undefined);
      const filter = more === null ? undefined : filters[more % filters.length];
      const extra = filter === undefined ? {} : { [filter]: 'x' };
      return { tool: name, args: mixed(name, { ...extra, ...samples[name] }, pick) as JsonRecord, ...how };
    });
  return fc.sample(call, { seed, numRuns: calls });
}

describe.runIf(redis)('two machines with one Redis', () => {
  let service: RunningService;
  let folder: string;
  let machines: Machine[];

  beforeAll(async () => {
    buildProgram();
    folder = await mkdtemp(join(tmpdir(), 'bound-machines-'));
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
  }, 60_000);
  afterAll(async () => {
    await Promise.all((machines ?? []).map(({ process }) => endProcess(process, 'SIGTERM')));
    await service?.close();
    await redis?.stop();
    await rm(folder, { recursive: true });
  });

  /** Makes the calls of one conversation, and gives what each answered without the words that it had sent itself. */
  async function converse(own: Ids, seed: number): Promise<{ call: Call; text: string }[]> {
    const token = await customerToken(own.customer);
    const listed = await requestLegacy(machines[0]!.url, 'tools/list', {}, both(desk, places.header(token)));
    const answers: { call: Call; text: string }[] = [];
    for (const call of randomCalls(listed.result.tools, own, seed)) {
      const send = call.era === 'modern' ? callModern : callLegacy;
      const answer = await send(
        machines[call.machine]!.url,
        call.tool,
        call.args,
        both(desk, places[call.place](token)),
      );
      const words = JSON.stringify(call.args).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
      const said = words.map(word => JSON.parse(word) as string).sort((a, b) => b.length - a.length);
      let text = JSON.stringify(answer.body);
      for (const word of said) if (word !== '') text = text.replaceAll(word, '');
      answers.push({ call, text });
    }
    return answers;
  }

  it('tell neither conversation anything of the other’s customer', async () => {
    const [acme, globex] = seeds.map(idsOf) as [Ids, Ids];
    const conversations = await Promise.all([converse(acme, 1), converse(globex, 2)]);
    for (const [index, answers] of conversations.entries()) {
      const [own, other] = index === 0 ? [acme, globex] : [globex, acme];
      const secrets = [other.marker, other.name, ...Object.values(other)].filter(text => text !== other.customer);
      for (const { call, text } of answers) {
        for (const secret of secrets) expect(text, JSON.stringify(call)).not.toContain(secret);
      }
      // What must not be seen is seen where it may be.
      expect(answers.filter(({ text }) => text.includes(own.marker)).length).toBeGreaterThan(10);
      expect(answers.length).toBe(calls);
    }
  }, 300_000);

  it('write nothing of either into metrics, and into log lines of calls only ids that the call had named', async () => {
    for (const { url, lines } of machines) {
      const metrics = await (await fetch(url.replace('/mcp', '/metrics'))).text();
      expect(metrics).toContain('billing_mcp_tool_calls_total');
      const logged = lines.filter(line => line.includes('"msg":"call"'));
      expect(logged.length).toBeGreaterThan(20);
      for (const text of [metrics, ...logged]) for (const { marker } of seeds) expect(text).not.toContain(marker);
      for (const line of lines) expect(line).not.toMatch(/eyJ[\w-]{8,}\.eyJ/);
    }
  });
});
