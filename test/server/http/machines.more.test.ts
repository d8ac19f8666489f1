import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withPostgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { type Asked, Browser, confirmedBy, connectOpening } from './support/approve.ts';
import { everyTool } from './support/calls.ts';
import {
  endProcess,
  type Machine,
  type RoundRobin,
  startMachine,
  startProxy,
  startRedis,
  type TestRedis,
} from './support/machines.ts';
import { callLegacy, callModern } from './support/messages.ts';

const redis: TestRedis | null = await startRedis();
const postgres = redis && (await withPostgres());
const token = 'token-of-the-desk-0001';
const desk = { headers: { authorization: `Bearer ${token}` } };
const shared = {
  BILLING_STATE_KEY: 'a key of thirty-two characters or more',
  BILLING_ASK: 'url,form,token',
  BILLING_REDIS_URL: redis?.url ?? '',
  BILLING_HTTP_AUTH: 'token',
  BILLING_HTTP_TOKENS: `desk:${token}`,
};

afterAll(() => redis?.stop());

describe.runIf(redis && postgres)('three machines with one PostgreSQL and one Redis', () => {
  let database: pg.Client;
  let proxy: RoundRobin;
  let machines: Machine[];

  beforeAll(async () => {
    const databaseUrl = await postgres!.freshDatabase();
    const args = ['--demo', '--confirm', 'always', '--max-writes-per-minute', '100000', '--rate-limit', '0'];
    const env = { ...shared, BILLING_DATA: databaseUrl };
    // All at once: the first one makes the schema.
    machines = await Promise.all([1, 2, 3].map(() => startMachine(args, env)));
    proxy = await startProxy(machines.map(machine => machine.url));
    for (const { url } of machines) {
      const ready = async () => (await fetch(url.replace('/mcp', '/readyz'))).status;
      await until(async () => (await ready()) === 200);
    }
    database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    // The database itself counts how often a write was done; the servers are not trusted with this.
    await database.query(`
      create table done (name text);
      create function note() returns trigger language plpgsql as
        $$ begin insert into done values (new.name); return new; end $$;
      create trigger note after update on add_ons for each row execute function note();`);
  });

  afterAll(async () => {
    await database?.end();
    await proxy?.close();
    await Promise.all((machines ?? []).map(machine => endProcess(machine.process, 'SIGKILL')));
  });

  it('answer a modern client on every tool: one machine puts the question, another takes the answer', async () => {
    let questions = 0;
    const client = new ModernClient(
      { name: 'modern', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
    );
    client.setRequestHandler('elicitation/create', async () => {
      questions++;
      return { action: 'accept', content: { answer: 'yes' } };
    });
    await client.connect(new ModernTransport(new URL(proxy.url), { requestInit: desk }));
    expect(client.getProtocolEra()).toBe('modern');
    const calls = everyTool('modern');
    for (const { name, args, writes } of calls) {
      const from = proxy.served.length;
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError, `${name}: ${JSON.stringify(result.content)}`).not.toBe(true);
      const used = proxy.served.slice(from);
      expect(new Set(used).size, name).toBe(writes ? 2 : 1);
    }
    expect(questions).toBe(calls.filter(({ writes }) => writes).length);
    await client.close();
  });

  it('answer a client of the older protocol on every tool: one machine accepts the confirmation of another', async () => {
    const client = new LegacyClient({ name: 'older', version: '1' }, { capabilities: {} });
    await client.connect(new LegacyTransport(new URL(proxy.url), { requestInit: desk }));
    for (const { name, args, writes } of everyTool('legacy')) {
      const from = proxy.served.length;
      let result = await client.callTool({ name, arguments: args });
      if (writes) {
        const { confirmation } = (result.structuredContent as Confirming).confirmation_required;
        result = await client.callTool({ name, arguments: { ...args, confirmation } });
      }
      expect(result.isError, `${name}: ${JSON.stringify(result.content)}`).not.toBe(true);
      expect(new Set(proxy.served.slice(from)).size, name).toBe(writes ? 2 : 1);
    }
    await client.close();
  });

  it('take the decision on a page at any machine: the person signs in at one and approves at another', async () => {
    const visited = new Set<string>();
    const person = async ({ url }: Asked) => {
      const own = new URL(url!);
      const others = machines
        .map(machine => new URL(own.pathname, machine.url))
        .filter(({ port }) => port !== own.port);
      const browser = new Browser();
      await browser.open(others[0]!.href);
      await browser.submit({ credential: token });
      await browser.open(others[1]!.href);
      expect(browser.html).toContain('Approve this change?');
      await browser.submit({ decision: 'approve' });
      for (const { port } of [own, ...others]) visited.add(port);
      return 'accept' as const;
    };
    const client = await connectOpening(proxy.url, 'modern', person, desk);
    expect(confirmedBy(await client.call('update_add_on', { code: 'onboarding', name: 'by page' }))).toBe('link');
    expect([visited.size, await timesDone('by page')]).toEqual([3, 1]);
  });

  it('accept a confirmation once, on whichever machine it comes back', async () => {
    const args = { code: 'onboarding', name: 'once' };
    const first = await callLegacy(machines[0]!.url, 'update_add_on', args, desk);
    const { confirmation } = first.result.structuredContent.confirmation_required;
    const everywhere = machines.map(({ url }) => callLegacy(url, 'update_add_on', { ...args, confirmation }, desk));
    const results = (await Promise.all(everywhere)).map(({ result }) => result);
    expect(results.filter(result => result.structuredContent.receipt !== undefined)).toHaveLength(1);
    const codes = results.filter(result => result.isError).map(result => result.structuredContent.error.code);
    // One that looks after the write has arrived finds nothing left to change, and does not read its confirmation.
    expect(codes.every(code => code === 'confirmation_used')).toBe(true);
    expect(await timesDone('once')).toBe(1);
  });

  it('lose only requests in progress when one of them is killed under load, and do nothing twice', async () => {
    const writers = 6;
    // Each writer has an add-on of its own: a record that others change is asked about anew.
    await database.query(`
      insert into add_ons select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'code', 'load_' || n))).*
        from add_ons a, generate_series(0, ${writers - 1}) n where code = 'onboarding'`);
    const outcomes: Outcome[] = [];
    const lostBefore = proxy.lost;
    let [stop, atKill] = [false, 0];
    const writer = async (index: number) => {
      for (let round = 0; !stop; round++) {
        const names = { addOn: `load_${index}`, name: `load ${index}.${round}` };
        const outcome: Outcome = { ...names, failures: 0, code: undefined };
        outcomes.push(outcome);
        await (index % 2 === 0 ? writeModern(outcome) : writeLegacy(outcome));
      }
    };
    const load = Promise.all(Array.from({ length: writers }, (_, index) => writer(index)));
    try {
      await until(() => outcomes.length > 30);
      await endProcess(machines[1]!.process, 'SIGKILL');
      atKill = outcomes.length;
      await until(() => outcomes.length > atKill + 30);
    } finally {
      stop = true;
      await load;
    }

    const failures = outcomes.reduce((sum, outcome) => sum + outcome.failures, 0);
    expect(failures).toBe(proxy.lost - lostBefore);
    // Of the writes that began when it was gone none was lost on the way.
    expect(outcomes.slice(atKill).filter(outcome => outcome.failures > 0)).toEqual([]);
    const counts = await timesDoneByName();
    for (const { name, code, failures: lost } of outcomes) {
      const times = counts.get(name) ?? 0;
      // A lost write may or may not have been done. Sent again with the same agreement it is not done a second time,
      // because the agreement is used up.
      if (lost > 0 && code === 'confirmation_used') expect(times, name).toBeLessThanOrEqual(1);
      else expect([code, times], name).toEqual(['ok', 1]);
    }
    console.error(`    one of three killed: ${outcomes.length} writes, ${failures} lost under way, none done twice`);
  });

  it('end with 0 when told to, after finishing what is running', async () => {
    const machine = machines[2]!;
    const calls = Array.from({ length: 8 }, () => callModern(machine.url, 'list_plans', {}, desk));
    const running = Promise.allSettled(calls);
    await Promise.race(calls);
    const code = await endProcess(machine.process, 'SIGTERM');
    expect(code).toBe(0);
    for (const answer of await running) {
      // A connection that was not yet accepted is refused; an accepted one gets an answer.
      if (answer.status === 'fulfilled') expect(answer.value.result.isError).not.toBe(true);
      else expect(String((answer.reason as Error).cause)).toMatch(/ECONNREFUSED|ECONNRESET|other side closed/);
    }
    await expect(callModern(machine.url, 'list_plans', {}, desk)).rejects.toThrow();
  });

  interface Confirming {
    confirmation_required: { confirmation: string };
  }

  interface Outcome {
    addOn: string;
    name: string;
    /** Requests of this write that got no answer. */
    failures: number;
    code: string | undefined;
  }

  /** Calls, answers the question, and resends requests that got no answer, as a client would. */
  async function writeModern(outcome: Outcome): Promise<void> {
    const args = { code: outcome.addOn, name: outcome.name };
    const options = { ...desk, capabilities: { elicitation: {} } };
    const question = await insist(outcome, () => callModern(proxy.url, 'update_add_on', args, options));
    let { result } = question;
    // Asked anew where the machine that asked had read the record before another machine changed it.
    while (result.requestState !== undefined) {
      const answered = { state: result.requestState as string, action: 'accept' as const };
      ({ result } = await insist(outcome, () =>
        callModern(proxy.url, 'update_add_on', args, { ...options, answered }),
      ));
    }
    outcome.code = result.structuredContent.error?.code ?? 'ok';
  }

  async function writeLegacy(outcome: Outcome): Promise<void> {
    const args = { code: outcome.addOn, name: outcome.name };
    const first = await insist(outcome, () => callLegacy(proxy.url, 'update_add_on', args, desk));
    let { result } = first;
    while (result.structuredContent.confirmation_required !== undefined) {
      const { confirmation } = (result.structuredContent as Confirming).confirmation_required;
      const confirmed = { ...args, confirmation };
      ({ result } = await insist(outcome, () => callLegacy(proxy.url, 'update_add_on', confirmed, desk)));
    }
    outcome.code = result.structuredContent.error?.code ?? 'ok';
  }

  async function insist<T extends { status: number }>(outcome: Outcome, send: () => Promise<T>): Promise<T> {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await send().catch(() => undefined);
      if (answer?.status === 200) return answer;
      outcome.failures++;
    }
    throw new Error(`${outcome.name} was never answered`);
  }

  async function timesDone(name: string): Promise<number> {
    return (await timesDoneByName()).get(name) ?? 0;
  }

  async function timesDoneByName(): Promise<Map<string, number>> {
    const { rows } = await database.query('select name, count(*)::int as times from done group by name');
    return new Map(rows.map(row => [row.name, row.times]));
  }
});
