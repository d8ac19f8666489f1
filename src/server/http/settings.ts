/**
 * The settings of the HTTP side that need judging or belong together; `settingsFrom` in `configure.ts` makes them. What needs
 * neither is read from the configuration, `runtime.config`, where it is used.
 */

import type { Roles } from '../../calls/access/roles/role.ts';
import type { Proxies } from '../settings/proxies.ts';
import type { Config } from '../settings/settings.ts';

/** A static bearer token and its name in logs and audit lines; no two have the same name or token. */
export interface NamedToken {
  name: string;
  token: string;
  /** The role of its holder, one of `roles`. */
  role?: string | undefined;
}

export interface OAuthSettings {
  /** The authorization server, as in the tokens' `iss`. */
  issuer: string;
  /** The value that tokens need in `aud`: this server's public URL unless configured otherwise. */
  audience: string;
  /** This server as a client of the issuer, for people who open its approval pages; undefined: none. */
  client?: { id: string; secret: string | undefined } | undefined;
  /** The claim that names the role, where there are roles. */
  roleClaim?: string | undefined;
  /** Proxies for requests to the issuer. */
  proxies?: Proxies | undefined;
}

export interface HttpSettings extends Pick<Config, 'host' | 'port' | 'redisUrl' | 'sessions'> {
  /** The public address of the server, with the path `/mcp`. */
  publicUrl: string | undefined;
  auth: NonNullable<Config['httpAuth']>;
  tokens: readonly NamedToken[];
  oauth: OAuthSettings | undefined;
  /** Every caller needs one of these; undefined: there are no roles. */
  roles?: Roles | undefined;
  /** Host names accepted in `Host`, without port; `*` accepts any. Empty: the loopback names and the bound host. */
  allowedHosts: readonly string[];
  /**
   * Origin host names accepted from browsers, which get answers across origins (CORS); `*` accepts any. Empty: no CORS, and
   * loopback origins on a loopback address alone.
   */
  allowedOrigins: readonly string[];
  /** Trust `X-Forwarded-For` from no one, from anyone, or from these addresses and ranges. */
  trustProxy: boolean | string;
  /** Requests a minute for each caller; 0: no limit. */
  rateLimit: number;
  /** Bearer token for `/metrics`; undefined: open to all. */
  metricsToken: string | undefined;
}
