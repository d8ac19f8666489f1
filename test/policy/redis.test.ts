/** Needs Debian's `redis-server`; skipped, with a message, where it is missing. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeRedis, openRedis, redisStores } from '../../src/policy/redis.ts';
import { freePort } from '../support/ports.ts';
import { answered, canBeAsked, countingSend, policyWith, writeCall } from './support.ts';

const available = spawnSync('redis-server', ['--version']).status === 0;
if (!available) console.error('SKIPPED: test/policy/redis.test.ts needs redis-server (apt-get install redis-server).');

describe.runIf(available)('stores that several machines share', () => {
  let server: ChildProcess;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redis-'));
    const port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    server = spawn('redis-server', options, { stdio: 'ignore' });
    await waitForRedis(url);
  });
  afterAll(async () => {
    await closeRedis();
    server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('spend a confirmation only once, on the machine that is first', async () => {
    const { spent } = redisStores(url);
    const mark = await spent.mark();
    const results = await Promise.all(Array.from({ length: 20 }, () => spent.spend('token-1', 60_000, mark)));
    expect(results.sort()).toEqual(['spent', ...Array(19).fill('used')]);
  });

  it('forget a spent confirmation when it would have expired anyway', async () => {
    const { spent } = redisStores(url);
    await spent.spend('token-2', 60_000, await spent.mark());
    const left = await openRedis(url).pttl('usage-billing-mcp:spent:token-2');
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('keep a question for its page and take the first decision, from whichever machine', async () => {
    const [{ approvals }, other] = [redisStores(url), redisStores(url).approvals];
    const approval = { caller: 'anna', question: 'Sure? “é”', warnings: ['w'], account: 'a', expires: 1 };
    await approvals.open('page-1', approval, 60_000);
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
    expect(await openRedis(url).pttl('usage-billing-mcp:decision:page-1')).toBeGreaterThan(50_000);
    await other.close('page-2');
    expect([
      await other.find('page-2'),
      await other.decision('page-2'),
      await other.decide('page-2', 'approve'),
    ]).toEqual([undefined, 'missing', undefined]);
  });

  it('count the writes of a caller over all machines, and each caller separately', async () => {
    const { window } = redisStores(url);
    const taken = await Promise.all(Array.from({ length: 10 }, () => window.take('ada', 3)));
    expect(taken.filter(wait => wait === 0)).toHaveLength(3);
    expect(Math.max(...taken)).toBeLessThanOrEqual(60_000);
    expect(Math.max(...taken)).toBeGreaterThan(50_000);
    expect(await window.wait('ada', 3)).toBeGreaterThan(0);
    expect(await window.wait('ada', 4)).toBe(0);
    expect(await window.take('bob', 3)).toBe(0);
    expect(await window.take('nobody', 0)).toBe(60_000);
  });

  it('make nobody wait for an hour when the clock of Redis was set back by an hour', async () => {
    const { window } = redisStores(url);
    const ahead = Date.now() + 3_600_000;
    await openRedis(url).zadd('usage-billing-mcp:writes:eve', ahead, 'one', ahead + 1000, 'two');
    const wait = await window.wait('eve', 2);
    expect(wait).toBeGreaterThan(50_000);
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
    const nobody = `redis://127.0.0.1:${await freePort()}`;
    const upstream = countingSend();
    const outcome = await policyWith({ redisUrl: nobody }).carryOut(writeCall(), upstream.send);
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'write_budget_unavailable' } });
    expect(upstream.sent).toBe(0);
  });
});

async function waitForRedis(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await openRedis(url).ping();
      return;
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
  throw new Error('redis-server did not start');
}
