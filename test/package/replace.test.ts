/** The build replaces modules, and fails when a replacement matches none. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const tree = temporaryFolder();

async function replaceModules(pattern: RegExp) {
  const { replace } = await import(new URL('../../scripts/replace.mjs', import.meta.url).href);
  const plugin = replace('stand-in', pattern, "export const answer = 'replaced';");
  const entry = join(tree, 'entry.js');
  await writeFile(join(tree, 'answer.js'), "export const answer = 'original';");
  await writeFile(entry, "export { answer } from './answer.js';");
  const { output } = await build({ input: entry, plugins: [plugin], write: false });
  return { code: output[0].code, hits: [...plugin.hits] };
}

describe('a replacement', () => {
  it('counts the modules that it replaces', async () => {
    const { code, hits } = await replaceModules(/answer\.js$/);
    expect(code).toContain('replaced');
    expect(code).not.toContain('original');
    expect(hits).toEqual([expect.stringMatching(/answer\.js$/)]);
  });

  it('fails the build when it replaces nothing, and the error gives its name and pattern', async () => {
    await expect(replaceModules(/moved\.js$/)).rejects.toThrow(/stand-in replaced nothing: .*moved/);
  });
});
