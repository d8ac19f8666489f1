/**
 * Every setting, in one table. Parsing, `--help`, docs/configuration.md and the options of the library are derived from it: a
 * new setting is one row here, its use, and a test (and one line in settings/rules.ts when it can contradict another).
 * There are at most 49: a new one takes another's place.
 */

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
  apiKey: { name: 'BILLING_API_KEY', flag: null, type: 'text', secret: true, group: 'Billing API', description: 'API key of the billing account. Never a flag, so that it does not show in process lists.' },
  idPrefix: { name: 'BILLING_ID_PREFIX', flag: 'id-prefix', type: 'text', pattern: [/^[a-z][a-z0-9]*_$/, 'lower-case letters and digits ending in an underscore, e.g. acme_'], group: 'Billing API', description: 'Prefix of record-ID fields on this installation of the API, e.g. acme_. By default, the first answer that shows one decides' },
  timeoutMs: { name: 'BILLING_TIMEOUT_MS', flag: 'timeout-ms', type: 'integer', default: 30_000, min: 100, max: 600_000, group: 'Billing API', description: 'Longest time one call may take, looks, retries and waiting included, in milliseconds; begins anew when a person has answered; the look after a lost answer has 3 s of its own' },
  httpsProxy: { name: 'HTTPS_PROXY', flag: null, type: 'text', secret: true, group: 'Billing API', description: 'Proxy for requests to https:// addresses, e.g. http://proxy.example.com:3128; loopback addresses never go through one' },
  httpProxy: { name: 'HTTP_PROXY', flag: null, type: 'text', secret: true, group: 'Billing API', description: 'Proxy for requests to http:// addresses, and to https:// ones where HTTPS_PROXY is not set' },
  noProxy: { name: 'NO_PROXY', flag: null, type: 'text', group: 'Billing API', description: 'Hosts that are reached without the proxy, with their subdomains, e.g. internal.example.com,10.0.0.7:8080; * for all' },
  readOnly: { name: 'BILLING_READ_ONLY', flag: 'read-only', type: 'boolean', group: 'Tools', description: 'Offer no tool that changes anything' },
  tools: { name: 'BILLING_TOOLS', flag: 'tools', type: 'list', group: 'Tools', description: 'Offer only these tools, and those of these resources, e.g. get_customer,invoices' },
  excludeTools: { name: 'BILLING_EXCLUDE_TOOLS', flag: 'exclude-tools', type: 'list', group: 'Tools', description: 'Offer every tool but these' },
  lookups: { name: 'BILLING_LOOKUPS', flag: null, type: 'boolean', default: true, group: 'Tools', description: 'Offer the tools that find and list records; false leaves the nineteen operations and compare_plans' },
  customer: { name: 'BILLING_CUSTOMER', flag: 'customer', type: 'list', group: 'Tools', description: 'External ids of the only customers that may be seen and changed, e.g. acme,globex; or required: every request must prove its customers' },
  customerTokenKey: { name: 'BILLING_CUSTOMER_TOKEN_KEY', flag: null, type: 'text', secret: true, pattern: [/^.{32,}$/s, 'at least 32 characters'], group: 'Tools', description: 'Key of the customer tokens (JWT, HS256) that every request must then carry: its customers are in the claim billing_customer' },
  confirm: { name: 'BILLING_CONFIRM', flag: 'confirm', type: 'choice', choices: ['auto', 'always', 'never'], default: 'always', group: 'Writes', description: 'Ask the person before a write: always; where this server can ask, else the host does (auto, for hosts that ask for every write themselves); never (for agents without people)' },
  ask: { name: 'BILLING_ASK', flag: 'ask', type: 'list', choices: ['url', 'form', 'buttons', 'token'], default: 'url,form,buttons,token', group: 'Writes', description: 'Ways of asking, in their order: a page of this server, a form of the chat host, buttons in the chat, a token for the assistant. Each question takes the first that the client offers' },
  auditLog: { name: 'BILLING_AUDIT_LOG', flag: 'audit-log', type: 'text', group: 'Writes', description: 'File that every attempted write is recorded in (JSON Lines), or stderr' },
  auditKey: { name: 'BILLING_AUDIT_KEY', flag: null, type: 'text', secret: true, pattern: [/^.{32,}$/s, 'at least 32 characters'], group: 'Writes', description: 'Key of the seals of audit lines (HMAC): audit --verify then sees lines that were made without it' },
  maxWritesPerMinute: { name: 'BILLING_MAX_WRITES_PER_MINUTE', flag: 'max-writes-per-minute', type: 'integer', default: 30, min: 0, max: 100_000, group: 'Writes', description: 'Most writes a minute; more are refused before anything is sent' },
  maxAmount: { name: 'BILLING_MAX_AMOUNT', flag: 'max-amount', type: 'text', pattern: maxAmount, group: 'Writes', description: 'Largest amount a write may name, per currency in major units, e.g. USD:1000,EUR:1000: money, prices of charges, credits at their rate. Other currencies and what cannot be judged are refused; quantities, percentages and alert thresholds spend nothing and are not judged' },
  maxAmountPerDay: { name: 'BILLING_MAX_AMOUNT_PER_DAY', flag: 'max-amount-per-day', type: 'text', pattern: maxAmount, group: 'Writes', description: 'Most that all writes of a caller may name in a day (UTC), per currency as above, e.g. USD:5000,EUR:4000; counted in Redis, else from the file of BILLING_AUDIT_LOG, else in the one HTTP process' },
  maxResultTokens: { name: 'BILLING_MAX_RESULT_TOKENS', flag: 'max-result-tokens', type: 'integer', default: 8000, min: 500, max: 1_000_000, group: 'Results', description: 'Size above which a list in an answer is shortened, in estimated tokens' },
  mask: { name: 'BILLING_MASK', flag: 'mask', type: 'list', choices: maskedFields, group: 'Results', description: 'Personal data of customers that is hidden, and not searched' },
  exportDir: { name: 'BILLING_EXPORT_DIR', flag: 'export-dir', type: 'text', group: 'Results', description: 'Folder that gets a file for each call with format: csv, over stdio only; its files stay until somebody removes them' },
  locale: { name: 'BILLING_LOCALE', flag: 'locale', type: 'text', pattern: [localeTag, 'a language or a locale, e.g. de or en-GB'], group: 'Results', description: 'Language and formats of the pages in the chat where the host names none, e.g. de or en-GB: labels in English, German or French, amounts and dates in any' },
  demo: { name: 'BILLING_DEMO', flag: 'demo', type: 'boolean', group: 'Demo', description: 'Talk to an embedded billing service with invented customers; no account needed' },
  data: { name: 'BILLING_DATA', flag: 'data', type: 'text', secret: true, pattern: [/^(postgres(ql)?:\/\/|(?![a-z][a-z\d+.-]+:))/i, 'the path of a SQLite file, or the address of a PostgreSQL database, postgres://user:password@host/database'], group: 'Demo', description: 'Where the embedded service keeps everything: a SQLite file, or a PostgreSQL database, postgres://user:password@host/database (default: in memory)' },
  account: { name: null, flag: 'account', type: 'text', group: 'Demo', description: 'Account file that the embedded service loads instead of the demo account' },
  now: { name: null, flag: 'now', type: 'text', pattern: [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/, 'an instant, e.g. 2026-03-15T12:00:00Z'], group: 'Demo', description: 'Pins the clock of the embedded service to an instant' },
  http: { name: null, flag: 'http', type: 'boolean', group: 'HTTP', description: 'Serve Streamable HTTP instead of stdio' },
  host: { name: null, flag: 'host', type: 'text', default: '127.0.0.1', group: 'HTTP', description: 'Address to listen on' },
  port: { name: null, flag: 'port', type: 'integer', default: 3000, min: 0, max: 65_535, group: 'HTTP', description: 'Port to listen on; 0 takes a free one' },
  sessions: { name: null, flag: 'sessions', type: 'boolean', group: 'HTTP', description: 'Keep sessions for clients of the earlier protocol era, so that they can be asked questions' },
  httpAuth: { name: 'BILLING_HTTP_AUTH', flag: 'http-auth', type: 'choice', choices: ['none', 'token', 'api-key', 'oauth'], group: 'HTTP', description: 'Who may call: anyone (loopback only, the default there), holders of a token, callers with their own billing key, or an OAuth identity' },
  httpTokens: { name: 'BILLING_HTTP_TOKENS', flag: null, type: 'list', secret: true, group: 'HTTP', description: 'Bearer tokens that may call, separated by commas' },
  httpTokensFile: { name: 'BILLING_HTTP_TOKENS_FILE', flag: 'http-tokens-file', type: 'text', group: 'HTTP', description: 'File with one bearer token a line' },
  httpPublicUrl: { name: 'BILLING_HTTP_PUBLIC_URL', flag: 'public-url', type: 'text', pattern: [/^https?:\/\/[^\s?#]+$/, 'an address such as https://billing-mcp.example.com/mcp'], group: 'HTTP', description: 'Address under which callers reach this server, path included; what OAuth tokens must be made out to' },
  httpAllowedHosts: { name: 'BILLING_HTTP_ALLOWED_HOSTS', flag: 'allowed-hosts', type: 'list', group: 'HTTP', description: 'Host names that requests may be addressed to; * accepts any. Needed when listening on every interface' },
  httpAllowedOrigins: { name: 'BILLING_HTTP_ALLOWED_ORIGINS', flag: 'allowed-origins', type: 'list', group: 'HTTP', description: 'Host names of web pages that may send requests and, in browsers, read the answers (CORS); * accepts any, with authentication only (default: requests of loopback pages alone, and no CORS)' },
  httpTrustProxy: { name: 'BILLING_HTTP_TRUST_PROXY', flag: 'trust-proxy', type: 'text', pattern: [/^(true|false|([\da-fA-F.:]+(\/\d{1,3})?|loopback|linklocal|uniquelocal)(,([\da-fA-F.:]+(\/\d{1,3})?|loopback|linklocal|uniquelocal))*)$/, 'true, or addresses and ranges separated by commas, e.g. 10.0.0.0/8'], group: 'HTTP', description: 'Believe X-Forwarded-For of these proxies: addresses and ranges separated by commas, or true for any' },
  httpRateLimit: { name: 'BILLING_HTTP_RATE_LIMIT', flag: 'rate-limit', type: 'integer', min: 0, max: 1_000_000, group: 'HTTP', description: 'Most requests a minute of one caller, 0 for no limit; 600 unless set, and no limit where anyone on a loopback address may call' },
  httpMetricsToken: { name: 'BILLING_HTTP_METRICS_TOKEN', flag: null, type: 'text', secret: true, pattern: [/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or -._~+/='], group: 'HTTP', description: 'Bearer token that /metrics then needs' },
  oauthIssuer: { name: 'BILLING_OAUTH_ISSUER', flag: 'oauth-issuer', type: 'text', pattern: [/^https?:\/\/\S+$/, 'the address of the authorization server'], group: 'HTTP', description: 'Authorization server whose access tokens are accepted, as written in them (iss)' },
  oauthAudience: { name: 'BILLING_OAUTH_AUDIENCE', flag: 'oauth-audience', type: 'text', group: 'HTTP', description: 'Audience (aud) that access tokens must name (default: the public URL)' },
  oauthClientId: { name: 'BILLING_OAUTH_CLIENT_ID', flag: 'oauth-client-id', type: 'text', group: 'HTTP', description: 'This server as a client of the authorization server: people sign in with it before they see the page on which they approve or decline a write' },
  oauthClientSecret: { name: 'BILLING_OAUTH_CLIENT_SECRET', flag: null, type: 'text', secret: true, group: 'HTTP', description: 'Secret of that client, where it has one' },
  roles: { name: 'BILLING_ROLES', flag: 'roles', type: 'text', group: 'HTTP', description: 'File with what each caller over HTTP may do by its role (JSON, comments allowed): tools, read-only, largest amount, customers. Every caller then needs a role' },
  logLevel: { name: 'BILLING_LOG_LEVEL', flag: 'log-level', type: 'choice', choices: ['debug', 'info', 'warn', 'error', 'silent'], default: 'info', group: 'HTTP', description: 'Least severity that is logged, as JSON on stderr' },
  stateKey: { name: 'BILLING_STATE_KEY', flag: null, type: 'text', secret: true, pattern: [/^.{32,}$/s, 'at least 32 characters'], group: 'Several machines', description: 'Key that signs questions and confirmation tokens; the same on every machine. Over HTTP it needs BILLING_REDIS_URL' },
  redisUrl: { name: 'BILLING_REDIS_URL', flag: null, type: 'text', secret: true, pattern: [/^rediss?:\/\//, 'redis:// or rediss://'], group: 'Several machines', description: 'Redis shared by several machines: rate limits, write budgets, spent confirmation tokens' },
} as const satisfies Record<string, Row>;

export type Setting = Row;
export type SettingKey = keyof typeof settings;

type ValueOf<S> = S extends { type: 'boolean' }
  ? boolean
  : S extends { type: 'integer'; default: number }
    ? number
    : S extends { type: 'integer' }
      ? number | undefined
      : S extends { type: 'list'; choices: readonly (infer C)[]; default: string }
        ? readonly C[]
        : S extends { type: 'list'; choices: readonly (infer C)[] }
          ? readonly C[] | undefined
          : S extends { type: 'list' }
            ? readonly string[] | undefined
            : S extends { type: 'choice'; choices: readonly (infer C)[] }
              ? S extends { default: string }
                ? C
                : C | undefined
              : S extends { default: string }
                ? string
                : string | undefined;

/** One field for each row, undefined when not set (booleans: false). */
export type ValuesOf<Table> = { readonly [K in keyof Table]: ValueOf<Table[K]> };

/** The validated configuration. */
export type Config = ValuesOf<typeof settings>;

/** The configuration cannot be used. Each problem names the variable and the fix; none contains a secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
