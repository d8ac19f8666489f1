/** `usage-billing-mcp check`: tries the configured account, each read and computation of it, and says in plain words what came of each. */
import { lookup } from 'node:dns/promises';
import { createAccess } from '../../calls/access/access.ts';
import type { Roles } from '../../calls/access/roles/role.ts';
import { toolList } from '../../calls/access/tool-list.ts';
import { failureOf } from '../../calls/api/http/read-answer.ts';
import { splitBaseUrl } from '../../calls/api/http/request.ts';
import { changesAccount } from '../../definition/define.ts';
import { membersOf } from '../../lib/json.ts';
import { version } from '../../lib/version.ts';
import { accountInWords } from '../../words/present-record.ts';
import { startEmbedded } from '../core.ts';
import { confirmText, missingPages } from '../settings/confirm-text.ts';
import { loadConfig } from '../settings/load.ts';
import { proxiesOf, proxyOf } from '../settings/proxies.ts';
import { type Config, ConfigError, settingsDigest } from '../settings/settings.ts';
import { addressAdvice } from './check/address.ts';
import { judge, send } from './check/connection.ts';
import { prefixShown } from './check/ids.ts';
import { reportTools } from './check/report.ts';
import type { Command } from './command.ts';
import { checkAuditLog, startProblems } from './start-checks.ts';

const tryWritesFlag = 'try-writes';
const facts = { tool: 'check', effect: 'read' } as const;

export const checkCommand: Command = {
  // Those of the server, which `check` reads as the server does.
  flags: {
    tryWrites: {
      name: null,
      flag: tryWritesFlag,
      type: 'boolean',
      description:
        'Also send empty updates to IDs that do not exist, which changes nothing. Creations and deletions are never sent',
    },
  },
  more: [
    'It also accepts the server flags, e.g. --base-url https://billing.example.com with the key in BILLING_API_KEY, or --demo.',
    'Exit code 0: everything tested works, is forbidden for the key, or is not part of the installation. 1: nothing responds or something fails. 2: the settings are wrong.',
  ],
  run: argv => check(argv, process.env, line => process.stdout.write(`${line}\n`)),
};

interface Wanted {
  config: Config;
  /** How users confirm writes, as the start says it. */
  confirms: string;
  tryWrites: boolean;
}

/** Prints what is right and what is wrong; returns 0 when the account can be used, 2 when settings are wrong, else 1. */
export async function check(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<number> {
  const { node } = process.versions;
  const advice = Number.parseInt(node, 10) < 22 ? ' (gets no more fixes: use Node.js 24)' : '';
  say(`usage-billing-mcp ${version}, Node.js ${node}${advice}`);
  try {
    const tryWrites = argv.includes(`--${tryWritesFlag}`);
    const flags = argv.filter(flag => flag !== `--${tryWritesFlag}`);
    const { config } = loadConfig(flags, env);
    if (tryWrites && config.readOnly)
      throw new ConfigError(['--try-writes cannot be used with BILLING_READ_ONLY (--read-only). Remove one of them.']);
    const roles = config.roles === undefined ? undefined : await reportRoles(config, config.roles, say);
    const wanted = { config, tryWrites, confirms: await confirmsOf(config, roles) };
    const account = accountInWords(config);
    if (account !== undefined) say(`✓ Account: ${account}`);
    checkAuditLog(config);
    reportLimits(config, roles, say);
    if (config.demo) return await checkEmbedded(wanted, say);
    if (!config.baseUrl || !config.apiKey) {
      say('✗ Configuration: set BILLING_BASE_URL and BILLING_API_KEY, then run this again. Or use --demo.');
      return 1;
    }
    say(`✓ Configuration: ${new URL(config.baseUrl).host}, with a key`);
    return (await tryAccount(config.baseUrl, config.apiKey, wanted, say)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) say(`✗ Configuration: ${problem}`);
    return 2;
  }
}

async function checkEmbedded(wanted: Wanted, say: (line: string) => void): Promise<number> {
  const { config } = wanted;
  say(`✓ Configuration: the sandbox, with ${config.account ?? 'the demo account'}`);
  const service = await startEmbedded(config, {
    signal: new AbortController().signal,
    onWait: (database, reason) => {
      throw new ConfigError([`${database} is not responding: ${reason}`]);
    },
  }).catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(startProblems('The sandbox', error));
  });
  try {
    return (await tryAccount(service.baseUrl, service.apiKey, wanted, say)) ? 0 : 1;
  } finally {
    await service.close();
  }
}

