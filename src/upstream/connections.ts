/** The connections to one address: directly or through a proxy, those for writes apart from those for reads. */

import { type Proxies, proxyOf } from '../config/proxies.ts';
import type { Way, WayOptions } from './way.ts';

export interface Connections {
  readonly reads: Way;
  readonly writes: Way;
  close(): Promise<void>;
}

export interface Connecting {
  timeoutMs: number;
  maxConcurrency: number;
  proxies?: Proxies | undefined;
}

const readsIdleMs = 4000;
/**
 * A write that meets a connection which the API closes at that moment is of unknown outcome, where a read is simply
 * repeated: it takes a connection that was used a moment ago, whatever the API says of how long it keeps one, or a new one.
 */
const writesIdleMs = 1000;

/** Opens nothing yet; only loads what makes connections. */
export async function openConnections(origin: string, connecting: Connecting): Promise<Connections> {
  const open = await wayTo(origin, connecting.proxies);
  const options: WayOptions = {
    // Without a bound it opens a second connection while the first is about to be free again.
    connections: connecting.maxConcurrency,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: readsIdleMs,
    // Every exchange has a deadline of its own; a timer more for each of its parts only makes garbage.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: Math.min(10_000, connecting.timeoutMs) },
  };
  let writes: Way | undefined;
  const reads = open(options);
  return {
    reads,
    get writes() {
      writes ??= open({ ...options, keepAliveTimeout: writesIdleMs, keepAliveMaxTimeout: writesIdleMs });
      return writes;
    },
    close: async () => {
      await Promise.all([reads.destroy(), writes?.destroy()]);
    },
  };
}

/** Loads the HTTP client, and what only the first connection would compile. */
export async function loadConnections(): Promise<void> {
  const { compileParser } = await import('./pool.ts');
  compileParser();
}

async function wayTo(origin: string, proxies: Proxies | undefined): Promise<(options: WayOptions) => Way> {
  if (proxies && proxyOf(new URL(origin), proxies)) {
    const { proxied } = await import('./proxied.ts');
    return options => proxied(origin, proxies, options);
  }
  const { Pool } = await import('./pool.ts');
  return options => new Pool(origin, options);
}
