/** Combinations of settings that contradict each other; each message names the variable and the fix. */

import { amountProblems } from './amount-setting.ts';
import { confirmProblems, namesAmounts } from './confirm-rules.ts';
import { proxyProblems } from './proxies.ts';
import type { Config, SettingKey } from './settings.ts';

export function contradictions(config: Config, setKeys: ReadonlySet<SettingKey>, embedded = false): string[] {
  return [
    ...upstream(config),
    ...proxies(config),
    ...demo(config, setKeys),
    ...tools(config),
    ...customers(config, embedded),
    ...roles(config),
    ...amounts(config),
    ...confirmation(config),
    ...audit(config),
    ...browser(config),
    ...locale(config),
    ...http(config, setKeys),
  ];
}

function upstream(config: Config): string[] {
  const { baseUrl, apiKey, demo } = config;
  const callersBringKeys = config.http && config.httpAuth === 'api-key';
  if (demo && baseUrl) {
    return ['BILLING_BASE_URL cannot be used with --demo (BILLING_DEMO). Remove one of them.'];
  }
  if (demo && apiKey) return ['BILLING_API_KEY cannot be used with --demo (BILLING_DEMO). Remove one of them.'];
  if (baseUrl) {
    const problem = judgeBaseUrl(baseUrl);
    if (problem) return [problem];
    if (!apiKey && !callersBringKeys) {
      return ['BILLING_BASE_URL is set without BILLING_API_KEY. Also set the API key of the account.'];
    }
  } else if (apiKey) {
    return ['BILLING_API_KEY is set without BILLING_BASE_URL. Also set the address of the billing API.'];
  }
  if (apiKey && /[^\x21-\x7e]/.test(apiKey)) {
    return ['BILLING_API_KEY contains a space or a character that is invalid in a header. Copy the key again.'];
  }
  return [];
}

/** Checks proxies only where requests leave this machine. */
function proxies(config: Config): string[] {
  return config.baseUrl || config.oauthIssuer ? proxyProblems(config) : [];
}

function judgeBaseUrl(text: string): string | undefined {
  const fix = 'set it to an address such as https://billing.example.com';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return `BILLING_BASE_URL must be an http:// or https:// address: ${fix}.`;
  }
  if (url.username || url.password) {
    return `BILLING_BASE_URL must not contain a user name or password: ${fix}, and the key in BILLING_API_KEY.`;
  }
  if (url.search || url.hash) return `BILLING_BASE_URL must not contain ? or #: ${fix}.`;
  return undefined;
}

function demo(config: Config, setKeys: ReadonlySet<SettingKey>): string[] {
  const problems = instantProblems(config.now);
  if (config.demo) return problems;
  for (const key of ['data', 'account', 'now'] as const) {
    const named = key === 'data' ? '--data (BILLING_DATA)' : `--${key}`;
    if (setKeys.has(key)) problems.push(`${named} is only for the sandbox. Add --demo or remove it.`);
  }
  return problems;
}

/** A day or an hour that no calendar has. */
export function instantProblems(now: string | undefined): string[] {
  if (now === undefined || !Number.isNaN(Date.parse(now))) return [];
  return ['--now must be a valid date-time, e.g. 2026-03-15T12:00:00Z.'];
}

/** A limit in an unknown currency would limit nothing. */
function amounts({ maxAmount, maxAmountPerDay: perDay, ...config }: Config): string[] {
  const problems = maxAmount === undefined ? [] : amountProblems(maxAmount);
  if (perDay === undefined) return problems;
  problems.push(...amountProblems(perDay, 'BILLING_MAX_AMOUNT_PER_DAY'));
  const survives = config.redisUrl !== undefined || ![undefined, 'stderr'].includes(config.auditLog);
  if (!config.http && !survives) {
    problems.push(
      'BILLING_MAX_AMOUNT_PER_DAY without --http needs BILLING_AUDIT_LOG as a file. Each chat starts its own process, so the server reads the daily total from that file. Set it or BILLING_REDIS_URL, or remove the limit.',
    );
  }
  return problems;
}

/** Without the limit of a day, many small writes would add up to any amount without a prompt. */
function confirmation({ confirm, maxAmountPerDay }: Config): string[] {
  const problems = confirmProblems(confirm, 'BILLING_CONFIRM');
  if (problems.length > 0 || maxAmountPerDay !== undefined || !namesAmounts(confirm)) return problems;
  return [
    'BILLING_CONFIRM has a rule with an amount, which needs BILLING_MAX_AMOUNT_PER_DAY: small writes could add up to any amount. Set the limit, or remove the rule.',
  ];
}

function audit({ auditLog, auditKey, stateKey }: Config): string[] {
  if (auditKey === undefined) return [];
  if (auditLog === undefined)
    return ['BILLING_AUDIT_KEY is set without BILLING_AUDIT_LOG. Set both, or remove the key.'];
  return auditKey === stateKey
    ? ['BILLING_AUDIT_KEY and BILLING_STATE_KEY are the same. A shared key proves less. Set a different key.']
    : [];
}

