/**
 * What lives as long as the process: the configuration, the offered tools, the connections to the billing API, and the
 * records that each caller has read. The SDK is not needed for any of it: `runtime.ts` adds the MCP servers.
 */
import { randomBytes } from 'node:crypto';
import { createBindings } from '../calls/access/customer-bindings.ts';
import type { Roles } from '../calls/access/roles/role.ts';
import { createAccountSource, createUpstreams, type StartEmbedded } from '../calls/api/account/upstreams.ts';
import { createPipeline, type Pipeline } from '../calls/dispatch.ts';
import type { Caller, Scope } from '../definition/caller.ts';
import type { Observer } from './logs/types.ts';
import { type Config, ConfigError, storageOf } from './settings/settings.ts';
import { type Durations, type Limits, usualDurations, usualLimits } from './settings/usual.ts';

export interface CoreOptions {
  config: Config;
  observer?: Observer;
  /** Those of `BILLING_ROLES`, read. */
  roles?: Roles | undefined;
  /** Instead of the usual ones. */
  durations?: Partial<Durations>;
  limits?: Partial<Limits>;
  /** Puts something around the calls of all servers of this runtime: a rehearsal records them there. */
  wrap?: (pipeline: Pipeline) => Pipeline;
}

export type Core = Readonly<ReturnType<typeof createCore>>;

/** Throws ConfigError when a setting names a tool or a resource that does not exist. */
export function createCore({ config, observer = {}, roles, wrap = pipeline => pipeline, ...options }: CoreOptions) {
  if (config.roles !== undefined && roles === undefined)
    throw new ConfigError([
      'BILLING_ROLES is only for HTTP. Add --http or remove it. Over stdio, the server settings decide what is allowed.',
    ]);
  const account = createAccountSource(config, startForCalls);
  const durations = { ...usualDurations, ...options.durations };
  const limits = { ...usualLimits, ...options.limits };
  const upstreams = createUpstreams({ ...config, ...limits }, observer);
  /** Signs questions and confirmation tokens: `BILLING_STATE_KEY`, else random for this process. */
  const stateKey: Uint8Array = config.stateKey ? new TextEncoder().encode(config.stateKey) : randomBytes(32);
  const bindings = createBindings(config);
  const pipeline = wrap(createPipeline({ config, durations, account, upstreams, observer, stateKey, roles }));
  return {
    config,
    durations,
    limits,
    observer,
    account,
    upstreams,
    pipeline,
    stateKey,
    /** Who is bound to which customers. The two callers below are as the configuration binds them. */
    bindings,
    /** The caller that uses the server's own key (`BILLING_API_KEY`, or the embedded service's). */
    ownCaller: (id = 'local', scopes: ReadonlySet<Scope> | null = null): Caller =>
      bindings.configured({ id, apiKey: '', scopes }),
    /** A caller with its own billing key. `id` must be a label that is safe in logs. */
    callerWithKey: (id: string, apiKey: string, scopes: ReadonlySet<Scope> | null = null): Caller =>
      bindings.configured({ id, apiKey, scopes }),
    /** Loads what the first call needs, and starts the embedded service. Never rejects. */
    warmUp: async () => {
      await Promise.all([upstreams.load(), pipeline.load(), account.ready()]).catch(() => {});
    },
    close: async () => {
      await pipeline.close();
      await upstreams.close();
      await account.close();
    },
  };
}

/** Prints all problems of an account file: the error that calls answer has room for the first one. */
const startForCalls: StartEmbedded = async (config, waiting) => {
  try {
    return await startEmbedded(config, waiting);
  } catch (error) {
    const { problems = [] } = error as { problems?: readonly string[] };
    if (problems.length > 1) for (const problem of problems) console.error(`The account file: ${problem}`);
    throw error;
  }
};

/** The only place where the server calls into the embedded service, to start it; afterwards they use HTTP. */
export const startEmbedded: StartEmbedded = async (config, waiting) => {
  const { startWhenPossible } = await import('../service/start.ts');
  const { data, account = 'demo', now } = config;
  const options = { port: 0, account, ...storageOf(data), ...(now !== undefined && { now }) };
  return startWhenPossible(options, waiting);
};
