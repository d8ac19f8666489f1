/** The connections to the billing API: a pool for each caller and address, with limits shared where needed. */

import type { MaskedField } from '../../../contract/masked-fields.ts';
import type { Viewer } from '../../../definition/access.ts';
import { Recent } from '../../../lib/recent-cache.ts';
import type { Observer } from '../../../server/logs/types.ts';
import type { Limits } from '../../../server/settings/limits.ts';
import { proxiesOf } from '../../../server/settings/proxies.ts';
import type { Config } from '../../../server/settings/settings.ts';
import type { ClientParts, Upstream } from '../http/client.ts';
import { Breaker, Gate, RateLimiter } from '../http/limits.ts';
import { splitBaseUrl } from '../http/path.ts';
import { createRenaming, type Renaming } from '../http/prefix.ts';
import { type Connections, loadConnections, openConnections } from '../http/wire/connections.ts';
import { Deadlines } from '../http/wire/deadlines.ts';

const maxClients = 1000;

export interface Upstreams {
  /**
   * The client of one caller, by its id, with one key at one address, with its own connections and its own share of the requests at
   * a time. Callers with the same key share only what is known of that key's rate limit. A viewer with customers sees
   * their records alone (`bounds/`).
   */
  of(baseUrl: string, apiKey: string, caller: string, viewer: Viewer): Upstream;
  /** The prefix of record IDs, which all answers show alike. */
  readonly renaming: Renaming;
  /** Loads the HTTP client, so that the first call does not wait for it. */
  load(): Promise<void>;
  close(): Promise<void>;
}

type Settings = Pick<Config, 'timeoutMs' | 'idPrefix'> &
  Pick<Limits, 'maxRetries' | 'maxConcurrency'> &
  Partial<Pick<Config, 'http' | 'httpAuth' | 'httpsProxy' | 'httpProxy' | 'noProxy'>>;

interface Client {
  upstream: Upstream;
  close(): Promise<void>;
}

export function createUpstreams(config: Settings, observer: Observer = {}): Upstreams {
  // A dropped client closes its idle sockets late enough for its requests to end.
  const clients = new Recent<Client>(maxClients, dropped => {
    setTimeout(() => void dropped.close(), 2 * config.timeoutMs).unref();
  });
  const breakers = new Map<string, Breaker>();
  const limiters = new Recent<RateLimiter>(maxClients);
  const severalCallers = config.http === true && (config.httpAuth ?? 'none') !== 'none';
  const gate = new Gate(config.maxConcurrency, { fair: severalCallers });
  const renaming = createRenaming(config.idPrefix);
  const { timeoutMs, maxRetries, maxConcurrency } = config;
  const proxies = proxiesOf(config);

  const deadlines = new Deadlines();

  const openClient = (baseUrl: string, apiKey: string, caller: string): Client => {
    const { origin, prefix } = splitBaseUrl(baseUrl);
    let connections: Connections | Promise<Connections> | undefined;
    const breaker = breakers.get(origin) ?? new Breaker(state => observer.breakerChanged?.(state));
    breakers.set(origin, breaker);
    const connect = (): Connections | Promise<Connections> => {
      connections ??= openConnections(origin, { timeoutMs, maxConcurrency, proxies }).then(opened => {
        connections = opened;
        return opened;
      });
      return connections;
    };
    const upstream = sendingClient({
      connect,
      origin,
      caller,
      prefix,
      apiKey,
      timeoutMs,
      maxRetries,
      renaming,
      observer,
      limiter: limiters.of(`${baseUrl}\0${apiKey}`, () => new RateLimiter()),
      breaker,
      gate: gate.lane(),
      deadlines,
    });
    return { upstream, close: async () => (await connections)?.close() };
  };

  return {
    of(baseUrl, apiKey, caller, { customers, hidden, view }) {
      return clients.of(`${baseUrl}\0${apiKey}\0${caller}\0${view}`, () => {
        const client = openClient(baseUrl, apiKey, caller);
        const bounded = customers === undefined ? client.upstream : bindingClient(client.upstream, customers);
        return { ...client, upstream: hidden === undefined ? bounded : maskingClient(bounded, hidden) };
      }).upstream;
    },
    renaming,
    load: async () => {
      await Promise.all([import('../http/client.ts'), loadConnections()]);
    },
    close: async () => {
      await Promise.all(clients.clear().map(client => client.close()));
    },
  };
}

/** The client that sends. Its module, with the words of what can fail, is loaded by the first request. */
function sendingClient(parts: ClientParts): Upstream {
  return lazyClient(async () => (await import('../http/client.ts')).createClient(parts));
}

/** The client of a caller who is bound to customers. The module that judges requests is loaded by the first one. */
function bindingClient(upstream: Upstream, customers: readonly string[]): Upstream {
  return lazyClient(async () => (await import('../../access/bounds/client.ts')).bindUpstream(upstream, customers));
}

/** The client that hides these fields. The module that hides them is loaded by the first request. */
function maskingClient(upstream: Upstream, hidden: ReadonlySet<MaskedField>): Upstream {
  return lazyClient(async () => (await import('../../access/mask/mask.ts')).withMask(upstream, hidden));
}

function lazyClient(load: () => Promise<Upstream>): Upstream {
  let loading: Promise<Upstream> | undefined;
  let loaded: Upstream | undefined;
  const first: Upstream['send'] = async (call, options) => {
    loading ??= load();
    loaded = await loading;
    return loaded.send(call, options);
  };
  return { send: (call, options) => (loaded ? loaded.send(call, options) : first(call, options)) };
}
