/** Turns the configuration into HTTP settings; refuses combinations that would be unsafe. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Roles } from '../../calls/access/roles/role.ts';
import { nearest } from '../../lib/nearest-word.ts';
import { fileReason } from '../../lib/system-errors.ts';
import { cutText } from '../../lib/text.ts';
import { isLoopback, proxiesOf } from '../settings/proxies.ts';
import { type Config, ConfigError } from '../settings/settings.ts';
import { isWildcard } from './guards.ts';
import type { HttpSettings, NamedToken, OAuthSettings } from './settings.ts';

/** `roles`: what `BILLING_ROLES` holds. Throws ConfigError with every problem found; none of them contains a secret. */
export function settingsFrom(config: Config, roles?: Roles): HttpSettings {
  const problems = [...exposureProblems(config), ...oauthProblems(config)];
  const tokens = readTokens(config, problems, roles);
  const trustProxy = readTrust(config.httpTrustProxy);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host: config.host,
    port: config.port,
    publicUrl: config.httpPublicUrl,
    auth: config.httpAuth ?? 'none',
    tokens,
    roles,
    oauth: oauthOf(config, roles),
    allowedHosts: config.httpAllowedHosts ?? hostsOf(config.httpPublicUrl, config.host),
    allowedOrigins: config.httpAllowedOrigins ?? [],
    trustProxy,
    // Without authentication the only caller is the user at this machine, so no limit is needed between callers.
    rateLimit: config.httpRateLimit ?? ((config.httpAuth ?? 'none') === 'none' ? 0 : 600),
    redisUrl: config.redisUrl,
    sessions: config.sessions,
    metricsToken: config.httpMetricsToken,
  };
}

function exposureProblems(config: Config): string[] {
  if (isLoopback(config.host)) {
    const anyPage = config.httpAllowedOrigins?.includes('*') && (config.httpAuth ?? 'none') === 'none';
    return anyPage
      ? [
          'BILLING_HTTP_ALLOWED_ORIGINS=* needs BILLING_HTTP_AUTH. Without it, any web page could use the account. Name the pages, or set BILLING_HTTP_AUTH.',
        ]
      : [];
  }
  if (config.demo) {
    return ['--demo works only on loopback addresses. Omit --host, or connect a billing account.'];
  }
  const problems: string[] = [];
  if (config.httpAuth === undefined || config.httpAuth === 'none') {
    problems.push(
      `BILLING_HTTP_AUTH must be token, api-key or oauth on ${config.host}. Without it, anyone who can reach that address could use the account.`,
    );
  }
  if (isWildcard(config.host) && !config.httpAllowedHosts && !config.httpPublicUrl) {
    problems.push(
      `BILLING_HTTP_ALLOWED_HOSTS must name the hosts that callers use when listening on ${config.host}. Set it, e.g. to billing-mcp.example.com, or to * behind a proxy that checks the host.`,
    );
  }
  return problems;
}

function oauthProblems(config: Config): string[] {
  if (config.httpAuth !== 'oauth') {
    return config.oauthIssuer
      ? ['BILLING_OAUTH_ISSUER is only for BILLING_HTTP_AUTH=oauth. Set that, or remove it.']
      : [];
  }
  const problems: string[] = [];
  if (config.oauthClientSecret && !config.oauthClientId) {
    problems.push('BILLING_OAUTH_CLIENT_SECRET needs BILLING_OAUTH_CLIENT_ID. Also set the ID, or remove the secret.');
  }
  if (!config.oauthIssuer)
    problems.push('BILLING_HTTP_AUTH=oauth needs BILLING_OAUTH_ISSUER. Set the address of the authorization server.');
  if (!config.httpPublicUrl) {
    problems.push('BILLING_HTTP_AUTH=oauth needs BILLING_HTTP_PUBLIC_URL. Set the address that tokens are issued for.');
  }
  const url = config.oauthIssuer && URL.canParse(config.oauthIssuer) ? new URL(config.oauthIssuer) : undefined;
  if (config.oauthIssuer && !url) problems.push('BILLING_OAUTH_ISSUER must be an address.');
  if (url && url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    problems.push('BILLING_OAUTH_ISSUER must be an https:// address: keys read without TLS prove nothing.');
  }
  return problems;
}

