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
  /** Of the file; JSON where it is not said. */
  format?: 'toml';
  /** What each entry has besides. */
  fixed?: Pick<ServerEntry, 'type' | 'tools'>;
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
    fixed: { type: 'stdio' },
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
  {
    id: 'codex',
    title: 'Codex',
    section: 'mcp_servers',
    format: 'toml',
    file: (_, environment) => join(environment.CODEX_HOME ?? join(home(environment), '.codex'), 'config.toml'),
    restart: 'Start Codex again; /mcp lists the server.',
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    section: 'mcpServers',
    file: (_, environment) => join(home(environment), '.gemini', 'settings.json'),
    restart: 'Start Gemini CLI again; /mcp lists the server.',
  },
  {
    id: 'zed',
    title: 'Zed',
    section: 'context_servers',
    file: (platform, environment) =>
      platform === 'win32'
        ? join(appFolder(platform, environment), 'Zed', 'settings.json')
        : join(environment.XDG_CONFIG_HOME ?? join(home(environment), '.config'), 'zed', 'settings.json'),
    restart: 'Zed starts the server at once; its Agent settings show a green dot.',
  },
  {
    id: 'cline',
    title: 'Cline',
    section: 'mcpServers',
    file: (platform, environment) =>
      join(
        ...[appFolder(platform, environment), 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev'],
        ...['settings', 'cline_mcp_settings.json'],
      ),
    restart: 'Cline starts the server at once; its MCP Servers panel shows it.',
  },
  {
    id: 'copilot-cli',
    title: 'Copilot CLI',
    section: 'mcpServers',
    fixed: { type: 'local', tools: ['*'] },
    file: (_, environment) => join(home(environment), '.copilot', 'mcp-config.json'),
    restart: 'Start Copilot CLI again; /mcp show lists the server.',
  },
  {
    id: 'jetbrains',
    title: 'JetBrains',
    section: 'mcpServers',
    file: (_, environment) => join(home(environment), '.junie', 'mcp', 'mcp.json'),
    restart:
      'Look at Settings → Tools → Junie → MCP Settings. AI Assistant takes the same text in Settings → Tools → AI Assistant → Model Context Protocol.',
  },
];

/** Hosts without a file: what to enter where. */
export const byHandHosts: Readonly<Record<string, (launch: Launch) => string>> = {
  chatgpt: () =>
    'ChatGPT starts no program. Host this server over HTTPS with OAuth (docs/hosting.md), then enter its address, https://…/mcp, in Settings → Connectors → Create.',
  other: ({ command, args }) =>
    `Enter this in the settings of the host, for a server over stdio:\n\n  command:   ${command}\n  arguments: ${args.join(' ')} --demo\n\nFor an account, leave out --demo, and set the variables BILLING_BASE_URL, BILLING_API_KEY and, to begin with, BILLING_READ_ONLY=true. A host that takes an address alone gets http://127.0.0.1:3000/mcp of this program with --http --demo.`,
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
    inputs: [
      { type: 'promptString', id: 'billing-api-key', description: 'API key of the billing account', password: true },
    ],
  };
}

const published = launchOf({ root: '_npx/0/node_modules/usage-billing-mcp', platform: 'linux', node: 'node' });

function claudeDesktopFile(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  return join(appFolder(platform, environment), 'Claude', 'claude_desktop_config.json');
}

/** Where applications of this platform keep their settings. */
function appFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  if (platform === 'darwin') return join(home(environment), 'Library', 'Application Support');
  if (platform === 'win32') return environment.APPDATA ?? join(home(environment), 'AppData', 'Roaming');
  return environment.XDG_CONFIG_HOME ?? join(home(environment), '.config');
}

function home(environment: NodeJS.ProcessEnv): string {
  return environment.HOME ?? environment.USERPROFILE ?? homedir();
}
