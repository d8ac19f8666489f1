/** Finds at the start what would go wrong later, and says what a user at a terminal needs to know. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { fileReason } from '../../lib/system-errors.ts';
import { type Config, ConfigError } from '../settings/settings.ts';

type AuditSettings = Pick<Config, 'auditLog' | 'maxAmountPerDay' | 'redisUrl'>;

/** Opens the audit log as a write would. Throws ConfigError: without its log, every write would be refused later. */
export function checkAuditLog({ auditLog, maxAmountPerDay, redisUrl }: AuditSettings): void {
  if (auditLog === undefined || auditLog === 'stderr') return;
  let isFile: boolean;
  try {
    const file = openSync(auditLog, 'a+', 0o600);
    isFile = fstatSync(file).isFile();
    closeSync(file);
  } catch (error) {
    throw new ConfigError([
      `BILLING_AUDIT_LOG (--audit-log) cannot be written: ${fileReason(error)} (${auditLog}). Set it to a file in an existing folder, or to stderr.`,
    ]);
  }
  if (maxAmountPerDay !== undefined && redisUrl === undefined && !isFile) {
    throw new ConfigError([
      `BILLING_MAX_AMOUNT_PER_DAY reads the daily total from BILLING_AUDIT_LOG (--audit-log), and ${auditLog} is not a readable file. Set it to a file.`,
    ]);
  }
}

/**
 * Reads the account file at the start. The embedded service reads it only at the first call, when no one who can solve its
 * problems would see them. Throws ConfigError with all of them.
 */
export async function checkAccountFile({ account, now }: Pick<Config, 'account' | 'now'>): Promise<void> {
  if (account === undefined) return;
  const { readAccount, readAccountFile } = await import('../../service/account-file/load.ts');
  try {
    readAccount(await readAccountFile(account), now === undefined ? new Date() : new Date(now));
  } catch (error) {
    throw new ConfigError(startProblems('The sandbox', error));
  }
}

/** For someone who started the program by hand and sees that nothing happens. */
export function terminalText(config: Config, argv: readonly string[]): string {
  const program = programName(argv[1] ?? '');
  return [
    `MCP server, waiting for a client on stdin. A chat host usually starts it. ${accountText(config)}`,
    'To try it:',
    `  ${program} init cursor     print what a chat host needs to start this program`,
    `  ${program} --http --demo   serve fictional customers at http://127.0.0.1:3000/mcp`,
    `  ${program} check           test the configured billing account`,
    `  ${program} --help          all commands and settings`,
    'Stop with Ctrl-C.',
  ].join('\n');
}

function accountText({ demo, baseUrl }: Config): string {
  if (demo) return 'It uses the demo account.';
  if (baseUrl) return `It uses the billing account at ${new URL(baseUrl).host}.`;
  return 'It has no billing account: set BILLING_BASE_URL and BILLING_API_KEY, or add --demo.';
}

const mostShown = 100;

/** Why a start failed, one sentence each: an account file may have several problems. */
export function startProblems(what: string, error: unknown): string[] {
  const { message, problems = [] } = error as Error & { problems?: readonly string[] };
  if (problems.length <= 1) return [`${what} did not start. ${message}${/[.?!]$/.test(message) ? '' : '.'}`];
  const more = problems.length - mostShown;
  return [
    `${what} did not start. The account file has ${problems.length} problems:`,
    ...problems.slice(0, mostShown),
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ];
}

/** The command with which a user calls the program of this script again. */
export function programName(script: string): string {
  if (!script.endsWith('.js')) return basename(script) || 'usage-billing-mcp';
  return `node ${relative(process.cwd(), script)}`;
}
