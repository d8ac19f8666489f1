/** Before the first release nothing points to where nothing is; afterwards release.json says where to. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectingHosts, connectingReadme } from '../../scripts/docs/connect.ts';
import { llmsText } from '../../scripts/docs/llms.ts';
import { registryName, release } from '../../scripts/package/release-file.ts';
import { hosts, targetFor } from '../../src/server/commands/init/hosts.ts';

const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const addresses = ['repository', 'homepage', 'bugs', 'mcpName'];
/** Ways to install from a registry, and addresses of a repository. */
const outside =
  /npx -y usage-billing-mcp|"npx", "args"|install-mcp|mcp\/install|raw\.githubusercontent|github\.com\/[\w-]+\/usage-billing-mcp|io\.github/;

describe('before the first release', () => {
  it.runIf(listed.status === 0 && !release.published)(
    'no document or description shows how it is got from a registry',
    () => {
      const files = listed.stdout
        .split('\n')
        .filter(name => /^(?!test\/|src\/|scripts\/).*\.(md|json|txt|ya?ml)$/.test(name) && existsSync(name))
        .filter(name => name !== 'package-lock.json');
      expect(files).toContain('README.md');
      expect(files).toContain('server.json');
      expect(files.filter(name => outside.test(readFileSync(name, 'utf8')))).toEqual([]);
    },
  );

  it.runIf(!release.repository)('package.json and server.json have no address', () => {
    expect(addresses.filter(name => name in manifest)).toEqual([]);
    const server = JSON.parse(readFileSync('server.json', 'utf8'));
    expect(Object.keys(server).sort()).toEqual(['$schema', 'description', 'name', 'title', 'version']);
  });
});

describe('after it', () => {
  const filled = { repository: 'https://github.com/someone/some-name', contact: 'mailto:a@b.example', published: true };

  it('package.json has the addresses of release.json, and none where that has none', () => {
    const shown = Object.fromEntries(addresses.filter(name => name in manifest).map(name => [name, manifest[name]]));
    expect(shown).toEqual(
      release.repository
        ? {
            repository: { type: 'git', url: `git+${release.repository}.git` },
            homepage: `${release.repository}#readme`,
            bugs: `${release.repository}/issues`,
            mcpName: registryName(release, manifest.name),
          }
        : {},
    );
  });

  it.each([
    ['README.md', connectingReadme(filled)],
    ['docs/hosts.md', connectingHosts(filled)],
  ])('%s leads to Cursor and VS Code with what init writes', (_, parts) => {
    const page = Object.values(parts).join('\n');
    expect(page).toContain('npx -y usage-billing-mcp init');
    for (const [id, start] of [
      ['cursor', 'https://cursor.com/en/install-mcp?'],
      ['vscode', 'https://vscode.dev/redirect/mcp/install?'],
    ]) {
      const link = [...page.matchAll(/\]\((https:[^)]+)\)/g)]
        .map(([, target]) => target!)
        .find(target => target.startsWith(start!));
      const { searchParams } = new URL(link ?? 'https://is.missing');
      const config = searchParams.get('config') ?? '';
      expect(searchParams.get('name')).toBe('usage-billing');
      const { entry } = targetFor(hosts.find(host => host.id === id)!, {});
      expect(JSON.parse(id === 'cursor' ? Buffer.from(config, 'base64').toString() : config)).toEqual(entry);
    }
  });

  it('llms.txt leads into the repository, and before to the files beside it', () => {
    const pages = [
      ['README.md', '# A\n\nFirst.'],
      ['docs/b.md', '# B\n\nSecond. Third.'],
    ] as const;
    expect(llmsText(pages, filled)).toContain(
      '- [B](https://github.com/someone/some-name/blob/main/docs/b.md): Second.',
    );
    expect(llmsText(pages, { ...filled, repository: null })).toContain('- [B](docs/b.md): Second.\n');
  });
});
