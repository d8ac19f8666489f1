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
  extensions: { [pagesExtension]: {}, 'io.modelcontextprotocol/skills': { directoryRead: true } },
};

/** An invoice with a bar of usage; docs/icon.svg, and drawn at 512 px docs/icon.png. */
export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#1f5fbf"/>' +
  '<path fill="#fff" d="M16 10h32v44l-5.3-4-5.4 4-5.3-4-5.3 4-5.4-4-5.3 4z"/>' +
  '<path fill="#1f3c7a" d="M22 18h20v3H22zm0 7h13v3H22z"/><path fill="#0b7a75" d="M22 34h6v9h-6zm7-4h6v13h-6zm7 2h6v11h-6z"/></svg>';

const icons = [
  {
    src: `data:image/svg+xml;base64,${Buffer.from(iconSvg).toString('base64')}`,
    mimeType: 'image/svg+xml',
    sizes: ['any'],
  },
];

export type Identity = ReturnType<typeof identityFor>;

/** The identity of the servers of this caller. */
export function identityFor(
  { config, pipeline }: { config: Config; pipeline: Pick<Pipeline, 'list' | 'accessOf'> },
  caller: Caller,
) {
  const { customers, hidden } = pipeline.accessOf(caller);
  return {
    serverInfo: { name: 'usage-billing-mcp', title: 'Usage billing', version, icons },
    instructions: instructions({
      demo: config.demo,
      // The working ids are those of all customers.
      ids: config.demo && config.account === undefined && customers === undefined,
      finds: pipeline.list(caller).tools.some(({ name }) => name === 'find_customers'),
      hidden,
    }),
  };
}
