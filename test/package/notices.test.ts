import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const oneSpaced = (text: string) => text.replace(/\s+/g, ' ').trim();
let notices = '';
/** Folders of the packages that the sources need at run time. */
let folders: string[];

beforeAll(async () => {
  notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES'), 'utf8');
  const { output } = await build({
    cwd: root,
    input: ['src/main.ts', 'src/cli/demo.ts', 'src/library.ts'],
    ...{ platform: 'node', external: ['libsql', 'pg'], write: false },
  });
  const used = output.flatMap(file =>
    Object.entries(file.type === 'chunk' ? file.modules : {}).flatMap(([id, { renderedLength }]) =>
      id.includes('node_modules/') && renderedLength > 0 ? [relative(root, id)] : [],
    ),
  );
  folders = [...new Set(used.map(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)![0]))];
}, 180_000);

describe('THIRD-PARTY-NOTICES', () => {
  it('names every package in the bundle with its version and licence, and no other', () => {
    const expected = folders.map(folder => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return `${name} ${version} (${license})`;
    });
    const named = notices.split('\n').filter(line => /^[@\w./-]+ \d+\.\d+\.\d+\S* \(.+\)$/.test(line));
    expect(named.sort()).toEqual([...new Set(expected)].sort());
    expect(named.length).toBeGreaterThan(15);
  });

  it('has the licence and the copyright of each of them word for word', () => {
    const text = oneSpaced(notices);
    for (const folder of folders) {
      const files = readdirSync(join(root, folder)).filter(name => /^(licen[cs]e|notice)/i.test(name));
      for (const file of files) {
        const licence = oneSpaced(readFileSync(join(root, folder, file), 'utf8'));
        expect(text.includes(licence), `${folder}/${file}`).toBe(true);
      }
    }
    expect(text).toContain('Copyright (c) James Sumners');
  });

  it('names the code of other packages that the packages contain', () => {
    expect(notices).toContain('\nllhttp (MIT), carried by undici\n');
    expect(notices).toContain('\ncontent-type (MIT), carried by the Model Context Protocol SDK\n');
  });

  it('is packed, and the stamp of the build is not', () => {
    expect(existsSync(join(root, 'dist/.built'))).toBe(true);
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })) as {
      files: { path: string }[];
    }[];
    const paths = packed!.files.map(({ path }) => path);
    expect(paths).toContain('dist/THIRD-PARTY-NOTICES');
    expect(paths).toContain('dist/main.js');
    expect(paths.filter(path => /(^|\/)\./.test(path))).toEqual([]);
  }, 180_000);
});

describe('a build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The notices that the build would write for one package with these files, if it bundles `index.js`. */
  async function noticesOf(name: string, files: Record<string, string>, renderedLength = 1): Promise<string> {
    const path = join('node_modules', name);
    mkdirSync(join(folder, path), { recursive: true });
    const described = { 'package.json': JSON.stringify({ name, version: '1.2.3', license: 'MIT' }), 'index.js': '' };
    for (const [file, text] of Object.entries({ ...described, ...files }))
      writeFileSync(join(folder, path, file), text);
    const outputs = [{ modules: { [`${path}/index.js`]: { renderedLength } } }];
    const { thirdPartyNotices } = await import(new URL('../../scripts/notices.mjs', import.meta.url).href);
    return thirdPartyNotices({ root: folder, outputs });
  }

  it('fails for a package without a licence text, and names it', async () => {
    await expect(noticesOf('bare', {})).rejects.toThrow(/^bare is bundled and comes without a licence text/);
    await expect(noticesOf('@scope/bare', { 'README.md': 'MIT' })).rejects.toThrow(/^@scope\/bare is bundled/);
  });

  it('fails for a package that carries an unknown one', async () => {
    const carrying = {
      LICENSE: 'Mine.',
      'index.js': '//#region ../node_modules/.pnpm/x@1.0.0/node_modules/x/index.js\n',
    };
    await expect(noticesOf('carrier', carrying)).rejects.toThrow(/index\.js carries x: add its licence/);
  });

  it('finds licences and notices under any usual file name, and leaves out packages that are not in an output', async () => {
    const text = await noticesOf('clad', { 'licence.md': 'Take it.\r\nKeep this.', NOTICE: 'Mind this.' });
    expect(text).toMatch(/\nclad 1\.2\.3 \(MIT\)\n\nMind this\.\n\nTake it\.\nKeep this\.\n$/);
    expect(await noticesOf('bare', {}, 0)).not.toContain('bare');
  });
});
