/** What several machines share for HTTP. Loaded only when `BILLING_REDIS_URL` is set. */
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/**
 * A connection for checks on every request. It fails at once while Redis is away, so that no one waits for a limit, and
 * reconnects by itself. Its loss and its return are each logged once.
 */
export async function connectRedis(url: string, log: Logger): Promise<Redis> {
  const options = { connectTimeout: 2_000, commandTimeout: 500, maxRetriesPerRequest: 0, enableOfflineQueue: false };
  const redis = new Redis(url, options);
  let lost = false;
  redis.on('error', error => {
    if (!lost) log.error({ err: error.message }, 'Redis is not responding');
    lost = true;
  });
  redis.on('ready', () => {
    if (lost) log.info('Redis is responding again');
    lost = false;
  });
  await new Promise<void>(resolve => {
    redis.once('ready', resolve).once('error', () => resolve());
  });
  return redis;
}
