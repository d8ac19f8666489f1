/** Starts the embedded billing service: opens the database, loads an account, and starts the HTTP application. */

import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { InstantText, Json } from '../engine/records/index.ts';
import { type LoadOptions, loadAccount, readAccountFile } from './account-file/load.ts';
import type { AccountContent } from './account-file/read-entries.ts';
import { createApp } from './app.ts';
import { processAllAlerts } from './operations/alerts.ts';
import { StoreUnavailable } from './store/errors.ts';
import { type OpenStore, openStore } from './store/open.ts';
import { type Snapshot, snapshotOf } from './store/snapshot.ts';
import type { AccountStore } from './store/store.ts';

export interface ServiceOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** Loopback by default: the service is for one machine. */
  host?: string;
  /** By default a random key, which becomes invalid when the service is closed. */
  apiKey?: string;
  /** A SQLite file; by default a database in memory. */
  data?: string;
  /** `postgres://…`, instead of SQLite. */
  databaseUrl?: string;
  /**
   * What to load: the demo account, the path of an account file, or the content of one. An account that is already in the
   * database is not loaded again. By default the service uses the database's first account, or creates an empty one.
   */
  account?: 'demo' | (string & {}) | AccountContent;
  /** Deletes everything that the database holds before the account is loaded. */
  reset?: boolean;
  /** Pins the clock. */
  now?: InstantText;
  /** The service's address for people, used in portal links; by default the address that it listens on. */
  publicUrl?: string;
  /** Called with what the account file says but probably does not mean. Default: write to stderr. */
  onWarning?: (warning: string) => void;
  /** Called with errors that are bugs. Default: write to stderr. */
  onUnexpected?: (error: unknown) => void;
}

export interface Waiting {
  /** Called after each failed attempt with the database (`PostgreSQL at 127.0.0.1:5432`) and the reason. */
  onWait(database: string, reason: string): void;
  /** Stops the waiting; the start then rejects. */
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
  /** True when an account was given and the database had it already, so that it was not loaded. */
  kept: boolean;
  /** True when the account has neither customers nor plans. */
  empty: boolean;
  /** The database server, e.g. `PostgreSQL at 127.0.0.1:5432`; null with SQLite. */
  database: string | null;
  /** All records as they are now, for comparing; without secrets. */
  snapshot(): Promise<Snapshot>;
  close(): Promise<void>;
}

/**
 * Starts the service, and retries while PostgreSQL cannot be reached. Errors that waiting cannot solve (a wrong password,
 * a missing database or driver, a bad account file) reject at once.
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
  // The address of a local socket may not be a valid URL, or may have no host.
  const { hostname, port } = URL.canParse(databaseUrl) ? new URL(databaseUrl) : { hostname: '', port: '' };
  return hostname === '' ? 'PostgreSQL' : `PostgreSQL at ${hostname}:${port || 5432}`;
}

/** Throws `StoreUnavailable`, `DiskFull`, `AccountFileError`, or the listening socket's error; nothing then stays open. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const pinned = options.now === undefined ? null : Date.parse(options.now);
  if (Number.isNaN(pinned)) throw new RangeError(`"${options.now}" is not an ISO 8601 date-time.`);
  const now = () => (pinned === null ? new Date() : new Date(pinned));
  const host = options.host ?? '127.0.0.1';
  const apiKey = options.apiKey ?? randomBytes(24).toString('base64url');
  const store = await openStore({ data: options.data, databaseUrl: options.databaseUrl });
  try {
    const { account, kept, empty } = await openAccount(store, options, apiKey, now());
    await processAllAlerts(account, now());
    const app = createApp({
      store,
      now,
      portalSecret: portalSecret(account),
      publicUrl: options.publicUrl,
      onUnexpected: options.onUnexpected,
    });
    await app.listen({ host, port: options.port ?? 0 });
    const { port } = app.server.address() as AddressInfo;
    const close = async () => {
      await app.close();
      if (options.apiKey === undefined) await store.removeKey(apiKey).catch(() => {});
      await store.close();
    };
    let closing: Promise<void> | undefined;
    const name = host.includes(':') ? `[${host}]` : host;
    const baseUrl = `http://${name}:${port}/api/v1`;
    return {
      baseUrl,
      apiKey,
      port,
      accountName: account.organization.name,
      kept,
      empty,
      database: options.databaseUrl === undefined ? null : databaseName(options.databaseUrl),
      snapshot: () => snapshotOf(account),
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await store.close().catch(() => {});
    throw error;
  }
}

/** Finds or loads the account. `kept` and `empty`: see `RunningService`. */
async function openAccount(store: OpenStore, options: ServiceOptions, apiKey: string, now: Date) {
  const toStderr = (warning: string) => {
    process.stderr.write(`The account file: ${warning}\n`);
  };
  const { onWarning = toStderr, reset = false } = options;
  let kept = false;
  const onExisting = () => {
    kept = options.account !== undefined;
  };
  const account = await findOrLoadAccount(store, options.account, { apiKey, now, reset, onWarning, onExisting });
  const empty = (await account.count('customers')) + (await account.count('plans')) === 0;
  return { account, kept, empty };
}

async function findOrLoadAccount(store: OpenStore, source: ServiceOptions['account'], loading: LoadOptions) {
  const { apiKey, reset } = loading;
  if (source !== undefined) return loadAccount(store, await readAccountSource(source), loading);
  if (reset) return loadAccount(store, emptyAccount, loading);
  const existing = (await store.accountOfKey(apiKey)) ?? (await store.firstAccount());
  if (existing) return store.addAccount(existing.organization, apiKey);
  return loadAccount(store, emptyAccount, loading);
}

/** Reads an account file. Throws `AccountFileError` when it cannot be read. */
export async function readAccountSource(source: string | AccountContent): Promise<Json> {
  if (typeof source !== 'string') return source;
  if (source !== 'demo') return readAccountFile(source);
  const { demoAccount } = await import('./account-file/demo.ts');
  return (await demoAccount()) as Json;
}

const emptyAccount: Json = {
  organization: { name: 'My account' },
  billing_entities: [{ code: 'default', name: 'My account' }],
};

// All instances on one database have the same secret, so that a link of one instance works on the others.
function portalSecret(account: AccountStore): string {
  return createHash('sha256').update(`customer portal\n${account.organization.hmac_key}`).digest('hex');
}
