import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answersWith, type Listening, listening } from '../../support/listening.ts';
import { until } from '../../support/until.ts';
import { endProcess, type Machine, startMachine, startRedis, type TestRedis } from './support/machines.ts';
import { callLegacy } from './support/messages.ts';

const redis: TestRedis | null = await startRedis();
const token = 'token-of-the-desk-0001';
const otherToken = 'token-of-another-desk-1';
const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
const [desk, other] = [bearer(token), bearer(otherToken)];
const shared = {
  BILLING_STATE_KEY: 'a key of thirty-two characters or more',
  BILLING_HTTP_AUTH: 'token',
  BILLING_HTTP_TOKENS: `desk:${token},other:${otherToken}`,
};

afterAll(() => redis?.stop());

describe.runIf(redis)('machines with one Redis', () => {
  let upstream: Listening;
  let written: number;
  let machines: Machine[];

  const start = async (count: number, args: string[], redisUrl: string) => {
    const account = { BILLING_REDIS_URL: redisUrl, BILLING_API_KEY: 'key', BILLING_BASE_URL: upstream.url };
    const machine = () => startMachine(['--confirm', 'never', ...args], { ...shared, ...account });
    machines = await Promise.all(Array.from({ length: count }, machine));
  };

  beforeEach(async () => {
    written = 0;
    machines = [];
    upstream = await listening((request, response) => {
      if (request.method === 'PUT') written++;
      answersWith('{"add_on":{"code":"setup"},"plans":[],"meta":{}}')(request, response);
    });
  });
  afterEach(async () => {
    for (const { process } of machines) expect(await endProcess(process, 'SIGTERM')).toBe(0);
    await upstream.close();
  });

  it('count writes and requests together', async () => {
    await start(2, ['--max-writes-per-minute', '3', '--rate-limit', '12'], redis!.url);
    const at = (index: number) => machines[index % 2]!.url;
    // The first call of a machine loads what calls need: nothing of it is counted for the desk.
    await Promise.all(machines.map(({ url }) => callLegacy(url, 'list_plans', {}, other)));
    const codes: string[] = [];
    for (let i = 0; i < 6; i++) {
      const { result } = await callLegacy(at(i), 'update_add_on', { code: 'setup', name: `n${i}` }, desk);
      codes.push(result.isError ? result.structuredContent.error.code : 'ok');
    }
    expect(codes.slice(0, 3)).toEqual(['ok', 'ok', 'ok']);
    expect(codes.slice(3)).not.toContain('ok');
    expect(written).toBe(3);

    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) statuses.push((await callLegacy(at(i), 'list_plans', {}, desk)).status);
    expect(statuses).toEqual([...Array(6).fill(200), ...Array(4).fill(429)]);
  });

  it('still read when Redis is away, write nothing, and say that they are not ready', async () => {
    const own = await startRedis();
    onTestFinished(() => own!.stop());
    await start(1, [], own!.url);
    const { url } = machines[0]!;
    const ready = async () => (await fetch(url.replace('/mcp', '/readyz'))).status;
    expect(await ready()).toBe(200);
    await own!.stop();
    expect((await callLegacy(url, 'list_plans', {}, desk)).result.isError).not.toBe(true);
    const write = await callLegacy(url, 'update_add_on', { code: 'setup', name: 'n' }, desk);
    expect(write.result).toMatchObject({ isError: true, structuredContent: { error: { changed: false } } });
    expect(written).toBe(0);
    await until(async () => (await ready()) === 503);
  });
});
