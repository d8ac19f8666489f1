/** One request on its own connection, for occasional ones: key sets, metadata, probes, sign-in. */
import { version } from '../../../lib/version.ts';
import { type ExchangeRequest, type ExchangeResult, exchange } from './request.ts';
import { type ConnectionSettings, openConnections } from './wire/connections.ts';

export interface GetOnceOptions extends Pick<ConnectionSettings, 'proxies'> {
  timeoutMs: number;
  /** Most bytes of the body; a longer answer is cut off. */
  maxBytes: number;
  authorization?: string;
}

/** Never rejects. Follows no redirect. */
export async function getOnce(address: string, options: GetOnceOptions): Promise<ExchangeResult> {
  const headers = ['accept', 'application/json', 'user-agent', `usage-billing-mcp/${version}`];
  if (options.authorization !== undefined) headers.push('authorization', options.authorization);
  return sendOnce(address, { method: 'GET', headers, body: null }, options);
}

/** Never rejects. Follows no redirect. */
export async function sendOnce(
  address: string,
  request: Omit<ExchangeRequest, 'path'>,
  { timeoutMs, maxBytes, proxies }: Omit<GetOnceOptions, 'authorization'>,
): Promise<ExchangeResult> {
  const { origin, pathname, search } = new URL(address);
  const connections = await openConnections(origin, { timeoutMs, maxConcurrency: 1, proxies });
  try {
    const sent = { ...request, path: pathname + search };
    return await exchange(connections.reads, sent, timeoutMs, undefined, maxBytes);
  } finally {
    await connections.close();
  }
}
