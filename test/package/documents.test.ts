/** Promises of README.md, docs/hosting.md and docs/deploy that no other test checks: names, commands, figures. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectingHosts, connectingReadme } from '../../scripts/docs/connect.ts';
import { release } from '../../scripts/package/release-file.ts';
import { commandModules } from '../../src/server/commands/commands.ts';
import { hosts, pastedHosts, targetFor } from '../../src/server/commands/init/hosts.ts';
import { createMetrics } from '../../src/server/logs/metrics.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { removedSettings } from '../../src/server/settings/names.ts';
import { commands } from '../../src/server/settings/read.ts';
import { ConfigError, type Setting, settings } from '../../src/server/settings/settings.ts';
import { usualLimits } from '../../src/server/settings/usual.ts';
import { operations } from '../../tools/all-tools.ts';

const read = (name: string) => readFileSync(name, 'utf8');
const readme = read('README.md');
const hosting = read('docs/hosting.md');
const deployed = ['Dockerfile', 'compose.yaml', ...readdirSync('docs/deploy').map(name => `docs/deploy/${name}`)];
const pages = ['configuration', 'embedded-service', 'hosts', 'operators', 'rehearsal', 'safe-writes', 'csv', 'skills'];
const inDocs = [...pages, 'customer-data', 'hosting'].map(name => `docs/${name}.md`);
const documents = ['README.md', 'CONTRIBUTING.md', ...inDocs];
const safeWrites = read('docs/safe-writes.md');
const hostsPage = read('docs/hosts.md');
type Parts = 'engines' | 'scripts' | 'dependencies' | 'optionalDependencies' | 'devDependencies';
const manifest = JSON.parse(read('package.json')) as Record<Parts, Record<string, string>>;
const rows = Object.values<Setting>(settings);
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(match => match[1]!);
const pairs = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name!, value!]));

describe('every setting that is named', () => {
  // Variables that a Kubernetes service called `billing` injects are not settings.
  const foreign = /^BILLING_(SERVICE_HOST|SERVICE_PORT\w*|PORT\w*)$/;

  it.each([...documents, ...deployed])('in %s exists', name => {
    const known = new Set<string | null>(rows.map(row => row.name));
    const named = matches(read(name), /\b(BILLING_[A-Z_]+[A-Z])\b(?!_|…)/g);
    expect(named.filter(setting => !known.has(setting) && !foreign.test(setting))).toEqual([]);
  });

  it('has no flag if it is a key or a token', () => {
    expect(readme).toContain('keys and tokens are never flags');
    const secrets = rows.filter(row => row.secret && /(_KEY|_TOKENS?)$/.test(row.name ?? ''));
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    expect(secrets.filter(row => row.flag !== null)).toEqual([]);
  });

  it('with a number in docs/hosting.md has that default', () => {
    const told = [...hosting.matchAll(/`(BILLING_[A-Z_]+)` \((\d+)\)/g)];
    expect(told.length).toBeGreaterThanOrEqual(1);
    for (const [, name, figure] of told) {
      const row = rows.find(candidate => candidate.name === name);
      // The rate limit has a default in some modes only; its description says so.
      if (row?.default === undefined) expect(row?.description, name).toContain(figure);
      else expect(Number(figure), name).toBe(row.default);
    }
  });
});

const { maxRetries, maxConcurrency, bodyLimit, requestTimeoutMs, maxSessions, sessionIdleMs, drainMs } = usualLimits;

it.each([
  ['retries safe requests up to %s times', maxRetries, false],
  ['%s requests', maxConcurrency, true],
  ['%s MiB', bodyLimit / 1_048_576, true],
  ['%s s(?:econds)?', requestTimeoutMs / 1000, true],
  ['at most %s', maxSessions, true],
  ['%s minutes without a request', sessionIdleMs / 60_000, true],
  ['at most %s s(?:econds)?', drainMs / 1000, true],
])('former settings that are limits now have the right figure: %s', (words, figure, isInHosting) => {
  const said = new RegExp(words.replace('%s', `\\b${figure}`));
  expect(removedSettings.filter(({ instead }) => said.test(instead))).toHaveLength(1);
  if (isInHosting) expect(hosting).toMatch(said);
});

describe('every command', () => {
  const spans = (text: string) => [
    ...matches(text, /```sh\n([\s\S]*?)```/g).flatMap(block => block.replace(/\\\n\s*/g, '').split('\n')),
    ...matches(text.replace(/```[\s\S]*?```/g, ''), /`([^`\n]+)`/g),
  ];

  /** The variables and arguments of a line such as `A=1 npx -y usage-billing-mcp --http # why`. */
  function parts(line: string): { env: Record<string, string>; argv: string[] } | null {
    // Placeholders that a reader fills in get a value.
    const bare = line
      .replace(/\s+#.*$/, '')
      .replace(/\$\([^)]*\)|=…/g, filled => `${filled[0] === '=' ? '=' : ''}${'x'.repeat(48)}`);
    const ours =
      /^((?:[A-Z_]+=\S+ +)*)(?:claude mcp add .*-- )?(?:(?:npx -y )?usage-billing-mcp|node \S*dist\/main\.js)(?: (.*))?$/;
    const match = ours.exec(bare.trim());
    if (match === null) return null;
    const [env, argv] = [match[1], match[2]].map(part => (part ?? '').split(/ +/).filter(Boolean));
    return { env: Object.fromEntries(env!.map(pair => pair.split(/=(.*)/s))), argv: argv! };
  }
  const told = documents.flatMap(name => spans(read(name)).map(line => [name, line] as const));
  const ours = told.filter(([, line]) => parts(line) !== null);

  it.each(ours)('in %s exists: %s', async (_name, line) => {
    const { env, argv } = parts(line)!;
    const [first = '', ...rest] = argv;
    const subcommand = commands.map(([name]) => name).find(name => name === first);
    if (first === '' || first === '--help') return;
    if (subcommand === undefined) return expect(problemsOf(argv, env)).toEqual([]);
    const { flags } = await commandModules[subcommand]!();
    const known = Object.values(flags).map(({ flag }) => `--${flag}`);
    const written = rest.filter(argument => argument.startsWith('--') && argument !== '--help');
    expect(written.filter(flag => !known.includes(flag))).toEqual([]);
    if (subcommand === 'init' && !/[<…]/.test(line))
      expect([...hosts, ...pastedHosts].map(host => host.id)).toContain(rest[0]);
  });

  it('is found by this test', () => {
    expect(ours.length).toBeGreaterThanOrEqual(15);
  });

  it.each(documents)('of npm in %s is a script in package.json', name => {
    const scripts = matches(read(name), /npm run ([a-z:-]+)/g);
    expect(scripts.filter(script => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
  });
});

