/** Checks that must pass before requests should come here. */
import type { Redis } from 'ioredis';
import { getOnce } from '../../calls/api/http/get-once.ts';
import { maxAnswerBytes, splitBaseUrl } from '../../calls/api/http/request.ts';
import type { Runtime } from '../runtime.ts';
import { proxiesOf } from '../settings/proxies.ts';
import type { ReadinessCheck } from './probes.ts';

type ProbedRuntime = Pick<Runtime, 'account' | 'config'>;

/** The billing API answers (the embedded one with its database open), and so does a shared Redis. */
export function readinessChecks(runtime: ProbedRuntime, redis: Redis | undefined): ReadinessCheck[] {
  const upstream: ReadinessCheck = {
    name: runtime.account.demo ? 'embedded_service' : 'billing_api',
    check: () => reachable(runtime),
  };
  if (!redis) return [upstream];
  return [upstream, { name: 'redis', check: async () => (await redis.ping()) === 'PONG' }];
}

/**
 * Any answer below 500 shows that a configured API can be reached, even a refusal for want of a key. The embedded
 * service is asked with its key, so that its database has to answer; while the database is away, the result says so.
 */
async function reachable({ account: source, config }: ProbedRuntime): Promise<boolean | string> {
  const account = source.current() ?? (await source.ready());
  const waiting = source.database() === null ? false : `waiting for ${source.database()}`;
  if (!('baseUrl' in account)) return waiting;
  const { origin, prefix } = splitBaseUrl(account.baseUrl);
  const answer = await getOnce(`${origin}${prefix}/plans?per_page=1`, {
    timeoutMs: 2_000,
    maxBytes: maxAnswerBytes,
    proxies: proxiesOf(config),
    ...(source.demo && { authorization: `Bearer ${account.apiKey}` }),
  });
  if (answer.kind === 'failed') return false;
  if (source.demo) return answer.status < 300 || (answer.status === 503 && waiting);
  return answer.status < 500;
}
