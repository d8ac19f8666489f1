/** `usage-billing-mcp service`: the embedded billing service alone. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { listenProblem } from '../../lib/listen-error.ts';
import type { RunningService, ServiceOptions } from '../../service/start.ts';
import { ConfigError } from '../settings/settings.ts';
import { startProblems } from './start-problems.ts';

interface ServiceFlags {
  port: number;
  data?: string;
  databaseUrl?: string;
  account?: string;
  demo?: boolean;
  reset?: boolean;
  now?: string;
}

/** Adds the command. It runs until SIGINT or SIGTERM, and prints base URL and key on stdout. */
export function registerServiceCommand(program: Command): void {
  program
    .command('service')
    .description('run the embedded billing service alone, on 127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', portNumber, 3900)
    .addOption(
      new Option('--data <file>', 'keep everything in a SQLite file (default: in memory)').conflicts('databaseUrl'),
    )
    .option(
      '--database-url <url>',
      'keep everything in PostgreSQL (or BILLING_DATABASE_URL): postgres://user:password@host/database',
    )
    .addOption(
      new Option('--account <file>', 'load an account file (JSON), unless it is loaded already').conflicts('demo'),
    )
    .option('--demo', 'load the demo account')
    .option('--reset', 'first delete everything that the file or database holds, to load an account anew')
    .option('--now <time>', 'pin the clock (ISO 8601)', isoTime)
    .action(runService);
}

async function runService(commandFlags: ServiceFlags): Promise<void> {
  const flags = { ...commandFlags, ...databaseOf(commandFlags) };
  const problem = contradiction(flags);
  if (problem !== null) throw new ConfigError([problem]);
  const service = await startWithFlags(flags);
  const stop = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    service.close().catch(error => {
      process.stderr.write(`The billing service did not stop cleanly: ${(error as Error).message}\n`);
      process.exitCode = 1;
    });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Printed after the signals are handled, because whoever reads it may stop the service at once.
  process.stdout.write(startText(service, Boolean(process.env.BILLING_API_KEY)));
}

function contradiction({ data, databaseUrl, reset }: ServiceFlags): string | null {
  if (data !== undefined && databaseUrl !== undefined)
    return '--data and BILLING_DATABASE_URL exclude each other: keep the one that holds the data.';
  if (reset && data === undefined && databaseUrl === undefined)
    return '--reset needs --data or --database-url: in memory nothing is kept.';
  return null;
}

/** Throws ConfigError with what the person can change. */
async function startWithFlags(flags: ServiceFlags): Promise<RunningService> {
  const { startWhenPossible } = await import('../../service/start.ts');
  let waited = false;
  const onWait = (database: string, reason: string) => {
    if (!waited) process.stderr.write(`Waiting for ${database}. ${withoutAddress(reason, flags.databaseUrl)}\n`);
    waited = true;
  };
  try {
    return await startWhenPossible(optionsOf(flags), { onWait });
  } catch (error) {
    const used = listenProblem(error, '127.0.0.1', flags.port);
    const problems = startProblems('The billing service', used === null ? error : new Error(used));
    throw new ConfigError(problems.map(problem => withoutAddress(problem, flags.databaseUrl)));
  }
}

/** Reads the variable as the server does, so that data meant for PostgreSQL is not kept in memory only. */
function databaseOf({
  databaseUrl = process.env.BILLING_DATABASE_URL,
}: ServiceFlags): Pick<ServiceFlags, 'databaseUrl'> {
  return databaseUrl ? { databaseUrl } : {};
}

function optionsOf(flags: ServiceFlags): ServiceOptions {
  const account = flags.demo ? 'demo' : flags.account;
  // The key may be set, to keep it over a restart; as a flag it would be visible to others.
  const apiKey = process.env.BILLING_API_KEY;
  return {
    port: flags.port,
    ...(apiKey ? { apiKey } : {}),
    ...(flags.data === undefined ? {} : { data: flags.data }),
    ...(flags.databaseUrl === undefined ? {} : { databaseUrl: flags.databaseUrl }),
    ...(account === undefined ? {} : { account }),
    ...(flags.reset && { reset: true }),
    ...(flags.now === undefined ? {} : { now: flags.now }),
  };
}

function startText(service: RunningService, keyIsSet: boolean): string {
  return [
    `Billing service of "${service.accountName}"`,
    ...(service.empty
      ? ['The account is empty. Start with --demo for invented customers, or with --account FILE for your own.']
      : []),
    ...(service.kept ? ['It was in the database already and was not loaded again; --reset deletes it first.'] : []),
    `BILLING_BASE_URL=${service.baseUrl}`,
    `BILLING_API_KEY=${service.apiKey}`,
    ...(keyIsSet ? [] : ['The key is a new one at each start: set BILLING_API_KEY before starting to keep it.']),
    'Webhooks and e-mails are not sent. Stop with Ctrl-C.',
    '',
  ].join('\n');
}

// A database address contains its password.
function withoutAddress(reason: string, address: string | undefined): string {
  return address ? reason.replaceAll(address, '…') : reason;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('a port is 0 to 65535');
  return port;
}

function isoTime(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('a time looks like 2026-03-10T12:00:00Z');
  return new Date(text).toISOString();
}
