/** The whole build fails when a replacement matches no module. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const tree = temporaryFolder();

it('the build fails when a module that it replaces has moved, and leaves dist alone', async () => {
  for (const name of ['src', 'tools', 'scripts', 'package.json']) await cp(name, join(tree, name), { recursive: true });
  await symlink(resolve('node_modules'), join(tree, 'node_modules'), 'dir');
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
