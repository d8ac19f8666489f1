import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { initHost } from '../../../src/server/commands/init/command.ts';
import { hosts, pastedHosts } from '../../../src/server/commands/init/hosts.ts';
import type { Program } from '../../../src/server/commands/init/launch.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { run } from '../protocol/program.ts';

const now = new Date('2026-03-01T12:00:00Z');
const installed: Program = {
  root: '/home/ada/.npm/_npx/0a1b/node_modules/usage-billing-mcp',
  platform: 'linux',
  node: '/opt/node/bin/node',
};
const account = { baseUrl: 'https://billing.example.com' };
const all = temporaryFolder();
let folder: string;
let file: string;
const init = (
  host: string,
  options: { baseUrl?: string; write?: boolean; writes?: boolean; name?: string } = {},
  key?: string,
  program = installed,
) =>
  initHost(
    host,
    { name: 'usage-billing', file, ...options },
    { environment: { HOME: folder, BILLING_API_KEY: key }, now, program },
  );
const text = () => readFileSync(file, 'utf8');
const written = () => JSON.parse(text());
const entry = (section = 'mcpServers') => written()[section]['usage-billing'];
const backups = () => readdirSync(dirname(file)).filter(name => name.includes('backup'));

beforeEach(() => {
  rmSync(join(all, 'of-a-case'), { recursive: true, force: true });
  folder = mkdirSync(join(all, 'of-a-case'), { recursive: true })!;
  file = join(folder, 'nested', 'config.json');
});

describe('init', () => {
  it.each(hosts.map(host => [host.id, host.section] as const))(
    '%s: writes a demo entry that starts without an account',
    (id, section) => {
      expect(init(id, { write: true }).code).toBe(0);
      expect(entry(section)).toMatchObject({ command: 'npx', args: ['-y', 'usage-billing-mcp', '--demo'] });
    },
  );

  it('writes nothing without --write', () => {
    expect(init('cursor').text).toContain('Nothing was written');
    expect(existsSync(file)).toBe(false);
  });

  it('makes a backup', () => {
    initFile('{"mcpServers": {"other": {"command": "x"}}}');
    init('claude-desktop', { write: true });
    expect(written().mcpServers.other).toEqual({ command: 'x' });
    expect(backups()).toEqual(['config.json.backup-2026-03-01T12-00-00-000Z']);
  });

  it('changes nothing the second time', () => {
    init('claude-desktop', { write: true });
    const first = text();
    expect(init('claude-desktop', { write: true }).text).toContain('Nothing was changed');
    expect(text()).toBe(first);
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
  ])('finds the file of %s on %s with %j', (id, platform, environment, path) => {
    const found = hosts.find(host => host.id === id)?.file(platform, environment as NodeJS.ProcessEnv);
    expect(found?.replaceAll('\\', '/')).toBe(path);
  });

  it('lists the known hosts when asked for an unknown one, and suggests the nearest', () => {
    const said = expect.stringContaining('Unknown host "emacs". Known hosts: claude-desktop');
    expect(init('emacs')).toEqual({ code: 2, text: said });
    expect(init('curser').text).toContain('Did you mean cursor?');
  });

  it.each(['billing.example.com', 'ftp://billing.example.com', 'https://user:word@billing.example.com'])(
    'refuses the address %s',
    baseUrl => {
      expect(init('cursor', { baseUrl }).code).toBe(2);
    },
  );
});

const clone = (platform: NodeJS.Platform): Program => ({ ...installed, root: '/home/ada/usage-billing-mcp', platform });

