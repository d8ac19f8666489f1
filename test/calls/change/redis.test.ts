/** Needs Debian's `redis-server`; skipped, with a message, where it is missing. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeRedis, openRedis, redisStores } from '../../../src/calls/change/ask/redis.ts';
import { freePort } from '../../support/ports.ts';
import { until } from '../../support/until.ts';
import { redisIsInstalled, startRedis, type TestRedis } from './redis-server.ts';
import { answered, canBeAsked, policyWith, serverWith, showing } from './support.ts';

const available = redisIsInstalled('test/calls/change/redis.test.ts');

describe.runIf(available)('stores that several machines share', () => {
  let redis: TestRedis;
  let url: string;

  beforeAll(async () => {
    redis = await startRedis(['--save', '']);
    url = redis.url;
  });
  afterAll(async () => {
    await closeRedis();
    await redis.stop();
  });

  const write = { binding: 'b', store: 's', by: 'link', tool: 't', caller: 'c', target: 'x', question: 'q' } as const;
  const approval = { caller: 'anna', question: 'Sure? “é”', warnings: ['w'], account: 'a', expires: 1, write };

  /** The time of Redis before and after, in milliseconds. */
  const during = async (act: () => Promise<void>): Promise<[from: number, to: number]> => {
    const time = async () => {
      const [seconds, micros] = (await openRedis(url).time()) as unknown as [string, string];
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    };
    const from = await time();
    await act();
    return [from, await time()];
  };

  it('spend a confirmation only once, on the machine that is first', async () => {
    const { spent } = redisStores(url);
    const mark = await spent.mark();
    const results = await Promise.all(Array.from({ length: 20 }, () => spent.spend('token-1', 60_000, mark)));
    expect(results.sort()).toEqual(['spent', ...Array(19).fill('used')]);
  });

  it('forget a spent confirmation when it would have expired anyway', async () => {
    const { spent } = redisStores(url);
    const mark = await spent.mark();
    const [from, to] = await during(async () => {
      await spent.spend('token-2', 60_000, mark);
    });
    const until = await openRedis(url).pexpiretime('usage-billing-mcp:spent:token-2');
    expect(until).toBeGreaterThanOrEqual(from + 60_000);
    expect(until).toBeLessThanOrEqual(to + 60_000);
  });

  it('keep a question for its page and take the first decision, from whichever machine', async () => {
    const [{ approvals }, other] = [redisStores(url), redisStores(url).approvals];
    const [from] = await during(() => approvals.open('page-1', approval, 60_000));
    expect(await other.look('page-1')).toEqual({ approval });
    const decided = await Promise.all(
      Array.from({ length: 20 }, (_, i) => [approvals, other][i % 2]!.decide('page-1', i % 2 ? 'approve' : 'decline')),
    );
    expect(new Set(decided).size).toBe(1);
    expect(await approvals.look('page-1')).toEqual({ approval, decision: decided[0] });
    await other.close('page-1');
    const approved = decided[0] === 'approve' && { carried: 'refused' };
    expect(await approvals.look('page-1')).toEqual({ approval, decision: decided[0], ...approved });
    await approvals.open('page-5', approval, 60_000);
    await other.close('page-5');
    expect(await approvals.decide('page-5', 'approve')).toBe('closed');
    expect(await approvals.look('page-5')).toEqual({ approval, decision: 'closed' });
    expect(await openRedis(url).pexpiretime('usage-billing-mcp:decision:page-1')).toBeGreaterThanOrEqual(from + 60_000);
    await other.close('page-2');
    await approvals.open('page-6', approval, 60_000);
    expect(await other.decide('page-6', 'edit:{"value_1":"1"}')).toBe('edit:{"value_1":"1"}');
    expect(await approvals.decide('page-6', 'approve')).toBe('edit:{"value_1":"1"}');
    await approvals.carried('page-6', 'moved:page-7');
    expect(await other.look('page-6')).toMatchObject({ carried: 'moved:page-7' });
    expect([await other.look('page-2'), await other.decide('page-2', 'approve')]).toEqual([undefined, undefined]);
  });

  it('keep what came of a question for its page, as long as the question, and nothing of one that they do not have', async () => {
    const [{ approvals }, other] = [redisStores(url), redisStores(url).approvals];
    const [from] = await during(() => approvals.open('page-3', approval, 60_000));
    for (const end of ['refused', 'unknown', 'failed', 'done'] as const) {
      await other.carried('page-3', end);
      expect(await approvals.look('page-3')).toEqual({ approval, carried: end });
    }
    const [key, question] = ['usage-billing-mcp:carried:page-3', 'usage-billing-mcp:approval:page-3'];
    const [until, end] = [await openRedis(url).pexpiretime(key), await openRedis(url).pexpiretime(question)];
    expect(until).toBeGreaterThanOrEqual(from + 60_000);
    // Counted from the milliseconds that were left.
    expect(Math.abs(until - end)).toBeLessThanOrEqual(1);
    await other.carried('page-4', 'done');
    expect(await openRedis(url).exists('usage-billing-mcp:carried:page-4')).toBe(0);
  });

  it('remember an agreement until it is dropped, on every machine, or its time is over', async () => {
    const [{ agreements }, other] = [redisStores(url), redisStores(url).agreements];
    expect(await other.find('write-1')).toBeUndefined();
    const [from, to] = await during(() => agreements.keep('write-1', { at: 1_773_576_000_000 }, 60_000));
    await agreements.keep('write-2', { at: 1_773_576_000_001 }, 60_000);
    expect([await other.find('write-1'), await other.find('write-2')]).toEqual([
      { at: 1_773_576_000_000 },
      { at: 1_773_576_000_001 },
    ]);
    const until = await openRedis(url).pexpiretime('usage-billing-mcp:agreed:write-1');
    expect(until).toBeGreaterThanOrEqual(from + 60_000);
    expect(until).toBeLessThanOrEqual(to + 60_000);
    await other.drop('write-1');
    expect([await agreements.find('write-1'), await agreements.find('write-2')]).toEqual([
      undefined,
      { at: 1_773_576_000_001 },
    ]);
  });

  it('let an approval of one machine’s page be told by another, until the write was carried out', async () => {
    const [one, other] = [serverWith({ redisUrl: url }), serverWith({ redisUrl: url })];
    const opens = showing('url');
    const ofZoe = { caller: 'zoe', now: new Date() };
    const askedBy = async (server: typeof one) => {
      const asked = await server.ask(opens, ofZoe);
      const { approval } = (await other.policy.pages.look(asked.page))!;
      return { ...asked, warnings: approval.warnings };
    };
    const first = await askedBy(one);
    expect(await other.policy.pages.decide(first.page, 'approve')).toBe('approve');
    const second = await askedBy(other);
    expect(second.warnings).toContainEqual(expect.stringMatching(/^This was already approved \(.+ UTC\)/));
    await one.policy.pages.decide(second.page, 'approve');
    expect(await one.ended(answered(second.state, 'accept', {}, opens), ofZoe)).toBe('done');
    expect(await other.policy.pages.look(second.page)).toMatchObject({ decision: 'approve', carried: 'done' });
    expect((await askedBy(other)).warnings).not.toContainEqual(expect.stringContaining('already approved'));
  });

  it('count the writes of a caller over all machines, and each caller separately', async () => {
    const { window } = redisStores(url);
    let taken: number[] = [];
    const [from, to] = await during(async () => {
      taken = await Promise.all(Array.from({ length: 10 }, () => window.take('ada', 3)));
    });
    expect(taken.filter(wait => wait === 0)).toHaveLength(3);
    expect(Math.max(...taken)).toBeLessThanOrEqual(60_000);
    expect(Math.max(...taken)).toBeGreaterThanOrEqual(60_000 - (to - from));
    expect(await window.wait('ada', 3)).toBeGreaterThan(0);
    expect(await window.wait('ada', 4)).toBe(0);
    expect(await window.take('bob', 3)).toBe(0);
    expect(await window.take('nobody', 0)).toBe(60_000);
  });

  it('make nobody wait for an hour when the clock of Redis was set back by an hour', async () => {
    const { window } = redisStores(url);
    const ahead = Date.now() + 3_600_000;
    await openRedis(url).zadd('usage-billing-mcp:writes:eve', ahead, 'one', ahead + 1000, 'two');
    let wait = 0;
    const [from, to] = await during(async () => {
      wait = await window.wait('eve', 2);
    });
    expect(wait).toBeGreaterThanOrEqual(60_000 - (to - from));
    expect(wait).toBeLessThanOrEqual(60_000);
    expect(await window.take('eve', 3)).toBe(0);
    expect(await window.take('eve', 3)).toBeGreaterThan(0);
  });

  it('let a question that one machine asked be answered on another, once', async () => {
    const machines = [serverWith({ redisUrl: url }), serverWith({ redisUrl: url })] as const;
    const { state } = await machines[0].ask(canBeAsked, { caller: 'eve' });
    const codes = await Promise.all(machines.map(({ ended }) => ended(answered(state), { caller: 'eve' })));
    expect(codes.sort()).toEqual(['confirmation_used', 'done']);
    expect(machines[0].upstream.sent + machines[1].upstream.sent).toBe(1);
  });

  it('refuse when Redis does not answer', async () => {
    const { ended, upstream } = serverWith({ redisUrl: await nobody() });
    expect(await ended()).toBe('write_budget_unavailable');
    expect(upstream.sent).toBe(0);
  });
});

