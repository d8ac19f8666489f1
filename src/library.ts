/**
 * For programs that embed the server: makes MCP servers from options instead of environment variables. The SDK is not
 * in this entry's bundle, so that its classes exist only once.
 */
import type { Server } from '@modelcontextprotocol/server';
import { addExtensions } from './server/protocol/extensions.ts';
import { createRuntime } from './server/runtime.ts';
import { loadConfig } from './server/settings/load.ts';
import { removedSetting } from './server/settings/removed.ts';
import { type SettingKey, settings } from './server/settings/settings.ts';

/** Settings of docs/configuration.md, under these names. `npm run docs` writes them from the table of settings. */
export interface BillingServerOptions {
  /** Address of the billing API, with or without /api/v1, e.g. https://billing.example.com */
  baseUrl?: string;
  /** API key of the billing account. Never a flag, so that it does not show in process lists. */
  apiKey?: string;
  /** Prefix of record-ID fields on this installation of the API, e.g. acme_. By default, the first answer that shows one decides */
  idPrefix?: string;
  /** Longest time one call may take, looks, retries and waiting included, in milliseconds; begins anew when a person has answered; the look after a lost answer has 3 s of its own */
  timeoutMs?: number;
  /** Proxy for requests to https:// addresses, e.g. http://proxy.example.com:3128; loopback addresses never go through one */
  httpsProxy?: string;
  /** Proxy for requests to http:// addresses, and to https:// ones where HTTPS_PROXY is not set */
  httpProxy?: string;
  /** Hosts that are reached without the proxy, with their subdomains, e.g. internal.example.com,10.0.0.7:8080; * for all */
  noProxy?: string;
  /** Offer no tool that changes anything */
  readOnly?: boolean;
  /** Offer only these tools, and those of these resources, e.g. get_customer,invoices */
  tools?: string[];
  /** Offer every tool but these */
  excludeTools?: string[];
  /** Offer the tools that find and list records; false leaves the nineteen operations and compare_plans */
  lookups?: boolean;
  /** External ids of the only customers that may be seen and changed, e.g. acme,globex; or required: every request must prove its customers */
  customer?: string[];
  /** Key of the customer tokens (JWT, HS256) that every request must then carry: its customers are in the claim billing_customer */
  customerTokenKey?: string;
  /** Ask the person before a write: always; where this server can ask, else the host does (auto, for hosts that ask for every write themselves); never (for agents without people) */
  confirm?: 'auto' | 'always' | 'never';
  /** Ways of asking, in their order: a page of this server, a form of the chat host, buttons in the chat, a token for the assistant. Each question takes the first that the client offers */
  ask?: ('url' | 'form' | 'buttons' | 'token')[];
  /** File that every attempted write is recorded in (JSON Lines), or stderr */
  auditLog?: string;
  /** Key of the seals of audit lines (HMAC): audit --verify then sees lines that were made without it */
  auditKey?: string;
  /** Most writes a minute; more are refused before anything is sent */
  maxWritesPerMinute?: number;
  /** Largest amount a write may name, per currency in major units, e.g. USD:1000,EUR:1000: money, prices of charges, credits at their rate. Other currencies and what cannot be judged are refused; quantities, percentages and alert thresholds spend nothing and are not judged */
  maxAmount?: string;
  /** Most that all writes of a caller may name in a day (UTC), per currency as above, e.g. USD:5000,EUR:4000; counted in Redis, else from the file of BILLING_AUDIT_LOG, else in the one HTTP process */
  maxAmountPerDay?: string;
  /** Size above which a list in an answer is shortened, in estimated tokens */
  maxResultTokens?: number;
  /** Personal data of customers that is hidden, and not searched */
  mask?: ('email' | 'phone' | 'address' | 'tax_id')[];
  /** Folder that gets a file for each call with format: csv, over stdio only; its files stay until somebody removes them */
  exportDir?: string;
  /** Language and formats of the pages in the chat where the host names none, e.g. de or en-GB: labels in English, German or French, amounts and dates in any */
  locale?: string;
  /** Talk to an embedded billing service with invented customers; no account needed */
  demo?: boolean;
  /** Where the embedded service keeps everything: a SQLite file, or a PostgreSQL database, postgres://user:password@host/database (default: in memory) */
  data?: string;
  /** Account file that the embedded service loads instead of the demo account */
  account?: string;
  /** Pins the clock of the embedded service to an instant */
  now?: string;
  /** Key that signs questions and confirmation tokens; the same on every machine. Over HTTP it needs BILLING_REDIS_URL */
  stateKey?: string;
  /** Redis shared by several machines: rate limits, write budgets, spent confirmation tokens */
  redisUrl?: string;
}

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
  const runtime = createRuntime({ config, extensions: addExtensions });
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
