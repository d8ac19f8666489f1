/** A confirmation works once, even if servers are restarted or added. Needs Debian's `redis-server`, else skipped. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeRedis, openRedis } from '../../../src/calls/change/ask/redis.ts';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import type { Era } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';
import { redisIsInstalled, startRedis } from './redis-server.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  cannotBeAsked,
  codeOf,
  countingSend,
  policyWith,
  writeCall,
} from './support.ts';

const at = (minutes: number) => new Date(Date.parse('2026-03-15T12:00:00Z') + minutes * 60_000);

/** The two ways to agree: a person answers a question, or a client that cannot ask sends the token back. */
const ways = ['question', 'token'] as const;
type Way = (typeof ways)[number];

/** Lets a server ask; returns the options of a call that agrees. */
async function agreement(policy: ReturnType<typeof policyWith>, way: Way, now = at(0)): Promise<CallOptions> {
  const client = way === 'question' ? canBeAsked : cannotBeAsked;
  const outcome = await policy.carryOut(writeCall({ client, now }), countingSend().send);
  if (outcome.kind === 'ask') return { client: answered(outcome.state) };
  if (outcome.kind === 'needs_token') return { confirmation: outcome.confirmation };
  throw new Error(outcome.kind);
}

describe.each(ways)('a %s', way => {
  it('that was used is refused after a restart with the same state key', async () => {
    const upstream = countingSend();
    const before = policyWith({ confirm: 'always' });
    const agreed = await agreement(before, way);
    expect(codeOf(await before.carryOut(writeCall(agreed), upstream.send))).toBe('done');
    const after = policyWith({ confirm: 'always' });
    expect(await after.carryOut(writeCall(agreed), upstream.send)).toMatchObject({
      kind: 'refused',
      error: {
        code: 'confirmation_unknown',
        message: expect.stringContaining('may already have been used'),
        hint: expect.stringMatching(/Nothing was sent.*new prompt/),
        changed: false,
      },
    });
    expect(upstream.sent).toBe(1);
  });

  it('of one server is refused by another that shares the state key and no Redis', async () => {
    const upstream = countingSend();
    const [one, other] = [policyWith({ confirm: 'always' }), policyWith({ confirm: 'always' })];
    const agreed = await agreement(one, way);
    expect(codeOf(await other.carryOut(writeCall(agreed), upstream.send))).toBe('confirmation_unknown');
    expect(codeOf(await one.carryOut(writeCall(agreed), upstream.send))).toBe('done');
    expect(upstream.sent).toBe(1);
  });

  it('is used up also on a machine whose clock is behind', async () => {
    let clock = at(0).getTime();
    const stores = memoryStores(() => clock);
    const machine = () => policyWith({ confirm: 'always' }, { stores });
    const upstream = countingSend();
    const agreed = await agreement(machine(), way);
    expect(codeOf(await machine().carryOut(writeCall({ ...agreed, now: at(9) }), upstream.send))).toBe('done');
    clock = at(9).getTime();
    expect(codeOf(await machine().carryOut(writeCall({ ...agreed, now: at(9) }), upstream.send))).toBe(
      'confirmation_used',
    );
    expect(upstream.sent).toBe(1);
  });
});

