/** The connections to one address, direct or through a proxy; writes have their own. */

import { type Proxies, proxyOf } from '../../../../server/settings/proxies.ts';
import type { DispatcherOptions, RequestDispatcher } from './request-dispatcher.ts';

export interface Connections {
  readonly reads: RequestDispatcher;
  readonly writes: RequestDispatcher;
  close(): Promise<void>;
}

export interface ConnectionSettings {
  timeoutMs: number;
  maxConcurrency: number;
  proxies?: Proxies | undefined;
}

const readsIdleMs = 4000;
/**
 * When the API closes a connection just as it is used, a read is simply repeated, but a write has an unknown outcome.
 * So a write uses a connection that was used within this time, or a new one, whatever keep-alive the API announces.
 */
const writesIdleMs = 1000;

/** Loads the HTTP client; opens no connection yet. */
export async function openConnections(origin: string, settings: ConnectionSettings): Promise<Connections> {
  const open = await dispatchersTo(origin, settings.proxies);
  const options: DispatcherOptions = {
    // Without a limit, undici opens a second connection while the first is about to become free.
    connections: settings.maxConcurrency,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: readsIdleMs,
    // Every exchange has its own deadline; more timers for its parts would only make garbage.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: Math.min(10_000, settings.timeoutMs) },
  };
  const reads = open(options);
  const writes = open({ ...options, keepAliveTimeout: writesIdleMs, keepAliveMaxTimeout: writesIdleMs });
  return {
    reads,
    writes,
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

/** Loads the HTTP client and compiles its parser before the first connection needs it. */
export async function loadConnections(): Promise<void> {
  const { compileParser } = await import('./pool.ts');
  compileParser();
}

async function dispatchersTo(
  origin: string,
  proxies: Proxies | undefined,
): Promise<(options: DispatcherOptions) => RequestDispatcher> {
  if (proxies && proxyOf(new URL(origin), proxies)) {
    const { proxied } = await import('./proxied.ts');
    return options => proxied(origin, proxies, options);
  }
  const { Pool } = await import('./pool.ts');
  return options => new Pool(origin, options);
}
