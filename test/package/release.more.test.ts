/** `npm run release` (scripts/release.mjs), on a repository of its own. */
import { execFile } from 'node:child_process';
import { access, appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const left = new Set(['.git', 'node_modules', 'dist', 'packages', 'bench-results', 'test']);
const run = promisify(execFile);
const changelog = (entries: string) => `# Changelog\n\n## Unreleased\n\n${entries}## 0.0.1\n\nThe first.\n`;
let tree: string;
/** For temporary files: tsx keeps what it has compiled. */
let temporary: string;
const git = async (...args: string[]) => (await run('git', args, { cwd: tree })).stdout.trim();
const read = (path: string) => readFile(join(tree, path), 'utf8');

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'release-'));
  temporary = await mkdtemp(join(tmpdir(), 'temporary-'));
  await cp('.', tree, { recursive: true, filter: path => !left.has(path) });
  await symlink(resolve('node_modules'), join(tree, 'node_modules'), 'dir');
  await writeFile(join(tree, 'CHANGELOG.md'), changelog('- Something costs $& more.\n\n'));
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'A maintainer');
  await git('config', 'user.email', 'maintainer@example.com');
  // The pattern in .gitignore matches folders only, and node_modules is a link here.
  await appendFile(join(tree, '.git/info/exclude'), 'node_modules\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'All');
});
afterAll(async () => {
  for (const folder of [tree, temporary]) await rm(folder, { recursive: true });
});

const first = ['--repository', 'https://github.com/someone/some-name', '--contact', 'mailto:someone@example.com'];

/** Runs the script as a maintainer does, but npm finds no registry. */
async function release(...args: string[]) {
  const npm = { npm_config_registry: 'http://127.0.0.1:9', npm_config_offline: 'true' };
  const env = { ...process.env, ...npm, TMPDIR: temporary };
  const finished = run(process.execPath, [join(tree, 'scripts/release.mjs'), ...args], { cwd: tree, env });
  return finished.then(({ stdout }) => ({ code: 0, stdout, stderr: '' })).catch(error => error);
}

describe('a release', () => {
  let head: string;
  beforeEach(async () => {
    head = await git('rev-parse', 'HEAD');
  });

  it.each([
    ['no version', [], /give one version/],
    ['a range', ['^1.2.3'], /give one version/],
    [
      'the present version, a day that does not exist, a repository elsewhere and no contact',
      [manifest.version, '--date', '2026-02-30', '--repository', 'ftp://x/y'],
      /is not later than .*, the version of package\.json[\s\S]*give --repository https:[\s\S]*give --contact[\s\S]*--date must be a day/,
    ],
    [
      'a pre-release of the present version, and no repository',
      [`${manifest.version}-rc.1`],
      /is not later[\s\S]*give --repository https:[\s\S]*give --contact/,
    ],
  ])('is refused for %s', async (_, args, message) => {
    const { code, stderr } = await release(...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
    expect(stderr).toContain('nothing was changed');
  });

  it('is refused unless main is clean and checked out, and for a version that has a tag or no unreleased lines, with all reasons at once', async () => {
    await git('switch', '--quiet', '--create', 'other');
    await git('tag', 'v9.0.0');
    await appendFile(join(tree, 'README.md'), 'More.\n');
    await writeFile(join(tree, 'CHANGELOG.md'), changelog(''));
    try {
      const { code, stderr } = await release('9.0.0', ...first);
      expect(code).toBe(1);
      expect(stderr).toContain('made on main, not on other');
      expect(stderr).toMatch(/not clean; commit or remove:\n.*CHANGELOG\.md\n.*README\.md/);
      expect(stderr).toContain('the tag v9.0.0 exists already');
      expect(stderr).toContain('says nothing under "## Unreleased"');
    } finally {
      await git('checkout', '--quiet', '--', '.');
      await git('tag', '--delete', 'v9.0.0');
      await git('switch', '--quiet', 'main');
    }
  });

  it('is only described with --dry-run', async () => {
    const { code, stdout } = await release('9.0.0', '--date', '2026-03-15', '--dry-run', ...first);
    expect(code).toBe(0);
    expect(stdout).toContain(`Would release 9.0.0 of 2026-03-15 after ${manifest.version}:\n- Something`);
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('rev-parse', 'HEAD')).toBe(head);
    expect(await git('tag')).toBe('');
  });

  it('is undone when a step fails', async () => {
    await git('rm', '--quiet', 'scripts/docs/generate.ts');
    await git('commit', '--quiet', '--message', 'Break the documents');
    const { code, stderr } = await release('9.0.0', ...first);
    const status = await git('status', '--porcelain');
    await git('reset', '--hard', '--quiet', head);
    expect(code).toBe(1);
    expect(stderr).toContain('the files are as before');
    expect(status).toBe('');
    expect(await git('tag')).toBe('');
  });

  it('moves the changelog, sets the version everywhere, makes the packages, commits and tags, without a network', async () => {
    const { code, stdout, stderr } = await release('9.0.0', '--date', '2026-03-15', ...first);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    expect(await read('CHANGELOG.md')).toBe(changelog('## 9.0.0 - 2026-03-15\n\n- Something costs $& more.\n\n'));
    expect(JSON.parse(await read('package.json')).version).toBe('9.0.0');
    const lock = JSON.parse(await read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).toEqual(['9.0.0', '9.0.0']);
    expect(await read('docs/deploy/kubernetes.yaml')).toContain('image: usage-billing-mcp:9.0.0\n');
    expect(JSON.parse(await read('packages/server.json')).version).toBe('9.0.0');
    for (const made of ['usage-billing-mcp-9.0.0.tgz', 'usage-billing-mcp.mcpb'])
      await access(join(tree, 'packages', made));

    expect(await git('log', '-1', '--format=%s %P')).toBe(`Release 9.0.0 ${head}`);
    expect(await git('rev-parse', 'v9.0.0^{commit}')).toBe(await git('rev-parse', 'HEAD'));
    expect(await git('status', '--porcelain')).toBe('');
    const files = (await git('show', '--name-only', '--format=', 'HEAD')).split('\n');
    expect(files).toEqual([
      ...['CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'README.md', 'SECURITY.md', 'docs/deploy/kubernetes.yaml'],
      ...[
        'docs/hosts.md',
        'glama.json',
        'llms.txt',
        'package-lock.json',
        'package.json',
        'release.json',
        'server.json',
      ],
    ]);
    expect(JSON.parse(await read('package.json'))).toMatchObject({
      mcpName: 'io.github.someone/some-name',
      homepage: 'https://github.com/someone/some-name#readme',
    });
    expect(JSON.parse(await read('server.json'))).toMatchObject({
      name: 'io.github.someone/some-name',
      packages: [{ registryType: 'npm', version: '9.0.0' }],
    });
    expect(await read('README.md')).toContain('npx -y usage-billing-mcp init');
    for (const step of ['git push origin main v9.0.0', 'npm publish packages/', 'mcp-publisher publish'])
      expect(stdout).toContain(step);
  });
});
