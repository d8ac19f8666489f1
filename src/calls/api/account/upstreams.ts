/**
 * Where requests go: the configured billing account, the embedded service, or not known yet. And the connections there: a pool
 * for each caller and address, with limits shared where needed.
 */

import type { Viewer } from '../../../definition/caller.ts';
import type { Refused } from '../../../definition/failure.ts';
import { Recent } from '../../../lib/collections.ts';
import type { Observer } from '../../../server/logs/types.ts';
import { proxiesOf } from '../../../server/settings/proxies.ts';
import { type Config, withoutAddress } from '../../../server/settings/settings.ts';
import type { Limits } from '../../../server/settings/usual.ts';
import type { Upstream } from '../http/client.ts';
import { Breaker, Gate, RateLimiter } from '../http/limits.ts';
import type { IdPrefix } from '../http/read-answer.ts';
import { splitBaseUrl } from '../http/request.ts';
import { type Connections, loadConnections, openConnections } from '../http/wire/connections.ts';

const maxClients = 1000;

export interface Upstreams {
  /**
   * The client of one caller, by its id, with one key at one address, with its own connections and its own share of the requests at
   * a time. Callers with the same key share only what is known of that key's rate limit. A viewer with customers sees
   * their records alone (`bounds/`).
   */
  of(baseUrl: string, apiKey: string, caller: string, viewer: Viewer): Upstream;
  /** The prefix of record IDs, which all answers show alike. */
  readonly idPrefix: Readonly<IdPrefix>;
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
  const idPrefix: IdPrefix = { configured: config.idPrefix, shown: config.idPrefix, problem: null };
  const { timeoutMs, maxRetries, maxConcurrency } = config;
  const proxies = proxiesOf(config);

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
    const parts = {
      connect,
      origin,
      caller,
      prefix,
      apiKey,
      timeoutMs,
      maxRetries,
      idPrefix,
      observer,
      limiter: limiters.of(`${baseUrl}\0${apiKey}`, () => new RateLimiter()),
      breaker,
      gate: gate.lane(),
    };
    const upstream = lazyClient(async () => (await import('../http/client.ts')).createClient(parts));
    return { upstream, close: async () => (await connections)?.close() };
  };

  return {
    of(baseUrl, apiKey, caller, { customers, hidden, view }) {
      return clients.of(`${baseUrl}\0${apiKey}\0${caller}\0${view}`, () => {
        const client = openClient(baseUrl, apiKey, caller);
        const { upstream } = client;
        const bounds = async () => import('../../access/bounds/client.ts');
        const bound = customers && lazyClient(async () => (await bounds()).bindUpstream(upstream, customers));
        const visible = bound ?? upstream;
        const mask = async () => import('../../access/mask/mask.ts');
        const masked = hidden && lazyClient(async () => (await mask()).withMask(visible, hidden));
        return { ...client, upstream: masked ?? visible };
      }).upstream;
    },
    idPrefix,
    load: async () => {
      await Promise.all([import('../http/client.ts'), loadConnections()]);
    },
    close: async () => {
      await Promise.all(clients.clear().map(client => client.close()));
    },
  };
}

/** A client whose module is loaded by the first request. */
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

export interface Account {
  baseUrl: string;
  /** The server's own key; not used for callers who bring their own. */
  apiKey: string;
}

/** Where requests go; for the embedded service it is known only once that has started. */
export interface AccountSource {
  readonly demo: boolean;
  /**
   * Returns at once; undefined while the embedded service is starting. While it waits for its database, or when it
   * could not start, this is the error that every call answers.
   */
  current(): Account | Refused | undefined;
  /** Starts the embedded service if needed, once, and resolves to the first value of `current`. Never rejects. */
  ready(): Promise<Account | Refused>;
  /** The embedded service's database for people (`PostgreSQL at 127.0.0.1:5432`); null without a database server. */
  database(): string | null;
  close(): Promise<void>;
}

/** The running embedded service. */
interface EmbeddedService extends Account {
  database: string | null;
  close(): Promise<void>;
}

/**
 * Starts the embedded service as soon as its database can be reached; `onWait` gets what it waits for and why. Rejects
 * when waiting cannot help, and when `signal` is aborted.
 */
export type StartEmbedded = (
  config: Config,
  waiting: { onWait: (database: string, reason: string) => void; signal: AbortSignal },
) => Promise<EmbeddedService>;

export function createAccountSource(config: Config, startEmbedded: StartEmbedded): AccountSource {
  if (config.demo) return embedded(config, startEmbedded);
  const account: Account | Refused = config.baseUrl
    ? { baseUrl: config.baseUrl, apiKey: config.apiKey ?? '' }
    : notConfigured;
  return {
    demo: false,
    current: () => account,
    ready: async () => account,
    database: () => null,
    close: async () => {},
  };
}

const notConfigured: Refused = { code: 'not_configured', facts: {} };

function embedded(config: Config, startEmbedded: StartEmbedded): AccountSource {
  let current: Account | Refused | undefined;
  let database: string | null = null;
  let stop: () => Promise<void> = async () => {};
  let starting: Promise<void> | undefined;
  let first: Promise<void> | undefined;
  const closing = new AbortController();
  const start = async (settled: () => void) => {
    const onWait = (name: string, reason: string) => {
      if (!current) console.error(`The sandbox is waiting for ${name}. ${withoutAddress(reason, config.data)}`);
      database = name;
      current = { code: 'demo_unavailable', facts: { case: 'waiting', database: name } };
      settled();
    };
    try {
      const service = await startEmbedded(config, { onWait, signal: closing.signal });
      if (current) console.error('The sandbox has started.');
      stop = () => service.close();
      ({ database } = service);
      current = { baseUrl: service.baseUrl, apiKey: service.apiKey };
    } catch (error) {
      if (closing.signal.aborted) return;
      const reason = withoutAddress(error instanceof Error ? error.message : String(error), config.data);
      console.error(`The sandbox did not start: ${reason}`);
      database = null;
      current = didNotStart(reason);
    }
  };
  const begin = () =>
    new Promise<void>(settled => {
      starting = start(settled).finally(settled);
    });
  return {
    demo: true,
    current: () => current,
    ready: async () => {
      first ??= begin();
      await first;
      return current ?? didNotStart('it was closed first');
    },
    database: () => database,
    close: async () => {
      closing.abort();
      await starting;
      await stop();
    },
  };
}

function didNotStart(reason: string): Refused {
  return { code: 'demo_unavailable', facts: { case: 'failed', reason } };
}
