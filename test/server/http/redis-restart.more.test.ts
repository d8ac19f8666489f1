/** A real Redis is restarted while callers use what it holds: confirmations, write budgets, rate limits. */
import { spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listening } from '../../support/listening.ts';
import { until } from '../../support/until.ts';
import { endProcess, type Machine, startMachine } from './support/machines.ts';
import { callLegacy } from './support/messages.ts';
import { type RestartableRedis, restartableRedis } from './support/redis.ts';

const available = spawnSync('redis-server', ['--version']).status === 0;
if (!available && process.env.CI) throw new Error('redis-server is not installed');
if (!available) console.error('\n!!! THE RESTARTS OF REDIS ARE SKIPPED: redis-server is not installed here\n');

const token = 'token-of-the-desk-0001';
const desk = { headers: { authorization: `Bearer ${token}` } };
const writers = 4;
const restarts = 6;

interface Outcome {
  name: string;
  /** `ok`, or the code of the refusal. */
  code: string;
  /** `changed` of the refusal. */
  changed: unknown;
}

describe.runIf(available)('a server whose Redis restarts', () => {
  let redis: RestartableRedis;
  let upstream: Listening;
  let machine: Machine;
  const carriedOut: string[] = [];

  beforeAll(async () => {
    upstream = await listening(async (request, response) => {
      const body = await text(request);
      if (request.method === 'PUT') carriedOut.push(JSON.parse(body).add_on.name);
      response.setHeader('content-type', 'application/json').end('{"add_on":{"code":"setup"},"plans":[],"meta":{}}');
    });
    redis = await restartableRedis();
    await redis.start();
    const limits = ['--max-writes-per-minute', '100000', '--rate-limit', '1000000'];
    machine = await startMachine(['--confirm', 'always', ...limits], {
      BILLING_BASE_URL: upstream.url,
      BILLING_API_KEY: 'key',
      BILLING_STATE_KEY: 'a key of thirty-two characters or more',
      BILLING_ASK: 'url,form,token',
      BILLING_REDIS_URL: redis.url,
      BILLING_HTTP_AUTH: 'token',
      BILLING_HTTP_TOKENS: `desk:${token}`,
    });
  });
  afterAll(async () => {
    if (machine) await endProcess(machine.process, 'SIGKILL');
    await redis?.remove();
    await upstream?.close();
  });

  /** A write as a client makes it: a call, then a second call with the confirmation token that came back. */
  async function write(name: string): Promise<Outcome> {
    const args = { code: 'setup', name };
    const asked = (await callLegacy(machine.url, 'update_add_on', args, desk)).result;
    const confirmation = asked.structuredContent.confirmation_required?.confirmation;
    const { result } = confirmation
      ? await callLegacy(machine.url, 'update_add_on', { ...args, confirmation }, desk)
      : { result: asked };
    const { error } = result.structuredContent;
    return { name, code: result.isError ? error.code : 'ok', changed: error?.changed };
  }

  it(`still reads, refuses writes that it cannot judge, and recovers by itself, in ${restarts} restarts with ${writers} writers`, async () => {
    const outcomes: Outcome[] = [];
    const reads = new Set<string>();
    let stop = false;
    const done = () => outcomes.filter(({ code }) => code === 'ok').length;
    const writer = async (index: number) => {
      for (let round = 0; !stop; round++) {
        const outcome = await write(`${index}.${round}`);
        outcomes.push(outcome);
        // delay: a caller that was refused does not try again at once
        if (outcome.code !== 'ok') await setTimeout(20);
      }
    };
    const reader = async () => {
      while (!stop) {
        const { status, result } = await callLegacy(machine.url, 'list_plans', {}, desk);
        reads.add(`${status} ${result?.structuredContent?.error?.code ?? 'ok'}`);
        // delay: of the reader, so that the writers come to their turn
        await setTimeout(5);
      }
    };
    const callers = Promise.all([reader(), ...Array.from({ length: writers }, (_, index) => writer(index))]);
    const goOn = async () => {
      const before = done();
      await until(() => done() > before + writers);
    };
    try {
      for (let restart = 0; restart < restarts; restart++) {
        await goOn();
        await redis.halt(restart % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
        const refused = outcomes.length - done();
        await until(() => outcomes.length - done() > refused);
        await redis.start();
      }
      await goOn();
    } finally {
      stop = true;
      await callers;
    }

    expect(reads).toEqual(new Set(['200 ok']));
    const times = new Map<string, number>();
    for (const name of carriedOut) times.set(name, (times.get(name) ?? 0) + 1);
    const wrong = outcomes.filter(({ name, code, changed }) => {
      const expected = code === 'ok' ? 1 : 0;
      return (times.get(name) ?? 0) !== expected || (code !== 'ok' && changed !== false);
    });
    expect(wrong).toEqual([]);
    expect(machine.process.exitCode).toBe(null);
    const ready = async () => (await fetch(machine.url.replace('/mcp', '/readyz'))).status;
    await until(async () => (await ready()) === 200);
    expect(await endProcess(machine.process, 'SIGTERM')).toBe(0);
    const codes = [...new Set(outcomes.map(({ code }) => code))].join(', ');
    console.error(
      `    ${restarts} restarts of Redis: ${done()} writes done once, ${outcomes.length - done()} refused (${codes})`,
    );
  });
});
