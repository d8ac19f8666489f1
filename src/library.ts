/**
 * For programs that embed the server: MCP servers made from options instead of environment variables.
 * The SDK stays outside this entry's bundle, so that there is one copy of its classes.
 */
import type { Server } from '@modelcontextprotocol/server';
import { loadConfig } from './config/load.ts';
import { type SettingKey, settings } from './config/settings.ts';
import { addExtensions } from './protocol/extensions.ts';
import { createRuntime } from './runtime.ts';

/** The settings of the README's configuration table, under these names. */
export interface BillingServerOptions {
  /** Address of the billing API, with or without `/api/v1`. */
  baseUrl?: string;
  apiKey?: string;
  /** Prefix of record-id fields on this installation, e.g. `acme_`. */
  idPrefix?: string;
  /** Longest time one call may take, retries and waiting included. */
  timeoutMs?: number;
  maxRetries?: number;
  maxConcurrency?: number;
  /** Proxies for requests to the billing API; the environment's are not read. */
  httpsProxy?: string;
  httpProxy?: string;
  noProxy?: string;
  readOnly?: boolean;
  toolsets?: string[];
  tools?: string[];
  excludeTools?: string[];
  confirm?: 'auto' | 'always' | 'never';
  /** A file, or `stderr`. */
  auditLog?: string;
  maxWritesPerMinute?: number;
  /** Major units per currency, e.g. `USD:1000,EUR:1000`; what cannot be judged is refused. */
  maxAmount?: string;
  maxResultTokens?: number;
  /** Talk to the embedded billing service; with `data`, `databaseUrl`, `account` and `now` as on the command line. */
  demo?: boolean;
  data?: string;
  databaseUrl?: string;
  account?: string;
  now?: string;
  /**
   * Signs questions and confirmation tokens; 32 characters or more, the same in every process. Of use with `redisUrl` only:
   * without it a process refuses what another one asked, because it cannot know whether that has been used.
   */
  stateKey?: string;
  redisUrl?: string;
}

/** One billing account, and MCP servers for any number of connections to it. */
export interface BillingServer {
  /** A server for one connection or, statelessly, for one request; connect it to a transport of the SDK. */
  createMcpServer(caller?: BillingCaller): Server;
  /** Finishes what is running, then closes connections and the embedded service. */
  close(): Promise<void>;
}

/** Who uses a connection. Everything that is remembered or counted is kept apart by caller. */
export interface BillingCaller {
  /** A label that is safe in logs: never a key. */
  id: string;
  /** The caller's own billing key; left out, the server's is used. */
  apiKey?: string;
  /** Narrows the tools; left out, nothing is narrowed. */
  scopes?: ('billing:read' | 'billing:write' | 'billing:delete')[];
}

/** Throws an error that names every wrong option and the fix. Nothing of the process's environment is read. */
export function createBillingServer(options: BillingServerOptions = {}): BillingServer {
  const { argv, environment } = asCommandLine(options);
  const { config } = loadConfig(argv, environment);
  const runtime = createRuntime({ config, extensions: addExtensions });
  return {
    createMcpServer(caller = { id: 'local' }) {
      const scopes = caller.scopes ? new Set(caller.scopes) : null;
      return runtime.createMcpServer({
        caller: caller.apiKey
          ? runtime.callerWithKey(caller.id, caller.apiKey, scopes)
          : runtime.ownCaller(caller.id, scopes),
      });
    },
    close: () => runtime.close(),
  };
}

/** Options go the way of the command line, so that they are judged by the same rules. */
function asCommandLine(options: BillingServerOptions): { argv: string[]; environment: NodeJS.ProcessEnv } {
  const argv: string[] = [];
  const environment: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(settings, key)) throw new TypeError(`createBillingServer: there is no option "${key}"`);
    const { name, flag } = settings[key as SettingKey];
    if (name) environment[name] = String(value);
    else argv.push(`--${flag}=${String(value)}`);
  }
  return { argv, environment };
}
