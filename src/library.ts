/**
 * For programs that embed the server: makes MCP servers from options instead of environment variables. The SDK is not
 * in this entry's bundle, so that its classes exist only once.
 */
import type { Server } from '@modelcontextprotocol/server';
import { createRuntime } from './server/runtime.ts';
import { loadConfig } from './server/settings/load.ts';
import { removedSetting } from './server/settings/names.ts';
import { type LibraryOptions, type SettingKey, settings } from './server/settings/settings.ts';

/** Settings of docs/configuration.md, under these names. The published types list them with their descriptions. */
export type BillingServerOptions = LibraryOptions;

/** One billing account, with MCP servers for any number of connections. */
export interface BillingServer {
  /** A server for one connection or, statelessly, for one request; connect it to a transport of the SDK. */
  createMcpServer(caller?: BillingCaller): Server;
  /** Finishes running calls, then closes connections and the embedded service. */
  close(): Promise<void>;
}

/** The user of a connection. Everything remembered or counted is kept separately for each caller. */
export interface BillingCaller {
  /** A label that is safe in logs: never a key. */
  id: string;
  /** The caller's own billing key; without it, the server's is used. */
  apiKey?: string;
  /** Restricts the tools; without it, nothing is restricted. */
  scopes?: ('billing:read' | 'billing:write' | 'billing:delete')[];
  /** External ids of the only customers that this caller may see and change; an empty list means nobody. */
  customers?: string[];
}

/** Throws an error that names every wrong option and the fix. Reads nothing from the process's environment. */
export function createBillingServer(options: BillingServerOptions = {}): BillingServer {
  const { argv, environment } = asCommandLine(options);
  const { config } = loadConfig(argv, environment, { embedded: true });
  const runtime = createRuntime({ config });
  return {
    createMcpServer(caller = { id: 'local' }) {
      if (caller.customers !== undefined && !Array.isArray(caller.customers)) {
        throw new TypeError('createMcpServer: customers is a list of external ids');
      }
      const scopes = caller.scopes ? new Set(caller.scopes) : null;
      const known = caller.apiKey
        ? runtime.callerWithKey(caller.id, caller.apiKey, scopes)
        : runtime.ownCaller(caller.id, scopes);
      return runtime.createMcpServer({ caller: runtime.bindings.claimed(known, caller.customers) });
    },
    close: () => runtime.close(),
  };
}

/** Options are converted to flags and variables, so that the same rules check them. */
function asCommandLine(options: BillingServerOptions): { argv: string[]; environment: NodeJS.ProcessEnv } {
  const argv: string[] = [];
  const environment: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(settings, key)) throw new TypeError(`createBillingServer: ${unknownOption(key)}`);
    const { name, flag } = settings[key as SettingKey];
    if (name) environment[name] = String(value);
    else argv.push(`--${flag}=${String(value)}`);
  }
  return { argv, environment };
}

function unknownOption(key: string): string {
  const removed = removedSetting(`BILLING_${key.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`);
  return removed === undefined ? `there is no option "${key}"` : `${key}: ${removed}`;
}