/** As the start says it. Throws ConfigError for settings with which the server would not start over HTTP. */
async function confirmsOf(config: Config, roles: Roles | undefined): Promise<string> {
  if (!config.http && roles === undefined) return confirmText(config, missingPages(process.env));
  const { settingsFrom } = await import('../http/configure.ts');
  const { approvalPageOffer, confirmTextWith } = await import('../http/approve/offer.ts');
  return confirmTextWith(config, approvalPageOffer(settingsFrom(config, roles)), roles);
}

/** Throws ConfigError for what is wrong in the file, and for tokens whose role is not in it. */
async function reportRoles(config: Config, path: string, say: (line: string) => void): Promise<Roles> {
  const { readRoles } = await import('../../calls/access/roles/file.ts');
  const { settingsFrom } = await import('../http/configure.ts');
  const names = toolList.map(({ name }) => name);
  const roles = readRoles(path, names);
  const { tokens } = settingsFrom(config, roles);
  const accessOf = createAccess(config, toolList, roles);
  for (const { name: role, access } of roles.values()) {
    const { tools } = accessOf({ scopes: null, role });
    const writes = tools.filter(tool => changesAccount(tool.effect)).length;
    const { maxAmountPerDay } = access;
    const day = maxAmountPerDay === undefined ? '' : `, at most ${maxAmountPerDay} per UTC day`;
    const rules = access.confirm === undefined ? '' : `, confirmed at least by ${access.confirm}`;
    const proof = access.proof === undefined ? '' : `, confirmed_by ${access.proof} or stronger`;
    say(`✓ Role ${role}: ${tools.length} tools, including ${writes} writes${day}${rules}${proof}`);
  }
  const without = tokens.filter(({ role }) => role === undefined).map(({ name }) => name);
  if (without.length > 0) say(`! Bearer tokens without a role (refused): ${without.join(', ')}`);
  return roles;
}

/** The limits of amounts in effect, where their sums are counted, and what audit lines name the settings by. */
function reportLimits(config: Config, roles: Roles | undefined, say: (line: string) => void): void {
  const { maxAmount, maxAmountPerDay, auditLog, redisUrl } = config;
  if (maxAmount !== undefined) say(`✓ Largest amount per write: ${maxAmount}`);
  const perDay = maxAmountPerDay ?? [...(roles?.values() ?? [])].find(({ access }) => access.maxAmountPerDay)?.name;
  if (perDay !== undefined) {
    const where = countsIn({ auditLog, redisUrl });
    say(`✓ Largest total per caller and UTC day: ${maxAmountPerDay ?? 'by role'}, counted ${where}`);
  }
  if (auditLog === undefined) return;
  const seals = config.auditKey === undefined ? 'hashes' : 'HMACs of BILLING_AUDIT_KEY';
  say(
    `✓ Audit log: ${auditLog}, sealed with ${seals}; its entries refer to these settings as ${settingsDigest(config, roles)}`,
  );
}

function countsIn({ auditLog, redisUrl }: Pick<Config, 'auditLog' | 'redisUrl'>): string {
  if (redisUrl !== undefined) return 'in Redis';
  if (auditLog !== undefined && auditLog !== 'stderr') return 'from the audit log';
  return 'in this process: a restart resets it';
}

