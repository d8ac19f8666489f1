/** Connections through a proxy, with undici's own agent. Loaded only where a proxy is set. */
import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import DispatcherBase from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import type { Proxies } from '../../../../server/settings/proxies.ts';
import { Pool } from './pool.ts';
import type { DispatcherOptions, RequestDispatcher } from './request-dispatcher.ts';

// undici's agent calls this method on its proxy pool. undici's index adds it, but the rest of the index is not needed.
DispatcherBase.prototype.connect ??= connect;

/** Requests to `origin` through the proxy for its scheme and host, as a tunnel: the proxy cannot read them. */
export function proxied(origin: string, proxies: Proxies, options: DispatcherOptions): RequestDispatcher {
  const { timeout } = options.connect;
  const agent = new EnvHttpProxyAgent({
    ...options,
    // Empty strings too: the agent looks up missing ones in the environment itself.
    httpProxy: proxies.http,
    httpsProxy: proxies.https,
    noProxy: proxies.no,
    proxyTls: { timeout },
    requestTls: { timeout },
    clientFactory: (address, poolOptions) => new ProxyPool(address, { ...poolOptions, headersTimeout: timeout }),
  });
  return {
    dispatch: (request, handler) => agent.dispatch({ ...request, origin }, handler),
    destroy: () => agent.destroy(),
  } as RequestDispatcher;
}

/** The connections to a proxy. Failures of the proxy get codes of their own, apart from those of the API behind it. */
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
  return Object.assign(new Error('The proxy refused the request'), { code: `PROXY_${what}` });
}
