/** `usage-billing-mcp service`: the embedded billing service alone. */
import { listenProblem } from '../../lib/system-errors.ts';
import type { RunningService, ServiceOptions } from '../../service/start.ts';
import { checkNames } from '../settings/load.ts';
import { instantProblems } from '../settings/rules.ts';
import { ConfigError, settings, storageOf, type ValuesOf, withoutAddress } from '../settings/settings.ts';
import { type Command, readArguments } from './command.ts';
import { startProblems } from './start-checks.ts';

// biome-ignore format: one row a flag reads as the table it is
const flags = {
  port: { ...settings.port, default: 3900 },
  data: settings.data,
  account: { ...settings.account, description: 'Account file (JSON) to load, unless it is already loaded' },
  demo: { ...settings.demo, name: null, description: 'Load the demo account' },
  reset: { name: null, flag: 'reset', type: 'boolean', description: 'First delete all data in the file or database, then load the account again' },
  now: { ...settings.now, description: 'Fix the clock at a date and time' },
} as const;
type ServiceFlags = ValuesOf<typeof flags>;

/** It runs until SIGINT or SIGTERM, and prints base URL and key on stdout. */
export const serviceCommand: Command = {
  flags,
  async run(argv) {
    checkNames(process.env);
    await runService(readArguments(flags, argv));
    return undefined;
  },
};

async function runService(options: ServiceFlags): Promise<void> {
  const problem = contradiction(options);
  if (problem !== null) throw new ConfigError([problem]);
  const service = await startWithFlags(options);
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

function contradiction({ data, reset, demo, account, now }: ServiceFlags): string | null {
  if (demo && account !== undefined) return '--demo cannot be used with --account. Keep one of them.';
  const [noInstant] = instantProblems(now);
  if (noInstant !== undefined) return noInstant;
  if (reset && data === undefined) return '--reset needs --data. In memory, nothing is stored.';
  return null;
}

/** Throws ConfigError with what the user can change. */
async function startWithFlags(flags: ServiceFlags): Promise<RunningService> {
  const { startWhenPossible } = await import('../../service/start.ts');
  let waited = false;
  const onWait = (database: string, reason: string) => {
    if (!waited) process.stderr.write(`Waiting for ${database}. ${withoutAddress(reason, flags.data)}\n`);
    waited = true;
  };
  try {
    return await startWhenPossible(optionsOf(flags), { onWait });
  } catch (error) {
    const used = listenProblem(error, '127.0.0.1', flags.port);
    const problems = startProblems('The billing service', used === null ? error : new Error(used));
    throw new ConfigError(problems.map(problem => withoutAddress(problem, flags.data)));
  }
}

function optionsOf(flags: ServiceFlags): ServiceOptions {
  const account = flags.demo ? 'demo' : flags.account;
  // The key may be set, to keep it over a restart; as a flag it would be visible to others.
  const apiKey = process.env.BILLING_API_KEY;
  return {
    port: flags.port,
    ...(apiKey ? { apiKey } : {}),
    ...storageOf(flags.data),
    ...(account === undefined ? {} : { account }),
    ...(flags.reset && { reset: true }),
    ...(flags.now === undefined ? {} : { now: flags.now }),
  };
}

function startText(service: RunningService, keyIsSet: boolean): string {
  return [
    `Billing service of "${service.accountName}"`,
    ...(service.empty
      ? ['The account is empty. Start with --demo for fictional customers, or with --account FILE for your own.']
      : []),
    ...(service.kept ? ['It was already in the database and was not loaded again. --reset deletes it first.'] : []),
    `BILLING_BASE_URL=${service.baseUrl}`,
    `BILLING_API_KEY=${service.apiKey}`,
    ...(keyIsSet ? [] : ['Each start creates a new key. To keep the key, set BILLING_API_KEY before starting.']),
    'Webhooks and emails are not sent. Stop with Ctrl-C.',
    '',
  ].join('\n');
}