function browser({ openBrowser, http, ask }: Config): string[] {
  if (!openBrowser || (!http && ask.includes('link'))) return [];
  return http
    ? ['BILLING_OPEN_BROWSER opens pages on the machine of this server, so it is only for stdio. Remove it or --http.']
    : ['BILLING_OPEN_BROWSER opens the page of the method link. Add link to BILLING_ASK, or remove it.'];
}

/** With an unknown locale, a chat page would have the formats of the machine that shows it. */
function locale({ locale: tag }: Config): string[] {
  if (tag === undefined) return [];
  try {
    if (Intl.NumberFormat.supportedLocalesOf(tag).length > 0) return [];
  } catch {
    // Not even the form of a locale.
  }
  return [`BILLING_LOCALE: "${tag}" is not a known locale. Set one such as de or en-GB, or remove it.`];
}

function tools(config: Config): string[] {
  const both = config.tools?.filter(name => config.excludeTools?.includes(name)) ?? [];
  return both.length === 0
    ? []
    : [`BILLING_TOOLS and BILLING_EXCLUDE_TOOLS both name ${both.join(', ')}. Remove it from one of them.`];
}

function customers({ customer, customerTokenKey, ...config }: Config, embedded: boolean): string[] {
  const problems: string[] = [];
  const required = customer?.includes('required') === true;
  if (required && customer.length > 1) {
    problems.push(
      'BILLING_CUSTOMER must be either required or a list of customers. Remove the word or the list. With BILLING_CUSTOMER_TOKEN_KEY, every request must prove its customers anyway.',
    );
  }
  const proves = embedded || customerTokenKey !== undefined || (config.http && config.httpAuth === 'oauth');
  if (required && !proves) {
    problems.push(
      'BILLING_CUSTOMER=required needs a proof of customers. Set BILLING_CUSTOMER_TOKEN_KEY, or BILLING_HTTP_AUTH=oauth with --http, or name the customers.',
    );
  }
  if (customerTokenKey !== undefined && customerTokenKey === config.stateKey) {
    problems.push(
      'BILLING_CUSTOMER_TOKEN_KEY and BILLING_STATE_KEY are the same. The issuer of customer tokens could then sign confirmations. Set a different key.',
    );
  }
  return problems;
}

/** Only what is sent over HTTP proves a role: a token of a list, or a claim. */
function roles({ roles: file, httpAuth }: Config): string[] {
  if (file === undefined || httpAuth === 'token' || httpAuth === 'oauth') return [];
  return [
    'BILLING_ROLES needs --http with BILLING_HTTP_AUTH=token or oauth, which identify the caller. Set one of them, or remove it.',
  ];
}

function http(config: Config, setKeys: ReadonlySet<SettingKey>): string[] {
  const problems: string[] = [];
  if (config.http && config.exportDir !== undefined)
    problems.push(
      'BILLING_EXPORT_DIR works only over stdio, where the caller has access to this disk. Remove it or --http.',
    );
  for (const flag of ['host', 'port', 'sessions'] as const) {
    if (setKeys.has(flag) && !config.http) problems.push(`--${flag} is only for HTTP. Add --http or remove it.`);
  }
  if (config.http && config.stateKey && !config.redisUrl) {
    problems.push(
      'BILLING_STATE_KEY over HTTP needs BILLING_REDIS_URL, where servers with the same key record used confirmations. Set it or remove the key.',
    );
  }
  const tokens = config.httpTokens !== undefined || config.httpTokensFile !== undefined;
  if (config.httpTokens && config.httpTokensFile) {
    problems.push('BILLING_HTTP_TOKENS cannot be used with BILLING_HTTP_TOKENS_FILE. Keep one of them.');
  }
  if (config.httpAuth === 'token' && !tokens) {
    problems.push('BILLING_HTTP_AUTH=token needs BILLING_HTTP_TOKENS or BILLING_HTTP_TOKENS_FILE. Set one of them.');
  }
  if (tokens && config.httpAuth !== 'token') {
    problems.push('BILLING_HTTP_TOKENS (or _FILE) is only for BILLING_HTTP_AUTH=token. Set that, or remove it.');
  }
  if (config.httpAuth === 'api-key' && config.apiKey) {
    problems.push(
      'BILLING_API_KEY is not used with BILLING_HTTP_AUTH=api-key, where callers send their own key. Remove it.',
    );
  }
  if (config.httpAuth === 'api-key' && !config.baseUrl && !config.demo) {
    problems.push('BILLING_HTTP_AUTH=api-key needs BILLING_BASE_URL. Set the address of the billing API.');
  }
  return problems;
}