describe('how the host starts the program', () => {
  const started = (program: Program, options: object = {}) => {
    init('cursor', { write: true, ...options }, 'secret-key-1', program);
    const { command, args } = entry();
    return [command, ...args].map(part => part.replaceAll('\\', '/')).join(' ');
  };

  it.each<[string, Program, string]>([
    ['the cache of npx', installed, 'npx -y usage-billing-mcp --demo'],
    [
      'an installed package',
      { ...installed, root: '/usr/lib/node_modules/usage-billing-mcp' },
      '/opt/node/bin/node /usr/lib/node_modules/usage-billing-mcp/dist/main.js --demo',
    ],
    ['the cache of npx on Windows', { ...installed, platform: 'win32' }, 'cmd /c npx -y usage-billing-mcp --demo'],
    ['a clone', clone('linux'), '/opt/node/bin/node /home/ada/usage-billing-mcp/dist/main.js --demo'],
    ['a clone on Windows', clone('win32'), '/opt/node/bin/node /home/ada/usage-billing-mcp/dist/main.js --demo'],
  ])('from %s: %s', (_, program, command) => {
    expect(started(program)).toBe(command);
  });

  it('is the same with an account, without --demo', () => {
    expect(started(clone('linux'), account)).toBe('/opt/node/bin/node /home/ada/usage-billing-mcp/dist/main.js');
    expect(entry().env.BILLING_BASE_URL).toBe(account.baseUrl);
  });

  it('is this clone when the built program runs from it', async () => {
    const { code, stdout } = await run(['init', 'claude-desktop', '--write', '--file', file]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Wrote "usage-billing" to ${file}.`)]);
    expect(entry()).toEqual({ command: process.execPath, args: [join(process.cwd(), 'dist', 'main.js'), '--demo'] });
  });
});

describe('a first session', () => {
  it('of an account begins read-only, and has writes when they are wanted', () => {
    expect(init('claude-desktop', { ...account, write: true }).text).toContain('It starts read-only');
    expect(entry().env.BILLING_READ_ONLY).toBe('true');
    rmSync(file);
    expect(init('claude-desktop', { ...account, write: true, writes: true }).text).not.toContain('read-only');
    expect(entry().env.BILLING_READ_ONLY).toBeUndefined();
  });

  it('has a sentence to say', () => {
    expect(init('claude-desktop', { write: true }).text).toContain('Then say: “How is acme-podcasts doing?”');
    const { text: said } = init('claude-code', { ...account, write: true, name: 'second' });
    expect(said).toContain('“Which customers have overdue invoices?”');
  });

  it.each([
    ['chatgpt', 'Settings → Connectors → Create'],
    ['other', 'command:   /opt/node/bin/node\n  arguments: /home/ada/usage-billing-mcp/dist/main.js --demo'],
  ])('of a host without a file, %s, is what to enter where', (id, said) => {
    const answer = init(id, { write: true }, undefined, clone('linux'));
    expect(answer).toEqual({ code: 0, text: expect.stringContaining(said) });
    expect(existsSync(file)).toBe(false);
  });
});

describe('a host whose file is not edited', () => {
  it.each(pastedHosts.map(host => [host.id, host] as const))('%s: is told what to paste where', (id, host) => {
    const { code, text: said } = init(id, { ...account, write: true }, 'secret-key-1');
    expect(code).toBe(0);
    expect(said).toContain(`${host.title} reads ${host.where.replaceAll('`', '')}. `);
    expect(said).toContain('it is not printed here');
    expect(said).not.toContain('secret-key-1');
    expect(existsSync(file)).toBe(false);
    if (host.format === 'toml') return;
    const [shown = ''] = /^\{$.*^\}$/ms.exec(said) ?? [];
    const env = { BILLING_BASE_URL: account.baseUrl, BILLING_API_KEY: '', BILLING_READ_ONLY: 'true' };
    const expected = { ...host.fixed, command: 'npx', args: ['-y', 'usage-billing-mcp'], env };
    expect(JSON.parse(shown)).toEqual({ [host.section]: { 'usage-billing': expected } });
  });

  it('gets TOML where it reads TOML', () => {
    expect(init('codex', account).text).toContain(
      [
        '[mcp_servers."usage-billing"]',
        'command = "npx"',
        'args = ["-y","usage-billing-mcp"]',
        '',
        '[mcp_servers."usage-billing".env]',
        `BILLING_BASE_URL = "${account.baseUrl}"`,
        'BILLING_API_KEY = ""',
        'BILLING_READ_ONLY = "true"',
        '',
        'Fill in BILLING_API_KEY: it is not printed here.',
      ].join('\n'),
    );
  });
});

describe('the ways of asking', () => {
  const choosy = hosts.filter(({ ask }) => ask !== undefined);
  const page = readFileSync('docs/clients.md', 'utf8');

  it.each(choosy.map(host => [host.id, host] as const))('that fit %s are written for it', (id, { ask, section }) => {
    for (const options of [{}, account]) {
      expect(init(id, options).text).toContain(`"BILLING_ASK": "${ask}"`);
      init(id, { ...options, write: true });
      expect(entry(section).env.BILLING_ASK).toBe(ask);
    }
  });

  it.each(choosy.map(host => [host.title, host] as const))(
    'of %s are not the default, can be set, and stand in docs/clients.md with their source',
    (title, { ask }) => {
      const asked = (environment: NodeJS.ProcessEnv) => loadConfig(['--demo'], environment).config.ask;
      expect(asked({ BILLING_ASK: ask })).toEqual(ask?.split(','));
      expect(asked({ BILLING_ASK: ask })).not.toEqual(asked({}));
      const [row] = page.split('\n').filter(line => line.startsWith(`| ${title} |`));
      expect(row).toContain(`\`${ask}\``);
      expect(row).toContain('](https://');
    },
  );

  it.each(hosts.filter(({ ask }) => ask === undefined).map(({ id, section }) => [id, section] as const))(
    'are the default for %s, and not written',
    (id, section) => {
      init(id, { ...account, write: true });
      expect(Object.keys(entry(section).env)).toEqual(['BILLING_BASE_URL', 'BILLING_API_KEY', 'BILLING_READ_ONLY']);
    },
  );
});