describe('over the protocol, after a restart with the same BILLING_STATE_KEY,', () => {
  let upstream: CountingUpstream;
  beforeAll(async () => {
    upstream = await startCountingUpstream();
  });
  afterAll(() => upstream.close());
  const args = { code: 'setup', name: 'Setup fee' };
  const refusal = { error: { code: 'confirmation_unknown', changed: false } };

  const server = async (era: Era, asks: boolean) => {
    const runtime = startRuntime(upstream.url, { BILLING_CONFIRM: 'always' });
    const client = await connectClient(runtime, era, asks);
    onTestFinished(async () => {
      await client.close();
      await runtime.close();
    });
    return client;
  };

  it.each(['2025-11-25', '2026-07-28'] as const)('a used token writes nothing more in %s', async era => {
    const before = await server(era, false);
    const { confirmation } = (await before.call('update_add_on', args)).content.confirmation_required as JsonRecord;
    const confirmed = { ...args, confirmation };
    expect((await before.call('update_add_on', confirmed)).isError).toBe(false);
    expect(upstream.written()).toBe(1);
    const after = await server(era, false);
    expect((await after.call('update_add_on', confirmed)).content).toMatchObject(refusal);
    expect(upstream.written()).toBe(0);
  });

  it('a used answer writes nothing more in 2026-07-28', async () => {
    let used: unknown;
    const before = await server('2026-07-28', true);
    before.tamper = ({ params }) => {
      used = (params as JsonRecord | undefined)?.requestState ?? used;
    };
    expect((await before.call('update_add_on', args)).isError).toBe(false);
    expect(upstream.written()).toBe(1);
    const after = await server('2026-07-28', true);
    after.tamper = ({ params }) => {
      if ((params as JsonRecord | undefined)?.requestState !== undefined) (params as JsonRecord).requestState = used;
    };
    expect((await after.call('update_add_on', args)).content).toMatchObject(refusal);
    expect(upstream.written()).toBe(0);
  });
});

const available = redisIsInstalled('test/calls/change/once.test.ts');
/** Stopped after the test. */
const redisWith = async (args: readonly string[]) => {
  const redis = await startRedis(args);
  onTestFinished(() => redis.stop());
  const killAndStartAgain = async () => {
    await redis.killAndStartAgain();
    await until(() => openRedis(redis.url).ping());
  };
  return { url: redis.url, killAndStartAgain };
};

describe.runIf(available)('a Redis that is killed right after a confirmation was used', () => {
  afterAll(closeRedis);

  it('still knows it when started as in compose.yaml, and accepts one that was not used', async () => {
    const redis = await redisWith(composeArguments(await readFile('compose.yaml', 'utf8')));
    const upstream = countingSend();
    const machine = policyWith({ confirm: 'always', redisUrl: redis.url });
    const [used, open] = [await agreement(machine, 'token'), await agreement(machine, 'token')];
    expect(codeOf(await machine.carryOut(writeCall(used), upstream.send))).toBe('done');
    await redis.killAndStartAgain();
    expect(codeOf(await machine.carryOut(writeCall(used), upstream.send))).toBe('confirmation_used');
    expect(codeOf(await machine.carryOut(writeCall(open), upstream.send))).toBe('done');
    expect(upstream.sent).toBe(2);
    // After a killed process, everything it wrote is kept; after a power failure, only what was forced to disk.
    expect(await openRedis(redis.url).config('GET', 'appendfsync')).toEqual(['appendfsync', 'always']);
    expect(await openRedis(redis.url).config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  });

  it('accepts no earlier confirmation when it has lost its data', async () => {
    const redis = await redisWith(['--save', '', '--appendonly', 'no']);
    const upstream = countingSend();
    const machine = policyWith({ confirm: 'always', redisUrl: redis.url });
    const agreed = [await agreement(machine, 'token'), await agreement(machine, 'question')];
    for (const one of agreed) expect(codeOf(await machine.carryOut(writeCall(one), upstream.send))).toBe('done');
    await redis.killAndStartAgain();
    for (const one of agreed) {
      expect(codeOf(await machine.carryOut(writeCall(one), upstream.send))).toBe('confirmation_unknown');
    }
    expect(upstream.sent).toBe(2);
  });
});

/** What `compose.yaml` starts Redis with: the entries of its list, without the program. */
function composeArguments(compose: string): string[] {
  const [, list = ''] = /^ {2}redis:\n(?: {4}.*\n)*? {4}command: \[redis-server, (.*)\]\n/m.exec(compose) ?? [];
  const found = [...list.matchAll(/"([^"]*)"|([^\s,]+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  expect(found).toContain('--appendonly');
  return found;
}
