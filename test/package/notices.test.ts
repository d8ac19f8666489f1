/** The notices that a build writes for what it bundles (scripts/notices.mjs). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

describe('a build', () => {
  const folder = temporaryFolder();

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
    await expect(noticesOf('bare', {})).rejects.toThrow(/^bare .*without a licence text/);
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