describe('the key', () => {
  it('goes from the environment into the file, which only its owner can read, and is never printed', () => {
    const shown = init('claude-desktop', account, 'secret-key-1').text;
    const said = init('claude-desktop', { ...account, write: true }, 'secret-key-1').text;
    expect(shown + said).not.toContain('secret-key-1');
    expect(entry().env).toMatchObject({ BILLING_BASE_URL: account.baseUrl, BILLING_API_KEY: 'secret-key-1' });
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('is never shown masked, which could be copied as if it were a key', () => {
    const { text: shown } = init('claude-desktop', account, 'secret-key-1');
    expect(shown).toMatch(/"BILLING_API_KEY": ""[\s\S]*BILLING_API_KEY comes from the environment/);
    initFile('[]');
    expect(init('claude-desktop', account).text).toMatch(/"BILLING_API_KEY": ""[\s\S]*Fill in BILLING_API_KEY/);
  });

  it('that is already there is no difference when none is given', () => {
    init('claude-desktop', { ...account, write: true }, 'secret-key-1');
    const before = text();
    expect(init('claude-desktop', { ...account, write: true })).toMatchObject({ code: 0 });
    const other = init('claude-desktop', { ...account, write: true }, 'secret-key-2');
    expect(other).toMatchObject({ code: 1, text: expect.stringContaining('with other values') });
    expect(other.text).not.toMatch(/secret-key/);
    expect(text()).toBe(before);
  });

  it('is asked for by VS Code instead of stored', () => {
    init('vscode', { ...account, write: true }, 'secret-key-1');
    expect(text()).not.toContain('secret-key-1');
    expect(written().inputs).toEqual([expect.objectContaining({ id: 'billing-api-key', password: true })]);
    initFile('{\n  "inputs": [\n    { "id": "other" } // mine\n  ]\n}\n');
    init('vscode', { ...account, write: true });
    expect(text()).toMatch(
      /"inputs": \[\n {4}\{\n {6}"type": "promptString",[^}]*\n {4}\},\n {4}\{ "id": "other" \} \/\/ mine\n/,
    );
    expect(text()).toMatch(/^\{\n {2}"servers": \{\n {4}"usage-billing": \{/);
    initFile('{"inputs": [{"id": "billing-api-key"}]}');
    init('vscode', { ...account, write: true });
    expect(written().inputs).toEqual([{ id: 'billing-api-key' }]);
  });
});

describe('a file with comments and trailing commas', () => {
  const added =
    '"usage-billing": {\n      "command": "npx",\n      "args": [\n        "-y",\n        "usage-billing-mcp",\n        "--demo"\n      ]\n    }';

  it.each([
    [
      'comments and a trailing comma',
      '{\n  // mine\n  "mcpServers": {\n    "a": {"command":"x"}, // keep\n    /* end */\n  },\n}\n',
      `{\n  // mine\n  "mcpServers": {\n    ${added},\n    "a": {"command":"x"}, // keep\n    /* end */\n  },\n}\n`,
    ],
    [
      'only a comment among the servers',
      '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
      `{\n  "mcpServers": {\n    ${added}\n    // none yet\n  }\n}\n`,
    ],
    [
      'no servers',
      '{\n  "theme": "dark" // night\n}\n',
      `{\n  "mcpServers": {\n    ${added}\n  },\n  "theme": "dark" // night\n}\n`,
    ],
    ['no servers yet', '{\n  "mcpServers": {}\n}\n', `{\n  "mcpServers": {\n    ${added}\n  }\n}\n`],
    ['comments alone', '// mine\n', `// mine\n{\n  "mcpServers": {\n    ${added}\n  }\n}\n`],
  ])('keeps everything else as it is: %s', (_, before, after) => {
    initFile(before);
    expect(init('claude-desktop', { write: true }).code).toBe(0);
    expect(text()).toBe(after);
  });

  it('keeps its indentation, CRLF and byte order mark', () => {
    initFile('\uFEFF{\r\n\t"theme": "dark",\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n');
    init('claude-desktop', { write: true });
    expect(text()).toMatch(
      /^\uFEFF\{\r\n\t"theme": "dark",\r\n\t"mcpServers": \{\r\n\t\t"usage-billing": \{\r\n\t\t\t"command"[^}]*\},\r\n\t\t"a": \{\}\r\n\t\}/,
    );
    expect(text().replaceAll('\r\n', '')).not.toContain('\n');
  });
});

describe('an entry that is there already', () => {
  const own = (more: string) =>
    `{\n  "mcpServers": {\n    "usage-billing": {\n      "command": "npx", // mine\n      "args": ["-y", "usage-billing-mcp", ${more}\n    }\n  }\n}\n`;
  it.each<[what: string, before: string]>([
    ['flags', own('"--customer", "acme", "--mask", "email"]')],
    ['a switch of the host', own('"--demo"], "disabled": true')],
    ['settings', own('"--demo"], "env": {"BILLING_ASK": "form"}')],
    ['an address and a token', own('"--demo"], "headers": {"X": "secret-1"}, "url": "https://a.example"')],
    ['program', '{"mcpServers": {"usage-billing": {"command": "gh-mcp", "env": {"TOKEN": "secret-1\\u001b]0;t"}}}}'],
  ])('stays byte for byte with its %s, and what to merge is printed', (_, before) => {
    initFile(before);
    for (const write of [false, true]) {
      const answer = init('claude-desktop', { write });
      expect(answer.code).toBe(1);
      expect(answer.text).toContain('Merge the two by hand');
      expect(answer.text).toContain('"usage-billing": {');
      expect(answer.text).not.toMatch(/secret-1|]0;t/);
      expect(text()).toBe(before);
    }
    expect(backups()).toEqual([]);
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['is broken', '{"mcpServers": {', /line 1: close brace expected/],
    ['is a list', '[]', /it is not a JSON object/],
    ['has a list of servers', '{"mcpServers": []}', /"mcpServers" is not an object/],
    ['is nested 100,000 levels deep', '['.repeat(100_000), /nested deeper than 200 levels/],
    ['has its servers twice', '{"mcpServers": {}, "mcpServers": {}}', /"mcpServers" appears twice/],
  ])('is left alone if it %s, and what to put into it is printed', (_, before, reason) => {
    initFile(before);
    const answer = init('claude-code', { write: true });
    expect(answer.code).toBe(2);
    expect(answer.text).toMatch(reason);
    expect(answer.text).toContain('was not changed');
    expect(answer.text).toContain('"usage-billing"');
    expect(text()).toBe(before);
  });

  it.each<[what: string, path: string, said: RegExp]>([
    ['a folder', '', /a folder or a device/],
    ['a device', '/dev/null', /a folder or a device/],
    ['not UTF-8', 'config.json', /is not UTF-8 text/],
    ['below a file', 'config.json/config.json', /a file, not a folder/],
  ])('is named in a sentence if it is %s', (_, path, said) => {
    initFile(Buffer.from('{"ä": 1}', 'utf16le'));
    file = resolve(folder, path);
    const answer = init('cursor', { write: true });
    expect(answer).toEqual({ code: 2, text: expect.stringMatching(said) });
    expect(answer.text).toContain('Nothing was changed.');
  });

  it('is followed if it is a symbolic link, which stays one', () => {
    const real = join(folder, 'real.json');
    writeFileSync(real, '{"theme": "dark"}');
    file = join(folder, 'link.json');
    symlinkSync(real, file);
    expect(init('cursor', { write: true }).text).toContain(`Wrote "usage-billing" to ${file}.`);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toMatchObject({ theme: 'dark', mcpServers: {} });
  });

  it.each([
    ['service', '--account', ['--port', '0']],
    ['rehearse', '--tasks', ['--agent', 'true']],
  ])(
    'of %s brings no escape sequence of its keys to the terminal, and may be nested deeply',
    async (command, flag, more) => {
      for (const content of [
        '{"\\u001b[31mred\\u0007": [{"\\u009b2J": 1}], "tasks": [{"\\u001b]0;x": 1}]}',
        '['.repeat(100_000),
      ]) {
        initFile(content);
        const { code, stdout, stderr } = await run([command, flag, file, ...more]);
        expect([code, stdout]).toEqual([2, '']);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
        expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f]|call stack|RangeError/);
        expect(stderr).toMatch(content.startsWith('[') ? /nested deeper than 200 levels/ : /not known|unknown/i);
      }
    },
  );

  it('keeps its other names if it has several', () => {
    initFile('{"theme": "dark"}');
    const other = join(folder, 'other.json');
    linkSync(file, other);
    expect(init('cursor', { write: true }).code).toBe(0);
    expect(readFileSync(other, 'utf8')).toBe(text());
    expect(statSync(other).ino).toBe(statSync(file).ino);
  });

  it('is refused with the same words and exit code by the program', async () => {
    mkdirSync(file, { recursive: true });
    const { code, stdout, stderr } = await run(['init', 'cursor', '--write', '--file', file]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`${file} is a folder or a device`)]);
  });

  it.each([
    ['written', 0o400],
    ['read', 0o000],
  ])('is named in a sentence if it may not be %s', (verb, mode) => {
    initFile('{}');
    chmodSync(file, mode);
    const answer = unprivileged(() => init('cursor', { write: true }));
    expect(answer).toEqual({ code: 2, text: `${file} cannot be ${verb}: permission denied. Nothing was changed.` });
    expect(readdirSync(folder)).toEqual(['config.json']);
    chmodSync(file, 0o600);
    expect(text()).toBe('{}');
  });
});

function initFile(content: string | Uint8Array): void {
  file = join(folder, 'config.json');
  writeFileSync(file, content);
}

/** The superuser may read and write everything: becomes another user meanwhile. */
function unprivileged<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  const nobody = 65_534;
  chmodSync(dirname(folder), 0o711);
  chownSync(folder, nobody, nobody);
  chownSync(file, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}
