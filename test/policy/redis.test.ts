/** Needs Debian's `redis-server`; skipped, with a message, where it is missing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeRedis, openRedis, redisStores } from '../../src/policy/redis.ts';
import { freePort } from '../support/ports.ts';
import { redisIsInstalled, startRedis, type TestRedis } from './redis-server.ts';
import { answered, canBeAsked, countingSend, policyWith, writeCall } from './support.ts';

const available = redisIsInstalled('test/policy/redis.test.ts');

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
    const approval = { caller: 'anna', question: 'Sure? “é”', warnings: ['w'], account: 'a', expires: 1 };
    const [from] = await during(() => approvals.open('page-1', approval, 60_000));
    expect(await other.find('page-1')).toEqual(approval);
    expect(await other.decision('page-1')).toBeUndefined();
    const decided = await Promise.all(
      Array.from({ length: 20 }, (_, i) => [approvals, other][i % 2]!.decide('page-1', i % 2 ? 'approve' : 'decline')),
    );
    expect(new Set(decided).size).toBe(1);
    expect(await approvals.decision('page-1')).toBe(decided[0]);
    await other.close('page-1');
    expect([await approvals.decision('page-1'), await approvals.decide('page-1', 'approve')]).toEqual([
      'closed',
      'closed',
    ]);
    expect(await openRedis(url).pexpiretime('usage-billing-mcp:decision:page-1')).toBeGreaterThanOrEqual(from + 60_000);
    await other.close('page-2');
    expect([
      await other.find('page-2'),
      await other.decision('page-2'),
      await other.decide('page-2', 'approve'),
    ]).toEqual([undefined, 'missing', undefined]);
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
    const machines = [policyWith({ redisUrl: url }), policyWith({ redisUrl: url })] as const;
    const upstream = countingSend();
    const asked = await machines[0].carryOut(writeCall({ client: canBeAsked, caller: 'eve' }), upstream.send);
    if (asked.kind !== 'ask') throw new Error(asked.kind);
    const answer = () => writeCall({ client: answered(asked.state), caller: 'eve' });
    const kinds = await Promise.all(
      machines.map(async machine => (await machine.carryOut(answer(), upstream.send)).kind),
    );
    expect(kinds.sort()).toEqual(['done', 'refused']);
    expect(upstream.sent).toBe(1);
  });

  it('refuse when Redis does not answer', async () => {
    const url = await nobody();
    const upstream = countingSend();
    const outcome = await policyWith({ redisUrl: url }).carryOut(writeCall(), upstream.send);
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'write_budget_unavailable' } });
    expect(upstream.sent).toBe(0);
  });
});

/** An address where nobody listens. */
const nobody = async () => `redis://127.0.0.1:${await freePort()}`;

describe('the connection to Redis', () => {
  afterEach(closeRedis);

  it('is closed with the policy whose writes opened it', async () => {
    const url = await nobody();
    const policy = policyWith({ redisUrl: url });
    expect((await policy.carryOut(writeCall(), countingSend().send)).kind).toBe('refused');
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
