/** Starts the embedded billing service: a database, an account in it, and the HTTP application in front. */
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { loadAccount, readAccountFile } from './account-file/load.ts';
import { createApp } from './app.ts';
import { processAllAlerts } from './operations/alerts.ts';
import type { InstantText, Json } from './records/index.ts';
import { StoreUnavailable } from './store/errors.ts';
import { createAccount, type OpenStore, openStore } from './store/open.ts';
import type { AccountStore } from './store/store.ts';

export interface ServiceOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** Loopback by default: the service is for one machine. */
  host?: string;
  /** A random key by default, which stops working when the service is closed. */
  apiKey?: string;
  /** A SQLite file; memory by default. */
  data?: string;
  /** `postgres://…`, instead of SQLite. */
  databaseUrl?: string;
  /**
   * What to load: the demo account, or the path of an account file. An account that is in the database already is not
   * loaded again. Without it, the database's first account is served, or an empty one when there is none.
   */
  account?: 'demo' | (string & {});
  /** Pins the clock. */
  now?: InstantText;
  /** Where people reach the service, for portal links; its own address by default. */
  publicUrl?: string;
  /** Told of errors that are bugs; on stderr by default. */
  onUnexpected?: (error: unknown) => void;
}

export interface Waiting {
  /** Told, each time it tries in vain, what it waits for (`PostgreSQL at 127.0.0.1:5432`) and why. */
  onWait(database: string, reason: string): void;
  /** Ends the waiting: the start then rejects. */
  signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

export interface RunningService {
  /** Ends in `/api/v1`. */
  baseUrl: string;
  apiKey: string;
  port: number;
  /** The account's name. */
  accountName: string;
  /** What it waits for when the database does not answer, e.g. `PostgreSQL at 127.0.0.1:5432`; null with SQLite. */
  database: string | null;
  close(): Promise<void>;
}

/**
 * Starts the service, and tries again for as long as PostgreSQL cannot be reached: it may come up a moment later. What no
 * waiting mends (a wrong password, a database or a driver that does not exist, a bad account file) rejects at once.
 */
export async function startWhenPossible(options: ServiceOptions, waiting: Waiting): Promise<RunningService> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return await startService(options);
    } catch (error) {
      if (!(error instanceof StoreUnavailable && error.passing)) throw error;
      waiting.onWait(databaseName(options.databaseUrl ?? ''), error.message);
    }
    await setTimeout(pause, undefined, { ...(waiting.signal && { signal: waiting.signal }) });
  }
}

/** Host and port, never user or password. */
function databaseName(databaseUrl: string): string {
  // A socket on this machine has an address that is none.
  const { hostname, port } = URL.canParse(databaseUrl) ? new URL(databaseUrl) : { hostname: '', port: '' };
  return hostname === '' ? 'PostgreSQL' : `PostgreSQL at ${hostname}:${port || 5432}`;
}

/** Throws `StoreUnavailable`, `DiskFull`, `AccountFileError`, or the listening socket's error; nothing is left running then. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const pinned = options.now === undefined ? null : Date.parse(options.now);
  if (Number.isNaN(pinned)) throw new RangeError(`"${options.now}" is not an ISO 8601 date-time.`);
  const now = () => (pinned === null ? new Date() : new Date(pinned));
  const host = options.host ?? '127.0.0.1';
  const apiKey = options.apiKey ?? randomBytes(24).toString('base64url');
  const store = await openStore({ data: options.data, databaseUrl: options.databaseUrl });
  try {
    const account = await openAccount(store, options, apiKey, now());
    await processAllAlerts(account, now());
    const app = createApp({
      store,
      now,
      portalSecret: portalSecret(account),
      ...(options.publicUrl === undefined ? {} : { publicUrl: () => options.publicUrl as string }),
      ...(options.onUnexpected === undefined ? {} : { onUnexpected: options.onUnexpected }),
    });
    await app.listen({ host, port: options.port ?? 0 });
    const { port } = app.server.address() as AddressInfo;
    const close = async () => {
      await app.close();
      if (options.apiKey === undefined) await store.removeKey(apiKey).catch(() => {});
      await store.close();
    };
    const name = host.includes(':') ? `[${host}]` : host;
    const baseUrl = `http://${name}:${port}/api/v1`;
    return {
      baseUrl,
      apiKey,
      port,
      accountName: account.organization.name,
      database: options.databaseUrl === undefined ? null : databaseName(options.databaseUrl),
      close: once(close),
    };
  } catch (error) {
    await store.close().catch(() => {});
    throw error;
  }
}

async function openAccount(
  store: OpenStore,
  options: ServiceOptions,
  apiKey: string,
  now: Date,
): Promise<AccountStore> {
  const { account: source } = options;
  if (source !== undefined) return loadAccount(store, await accountFile(source), { apiKey, now });
  const existing = (await store.accountOfKey(apiKey)) ?? (await store.firstAccount());
  if (existing) return createAccount(store, { organization: existing.organization, apiKey });
  return loadAccount(store, emptyAccount, { apiKey, now });
}

async function accountFile(source: string): Promise<Json> {
  if (source !== 'demo') return readAccountFile(source);
  const { demoAccount } = await import('./account-file/demo.ts');
  return demoAccount() as Json;
}

const emptyAccount: Json = {
  organization: { name: 'My account' },
  billing_entities: [{ code: 'default', name: 'My account' }],
};

// The same for every instance on one database, so that a link made by one opens at another.
function portalSecret(account: AccountStore): string {
  return createHash('sha256').update(`customer portal\n${account.organization.hmac_key}`).digest('hex');
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= close();
    return closing;
  };
}
