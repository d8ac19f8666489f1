/** How a host is connected, for README.md and docs/hosts.md: from a clone, and from the registry once the package is there. */
import { type Host, type HostTarget, hosts, pastedHosts, targetFor } from '../../src/server/commands/init/hosts.ts';
import type { Release } from '../package/release-file.ts';

const clone = { command: 'node', args: ['/path/to/usage-billing-mcp/dist/main.js'] };
const account = { baseUrl: 'https://billing.example.com', apiKey: '…' };

type Parts = Record<string, string>;

export function connectingReadme(release: Release): Parts {
  const ids = hosts.map(({ id }) => `\`${id}\``).join(', ');
  const here = `\`node dist/main.js init <host> --write\` adds this clone to the host's file (${ids}). For other hosts, \`init <host>\` prints what to paste.`;
  const how = release.published
    ? `${installLinks()}, or \`npx -y usage-billing-mcp init <host> --write\`, which adds the server to the host's file. In a clone, after \`npm ci\`, ${here} To edit the file by hand:`
    : `Nothing is published yet, so use a clone. After \`npm ci\`, ${here} To edit the file by hand:`;
  return { connect: `${how}\n\n${json(entryOf('claude-desktop', release, account).file, false)}` };
}

export function connectingHosts(release: Release): Parts {
  return {
    demo: json(entryOf('claude-desktop', release).file),
    account: json(entryOf('claude-desktop', release, account).file),
    hosts: hostTable(release),
    vscode: json(entryOf('vscode', release, account).file),
  };
}

/** To whom something is said in private, for SECURITY.md and CODE_OF_CONDUCT.md. */
export function contact({ contact: address }: Release): Parts {
  return {
    contact: address
      ? `Write to the maintainers privately: <${address.replace('mailto:', '')}>.`
      : 'Report it privately, never in public. The project is not published yet and has no address: contact the sender of your copy.',
  };
}

/** What goes into a host's file; with an account it only reads, until someone takes that out. */
function entryOf(id: Host['id'], { published }: Release, of: { baseUrl?: string; apiKey?: string } = {}) {
  const host = hosts.find(one => one.id === id) as Host;
  const target = targetFor(host, published ? of : { ...of, launch: clone });
  const { env } = target.entry;
  const entry = { ...target.entry, ...(of.baseUrl && { env: { BILLING_READ_ONLY: 'true', ...env } }) };
  return { entry, file: fileOf(host, { ...target, entry }) };
}

function fileOf({ section }: Host, { entry, input }: HostTarget): object {
  return { ...(input && { inputs: [input] }), [section]: { 'usage-billing': entry } };
}

function installLinks(): string {
  const [cursor, vscode] = ['cursor', 'vscode'].map(
    id => targetFor(hosts.find(one => one.id === id) as Host, {}).entry,
  );
  const config = Buffer.from(JSON.stringify(cursor)).toString('base64');
  return [
    `[Install in Cursor](https://cursor.com/en/install-mcp?name=usage-billing&config=${encodeURIComponent(config)})`,
    `[Install in VS Code](https://vscode.dev/redirect/mcp/install?name=usage-billing&config=${encodeURIComponent(JSON.stringify(vscode))})`,
  ].join(' · ');
}

function hostTable({ published }: Release): string {
  const program = published ? 'npx -y usage-billing-mcp' : 'node dist/main.js';
  const started = published ? program : 'node /path/to/usage-billing-mcp/dist/main.js';
  const [command, ...args] = started.split(' ');
  const [cursor, vscode] = published
    ? installLinks()
        .split(' · ')
        .map(link => `${link}, or `)
    : ['', ''];
  const bundle = published ? ', or open the `.mcpb` bundle' : '';
  const rows = [
    `Claude Desktop | \`${program} init claude-desktop --write\`, or the block above in \`claude_desktop_config.json\` (Settings → Developer → Edit config)${bundle}`,
    `Claude Code | \`claude mcp add usage-billing -- ${started} --demo\` (for an account, \`-e BILLING_READ_ONLY=true -e BILLING_BASE_URL=… -e BILLING_API_KEY=…\` before \`--\`), or \`${program} init claude-code\` for a project's \`.mcp.json\``,
    `Cursor | ${cursor}\`${program} init cursor --write\` for \`~/.cursor/mcp.json\``,
    `VS Code | ${vscode}\`${program} init vscode --write\` for \`.vscode/mcp.json\` (asks for the key instead of storing it)`,
    ...pastedHosts.map(
      ({ id, title, where }) => `${title} | \`${program} init ${id}\` prints what to put into ${where}`,
    ),
    'ChatGPT | Settings → Connectors → Create, with the address of a server that you host over HTTP (`https://…/mcp`, OAuth); see [Hosting](hosting.md)',
    `any other, stdio | command \`${command}\`, arguments \`${args.join(' ')} --demo\``,
    ...(published
      ? [
          'from a clone, any host | after `npm ci`: `node dist/main.js init <host> --write`, or command `node`, arguments `/path/to/usage-billing-mcp/dist/main.js --demo`',
        ]
      : []),
    `any other, HTTP | \`${program} --http --demo\`, then \`http://127.0.0.1:3000/mcp\``,
  ];
  return ['| host | how |', '|---|---|', ...rows.map(row => `| ${row} |`)].join('\n');
}

function json(value: object, indented = true): string {
  return ['```json', indented ? JSON.stringify(value, null, 2) : spaced(JSON.stringify(value)), '```'].join('\n');
}

/** On one line, with spaces as people write them. */
function spaced(text: string): string {
  return text
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "')
    .replaceAll('{"', '{ "')
    .replaceAll(/(["}\]])(?=\})/g, '$1 ')
    .replaceAll('} }', '} }');
}
