/** `usage-billing-mcp check`: reads the configured account once and reports each step in plain words. */
import { lookup } from 'node:dns/promises';
import { createAccess } from '../../calls/policy/access.ts';
import { toolList } from '../../calls/tool-list.ts';
import { failureOf, judgeAnswer } from '../../calls/upstream/errors.ts';
import { type ExchangeResult, maxAnswerBytes } from '../../calls/upstream/exchange.ts';
import { getOnce } from '../../calls/upstream/get-once.ts';
import { splitBaseUrl } from '../../calls/upstream/path.ts';
import { version } from '../../lib/version.ts';
import { changesAccount } from '../../tool/effect.ts';
import { startEmbedded } from '../core.ts';
import { loadConfig } from '../settings/load.ts';
import { proxiesOf, proxyOf } from '../settings/proxies.ts';
import { type Config, ConfigError } from '../settings/settings.ts';
import type { Command } from './command.ts';
import { checkAuditLog } from './start-checks.ts';
import { startProblems } from './start-problems.ts';

const facts = { tool: 'check', effect: 'read' } as const;

export const checkCommand: Command = {
  // Those of the server, which `check` reads as the server does.
  flags: {},
  more: [
    'It takes the same flags as the server, e.g. --base-url https://billing.example.com (the key in BILLING_API_KEY), or --demo.',
  ],
  run: argv => check(argv, process.env, line => process.stdout.write(`${line}\n`)),
};

/** Prints what is right and what is wrong; returns 0 when the account can be used, 2 when settings are wrong, else 1. */
export async function check(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<number> {
  say(`usage-billing-mcp ${version}, Node.js ${process.versions.node}`);
  try {
    const { config } = loadConfig(argv, env);
    if (config.roles !== undefined) await reportRoles(config, config.roles, say);
    checkAuditLog(config);
    if (config.demo) return await checkEmbedded(config, say);
    if (!config.baseUrl || !config.apiKey) {
      say('✗ Configuration: set BILLING_BASE_URL and BILLING_API_KEY, then run this again. Or try --demo.');
      return 1;
    }
    say(`✓ Configuration: ${new URL(config.baseUrl).host}, with a key`);
    return (await tryAccount(config.baseUrl, config.apiKey, config, say)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) say(`✗ Configuration: ${problem}`);
    return 2;
  }
}

async function checkEmbedded(config: Config, say: (line: string) => void): Promise<number> {
  say(`✓ Configuration: the embedded billing service, with ${config.account ?? 'the demo account'}`);
  const service = await startEmbedded(config, {
    signal: new AbortController().signal,
    onWait: (database, reason) => {
      throw new ConfigError([`${database} does not answer: ${reason}`]);
    },
  }).catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(startProblems('The embedded service', error));
  });
  try {
    return (await tryAccount(service.baseUrl, service.apiKey, config, say)) ? 0 : 1;
  } finally {
    await service.close();
  }
}

/** Throws ConfigError for what is wrong in the file, and for tokens whose role is not in it. */
async function reportRoles(config: Config, path: string, say: (line: string) => void): Promise<void> {
  const { readRoles } = await import('../../calls/policy/roles/read.ts');
  const { settingsFrom } = await import('../http/configure.ts');
  const roles = readRoles(
    path,
    toolList.map(({ name }) => name),
  );
  const { tokens } = settingsFrom(config, roles);
  const accessOf = createAccess(config, toolList, roles);
  for (const { name: role } of roles.values()) {
    const { tools } = accessOf({ scopes: null, role });
    const writes = tools.filter(tool => changesAccount(tool.effect)).length;
    say(`✓ Role ${role}: tools: ${tools.length}, of these writes: ${writes}`);
  }
  const without = tokens.filter(({ role }) => role === undefined).map(({ name }) => name);
  if (without.length > 0) say(`! Bearer tokens without a role, which are refused: ${without.join(', ')}`);
}

async function tryAccount(
  baseUrl: string,
  apiKey: string,
  config: Config,
  say: (line: string) => void,
): Promise<boolean> {
  const { timeoutMs } = config;
  const { origin, prefix } = splitBaseUrl(baseUrl);
  const { hostname, protocol } = new URL(origin);
  const proxies = proxiesOf(config);
  const proxy = proxyOf(new URL(origin), proxies);
  // Behind a proxy, often only the proxy can resolve names.
  if (proxy) say(`✓ Proxy: ${new URL(proxy).host}${config.noProxy ? `, unless NO_PROXY names ${hostname}` : ''}`);
  else if (!(await resolvesName(hostname, say))) return false;
  const started = performance.now();
  const exchanged = await getOnce(`${origin}${prefix}/plans?page=1&per_page=1`, {
    timeoutMs,
    proxies,
    maxBytes: maxAnswerBytes,
    authorization: `Bearer ${apiKey}`,
  });
  return reportAnswer(exchanged, {
    apiKey,
    tls: protocol === 'https:',
    took: performance.now() - started,
    timeoutMs,
    say,
  });
}

async function resolvesName(hostname: string, say: (line: string) => void): Promise<boolean> {
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''));
    say(`✓ Name: ${hostname} is ${address}`);
    return true;
  } catch (error) {
    say(
      `✗ Name: ${hostname} cannot be resolved (${(error as NodeJS.ErrnoException).code}). Is BILLING_BASE_URL right?`,
    );
    return false;
  }
}

interface ConnectionFacts {
  apiKey: string;
  tls: boolean;
  took: number;
  timeoutMs: number;
  say: (line: string) => void;
}

function reportAnswer(exchanged: ExchangeResult, { apiKey, tls, took, timeoutMs, say }: ConnectionFacts): boolean {
  if (exchanged.kind === 'failed') {
    const { error } = failureOf(facts, exchanged, timeoutMs);
    const step = error.code === 'tls_failed' ? 'TLS' : exchanged.sent ? 'Answer' : 'Connection';
    say(`✗ ${step}: ${error.message.slice('check: '.length)}.`);
    return false;
  }
  if (tls) say('✓ TLS: the certificate is trusted');
  say(`✓ Connection: answered within ${Math.round(took)} ms, connecting included`);
  reportClock(exchanged.headers.date, say);
  const judged = judgeAnswer(facts, exchanged, undefined, apiKey);
  if (!('error' in judged)) {
    const plans = (judged.body as { plans?: unknown }).plans;
    if (!Array.isArray(plans)) {
      say('✗ Interface: the address answers, but not with a list of plans. Is it the billing API?');
      return false;
    }
    say('✓ Key: accepted, and it may read plans');
    say('Everything is right.');
    return true;
  }
  const { status } = exchanged;
  if (status === 401)
    say('✗ Key: refused (401). It is wrong or expired: set BILLING_API_KEY to a key of this account.');
  else if (status === 403) say(`✗ Permission: ${judged.error.hint} Other operations may still work.`);
  else say(`✗ Interface: ${judged.error.message.slice('check: '.length)}. ${judged.error.hint}`);
  return false;
}

/** A wrong clock makes expiry dates and signatures wrong. */
function reportClock(header: string | string[] | undefined, say: (line: string) => void): void {
  const theirs = Date.parse(String(header));
  if (Number.isNaN(theirs)) return;
  const apart = Math.round((Date.now() - theirs) / 1000);
  if (Math.abs(apart) <= 60) say('✓ Clock: agrees with the service');
  else say(`! Clock: this machine is ${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} the service.`);
}