/** An address where nobody listens. */
const nobody = async () => `redis://127.0.0.1:${await freePort()}`;

describe('the connection to Redis', () => {
  afterEach(closeRedis);

  it('is closed with the policy whose writes opened it', async () => {
    const url = await nobody();
    const { policy, ended } = serverWith({ redisUrl: url });
    expect(await ended()).toBe('write_budget_unavailable');
    const connection = openRedis(url);
    await policy.close();
    expect(openRedis(url)).not.toBe(connection);
  });

  it('stays open when a policy without writes is closed', async () => {
    const url = await nobody();
    const policy = policyWith({ redisUrl: url });
    const connection = openRedis(url);
    await policy.close();
    expect(openRedis(url)).toBe(connection);
  });
});

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
    const { offer, ended, upstream } = serverWith({ confirm: 'always', redisUrl: redis.url });
    const [used, open] = [await offer(), await offer()].map(({ confirmation }) => ({ confirmation }));
    expect(await ended(undefined, used)).toBe('done');
    await redis.killAndStartAgain();
    expect(await ended(undefined, used)).toBe('confirmation_used');
    expect(await ended(undefined, open)).toBe('done');
    expect(upstream.sent).toBe(2);
    // After a killed process, everything it wrote is kept; after a power failure, only what was forced to disk.
    expect(await openRedis(redis.url).config('GET', 'appendfsync')).toEqual(['appendfsync', 'always']);
    expect(await openRedis(redis.url).config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  });

  it('accepts no earlier confirmation when it has lost its data', async () => {
    const redis = await redisWith(['--save', '', '--appendonly', 'no']);
    const { ask, offer, ended, upstream } = serverWith({ confirm: 'always', redisUrl: redis.url });
    const { confirmation } = await offer();
    const agreed = [{ confirmation }, { client: answered((await ask()).state) }];
    for (const one of agreed) expect(await ended(undefined, one)).toBe('done');
    await redis.killAndStartAgain();
    for (const one of agreed) expect(await ended(undefined, one)).toBe('confirmation_unknown');
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
