/** What must work before traffic should come here. */
import type { Redis } from 'ioredis';
import type { Runtime } from '../../runtime.ts';
import type { ReadinessCheck } from './probes.ts';

/** The billing API answers (the embedded one with its database open), and Redis where it is shared. */
export function readinessChecks(runtime: Pick<Runtime, 'account'>, redis: Redis | undefined): ReadinessCheck[] {
  const upstream: ReadinessCheck = {
    name: runtime.account.demo ? 'embedded_service' : 'billing_api',
    check: () => reachable(runtime),
  };
  if (!redis) return [upstream];
  return [upstream, { name: 'redis', check: async () => (await redis.ping()) === 'PONG' }];
}

/**
 * Any answer of the configured API says that it can be reached, a refusal of a request without a key too. The embedded
 * service is asked with its key, so that its database has to answer.
 */
async function reachable(runtime: Pick<Runtime, 'account'>): Promise<boolean> {
  const account = await runtime.account.ready();
  if (!('baseUrl' in account)) return false;
  const { demo } = runtime.account;
  const base = account.baseUrl.replace(/\/+$/, '');
  const response = await fetch(`${base.endsWith('/api/v1') ? base : `${base}/api/v1`}/plans?per_page=1`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(2_000),
    ...(demo && { headers: { authorization: `Bearer ${account.apiKey}` } }),
  });
  await response.body?.cancel();
  return demo ? response.ok : response.status < 500;
}
