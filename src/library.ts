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
  /** API key of the billing account. It has no flag, because flags are visible in process lists. */
  apiKey?: string;
  /** Name of the account, e.g. Acme live. Prompts, receipts, pages, the audit log and check show it */
  accountLabel?: string;
  /** Whether the account has real customers (live) or is for trying (test). Shown next to its name, on pages in its color */
  accountMode?: 'live' | 'test';
  /** Prefix of record ID fields in this installation of the API, e.g. acme_. By default, the server takes it from the first answer that shows one */
  idPrefix?: string;
  /** Time limit of one call in milliseconds, including reads, retries and waiting. It restarts after the user answers a prompt. The check after a lost response has its own 3 s */
  timeoutMs?: number;
  /** Proxy for requests to https:// addresses, e.g. http://proxy.example.com:3128. Loopback addresses never use a proxy */
  httpsProxy?: string;
  /** Proxy for requests to http:// addresses, and to https:// addresses if HTTPS_PROXY is not set */
  httpProxy?: string;
  /** Hosts that bypass the proxy, with their subdomains, e.g. internal.example.com,10.0.0.7:8080. * means all */
  noProxy?: string;
  /** Offer no tools that change records */
  readOnly?: boolean;
  /** Offer only these tools, and the tools of these resources, e.g. get_customer,invoices */
  tools?: string[];
  /** Offer all tools except these */
  excludeTools?: string[];
  /** Offer the tools that find and list records. false keeps only the nineteen operations and compare_plans */
  lookups?: boolean;
  /** Limit access to the customers with these external IDs, e.g. acme,globex. Or required: every request must prove its customers */
  customer?: string[];
  /** Key of customer tokens (JWT, HS256). Every request must then have one, with its customers in the claim billing_customer */
  customerTokenKey?: string;
  /** When to ask the user for confirmation before a write. always: every time. auto: if the client supports it, otherwise the chat host decides, for hosts that ask before every write. never: for agents without users. Or rules by kind of change (metadata, state, money, irreversible), e.g. metadata=never, money<50 USD=auto */
  confirm?: string;
  /** Confirmation methods, in order. url: a page on this server. form: in the chat host. buttons: in the chat. link: a page on this server that the answer links to. token: for the assistant, without a user. The server uses the first one that fits the client */
  ask?: ('url' | 'form' | 'buttons' | 'link' | 'token')[];
  /** Open the page of the method link in the browser of this machine, over stdio only */
  openBrowser?: boolean;
  /** File that records every attempted write (JSON Lines), or stderr */
  auditLog?: string;
  /** Key for the HMAC of audit entries. audit --verify then detects entries written without it */
  auditKey?: string;
  /** Limit of writes per minute. Further writes are refused before anything is sent */
  maxWritesPerMinute?: number;
  /** Largest amount per write, for each currency in major units, e.g. USD:1000,EUR:1000. It covers money, charge prices, and credits at their rate, but not quantities, percentages and alert thresholds. Other currencies and amounts that cannot be checked are refused */
  maxAmount?: string;
  /** Largest total of a caller's writes per UTC day, for each currency, e.g. USD:5000,EUR:4000. Counted in Redis, otherwise from the BILLING_AUDIT_LOG file, otherwise in the HTTP process */
  maxAmountPerDay?: string;
  /** Size in estimated tokens above which lists in answers are shortened */
  maxResultTokens?: number;
  /** Personal data of customers to hide from answers and searches */
  mask?: ('email' | 'phone' | 'address' | 'tax_id')[];
  /** Folder for the files of calls with format: csv, over stdio only. The server does not delete these files */
  exportDir?: string;
  /** Language and formats of the pages in the chat if the host names none, e.g. de or en-GB. Labels are in English, German or French; amounts and dates in any locale */
  locale?: string;
  /** Use the sandbox, a billing service with fictional customers. No account needed */
  demo?: boolean;
  /** Where the sandbox stores its data: a SQLite file or a PostgreSQL database, postgres://user:password@host/database (default: in memory) */
  data?: string;
  /** Account file that the sandbox loads instead of the demo account */
  account?: string;
  /** Fix the sandbox's clock at a date and time */
  now?: string;
  /** Key that signs prompts and confirmation tokens, the same on every machine. Over HTTP, it needs BILLING_REDIS_URL */
  stateKey?: string;
  /** Redis that several machines share, for rate limits, write limits and used confirmation tokens */
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