/** The configuration errors of a start with these arguments and variables. */
function problemsOf(argv: readonly string[], env: Record<string, string>): readonly string[] {
  try {
    loadConfig(argv, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('links', () => {
  it.each(documents)('of %s have a target', name => {
    const targets = matches(read(name), /\]\((?!https:)([^)\s]+)\)/g);
    const missing = targets.filter(target => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? name : join(dirname(name), path);
      if (!existsSync(file)) return true;
      const headings = matches(read(file), /^#+ (.*)$/gm);
      const anchors = headings.map(heading =>
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replace(/\s/g, '-'),
      );
      return anchor !== undefined && !anchors.includes(anchor);
    });
    expect(missing).toEqual([]);
  });
});

/** npm shows the README beside the package: links to files lead into the repository, which has no built files. */
describe('on the page of the package', () => {
  const inRepository = (target: string) => {
    const file = target.split('#')[0]!;
    return existsSync(file) && !/^(\.|\/|dist|node_modules|packages)/.test(file);
  };
  const targets = matches(readme, /(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g);
  const pictures = matches(readme, /!\[[^\]]*\]\(([^)\s]+)\)/g);

  it('links of the README work: https, or a file of the repository', () => {
    expect(targets.length).toBeGreaterThanOrEqual(40);
    const broken = targets.filter(target => !/^https:\/\//.test(target) && !inRepository(target));
    expect(broken).toEqual([]);
  });

  it('pictures of the README are files of the repository, by relative paths', () => {
    expect(pictures.length).toBeGreaterThanOrEqual(1);
    expect(pictures.filter(picture => !inRepository(picture))).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  it('gives each dependency its reason', () => {
    const section = read('CONTRIBUTING.md').split('## Dependencies')[1]!.split('\n## ')[0]!;
    const [installed = '', bundled = '', development = ''] = section.split(/^(?:Bundled into|For development)/m);
    const names = (part: string) =>
      matches(part, /^\| (.*?) \|/gm)
        .flatMap(cell => matches(cell, /`([^`]+)`/g))
        .sort();
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    expect(names(installed)).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).sort());
    const ofDevelopment = names(development.split('\n### ')[0]!);
    expect([...names(bundled), ...ofDevelopment].sort()).toEqual(Object.keys(devDependencies).sort());
  });
});

describe('the README', () => {
  it('says first with which services it works, as the interface has it', () => {
    const first = readme.split('\n\n')[1]!;
    const description = read('docs/interface.md');
    for (const [, name = ''] of first.matchAll(/`(\/api\/v1|amount_cents|charge_model)`/g))
      expect(description, name).toContain(name);
    expect(matches(first, /`([A-Z]+ \/[a-z/]+)`/g)).toEqual(['POST /invoices/preview']);
    expect(operations.map(({ endpoint }) => endpoint)).toContain('POST /invoices/preview');
    expect(['nineteen', operations.length]).toEqual([/\[(\w+) operations\]/.exec(first)?.[1], 19]);
  });

  it('is read in five minutes: at most 150 lines', () => {
    expect(readme.split('\n').length - 1).toBeLessThanOrEqual(150);
  });

  it('and docs/safe-writes.md quote questions and lines that the demo really asks', () => {
    const folder = 'test/calls/change/prose';
    const asked = readdirSync(folder).map(name => read(`${folder}/${name}`));
    const quotes = [...matches(safeWrites, /`([^`]*(?:\?| → [^`]*))`/g), ...matches(readme, /^> \*\*([^*]*\?)\*\*/gm)];
    expect(quotes.length).toBeGreaterThanOrEqual(3);
    expect(quotes.filter(quote => !asked.some(text => text.includes(quote)))).toEqual([]);
  });

  it('says what a write does with a record that it cannot read, in the words of the question', () => {
    expect(safeWrites).toContain('`Check the ID yourself`');
    expect(read('src/calls/change/steps/prompt.ts')).toContain('Check the ID yourself.');
  });

  it.each([
    ['from a clone', release],
    ['from the registry', { ...release, published: true }],
  ])('shows the configurations that init prints, and reads at first: %s', (_, of) => {
    const ofClone = { command: 'node', args: ['/path/to/usage-billing-mcp/dist/main.js'] };
    const launch = of.published ? {} : { launch: ofClone };
    const target = (id: string, account = {}) =>
      targetFor(hosts.find(host => host.id === id)!, { ...account, ...launch });
    const account = { baseUrl: 'https://billing.example.com', apiKey: '…' };
    const reads = { BILLING_READ_ONLY: 'true' };
    const reading = ({ entry }: ReturnType<typeof target>) => ({ ...entry, env: { ...reads, ...entry.env } });
    const blocks = (parts: Record<string, string>) =>
      matches(Object.values(parts).join('\n'), /```json\n([\s\S]*?)```/g).map(block => JSON.parse(block));
    const shown = blocks(connectingHosts(of));
    const vscode = target('vscode', { baseUrl: account.baseUrl });
    expect(shown).toEqual([
      { mcpServers: { 'usage-billing': target('claude-desktop').entry } },
      { mcpServers: { 'usage-billing': reading(target('claude-desktop', account)) } },
      { inputs: [vscode.input], servers: { 'usage-billing': reading(vscode) } },
    ]);
    expect(Object.keys(shown[1].mcpServers['usage-billing'].env)[0]).toBe('BILLING_READ_ONLY');
    expect(blocks(connectingReadme(of))).toEqual([shown[1]]);
    if (of === release) for (const part of Object.values(connectingReadme(of))) expect(readme).toContain(part);
  });

  it('leads to a page that names every host that init knows', () => {
    for (const { id, title } of [...hosts, ...pastedHosts]) {
      expect(hostsPage).toContain(`| ${title} |`);
      expect(hostsPage).toContain(`init ${id}`);
    }
  });

  it('states the version of Node.js that the package asks for, and the image has a newer one', () => {
    expect(manifest.engines.node).toBe(`>=${/Node\.js (\d+\.\d+) or newer/.exec(readme)?.[1]}`);
    for (const major of matches(read('Dockerfile'), /FROM node:(\d+)/g)) expect(Number(major)).toBeGreaterThan(20);
  });

  it('states the right numbers of operations and charge models', () => {
    const told = [readme, read('docs/embedded-service.md')].flatMap(text => matches(text, /the (\d+) operations/g));
    expect(new Set(told.map(Number))).toEqual(new Set([operations.length]));
    expect(read('docs/embedded-service.md')).toContain('seven charge models');
    const models = /^\| `charges\[\]\.charge_model` \| Price model: (.*?) \|/m.exec(read('docs/interface.md'))?.[1];
    expect(models?.split(', ').filter(model => model !== 'custom')).toHaveLength(7);
  });
});

describe('docs/hosting.md', () => {
  it('lists every metric with its labels, and no other', async () => {
    const families = await createMetrics(['get_customer']).registry.getMetricsAsJSON();
    const real = families.map(({ name }) => name).filter(name => name.startsWith('billing_mcp_'));
    const told = matches(hosting, /`(billing_mcp_\w+)/g);
    expect([...told].sort()).toEqual([...real].sort());
  });

  it('has every status with which the server rejects requests, and no other', () => {
    const sources = readdirSync('src/server/http')
      .filter(name => name.endsWith('.ts') && !/probes|readiness/.test(name))
      .map(name => read(`src/server/http/${name}`))
      .join('\n');
    const real = matches(sources, /(?:status: |refuse\(reply, |\['|'Method'\) \? )(4\d\d|503)\b/g);
    const table = hosting.split('## Rejected requests')[1]!.split('\n## ')[0]!;
    const listed = matches(table, /^\| (\d{3})/gm);
    // The limiter answers 429, and unknown paths get 404.
    expect(listed).toEqual([...new Set([...real, '404', '429'])].sort());
  });

  it.each(['OAuth for each user', 'One credential for a workspace', 'A local server for each customer'])(
    'has a sample of settings that start a server, and says what was not tried, for: %s',
    setup => {
      const [, text = ''] = hosting.split(`### ${setup}\n`);
      const section = text.split(/\n##+ /)[0] ?? '';
      expect(section).toMatch(/\nNot tried: /);
      const shell = pairs(section, /\b(BILLING_\w+)=(\S+)/g);
      const json = /```json\n([\s\S]*?)```/.exec(section)?.[1];
      const [host] = json === undefined ? [] : Object.values<{ env: object }>(JSON.parse(json).mcpServers);
      const env: Record<string, string> = { ...shell, ...host?.env };
      for (const [name, value] of Object.entries(env)) if (value === '…') env[name] = 'a'.repeat(32);
      expect(Object.keys(env).length).toBeGreaterThanOrEqual(3);
      expect(() => loadConfig(section.includes('--http') ? ['--http'] : [], env)).not.toThrow();
    },
  );

  it('names everything that no test here can run', () => {
    const marked = /^\*\*Not run in CI\*\*([\s\S]*?)\n\n/m.exec(hosting)?.[1];
    for (const what of ['docker build', 'docker compose up', 'nginx', 'kubernetes.yaml', 'Windows', 'Sizing'])
      expect(marked).toContain(what);
  });
});

describe('what is deployed', () => {
  const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const drain = usualLimits.drainMs / 1000;
  const compose = read('compose.yaml');
  const kubernetes = read('docs/deploy/kubernetes.yaml');
  const nginx = read('docs/deploy/nginx.conf');
  const unit = read('docs/deploy/usage-billing-mcp.service');

  it('has more time to stop than running calls have', () => {
    expect(seconds(compose, /stop_grace_period: (\d+)s/)).toBeGreaterThan(drain);
    expect(seconds(unit, /TimeoutStopSec=(\d+)/)).toBeGreaterThan(drain);
    const pause = seconds(kubernetes, /setTimeout\(\(\) => \{\}, (\d+)000\)/);
    expect(seconds(kubernetes, /terminationGracePeriodSeconds: (\d+)/)).toBeGreaterThan(drain + pause);
  });

  it('starts with arguments and variables that the program accepts', () => {
    const yamlList = (list: string) => list.split(',').map(item => item.trim().replace(/^"|"$/g, ''));
    const data = pairs(kubernetes, /^ {2}(BILLING_\w+): (.*)$/gm);
    const secret = { BILLING_STATE_KEY: 'x'.repeat(48), BILLING_API_KEY: 'key' };
    expect(problemsOf(yamlList(/args: \[(.*)\]/.exec(kubernetes)![1]!), { ...data, ...secret })).toEqual([]);
    const [, command] = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))!;
    const given = compose
      .replaceAll(/\$\{BILLING_BASE_URL:\?.*\}/g, 'https://billing.example.com')
      .replaceAll(/\$\{BILLING_STATE_KEY:\?.*\}/g, 'x'.repeat(48))
      .replaceAll(/\$\{\w+:-(.*)\}/g, '$1');
    const filled = pairs(given, /^ {6}(BILLING_\w+): (?!.*REHEARSAL)(.*)$/gm);
    expect(filled).toHaveProperty('BILLING_REDIS_URL');
    expect(problemsOf(JSON.parse(command!) as string[], filled)).toEqual([]);
    const [, args] = /^ExecStart=\/usr\/bin\/node \S+ (.*)$/m.exec(unit)!;
    expect(problemsOf(args!.split(' '), { BILLING_HTTP_AUTH: 'none' })).toEqual([]);
  });

  it('is not run as root, and writes nothing', () => {
    expect(read('Dockerfile')).toMatch(/^USER node$/m);
    expect(compose).toContain('read_only: true');
    expect(compose).toContain('cap_drop: [ALL]');
    expect(kubernetes).toMatch(/runAsNonRoot: true[\s\S]*readOnlyRootFilesystem: true/);
    expect(unit).toMatch(/DynamicUser=yes[\s\S]*ProtectSystem=strict/);
  });

  it('has probes at addresses where the program answers, and is built from files that exist', () => {
    expect(kubernetes).toMatch(/livenessProbe:\s+httpGet: \{ path: \/healthz/);
    expect(kubernetes).toMatch(/readinessProbe:\s+httpGet: \{ path: \/healthz/);
    expect(read('Dockerfile')).toContain("fetch('http://127.0.0.1:3000/healthz')");
    const copied = matches(read('Dockerfile'), /^COPY (?!--)(.*) \S+$/gm).flatMap(sources => sources.split(' '));
    expect(copied.filter(name => !existsSync(name))).toEqual([]);
  });

  it('never resends a write to a second server, does not buffer streams, and accepts bodies as large as the server does', () => {
    expect(/^\s*proxy_next_upstream (.*);$/m.exec(nginx)?.[1]?.split(' ')).not.toContain('non_idempotent');
    expect(nginx).toMatch(/^\s*proxy_buffering off;$/m);
    expect(nginx).toMatch(/^\s*proxy_set_header Host \$host;$/m);
    expect(seconds(nginx, /client_max_body_size (\d+)m/) * 1_048_576).toBe(usualLimits.bodyLimit);
  });

  it('uses exactly the variables of env.example', () => {
    const example = matches(read('docs/deploy/env.example'), /^([A-Z_]+)=/gm);
    const asked = [...new Set(matches(compose, /\$\{([A-Z_]+)/g))];
    expect(example.sort()).toEqual(asked.sort());
  });
});
