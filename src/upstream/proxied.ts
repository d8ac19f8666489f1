/** The way through a proxy: undici's own agent for it. Loaded only where a proxy is set. */
import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import DispatcherBase from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import type { Proxies } from '../config/proxies.ts';
import { Pool } from './pool.ts';
import type { Way, WayOptions } from './way.ts';

// The agent asks its proxy by this method, which undici's index, of which the rest is not needed, adds.
DispatcherBase.prototype.connect ??= connect;

/** Requests to `origin` through the proxy that its scheme and name call for, as a tunnel: the proxy reads none of them. */
export function proxied(origin: string, proxies: Proxies, options: WayOptions): Way {
  const { timeout } = options.connect;
  const agent = new EnvHttpProxyAgent({
    ...options,
    // Empty ones too: what is missing it would look up in the environment itself.
    httpProxy: proxies.http,
    httpsProxy: proxies.https,
    noProxy: proxies.no,
    proxyTls: { timeout },
    requestTls: { timeout },
    clientFactory: (address, given) => new ProxyPool(address, { ...given, headersTimeout: timeout }),
  });
  return {
    dispatch: (request, handler) => agent.dispatch({ ...request, origin }, handler),
    destroy: () => agent.destroy(),
  } as Way;
}

/** The connections to a proxy. What goes wrong with it is told apart from what goes wrong with the API behind it. */
class ProxyPool extends Pool {
  override connect(request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(
    request: Dispatcher.ConnectOptions,
    done: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): void;
  override async connect(request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const answer = await super.connect(request).catch((error: NodeJS.ErrnoException) => {
      throw proxyError(error.code ?? error.name);
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => {}).destroy();
    throw proxyError(`${answer.statusCode}`);
  }
}

function proxyError(what: string): Error {
  return Object.assign(new Error('The proxy did not let the request through'), { code: `PROXY_${what}` });
}
