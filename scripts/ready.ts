/**
 * `npm run ready`: what directories of servers ask for, and whether it is there. Ends with 0 whatever is missing: before the
 * first release, addresses are.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyTool, changesAccount } from '../src/definition/define.ts';
import { listTool } from '../src/definition/listing.ts';
import { toolDefinitions as tools } from '../tools/all-tools.ts';
import { bundleManifest, glamaJson, serverJson } from './package/manifests.ts';
import { release } from './package/release-file.ts';

interface Criterion {
  name: string;
  askedBy: readonly string[];
  /** Where it is. */
  at?: string;
  /** Why it is not there; null where it is. */
  missing: string | null;
}

const root = fileURLToPath(new URL('..', import.meta.url));
/** Of a PNG, in pixels. */
const widthOf = (path: string) => readFileSync(`${root}${path}`).readUInt32BE(16);
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const unless = (isThere: unknown, missing: string) => (isThere ? null : missing);
const unreleased = 'release.json has no repository yet';
const apps = ['Claude directory', 'ChatGPT app directory'];
const all = ['MCP registry', ...apps, 'Glama'];

const server = serverJson() as { packages?: unknown; remotes?: unknown };
const prompts = existsSync(`${root}test/tasks`)
  ? (await import('../test/tasks/review-prompts.ts')).reviewPrompts()
  : { positive: [], negative: [] };

const criteria: Criterion[] = [
  {
    name: 'licence',
    askedBy: all,
    at: 'LICENSE',
    missing: unless(existsSync(`${root}LICENSE`), 'there is no LICENSE'),
  },
  {
    ...{ name: 'privacy policy', askedBy: apps, at: 'README.md#privacy' },
    missing: /^## Privacy$/m.test(read('README.md'))
      ? unless(bundleManifest({ demo: false }).privacy_policies, `its address: ${unreleased}`)
      : 'the README has no section Privacy',
  },
  {
    name: 'security contact',
    askedBy: all,
    at: 'SECURITY.md',
    missing: unless(release.contact, 'release.json has no contact yet'),
  },
  {
    name: 'icon of 512 px',
    askedBy: apps,
    at: 'docs/icon.svg, docs/icon.png',
    missing: unless(widthOf('docs/icon.png') >= 512, 'docs/icon.png is smaller'),
  },
  { name: 'screenshots of 1,000 px', askedBy: apps, at: 'docs/pages/', missing: narrowScreenshots() },
  { name: 'hints of every tool', askedBy: apps, at: 'their reasons below', missing: wrongHints() },
  { name: 'no secrets in arguments', askedBy: apps, at: 'docs/tools.md', missing: secretArguments() },
  {
    name: 'actions pinned by commit',
    askedBy: ['MCP registry', 'Glama'],
    at: '.github/workflows/',
    missing: loosePins(),
  },
  {
    ...{ name: 'five positive and three negative prompts', askedBy: apps, at: 'below' },
    missing: unless(prompts.positive.length === 5 && prompts.negative.length === 3, 'test/tasks is not in this copy'),
  },
  {
    name: 'server.json with a package',
    askedBy: ['MCP registry'],
    at: 'server.json',
    missing: unless(server.packages, 'the package is not published yet'),
  },
  {
    ...{ name: 'server.json with a hosted address', askedBy: ['MCP registry', ...apps], at: 'server.json' },
    missing: unless(server.remotes, 'release.json has no remote: the address of a hosted server, if there is one'),
  },
  { name: 'glama.json', askedBy: ['Glama'], at: 'glama.json', missing: unless(glamaJson(), unreleased) },
];

for (const directory of all) {
  const asked = criteria.filter(({ askedBy }) => askedBy.includes(directory));
  say(
    `${directory}: ${asked.filter(({ missing }) => missing === null).length} of ${asked.length}`,
    asked.map(({ name, at, missing }) =>
      missing === null ? `ok       ${name}: ${at}` : `missing  ${name}: ${missing}`,
    ),
  );
}
say(
  'Reasons for the hints of tools',
  tools.map(tool => `${tool.name}: ${reasonFor(tool)}`),
);
say('Prompts for reviewers that the tools answer', prompts.positive);
say('Prompts for reviewers that the tools refuse, with the reason', prompts.negative);

function say(title: string, lines: readonly string[]): void {
  process.stdout.write(`${title}\n${lines.map(line => `  ${line}\n`).join('')}\n`);
}

/** Why a tool's hints are as they are: what it sends decides. */
function reasonFor(tool: AnyTool): string {
  const { readOnlyHint, idempotentHint } = listTool(tool).annotations;
  const [method = ''] = tool.endpoint.split(' ');
  const world = 'It works on one billing account only (not open-world).';
  if (readOnlyHint)
    return `It sends ${method === 'GET' ? 'GET requests' : 'a POST that stores nothing'} (read-only). ${world}`;
  const again = idempotentHint ? 'changes nothing more (idempotent)' : 'adds another (not idempotent)';
  return `It changes the account with ${method}, after the user confirms (destructive). Sent again, it ${again}. ${world}`;
}

function wrongHints(): string | null {
  const wrong = tools.filter(tool => listTool(tool).annotations.destructiveHint !== changesAccount(tool.effect));
  return unless(wrong.length === 0, wrong.map(({ name }) => name).join(', '));
}

/** The token of a confirmation opens nothing but its own write. */
function secretArguments(): string | null {
  const named = tools.flatMap(tool => {
    const names = Object.keys(listTool(tool).inputSchema.properties as object);
    return names
      .filter(name => /(^|_)(api_?key|token|secret|password)($|_)/.test(name))
      .map(name => `${tool.name}: ${name}`);
  });
  return unless(named.length === 0, named.join(', '));
}

function loosePins(): string | null {
  const folder = '.github/workflows/';
  const files = existsSync(root + folder) ? readdirSync(root + folder) : [];
  const uses = files.flatMap(file =>
    [...read(folder + file).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action),
  );
  return unless(
    uses.every(action => /@[0-9a-f]{40}$/.test(action)),
    `not pinned: ${uses.join(', ')}`,
  );
}

function narrowScreenshots(): string | null {
  const narrow = readdirSync(`${root}docs/pages`).filter(name => widthOf(`docs/pages/${name}`) < 1_000);
  return unless(narrow.length === 0, `narrower: ${narrow.join(', ')}`);
}
