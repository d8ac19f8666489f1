/** What the HTTP side needs to know, already parsed; `settingsFrom` in `configure.ts` makes it from the configuration. */
import type { Proxies } from '../../config/proxies.ts';

const authModes = ['none', 'token', 'api-key', 'oauth'] as const;
type AuthMode = (typeof authModes)[number];

/** A static bearer token and the name that stands for it in logs and audit lines; no two have the same. */
export interface NamedToken {
  name: string;
  token: string;
}

export interface OAuthSettings {
  /** The authorization server, as it stands in the tokens' `iss`. */
  issuer: string;
  /** What a token must name in `aud`: this server's public URL unless configured otherwise. */
  audience: string;
  /** The issuer's key set; found through the issuer's metadata when not given. */
  jwksUri: string | undefined;
  /** What requests to the issuer go through. */
  proxies?: Proxies | undefined;
}

export interface HttpSettings {
  host: string;
  port: number;
  /** The address people reach the server at, with the path `/mcp`. */
  publicUrl: string | undefined;
  auth: AuthMode;
  tokens: readonly NamedToken[];
  oauth: OAuthSettings | undefined;
  /** Host names accepted in `Host`, without port; `*` accepts any. Empty: the loopback names and the bound host. */
  allowedHosts: readonly string[];
  /** Origin host names accepted from browsers; `*` accepts any. Empty: loopback origins on a loopback address, else none. */
  allowedOrigins: readonly string[];
  /** Answer cross-origin browsers (CORS) from the allowed origins. */
  cors: boolean;
  /** Bytes of a request body. */
  bodyLimit: number;
  /** Milliseconds in which a request must have arrived in full. */
  requestTimeoutMs: number;
  /** Believe `X-Forwarded-For`: of nobody, of anybody, or of these addresses and ranges. */
  trustProxy: boolean | string;
  /** Requests a minute for each caller; 0 switches the limit off. */
  rateLimit: number;
  redisUrl: string | undefined;
  /** Sessions for clients of the older protocol; null without. */
  sessions: { max: number; idleMs: number } | null;
  /** Needed by `/metrics` as a bearer token; undefined leaves it open. */
  metricsToken: string | undefined;
  /** Milliseconds that a stop waits for what is running. */
  drainMs: number;
}
