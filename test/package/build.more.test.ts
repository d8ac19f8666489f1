/** The build replaces modules, and fails when a replacement matches none. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let tree: string;
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'build-'));
  for (const name of ['src', 'tools', 'scripts', 'package.json']) await cp(name, join(tree, name), { recursive: true });
  await symlink(resolve('node_modules'), join(tree, 'node_modules'), 'dir');
});
afterAll(() => rm(tree, { recursive: true }));

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

describe('the build', () => {
  it('fails when a module that it replaces has moved, and leaves dist alone', async () => {
    const script = join(tree, 'scripts/build.mjs');
    const text = await readFile(script, 'utf8');
    const planted = text.replace('client-h2', 'client-http2');
    expect(planted).not.toBe(text);
    await writeFile(script, planted);

    const failed = await promisify(execFile)(process.execPath, [script]).catch(error => error);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('without-http2 replaced nothing');
    expect(await readdir(tree)).not.toContain('dist');
  });
});
