/** Where requests go: the configured billing account, the embedded service, or not known yet. */

import type { Refused } from '../../../definition/failure.ts';
import { withoutAddress } from '../../../server/settings/data.ts';
import type { Config } from '../../../server/settings/settings.ts';

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
      if (!current)
        console.error(`The embedded billing service is waiting for ${name}. ${withoutAddress(reason, config.data)}`);
      database = name;
      current = { code: 'demo_unavailable', facts: { case: 'waiting', database: name } };
      settled();
    };
    try {
      const service = await startEmbedded(config, { onWait, signal: closing.signal });
      if (current) console.error('The embedded billing service has started.');
      stop = () => service.close();
      ({ database } = service);
      current = { baseUrl: service.baseUrl, apiKey: service.apiKey };
    } catch (error) {
      if (closing.signal.aborted) return;
      const reason = withoutAddress(error instanceof Error ? error.message : String(error), config.data);
      console.error(`The embedded billing service did not start: ${reason}`);
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
      return current ?? didNotStart('it was closed before');
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
