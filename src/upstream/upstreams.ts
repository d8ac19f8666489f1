/** The connections to the billing API: one pool a caller and address, the brakes shared as far as they must be. */
import type { Pool } from 'undici';
import type { Config } from '../config.ts';
import type { Observer } from '../runtime.ts';
import { createClient, type Upstream } from './client.ts';
import { Breaker, Gate, RateLimiter } from './limits.ts';
import { splitBaseUrl } from './path.ts';
import { createRenaming } from './prefix.ts';

const maxClients = 1000;

export interface Upstreams {
  /** The client of one key at one address. Callers with different keys share no connection and no rate limit. */
  of(baseUrl: string, apiKey: string): Upstream;
  /** Loads the HTTP client, so that the first call does not wait for it. */
  load(): Promise<void>;
  close(): Promise<void>;
}

type Settings = Pick<Config, 'timeoutMs' | 'maxRetries' | 'maxConcurrency' | 'idPrefix'>;

export function createUpstreams(config: Settings, observer: Observer = {}): Upstreams {
  const clients = new Map<string, { upstream: Upstream; close(): Promise<void> }>();
  const breakers = new Map<string, Breaker>();
  const gate = new Gate(config.maxConcurrency);
  const renaming = createRenaming(config.idPrefix);

  const open = (baseUrl: string, apiKey: string) => {
    const { origin, prefix } = splitBaseUrl(baseUrl);
    let pool: Pool | Promise<Pool> | undefined;
    const breaker = breakers.get(origin) ?? new Breaker(state => observer.breakerChanged?.(state));
    breakers.set(origin, breaker);
    const connect = (): Pool | Promise<Pool> => {
      pool ??= openPool(origin, config.timeoutMs).then(opened => {
        pool = opened;
        return opened;
      });
      return pool;
    };
    const { timeoutMs, maxRetries } = config;
    const brakes = { limiter: new RateLimiter(), breaker, gate };
    const upstream = createClient({
      ...{ pool: connect, prefix, apiKey, timeoutMs, maxRetries, renaming, observer },
      ...brakes,
    });
    return { upstream, close: async () => (await pool)?.destroy() };
  };

  return {
    of(baseUrl, apiKey) {
      const key = `${baseUrl}\0${apiKey}`;
      const known = clients.get(key);
      if (known) return known.upstream;
      const client = open(baseUrl, apiKey);
      clients.set(key, client);
      if (clients.size > maxClients) {
        const [oldest, { close }] = clients.entries().next().value as [string, { close(): Promise<void> }];
        clients.delete(oldest);
        // Whoever still uses it gets a connection error that is retried; idle sockets are what this is about.
        setTimeout(() => void close(), 2 * config.timeoutMs).unref();
      }
      return client.upstream;
    },
    load: async () => {
      await loadPool();
    },
    close: async () => {
      await Promise.all([...clients.values()].map(client => client.close()));
      clients.clear();
    },
  };
}

function loadPool() {
  return import('./pool.ts');
}

async function openPool(origin: string, timeoutMs: number): Promise<Pool> {
  const { Pool } = await loadPool();
  return new Pool(origin, {
    pipelining: 1,
    keepAliveTimeout: 4000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(10_000, timeoutMs) },
  });
}
