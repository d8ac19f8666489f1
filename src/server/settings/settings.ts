/**
 * Every setting, in one table. Parsing, `--help`, docs/configuration.md and the options of the library are derived from it: a
 * new setting is one row here, its use, and a test (and one line in settings/rules.ts when it can contradict another).
 * There are at most 53: a new one takes another's place.
 */

import { hash } from 'node:crypto';
import { maskedFields } from '../../contract/masked-fields.ts';

/** A value that a flag or a variable sets. */
export interface Flag {
  /** The environment variable; null for a flag only. Names without `BILLING_` are read in lower case too. */
  readonly name: `BILLING_${string}` | `${'HTTPS' | 'HTTP' | 'NO'}_PROXY` | null;
  /** Long flag without dashes; null for secrets, which process lists would show. */
  readonly flag: string | null;
  readonly type: 'text' | 'integer' | 'boolean' | 'choice' | 'list';
  /** A boolean without it is false. The default of a list is separated by commas. */
  readonly default?: string | number | boolean;
  /** The values that a choice, or each entry of a list, may have. */
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The form of a text value, and words for it. */
  readonly pattern?: readonly [RegExp, string];
  readonly description: string;
  readonly secret?: boolean;
}

interface Row extends Flag {
  /** The group in `--help` and in the README's table. */
  readonly group: 'Billing API' | 'Tools' | 'Writes' | 'Results' | 'Demo' | 'HTTP' | 'Several machines';
}

const maxAmount: readonly [RegExp, string] = [
  /^[A-Z]{3}:\d+(\.\d+)?(,[A-Z]{3}:\d+(\.\d+)?)*$/,
  'a list of currency:amount in major units, e.g. USD:1000,EUR:1000',
];

const localeTag = /^[a-zA-Z]{2,3}(-[a-zA-Z\d]{2,8})*$/;

