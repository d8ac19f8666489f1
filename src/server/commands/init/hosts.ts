/** The chat hosts that `usage-billing-mcp init` knows, with the form of each one's configuration. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Launch, launchOf } from './launch.ts';

/** What VS Code asks for, with texts of its own. */
interface HostInput extends Readonly<Record<string, string | boolean>> {
  id: string;
}

export interface HostTarget {
  /** How the host starts this server. */
  entry: ServerEntry;
  /** Inputs that the host asks for when it starts (VS Code). */
  inputs?: HostInput[];
}

interface ServerEntry {
  type?: 'stdio';
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface Host {
  id: string;
  title: string;
  /** The key that holds the servers in the host's file. */
  section: 'mcpServers' | 'servers';
  file(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string;
  restart: string;
  /** `BILLING_ASK` where the default does not fit the host: the reason and its source are beside it and in docs/clients.md. */
  ask?: string;
}

export const hosts: readonly Host[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    section: 'mcpServers',
    file: claudeDesktopFile,
    restart: 'Quit and start Claude Desktop again.',
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    section: 'mcpServers',
    file: () => '.mcp.json',
    restart: 'Start Claude Code in this folder and approve the server.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    section: 'mcpServers',
    file: (_, environment) => join(home(environment), '.cursor', 'mcp.json'),
    restart: 'Reload Cursor.',
    // Declares forms and drops the question over stdio in 3.10.20 (gleanwork/glean-plugins-vnext pull request 39, 20 July 2026).
    ask: 'buttons,token',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    section: 'servers',
    file: () => join('.vscode', 'mcp.json'),
    restart: 'Start the server from the file in VS Code.',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    section: 'mcpServers',
    file: (_, environment) => join(home(environment), '.codeium', 'windsurf', 'mcp_config.json'),
    restart: 'Press refresh in the MCP panel of Windsurf.',
  },
];

/**
 * What goes into a host's file. It holds the key only where `apiKey` is given; VS Code asks for the key instead. Without
 * `launch` it is the form of an installed package.
 */
export function targetFor(
  host: Host,
  { baseUrl, apiKey = '', launch = published }: { baseUrl?: string; apiKey?: string; launch?: Launch },
): HostTarget {
  const start = { ...(host.id === 'vscode' && { type: 'stdio' as const }), ...launch };
  const ask = host.ask === undefined ? undefined : { BILLING_ASK: host.ask };
  if (!baseUrl) return { entry: { ...start, args: [...launch.args, '--demo'], ...(ask && { env: ask }) } };
  const account = { BILLING_BASE_URL: baseUrl, BILLING_API_KEY: apiKey, ...ask };
  if (host.id !== 'vscode') return { entry: { ...start, env: account } };
  return {
    entry: { ...start, env: { ...account, BILLING_API_KEY: '${input:billing-api-key}' } },
    inputs: [
      { type: 'promptString', id: 'billing-api-key', description: 'API key of the billing account', password: true },
    ],
  };
}

const published = launchOf({ root: 'node_modules/usage-billing-mcp', platform: 'linux' });

function claudeDesktopFile(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  const name = 'claude_desktop_config.json';
  if (platform === 'darwin') return join(home(environment), 'Library', 'Application Support', 'Claude', name);
  if (platform === 'win32')
    return join(environment.APPDATA ?? join(home(environment), 'AppData', 'Roaming'), 'Claude', name);
  return join(environment.XDG_CONFIG_HOME ?? join(home(environment), '.config'), 'Claude', name);
}

function home(environment: NodeJS.ProcessEnv): string {
  return environment.HOME ?? environment.USERPROFILE ?? homedir();
}
