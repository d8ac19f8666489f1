/** The SDK's side of the connection over stdio. A module of its own, so that a start does not load the SDK. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AskRoute } from '../../definition/asking.ts';
import type { Caller } from '../../definition/caller.ts';
import type { Core } from '../core.ts';
import { withServers } from '../runtime.ts';
import { missingPages } from '../settings/confirm-text.ts';
import { createPages } from './approval-pages.ts';
import type { SdkSide, StdioConnection } from './connection.ts';
import { StdioTransport } from './transport.ts';

export function serveBySdk(
  core: Core,
  caller: Caller,
  connection: StdioConnection,
  onerror: (error: Error) => void,
): SdkSide {
  const transport = new StdioTransport(connection);
  const runtime = withServers(core);
  const failed = new Set<AskRoute>();
  const missing = missingPages(process.env);
  const pages = missing === undefined ? createPages(core, caller) : undefined;
  const links = pages ?? { missing: missing ?? '' };
  const handle = serveStdio(() => runtime.createMcpServer({ caller, failed, links }), { transport, onerror });
  return {
    repeat: initialize => transport.repeat(initialize),
    receive: message => transport.receive(message),
    close: async () => {
      await Promise.allSettled([handle.close(), pages?.close()]);
    },
  };
}
