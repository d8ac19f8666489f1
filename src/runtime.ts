/**
 * What lives as long as the process: the configuration, the catalogue as it is offered, the connections to the billing
 * API, and what each caller has read. A transport asks it for servers: stdio for one, HTTP for one a request.
 */
import { randomBytes } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import { createPipeline, type Pipeline } from './call/dispatch.ts';
import { createMemories, type Memory } from './call/memory.ts';
import type { Caller, ConfirmedBy, Scope } from './call/types.ts';
import { type Account, type AccountSource, createAccountSource } from './config/connection.ts';
import type { Config } from './config/settings.ts';
import { createServer } from './protocol/server.ts';
import { createUpstreams, type Upstreams } from './upstream/upstreams.ts';

/** What a tool call came to, for logs and metrics. */
export interface CallRecord {
  tool: string;
  caller: string;
  requestId: string;
  outcome: 'ok' | 'error' | 'asked' | 'refused' | 'declined' | 'dry_run' | 'needs_token';
  /** The error's code; null when there is none. */
  code: string | null;
  durationMs: number;
  attempts: number;
  /** Who agreed to a write that was done; absent for everything else. */
  confirmedBy?: ConfirmedBy;
}

/** One request to the billing API that is about to be sent. */
export interface AttemptStart {
  /** No other attempt of this process has it. */
  id: number;
  tool: string;
  caller: string;
  requestId: string;
  method: string;
  /** Scheme, host and port of the billing API. */
  origin: string;
  /** 1 for the first try. */
  attempt: number;
}

/** One request to the billing API as it was tried, for metrics and traces. */
export interface AttemptRecord extends AttemptStart {
  /** HTTP status; null when none came. */
  status: number | null;
  durationMs: number;
}

/** A tool call that begins, for traces. Request ids may come from clients: only with the caller they tell calls apart. */
export interface CallStart {
  tool: string;
  caller: string;
  requestId: string;
  /** The id of the JSON-RPC request. */
  rpcId: string | number | undefined;
  /** The request's `_meta`. */
  meta: unknown;
}

/** Who watches calls. Every hook is optional, must not throw, and never sees a key. */
export interface Observer {
  callEnded?(record: CallRecord): void;
  attemptEnded?(record: AttemptRecord): void;
  waiting?(reason: 'rate_limit' | 'retry' | 'queue'): void;
  breakerChanged?(state: 'open' | 'half_open' | 'closed'): void;
  /** Wraps one whole call so that a span can be active around it. */
  around?<T>(call: CallStart, run: () => Promise<T>): Promise<T>;
  /** Headers to add to an upstream request, asked for before each attempt (`traceparent`). */
  upstreamHeaders?(attempt: AttemptStart): Record<string, string> | undefined;
}

/** How one connection (stdio) or one request (HTTP) reaches the runtime. */
export interface Connection {
  caller: Caller;
  /** False where the transport cannot carry a question although the client could answer it (stateless legacy HTTP). */
  canBeAsked?: boolean;
  /** The request id to use upstream and in logs; made up a call when absent. */
  requestId?: string;
}

export interface RuntimeOptions {
  config: Config;
  observer?: Observer;
  /** Adds resources, prompts and completion to each server before it is connected. */
  extensions?: (server: Server, runtime: Runtime, connection: Connection) => void;
}

export interface Runtime {
  readonly config: Config;
  readonly observer: Observer;
  readonly account: AccountSource;
  readonly upstreams: Upstreams;
  readonly pipeline: Pipeline;
  /** An MCP server for one connection or one request, for both protocol eras. */
  createMcpServer(connection: Connection): Server;
  /** The caller that uses the server's own key (`BILLING_API_KEY`, or the embedded service's). */
  ownCaller(id?: string, scopes?: ReadonlySet<Scope> | null): Caller;
  /** A caller that brought its own billing key. `id` must be a label that is safe in logs. */
  callerWithKey(id: string, apiKey: string, scopes?: ReadonlySet<Scope> | null): Caller;
  /** What this caller has read and written here: bounded, never shared between callers. */
  memoryOf(caller: Caller): Memory;
  /** Signs questions and confirmation tokens: `BILLING_STATE_KEY`, else random for this process. */
  readonly stateKey: Uint8Array;
  /** Loads what a first call needs, and starts the embedded service. Never rejects. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** Throws ConfigError when a setting names a tool or a resource that does not exist. */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { config, observer = {}, extensions } = options;
  const account = createAccountSource(config);
  const upstreams = createUpstreams(config, observer);
  const stateKey = config.stateKey ? new TextEncoder().encode(config.stateKey) : randomBytes(32);
  const pipeline = createPipeline({ config, account, upstreams, observer, stateKey, memoryOf: createMemories() });
  const runtime: Runtime = {
    config,
    observer,
    account,
    upstreams,
    pipeline,
    stateKey,
    memoryOf: pipeline.memoryOf,
    createMcpServer: connection =>
      createServer({
        pipeline,
        connection,
        demo: config.demo,
        demoIds: config.demo && config.account === undefined,
        ...(extensions && { extensions: server => extensions(server, runtime, connection) }),
      }),
    ownCaller: (id = 'local', scopes = null) => ({ id, apiKey: '', scopes }),
    callerWithKey: (id, apiKey, scopes = null) => ({ id, apiKey, scopes }),
    warmUp: async () => {
      await Promise.all([upstreams.load(), pipeline.load(), account.ready()]).catch(() => {});
    },
    close: async () => {
      await pipeline.close();
      await upstreams.close();
      await account.close();
    },
  };
  return runtime;
}

export type { Account, AccountSource, Memory };
