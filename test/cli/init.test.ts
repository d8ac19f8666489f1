import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { initHost } from '../../src/cli/init/command.ts';
import { hosts } from '../../src/cli/init/hosts.ts';

const now = new Date('2026-03-01T12:00:00Z');
let folder: string;
let file: string;
const init = (host: string, options: { baseUrl?: string; write?: boolean; name?: string } = {}, key?: string) =>
  initHost(host, { name: 'usage-billing', file, ...options }, { HOME: folder, BILLING_API_KEY: key }, now);
const written = () => JSON.parse(readFileSync(file, 'utf8'));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
  file = join(folder, 'nested', 'config.json');
});

describe('init', () => {
  it.each(hosts.map(host => [host.id, host.section] as const))(
    '%s: writes a demo entry that starts without an account',
    (id, section) => {
      expect(init(id, { write: true }).code).toBe(0);
      expect(written()[section]['usage-billing']).toMatchObject({
        command: 'npx',
        args: ['-y', 'usage-billing-mcp', '--demo'],
      });
    },
  );

  it('writes nothing without --write', () => {
    expect(init('cursor').text).toContain('Nothing was written');
    expect(existsSync(file)).toBe(false);
  });

  it('keeps everything else in the file, including its indentation, and makes a backup', () => {
    initFile('{\n    "theme": "dark",\n    "mcpServers": {\n        "other": { "command": "x" }\n    }\n}\n');
    init('claude-desktop', { write: true });
    expect(written()).toMatchObject({ theme: 'dark', mcpServers: { other: { command: 'x' } } });
    expect(readFileSync(file, 'utf8')).toContain('\n    "theme"');
    const backups = readdirSync(join(folder)).filter(name => name.includes('backup'));
    expect(backups).toEqual(['config.json.backup-2026-03-01T12-00-00-000Z']);
  });

  it('changes nothing the second time', () => {
    init('windsurf', { write: true });
    const first = readFileSync(file, 'utf8');
    expect(init('windsurf', { write: true }).text).toContain('Nothing was changed');
    expect(readFileSync(file, 'utf8')).toBe(first);
  });

  it('puts the key from the environment into the file, which only its owner can read, and never prints the key', () => {
    const shown = init('cursor', { baseUrl: 'https://billing.example.com' }, 'secret-key-1');
    expect(shown.text).not.toContain('secret-key-1');
    const said = init('cursor', { baseUrl: 'https://billing.example.com', write: true }, 'secret-key-1');
    expect(said.text).not.toContain('secret-key-1');
    expect(written().mcpServers['usage-billing'].env).toEqual({
      BILLING_BASE_URL: 'https://billing.example.com',
      BILLING_API_KEY: 'secret-key-1',
    });
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('leaves a key that is already there when it is run without one', () => {
    init('cursor', { baseUrl: 'https://a.example.com', write: true }, 'secret-key-1');
    init('cursor', { baseUrl: 'https://b.example.com', write: true });
    expect(written().mcpServers['usage-billing'].env).toEqual({
      BILLING_BASE_URL: 'https://b.example.com',
      BILLING_API_KEY: 'secret-key-1',
    });
  });

  it('lets VS Code ask for the key instead of storing it', () => {
    init('vscode', { baseUrl: 'https://billing.example.com', write: true }, 'secret-key-1');
    expect(readFileSync(file, 'utf8')).not.toContain('secret-key-1');
    expect(written().inputs).toEqual([expect.objectContaining({ id: 'billing-api-key', password: true })]);
  });

  it.each([
    ['with comments', '{ // mine\n "mcpServers": {} }'],
    ['that is a list', '[]'],
    ['whose servers are a list', '{"mcpServers": []}'],
  ])('leaves a file %s alone and prints what to put into it', (_, text) => {
    initFile(text);
    const answer = init('claude-code', { write: true });
    expect(answer.code).toBe(1);
    expect(answer.text).toContain('left alone');
    expect(answer.text).toContain('"usage-billing"');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    ['claude-desktop', 'linux', { HOME: '/h' }, '/h/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'linux', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, '/x/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'darwin', { HOME: '/h' }, '/h/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', { APPDATA: '/a' }, '/a/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', { USERPROFILE: '/u' }, '/u/AppData/Roaming/Claude/claude_desktop_config.json'],
    ['claude-code', 'linux', { HOME: '/h' }, '.mcp.json'],
    ['cursor', 'win32', { USERPROFILE: '/u' }, '/u/.cursor/mcp.json'],
    ['vscode', 'darwin', { HOME: '/h' }, '.vscode/mcp.json'],
    ['windsurf', 'linux', { HOME: '/h' }, '/h/.codeium/windsurf/mcp_config.json'],
  ])('finds the file of %s on %s with %j', (id, platform, environment, path) => {
    const found = hosts.find(host => host.id === id)?.file(platform, environment as NodeJS.ProcessEnv);
    expect(found?.replaceAll('\\', '/')).toBe(path);
  });

  it('lists the known hosts when asked for an unknown one, and refuses an invalid address', () => {
    expect(init('emacs')).toEqual({
      code: 2,
      text: expect.stringContaining('claude-desktop, claude-code, cursor, vscode, windsurf'),
    });
    expect(init('cursor', { baseUrl: 'billing.example.com' }).code).toBe(2);
  });
});

function initFile(text: string): void {
  file = join(folder, 'config.json');
  writeFileSync(file, text);
}
