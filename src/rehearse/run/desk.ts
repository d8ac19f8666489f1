/** What one run works with: the embedded service with a fresh account, and the server in front of it. */

import type { CoreOptions } from '../../server/core.ts';
import { createRuntime } from '../../server/runtime.ts';
import { loadConfig } from '../../server/settings/load.ts';
import type { Config } from '../../server/settings/settings.ts';
import { type RunningService, startService } from '../../service/start.ts';
import { accountOf } from '../account.ts';
import type { Task } from '../types.ts';

/** A service in memory that holds the account of the task, at its time. Throws what `startService` throws. */
export async function startAccount(task: Task): Promise<RunningService> {
  const account = await accountOf(task);
  // Warnings about the account file are given when the tasks are read, not for each run.
  return startService({ account, now: task.now, onWarning: () => {} });
}

/** The server's configuration: the task's settings alone, never the environment. Throws ConfigError. */
export function configOf({ settings, now }: Task, { baseUrl, apiKey }: RunningService): Config {
  const { config } = loadConfig(
    ['--http', '--port', '0'],
    {
      BILLING_LOG_LEVEL: 'silent',
      // No user opens a link in a rehearsal. A host without forms gets the token, and the report says that no user was asked.
      BILLING_ASK: 'url,form,buttons,token',
      ...settings,
      BILLING_BASE_URL: baseUrl,
      BILLING_API_KEY: apiKey,
    },
    { embedded: true },
  );
  // Answers speak of the account's time, as with --now.
  return { ...config, now };
}

/** The agent has ended before the server stops: no one would read a later answer. */
const limits = { drainMs: 2000 };

/** Serves MCP on a free port of the loopback address. */
export async function serve(
  config: Config,
  { wrap, unlisted }: { wrap: CoreOptions['wrap'] & {}; unlisted: <T>(work: () => T) => T },
): Promise<{ url: string; close(): Promise<void> }> {
  const { serveHttp } = await import('../../server/http/serve.ts');
  return serveHttp({
    config,
    createRuntime: (observer, roles) => {
      const runtime = createRuntime({ config, observer, roles, limits, wrap });
      return { ...runtime, createMcpServer: connection => unlisted(() => runtime.createMcpServer(connection)) };
    },
  });
}
