/** The chat hosts that `usage-billing-mcp init` knows, with the form of each one's configuration. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Launch, launchOf } from './launch.ts';

export interface HostTarget {
  /** How the host starts this server. */
  entry: ServerEntry;
  /** What the host asks for when it starts (VS Code). */
  input?: Readonly<Record<string, string | boolean>> & { id: string };
}

interface ServerEntry {
  type?: 'stdio' | 'local';
  /** Copilot CLI: the tools that it may use. */
  tools?: string[];
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface Host {
  id: string;
  title: string;
  /** The key that holds the servers in the host's file. */
  section: 'mcpServers' | 'servers' | 'context_servers' | 'mcp_servers';
  /** What each entry has besides. */
  fixed?: Pick<ServerEntry, 'type' | 'tools'>;
  /** `BILLING_ASK` where the default does not fit the host: the reason and its source are next to it and in docs/clients.md. */
  ask?: string;
}

/** A host whose file `init` edits. */
export interface EditedHost extends Host {
  file(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string;
  restart: string;
}

/** A host for which `init` prints what to paste. */
export interface PastedHost extends Host {
  /** Its file or setting, in Markdown. */
  where: string;
  /** Of the file; JSON where it is not said. */
  format?: 'toml';
}

export const hosts: readonly EditedHost[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    section: 'mcpServers',
    file: (platform, environment) => join(appFolder(platform, environment), 'Claude', 'claude_desktop_config.json'),
    restart: 'Quit Claude Desktop and start it again.',
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
    ask: 'buttons,link',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    section: 'servers',
    fixed: { type: 'stdio' },
    file: () => join('.vscode', 'mcp.json'),
    restart: 'Start the server from the file in VS Code.',
  },
];

const mcpServers = { section: 'mcpServers' } as const;

// biome-ignore format: one row a host reads as the table it is
export const pastedHosts: readonly PastedHost[] = [
  { id: 'windsurf', title: 'Windsurf', ...mcpServers, where: '`~/.codeium/windsurf/mcp_config.json`' },
  { id: 'codex', title: 'Codex', section: 'mcp_servers', format: 'toml', where: '`~/.codex/config.toml` (or `$CODEX_HOME`)' },
  { id: 'gemini-cli', title: 'Gemini CLI', ...mcpServers, where: '`~/.gemini/settings.json`' },
  { id: 'zed', title: 'Zed', section: 'context_servers', where: '`~/.config/zed/settings.json`, on Windows `%APPDATA%\\Zed\\settings.json`' },
  { id: 'cline', title: 'Cline', ...mcpServers, where: '`cline_mcp_settings.json` (MCP Servers → Configure)' },
  { id: 'copilot-cli', title: 'Copilot CLI', ...mcpServers, fixed: { type: 'local', tools: ['*'] }, where: '`~/.copilot/mcp-config.json`' },
  { id: 'jetbrains', title: 'JetBrains', ...mcpServers, where: '`~/.junie/mcp/mcp.json` (Junie), or the settings of AI Assistant' },
];

/** Hosts without a form of their own: what to enter where. */
export const byHandHosts: Readonly<Record<string, (launch: Launch) => string>> = {
  chatgpt: () =>
    'ChatGPT does not start local programs. Host this server over HTTPS with OAuth (docs/hosting.md), then enter its address, https://…/mcp, in Settings → Connectors → Create.',
  other: ({ command, args }) =>
    `Enter this in the host's settings for a stdio server:\n\n  command:   ${command}\n  arguments: ${args.join(' ')} --demo\n\nFor a real account, omit --demo, and set BILLING_BASE_URL, BILLING_API_KEY and, to start with, BILLING_READ_ONLY=true. If the host accepts only an address, run this program with --http --demo and enter http://127.0.0.1:3000/mcp.`,
};

/**
 * What goes into a host's file. It holds the key only where `apiKey` is given; VS Code asks for the key instead. Without
 * `launch` it is the form of an installed package.
 */
export function targetFor(
  host: Host,
  {
    baseUrl,
    apiKey = '',
    launch = published,
    readOnly = false,
  }: { baseUrl?: string; apiKey?: string; launch?: Launch; readOnly?: boolean },
): HostTarget {
  const start = { ...host.fixed, ...launch };
  const ask = host.ask === undefined ? undefined : { BILLING_ASK: host.ask };
  if (!baseUrl) return { entry: { ...start, args: [...launch.args, '--demo'], ...(ask && { env: ask }) } };
  const account = {
    BILLING_BASE_URL: baseUrl,
    BILLING_API_KEY: apiKey,
    ...(readOnly && { BILLING_READ_ONLY: 'true' }),
    ...ask,
  };
  if (host.id !== 'vscode') return { entry: { ...start, env: account } };
  return {
    entry: { ...start, env: { ...account, BILLING_API_KEY: '${input:billing-api-key}' } },
    input: {
      type: 'promptString',
      id: 'billing-api-key',
      description: 'API key of the billing account',
      password: true,
    },
  };
}

const published = launchOf({ root: '_npx/0/node_modules/usage-billing-mcp', platform: 'linux', node: 'node' });

/** Where applications of this platform keep their settings. */
function appFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  if (platform === 'darwin') return join(home(environment), 'Library', 'Application Support');
  if (platform === 'win32') return environment.APPDATA ?? join(home(environment), 'AppData', 'Roaming');
  return environment.XDG_CONFIG_HOME ?? join(home(environment), '.config');
}

function home(environment: NodeJS.ProcessEnv): string {
  return environment.HOME ?? environment.USERPROFILE ?? homedir();
}
