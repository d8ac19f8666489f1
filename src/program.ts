/** The command line: reads the configuration and starts a transport. Only protocol messages go to stdout here. */

import { createCore } from './server/core.ts';
import { createTracing } from './server/logs/trace.ts';
import { confirmText, missingPages } from './server/settings/confirm-text.ts';
import { loadConfig } from './server/settings/load.ts';
import { commands } from './server/settings/read.ts';
import { ConfigError } from './server/settings/settings.ts';
import { serveStdio } from './server/stdio/serve.ts';

const informs = ['--help', '-h', '--version', '-V'];

async function serve(argv: readonly string[]): Promise<void> {
  if (
    argv[0] === 'help' ||
    commands.some(([name]) => name === argv[0]) ||
    argv.some(argument => informs.includes(argument))
  ) {
    // In a separate module, so that serving does not load it.
    const { runCommand } = await import('./server/commands/commands.ts');
    await runCommand(argv);
    return;
  }
  const { config } = loadConfig(argv, process.env);
  if (config.auditLog !== undefined || config.account !== undefined || process.stdin.isTTY) {
    const { checkAccountFile, checkAuditLog, terminalText } = await import('./server/commands/start-checks.ts');
    checkAuditLog(config);
    await checkAccountFile(config);
    if (process.stdin.isTTY && !config.http) console.error(terminalText(config, process.argv));
  }
  if (config.http) {
    const { runHttp } = await import('./server/http/serve.ts');
    await runHttp(config);
    return;
  }
  console.error(confirmText(config, missingPages(process.env)));
  // Without a tracing SDK, no library is loaded and no span is made.
  await serveStdio(createCore({ config, observer: await createTracing('pipe') }));
  // Idle keep-alive sockets or a half-read stdin must not keep the process running.
  process.exit(0);
}

/** Runs the program with these arguments, and sets the exit code where it does not start. */
export function run(argv: readonly string[]): Promise<void> {
  return serve(argv).catch((error: unknown) => {
    if (error instanceof ConfigError) {
      for (const problem of error.problems) console.error(`usage-billing-mcp: ${problem}`);
      process.exitCode = 2;
      return;
    }
    console.error('usage-billing-mcp could not start:', error);
    process.exitCode = 1;
  });
}