function oauthOf(config: Config, roles: Roles | undefined): OAuthSettings | undefined {
  const { oauthIssuer: issuer, httpPublicUrl, oauthAudience, oauthClientId, oauthClientSecret } = config;
  if (config.httpAuth !== 'oauth' || !issuer || !httpPublicUrl) return undefined;
  return {
    issuer,
    audience: oauthAudience ?? httpPublicUrl,
    proxies: proxiesOf(config),
    roleClaim: roles?.claim,
    client: oauthClientId === undefined ? undefined : { id: oauthClientId, secret: oauthClientSecret },
  };
}

/**
 * Entries are `token` or `name:token`, with ` role=ROLE` after it where there are roles: no token holds a blank. A name
 * shows in logs and audit lines instead of `#` and a number.
 */
function readTokens(config: Config, problems: string[], roles: Roles | undefined): NamedToken[] {
  if (config.httpAuth !== 'token') return [];
  let entries: readonly string[] = config.httpTokens ?? [];
  if (config.httpTokensFile) {
    try {
      const lines = readFileSync(config.httpTokensFile, 'utf8').split('\n');
      entries = lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'));
    } catch (error) {
      problems.push(
        `BILLING_HTTP_TOKENS_FILE: ${resolve(config.httpTokensFile)} cannot be read: ${fileReason(error)}.`,
      );
      return [];
    }
  }
  if (entries.length === 0) problems.push('BILLING_HTTP_TOKENS (or _FILE) has no token. Add one.');
  const tokens = entries.map((entry, index) => {
    const [, name, token, role] = /^(?:([\w.@-]{1,64}):)?([\w.~+/=-]{16,512})(?:[ \t]+role=(\S+))?$/.exec(entry) ?? [];
    if (!token) {
      problems.push(
        `Bearer token ${index + 1} must have at least 16 letters, digits or -._~+/=. Optionally, put name: before it, and a space and role=… after it.`,
      );
    }
    if (role !== undefined) problems.push(...roleProblems(`Bearer token ${index + 1}`, role, roles));
    // `#` cannot occur in a configured name.
    return { name: name ?? `#${index + 1}`, token: token ?? '', role };
  });
  problems.push(...repeatedTokenProblems(tokens));
  return tokens;
}

function roleProblems(whose: string, role: string, roles: Roles | undefined): string[] {
  if (roles === undefined) return [`${whose} has a role, but BILLING_ROLES is not set. Set it, or remove role=….`];
  if (roles.has(role)) return [];
  const names = [...roles.keys()];
  const guess = nearest(role, names);
  const meant = guess === null ? `Roles: ${names.join(', ')}.` : `Did you mean ${guess}?`;
  return [`${whose}: there is no role ${JSON.stringify(cutText(role, 64))} in BILLING_ROLES. ${meant}`];
}

/** Two callers with one name would share budgets, sessions and confirmations; one token with two names is one caller. */
function repeatedTokenProblems(tokens: readonly NamedToken[]): string[] {
  const problems: string[] = [];
  for (const [index, { name, token }] of tokens.entries()) {
    const pair = (other: number) => `Bearer tokens ${other + 1} and ${index + 1}`;
    const namesake = tokens.findIndex(earlier => earlier.name === name);
    const twin = tokens.findIndex(earlier => earlier.token === token && token !== '');
    if (namesake < index) problems.push(`${pair(namesake)} have the same name. Give each its own name.`);
    else if (twin >= 0 && twin < index) problems.push(`${pair(twin)} are the same. Remove one of them.`);
  }
  return problems;
}

function readTrust(text: string | undefined): boolean | string {
  return text === 'true' ? true : text === undefined || text === 'false' ? false : text;
}

/** With a public address, callers use its host or the loopback names. */
function hostsOf(publicUrl: string | undefined, host: string): string[] {
  if (!publicUrl || !URL.canParse(publicUrl)) return [];
  const bound = isWildcard(host) ? [] : [host.includes(':') ? `[${host}]` : host];
  return ['localhost', '127.0.0.1', '[::1]', ...bound, new URL(publicUrl).hostname];
}
