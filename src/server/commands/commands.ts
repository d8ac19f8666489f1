/** The subcommands, `--help` and `--version`. Each command's code is loaded when it is called. */
import { version } from '../../lib/version.ts';
import { commandHelp, helpText } from '../settings/help.ts';
import { unknownArgument } from '../settings/read.ts';
import { ConfigError, type Flag, settings } from '../settings/settings.ts';
import type { Command } from './command.ts';

/** Each command by its name. */
export const commandModules: Readonly<Record<string, () => Promise<Command>>> = {
  service: async () => (await import('./service.ts')).serviceCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  rehearse: async () => (await import('./rehearse.ts')).rehearseCommand,
  init: async () => (await import('./init/command.ts')).initCommand,
};

const serverFlags = Object.values<Flag>(settings).flatMap(({ flag }) => flag ?? []);

/** Runs one subcommand to its end and sets the exit code. Output goes to stdout: no protocol runs here. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  // `help audit` and `--help audit` are `audit --help`.
  const asksFirst = ['help', '--help', '-h'].includes(argv[0] ?? '');
  const [first = '', ...rest] = asksFirst ? [...argv.slice(1), '--help'] : argv;
  process.exitCode = 0;
  const load = Object.hasOwn(commandModules, first) ? commandModules[first] : undefined;
  if (load === undefined && !first.startsWith('-')) {
    process.stderr.write(`usage-billing-mcp: ${unknownArgument(first, serverFlags)}\n`);
    process.exitCode = 2;
    return;
  }
  if (load === undefined) {
    const isVersion = argv.some(argument => argument === '--version' || argument === '-V');
    process.stdout.write(isVersion ? `${version}\n` : helpText());
    return;
  }
  const command = await load();
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(commandHelp(first, command.flags, command.more ?? []));
    return;
  }
  try {
    process.exitCode = await command.run(rest);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // A problem may quote a name in a file, which must not reach the terminal as an escape sequence.
    const { escapeForSummary } = await import('../../words/safe-text.ts');
    const shown = (problem: string) => problem.split('\n').map(escapeForSummary).join('\n');
    for (const problem of error.problems) process.stderr.write(`usage-billing-mcp: ${shown(problem)}\n`);
    process.exitCode = 2;
  }
}
