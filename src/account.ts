/** Where requests go: the configured billing account, the embedded service, or nowhere yet. */
import type { ToolError } from './call.ts';
import type { Config } from './config.ts';

export interface Account {
  baseUrl: string;
  /** The server's own key; callers who bring their own do not get it. */
  apiKey: string;
}

/** Where requests go; for the embedded service only known once it has started. */
export interface AccountSource {
  readonly demo: boolean;
  /** Known without waiting, undefined while the embedded service is starting. */
  current(): Account | ToolError | undefined;
  /** Starts what has to start, once. Never rejects: a failure to start is what every call then answers. */
  ready(): Promise<Account | ToolError>;
  close(): Promise<void>;
}

export function createAccountSource(config: Config): AccountSource {
  if (config.demo) return embedded(config);
  const account: Account | ToolError = config.baseUrl
    ? { baseUrl: config.baseUrl, apiKey: config.apiKey ?? '' }
    : notConfigured;
  return { demo: false, current: () => account, ready: async () => account, close: async () => {} };
}

const notConfigured: ToolError = {
  status: null,
  code: 'not_configured',
  message: 'No billing account is connected to this server.',
  hint: 'Tell the person to set BILLING_BASE_URL and BILLING_API_KEY for this server, or to start it with --demo.',
  changed: false,
};

function embedded(config: Config): AccountSource {
  let current: Account | ToolError | undefined;
  let starting: Promise<Account | ToolError> | undefined;
  let stop: () => Promise<void> = async () => {};
  const start = async (): Promise<Account | ToolError> => {
    try {
      const { startService } = await import('./service/start.ts');
      const service = await startService({
        port: 0,
        ...(config.data !== undefined && { data: config.data }),
        ...(config.databaseUrl !== undefined && { databaseUrl: config.databaseUrl }),
        account: config.account ?? 'demo',
        ...(config.now !== undefined && { now: config.now }),
      });
      stop = () => service.close();
      current = { baseUrl: service.baseUrl, apiKey: service.apiKey };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = config.databaseUrl ? message.replaceAll(config.databaseUrl, '…') : message;
      console.error(`The embedded billing service did not start: ${reason}`);
      current = didNotStart(reason);
    }
    return current;
  };
  return {
    demo: true,
    current: () => current,
    ready: () => {
      starting ??= start();
      return starting;
    },
    close: async () => {
      await starting;
      await stop();
    },
  };
}

function didNotStart(reason: string): ToolError {
  return {
    status: null,
    code: 'demo_unavailable',
    message: `The embedded billing service did not start: ${reason}`,
    hint: 'Tell the person what is missing. Nothing can be read or changed until the server is started again.',
    changed: false,
  };
}
