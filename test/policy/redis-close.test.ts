import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { closeRedis, openRedis } from '../../src/policy/redis.ts';
import { countingSend, policyWith, writeCall } from './support.ts';

afterEach(closeRedis);

/** An address where nobody listens: these tests about closing connections need no Redis. */
async function nobodysUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return `redis://127.0.0.1:${port}`;
}

it('a closed policy closes the Redis connection that its writes opened', async () => {
  const url = await nobodysUrl();
  const policy = policyWith({ redisUrl: url });
  expect((await policy.carryOut(writeCall(), countingSend().send)).kind).toBe('refused');
  const connection = openRedis(url);
  await policy.close();
  expect(openRedis(url)).not.toBe(connection);
});

it('a policy without writes has no Redis connection to close', async () => {
  const url = await nobodysUrl();
  const policy = policyWith({ redisUrl: url });
  const connection = openRedis(url);
  await policy.close();
  expect(openRedis(url)).toBe(connection);
});
