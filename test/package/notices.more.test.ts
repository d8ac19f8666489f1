import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const oneSpaced = (text: string) => text.replace(/\s+/g, ' ').trim();
let notices = '';
/** Folders of the packages that the sources need at run time. */
let folders: string[];

beforeAll(async () => {
  notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES'), 'utf8');
  const { output } = await build({
    cwd: root,
    input: ['src/main.ts', 'src/server/commands/demo.ts', 'src/library.ts'],
    ...{ platform: 'node', external: ['libsql', 'pg'], write: false },
  });
  const used = output.flatMap(file =>
    Object.entries(file.type === 'chunk' ? file.modules : {}).flatMap(([id, { renderedLength }]) =>
      id.includes('node_modules/') && renderedLength > 0 ? [relative(root, id)] : [],
    ),
  );
  folders = [...new Set(used.map(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)![0]))];
});

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
});
