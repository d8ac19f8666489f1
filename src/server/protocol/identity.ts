/** What this server says about itself when a connection is opened; the SDK is not needed for it. */
import type { Pipeline } from '../../calls/dispatch.ts';
import type { Caller } from '../../definition/caller.ts';
import { version } from '../../lib/version.ts';
import type { Config } from '../settings/settings.ts';
import { instructions } from './instructions.ts';

/** What a client that shows the pages of tools declares (MCP Apps), and this server too. */
export const pagesExtension = 'io.modelcontextprotocol/ui';

/** What every server offers. */
export const toolCapabilities = { tools: {} };

/** What a server with the extensions (`extensions.ts`) offers besides. */
export const extensionCapabilities = {
  resources: {},
  prompts: {},
  completions: {},
  extensions: { [pagesExtension]: {} },
};

export interface Identity {
  serverInfo: { name: string; title: string; version: string };
  instructions: string;
}

/** The identity of the servers of this caller. */
export function identityFor(
  { config, pipeline }: { config: Config; pipeline: Pick<Pipeline, 'list' | 'accessOf'> },
  caller: Caller,
): Identity {
  const { customers, hidden } = pipeline.accessOf(caller);
  return {
    serverInfo: { name: 'usage-billing-mcp', title: 'Usage billing', version },
    instructions: instructions({
      demo: config.demo,
      // The working ids are those of all customers.
      ids: config.demo && config.account === undefined && customers === undefined,
      finds: pipeline.list(caller).tools.some(({ name }) => name === 'find_customers'),
      hidden,
    }),
  };
}
