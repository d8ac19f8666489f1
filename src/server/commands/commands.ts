/** The subcommands, `--help` and `--version`. Each command's code is loaded when it is called. */
import { Command, CommanderError } from 'commander';
import { version } from '../../lib/version.ts';
import { commands, helpText } from '../settings/help.ts';
import { checkNames } from '../settings/load.ts';

const registrations: Record<string, (program: Command) => Promise<void>> = {
  service: async program => (await import('./service.ts')).registerServiceCommand(program),
  check: async program => registerCheck(program),
  audit: async program => (await import('./audit.ts')).registerAuditCommand(program),
  rehearse: async program => (await import('./rehearse.ts')).registerRehearseCommand(program),
  init: async program => (await import('./init/command.ts')).registerInitCommand(program),
};

/** Runs one subcommand to its end and sets the exit code. Output goes to stdout: no protocol runs here. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const [first = ''] = argv;
  const program = new Command('usage-billing-mcp')
    .version(version, '-V, --version')
    .exitOverride()
    .showHelpAfterError('See --help.');
  program.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'usage-billing-mcp: ')) });
  const register = Object.hasOwn(registrations, first) ? registrations[first] : undefined;
  if (first === 'service' || first === 'init') program.hook('preAction', () => checkNames(process.env));
  if (register) await register(program);
  else {
    program.helpInformation = () => helpText(commands.map(([name]) => name));
    program.allowUnknownOption().allowExcessArguments();
    program.action(() => program.outputHelp());
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    // Already printed: help, the version, or what is wrong with the arguments.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

function registerCheck(program: Command): void {
  program
    .command('check')
    .description('try the configured base URL and key, and say in plain words what is right or wrong')
    .addHelpText(
      'after',
      '\nTakes the same flags as the server, e.g. --base-url https://billing.example.com (the key in BILLING_API_KEY), or --demo.',
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_options: unknown, command: Command) => {
      const { check } = await import('./check.ts');
      process.exitCode = await check(command.args, process.env, line => process.stdout.write(`${line}\n`));
    });
}