async function tryAccount(
  baseUrl: string,
  apiKey: string,
  { config, tryWrites, confirms }: Wanted,
  say: (line: string) => void,
): Promise<boolean> {
  const { origin, prefix } = splitBaseUrl(baseUrl);
  const { hostname, protocol } = new URL(origin);
  const proxy = proxyOf(new URL(origin), proxiesOf(config));
  // Behind a proxy, often only the proxy can resolve names.
  if (proxy) say(`✓ Proxy: ${new URL(proxy).host}${config.noProxy ? `, unless NO_PROXY names ${hostname}` : ''}`);
  else if (!(await resolvesName(hostname, say))) return false;
  const account = { base: origin + prefix, apiKey, config };
  const started = performance.now();
  const exchanged = await send(account, 'GET', '/plans?page=1&per_page=1');
  const took = performance.now() - started;
  if (exchanged.kind === 'failed') {
    const { error } = failureOf(facts, exchanged, config.timeoutMs);
    const step = error.code === 'tls_failed' ? 'TLS' : exchanged.sent ? 'Answer' : 'Connection';
    say(`✗ ${step}: ${error.message.slice('check: '.length)}.`);
    say(`  ${await addressAdvice(baseUrl, exchanged, account)}`);
    return false;
  }
  if (protocol === 'https:') say('✓ TLS: the certificate is trusted');
  say(`✓ Connection: response within ${Math.round(took)} ms, including connecting`);
  reportClock(exchanged.headers.date, say);
  const judged = judge(facts, exchanged, account);
  const fault = interfaceFault(judged);
  if (fault !== null) {
    say(fault);
    if (exchanged.status !== 401) say(`  ${await addressAdvice(baseUrl, exchanged, account)}`);
    return false;
  }
  say(exchanged.status === 403 ? '! Key: it cannot read plans' : '✓ Key: accepted, and it can read plans');
  const shown = await prefixShown(account, exchanged.text);
  const prefixIsRight = reportPrefix(shown, config.idPrefix, say);
  const idPrefix = shown ?? config.idPrefix;
  const works = await reportTools({ ...account, config: { ...config, idPrefix } }, { tryWrites, confirms, say });
  return prefixIsRight && works;
}

/** Why there is nothing more to try; null where there is. */
function interfaceFault(judged: ReturnType<typeof judge>): string | null {
  if ('body' in judged) {
    const { plans } = membersOf<'plans'>(judged.body);
    return Array.isArray(plans) ? null : '✗ Interface: the address responds, but not with a list of plans.';
  }
  const { status, message } = judged.error;
  if (status === 403) return null;
  return status === 401
    ? '✗ Key: refused (401). It is wrong or expired. Set BILLING_API_KEY to a key of this account.'
    : `✗ Interface: ${message.slice('check: '.length)}.`;
}

/** Records of other installations have acme_id for svc_id. */
function reportPrefix(shown: string | null, configured: string | undefined, say: (line: string) => void): boolean {
  const taken = configured === undefined ? 'the first record decides' : `${configured} is used (BILLING_ID_PREFIX)`;
  const isRight = shown === null || configured === undefined || shown === configured;
  if (shown === null) say(`! ID prefix: no record shows it; ${taken}`);
  else if (isRight) say(`✓ ID prefix: ${shown}, from records`);
  else say(`✗ ID prefix: records have ${shown}id, but BILLING_ID_PREFIX is ${configured}. Remove BILLING_ID_PREFIX`);
  return isRight;
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

/** A wrong clock makes expiry dates and signatures wrong. */
function reportClock(header: string | string[] | undefined, say: (line: string) => void): void {
  const theirs = Date.parse(String(header));
  if (Number.isNaN(theirs)) return;
  const apart = Math.round((Date.now() - theirs) / 1000);
  if (Math.abs(apart) <= 60) say('✓ Clock: in sync with the service');
  else say(`! Clock: this machine is ${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} the service.`);
}
