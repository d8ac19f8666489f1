/** One GET on its own connection, for occasional reads: key sets, metadata, probes. */
import { version } from '../lib/version.ts';
import { type Connecting, openConnections } from './connections.ts';
import { type Exchanged, exchange } from './exchange.ts';

export interface GettingOnce extends Pick<Connecting, 'proxies'> {
  timeoutMs: number;
  /** Most bytes of the body; a longer answer is cut off. */
  maxBytes: number;
  authorization?: string;
}

/** Never rejects. Follows no redirect. */
export async function getOnce(address: string, options: GettingOnce): Promise<Exchanged> {
  const { origin, pathname, search } = new URL(address);
  const { timeoutMs, maxBytes, proxies, authorization } = options;
  const connections = await openConnections(origin, { timeoutMs, maxConcurrency: 1, proxies });
  const headers = ['accept', 'application/json', 'user-agent', `usage-billing-mcp/${version}`];
  if (authorization !== undefined) headers.push('authorization', authorization);
  const request = { method: 'GET', path: pathname + search, headers, body: null } as const;
  try {
    return await exchange(connections.reads, request, timeoutMs, undefined, maxBytes);
  } finally {
    await connections.close();
  }
}