// biome-ignore format: one row a setting reads as the table it is
export const settings = {
  baseUrl: { name: 'BILLING_BASE_URL', flag: 'base-url', type: 'text', group: 'Billing API', description: 'Address of the billing API, with or without /api/v1, e.g. https://billing.example.com' },
  apiKey: { name: 'BILLING_API_KEY', flag: null, type: 'text', secret: true, group: 'Billing API', description: 'API key of the billing account. It has no flag, because flags are visible in process lists.' },
  accountLabel: { name: 'BILLING_ACCOUNT_LABEL', flag: 'account-label', type: 'text', pattern: [/^[\p{L}\p{N}\p{M} .,&'+_-]{1,60}$/u, 'at most 60 letters, digits, spaces or .,&\'+_-'], group: 'Billing API', description: 'Name of the account, e.g. Acme live. Prompts, receipts, pages, the audit log and check show it' },
  accountMode: { name: 'BILLING_ACCOUNT_MODE', flag: 'account-mode', type: 'choice', choices: ['live', 'test'], group: 'Billing API', description: 'Whether the account has real customers (live) or is for trying (test). Shown next to its name, on pages in its color' },
  idPrefix: { name: 'BILLING_ID_PREFIX', flag: 'id-prefix', type: 'text', pattern: [/^[a-z][a-z0-9]*_$/, 'lowercase letters and digits, ending in an underscore, e.g. acme_'], group: 'Billing API', description: 'Prefix of record ID fields in this installation of the API, e.g. acme_. By default, the server takes it from the first answer that shows one' },
  timeoutMs: { name: 'BILLING_TIMEOUT_MS', flag: 'timeout-ms', type: 'integer', default: 30_000, min: 100, max: 600_000, group: 'Billing API', description: 'Time limit of one call in milliseconds, including reads, retries and waiting. It restarts after the user answers a prompt. The check after a lost response has its own 3 s' },
  httpsProxy: { name: 'HTTPS_PROXY', flag: null, type: 'text', secret: true, group: 'Billing API', description: 'Proxy for requests to https:// addresses, e.g. http://proxy.example.com:3128. Loopback addresses never use a proxy' },
  httpProxy: { name: 'HTTP_PROXY', flag: null, type: 'text', secret: true, group: 'Billing API', description: 'Proxy for requests to http:// addresses, and to https:// addresses if HTTPS_PROXY is not set' },
  noProxy: { name: 'NO_PROXY', flag: null, type: 'text', group: 'Billing API', description: 'Hosts that bypass the proxy, with their subdomains, e.g. internal.example.com,10.0.0.7:8080. * means all' },
  readOnly: { name: 'BILLING_READ_ONLY', flag: 'read-only', type: 'boolean', group: 'Tools', description: 'Offer no tools that change records' },
  tools: { name: 'BILLING_TOOLS', flag: 'tools', type: 'list', group: 'Tools', description: 'Offer only these tools, and the tools of these resources, e.g. get_customer,invoices' },
  excludeTools: { name: 'BILLING_EXCLUDE_TOOLS', flag: 'exclude-tools', type: 'list', group: 'Tools', description: 'Offer all tools except these' },
  lookups: { name: 'BILLING_LOOKUPS', flag: null, type: 'boolean', default: true, group: 'Tools', description: 'Offer the tools that find and list records. false keeps only the nineteen operations and compare_plans' },
  customer: { name: 'BILLING_CUSTOMER', flag: 'customer', type: 'list', group: 'Tools', description: 'Limit access to the customers with these external IDs, e.g. acme,globex. Or required: every request must prove its customers' },
  customerTokenKey: { name: 'BILLING_CUSTOMER_TOKEN_KEY', flag: null, type: 'text', secret: true, pattern: [/^.{32,}$/s, 'at least 32 characters'], group: 'Tools', description: 'Key of customer tokens (JWT, HS256). Every request must then have one, with its customers in the claim billing_customer' },
  confirm: { name: 'BILLING_CONFIRM', flag: 'confirm', type: 'text', default: 'always', group: 'Writes', description: 'When to ask the user for confirmation before a write. always: every time. auto: if the client supports it, otherwise the chat host decides, for hosts that ask before every write. never: for agents without users. Or rules by kind of change (metadata, state, money, irreversible), e.g. metadata=never, money<50 USD=auto' },
  ask: { name: 'BILLING_ASK', flag: 'ask', type: 'list', choices: ['url', 'form', 'buttons', 'link', 'token'], default: 'url,form,buttons,link', group: 'Writes', description: 'Confirmation methods, in order. url: a page on this server. form: in the chat host. buttons: in the chat. link: a page on this server that the answer links to. token: for the assistant, without a user. The server uses the first one that fits the client' },
  openBrowser: { name: 'BILLING_OPEN_BROWSER', flag: 'open-browser', type: 'boolean', group: 'Writes', description: 'Open the page of the method link in the browser of this machine, over stdio only' },
  auditLog: { name: 'BILLING_AUDIT_LOG', flag: 'audit-log', type: 'text', group: 'Writes', description: 'File that records every attempted write (JSON Lines), or stderr' },
  auditKey: { name: 'BILLING_AUDIT_KEY', flag: null, type: 'text', secret: true, pattern: [/^.{32,}$/s, 'at least 32 characters'], group: 'Writes', description: 'Key for the HMAC of audit entries. audit --verify then detects entries written without it' },
  maxWritesPerMinute: { name: 'BILLING_MAX_WRITES_PER_MINUTE', flag: 'max-writes-per-minute', type: 'integer', default: 30, min: 0, max: 100_000, group: 'Writes', description: 'Limit of writes per minute. Further writes are refused before anything is sent' },
  maxAmount: { name: 'BILLING_MAX_AMOUNT', flag: 'max-amount', type: 'text', pattern: maxAmount, group: 'Writes', description: 'Largest amount per write, for each currency in major units, e.g. USD:1000,EUR:1000. It covers money, charge prices, and credits at their rate, but not quantities, percentages and alert thresholds. Other currencies and amounts that cannot be checked are refused' },
  maxAmountPerDay: { name: 'BILLING_MAX_AMOUNT_PER_DAY', flag: 'max-amount-per-day', type: 'text', pattern: maxAmount, group: 'Writes', description: "Largest total of a caller's writes per UTC day, for each currency, e.g. USD:5000,EUR:4000. Counted in Redis, otherwise from the BILLING_AUDIT_LOG file, otherwise in the HTTP process" },
  maxResultTokens: { name: 'BILLING_MAX_RESULT_TOKENS', flag: 'max-result-tokens', type: 'integer', default: 8000, min: 500, max: 1_000_000, group: 'Results', description: 'Size in estimated tokens above which lists in answers are shortened' },
  mask: { name: 'BILLING_MASK', flag: 'mask', type: 'list', choices: maskedFields, group: 'Results', description: 'Personal data of customers to hide from answers and searches' },
  exportDir: { name: 'BILLING_EXPORT_DIR', flag: 'export-dir', type: 'text', group: 'Results', description: 'Folder for the files of calls with format: csv, over stdio only. The server does not delete these files' },
  locale: { name: 'BILLING_LOCALE', flag: 'locale', type: 'text', pattern: [localeTag, 'a language or a locale, e.g. de or en-GB'], group: 'Results', description: 'Language and formats of the pages in the chat if the host names none, e.g. de or en-GB. Labels are in English, German or French; amounts and dates in any locale' },
  demo: { name: 'BILLING_DEMO', flag: 'demo', type: 'boolean', group: 'Demo', description: 'Use the sandbox, a billing service with fictional customers. No account needed' },
  data: { name: 'BILLING_DATA', flag: 'data', type: 'text', secret: true, pattern: [/^(postgres(ql)?:\/\/|(?![a-z][a-z\d+.-]+:))/i, 'the path of a SQLite file, or the address of a PostgreSQL database, postgres://user:password@host/database'], group: 'Demo', description: 'Where the sandbox stores its data: a SQLite file or a PostgreSQL database, postgres://user:password@host/database (default: in memory)' },
  account: { name: null, flag: 'account', type: 'text', group: 'Demo', description: 'Account file that the sandbox loads instead of the demo account' },
  now: { name: null, flag: 'now', type: 'text', pattern: [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/, 'a date-time, e.g. 2026-03-15T12:00:00Z'], group: 'Demo', description: "Fix the sandbox's clock at a date and time" },
  http: { name: null, flag: 'http', type: 'boolean', group: 'HTTP', description: 'Serve Streamable HTTP instead of stdio' },
  host: { name: null, flag: 'host', type: 'text', default: '127.0.0.1', group: 'HTTP', description: 'Address to listen on' },
  port: { name: null, flag: 'port', type: 'integer', default: 3000, min: 0, max: 65_535, group: 'HTTP', description: 'Port to listen on. 0 picks a free one' },
  sessions: { name: null, flag: 'sessions', type: 'boolean', group: 'HTTP', description: 'Keep sessions for clients of earlier protocol revisions, so the server can show them prompts' },
  httpAuth: { name: 'BILLING_HTTP_AUTH', flag: 'http-auth', type: 'choice', choices: ['none', 'token', 'api-key', 'oauth'], group: 'HTTP', description: 'Who can call: anyone (only on loopback, the default there), callers with a token, callers with their own billing key, or OAuth identities' },
  httpTokens: { name: 'BILLING_HTTP_TOKENS', flag: null, type: 'list', secret: true, group: 'HTTP', description: 'Accepted bearer tokens, separated by commas' },
  httpTokensFile: { name: 'BILLING_HTTP_TOKENS_FILE', flag: 'http-tokens-file', type: 'text', group: 'HTTP', description: 'File with one bearer token per line' },
  httpPublicUrl: { name: 'BILLING_HTTP_PUBLIC_URL', flag: 'public-url', type: 'text', pattern: [/^https?:\/\/[^\s?#]+$/, 'an address such as https://billing-mcp.example.com/mcp'], group: 'HTTP', description: 'Address where callers reach this server, including the path. OAuth tokens must be issued for it' },
  httpAllowedHosts: { name: 'BILLING_HTTP_ALLOWED_HOSTS', flag: 'allowed-hosts', type: 'list', group: 'HTTP', description: 'Host names that requests can use. * accepts any. Required when listening on all interfaces without BILLING_HTTP_PUBLIC_URL' },
  httpAllowedOrigins: { name: 'BILLING_HTTP_ALLOWED_ORIGINS', flag: 'allowed-origins', type: 'list', group: 'HTTP', description: 'Host names of web pages that can send requests and read the answers in browsers (CORS). * accepts any, and needs authentication. Default: only loopback pages, without CORS' },
  httpTrustProxy: { name: 'BILLING_HTTP_TRUST_PROXY', flag: 'trust-proxy', type: 'text', pattern: [/^(true|false|([\da-fA-F.:]+(\/\d{1,3})?|loopback|linklocal|uniquelocal)(,([\da-fA-F.:]+(\/\d{1,3})?|loopback|linklocal|uniquelocal))*)$/, 'true, or addresses and ranges separated by commas, e.g. 10.0.0.0/8'], group: 'HTTP', description: 'Trust X-Forwarded-For from these proxies: addresses and ranges separated by commas, or true for any' },
  httpRateLimit: { name: 'BILLING_HTTP_RATE_LIMIT', flag: 'rate-limit', type: 'integer', min: 0, max: 1_000_000, group: 'HTTP', description: 'Limit of requests per minute for each caller. 0: no limit. Default: 600, or no limit if anyone on a loopback address can call' },
  httpMetricsToken: { name: 'BILLING_HTTP_METRICS_TOKEN', flag: null, type: 'text', secret: true, pattern: [/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or -._~+/='], group: 'HTTP', description: 'Bearer token that /metrics requires' },
  oauthIssuer: { name: 'BILLING_OAUTH_ISSUER', flag: 'oauth-issuer', type: 'text', pattern: [/^https?:\/\/\S+$/, 'the address of the authorization server'], group: 'HTTP', description: 'Authorization server whose access tokens are accepted, exactly as in their iss claim' },
  oauthAudience: { name: 'BILLING_OAUTH_AUDIENCE', flag: 'oauth-audience', type: 'text', group: 'HTTP', description: 'Audience (aud) that access tokens must have (default: the public URL)' },
  oauthClientId: { name: 'BILLING_OAUTH_CLIENT_ID', flag: 'oauth-client-id', type: 'text', group: 'HTTP', description: 'Client ID of this server at the authorization server. Users sign in with it before they see the page to approve or decline a write' },
  oauthClientSecret: { name: 'BILLING_OAUTH_CLIENT_SECRET', flag: null, type: 'text', secret: true, group: 'HTTP', description: 'Secret of that client, if it has one' },
  roles: { name: 'BILLING_ROLES', flag: 'roles', type: 'text', group: 'HTTP', description: 'File with the permissions of each role over HTTP (JSON, comments allowed): tools, read-only, largest amount, customers. Every caller then needs a role' },
  logLevel: { name: 'BILLING_LOG_LEVEL', flag: 'log-level', type: 'choice', choices: ['debug', 'info', 'warn', 'error', 'silent'], default: 'info', group: 'HTTP', description: 'Minimum severity to log, as JSON on stderr' },
  stateKey: { name: 'BILLING_STATE_KEY', flag: null, type: 'text', secret: true, pattern: [/^.{32,}$/s, 'at least 32 characters'], group: 'Several machines', description: 'Key that signs prompts and confirmation tokens, the same on every machine. Over HTTP, it needs BILLING_REDIS_URL' },
  redisUrl: { name: 'BILLING_REDIS_URL', flag: null, type: 'text', secret: true, pattern: [/^rediss?:\/\//, 'redis:// or rediss://'], group: 'Several machines', description: 'Redis that several machines share, for rate limits, write limits and used confirmation tokens' },
} as const satisfies Record<string, Row>;

export type Setting = Row;
export type SettingKey = keyof typeof settings;

/** An entry of a list or a value of a choice is one of `choices` where the row names them. */
type ItemOf<S> = S extends { choices: readonly (infer Choice)[] } ? Choice : string;

type ValueOf<S> = S extends { type: 'boolean' }
  ? boolean
  :
      | (S extends { type: 'integer' } ? number : S extends { type: 'list' } ? readonly ItemOf<S>[] : ItemOf<S>)
      | (S extends { default: unknown } ? never : undefined);

/** One field for each row, undefined when not set (booleans: false). */
export type ValuesOf<Table> = { readonly [K in keyof Table]: ValueOf<Table[K]> };

/** The validated configuration. */
export type Config = ValuesOf<typeof settings>;

/** The options of the library: what is set for HTTP is not theirs. */
export type LibraryOptions = {
  [Key in SettingKey as (typeof settings)[Key]['group'] extends 'HTTP' ? never : Key]?: Config[Key];
};

/** The configuration cannot be used. Each problem names the variable and the fix; none contains a secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * A digest of the settings in effect, without the secret ones: audit lines hold it, and `check` prints it. `roles`: what the file
 * of `BILLING_ROLES` says.
 */
export function settingsDigest(config: Config, roles: ReadonlyMap<string, unknown> = new Map()): string {
  const values = Object.entries<Setting>(settings).flatMap(([key, { secret }]) =>
    secret ? [] : [[key, config[key as SettingKey] ?? null]],
  );
  return hash('sha256', JSON.stringify([values, [...roles]])).slice(0, 32);
}

/** Where the embedded service keeps everything, as its options: a PostgreSQL database by its address, else a SQLite file. */
export function storageOf(data: string | undefined): { data?: string; databaseUrl?: string } {
  if (data === undefined) return {};
  return /^postgres(ql)?:\/\//.test(data) ? { databaseUrl: data } : { data };
}

/** Without the address of a database, which contains its password. */
export function withoutAddress(reason: string, data: string | undefined): string {
  const { databaseUrl } = storageOf(data);
  return databaseUrl === undefined ? reason : reason.replaceAll(databaseUrl, '…');
}
