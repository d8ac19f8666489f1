/** The check of the rooms (scripts/rooms) fails where it should. */
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let tree: string;
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'rooms-'));
  for (const folder of ['src', 'tools']) await cp(folder, join(tree, folder), { recursive: true });
});
afterAll(() => rm(tree, { recursive: true }));

async function check(folder: string) {
  const run = promisify(execFile)(process.execPath, ['scripts/rooms/check.mjs', folder]);
  return run.then(({ stdout }) => ({ code: 0, stdout, stderr: '' })).catch(error => error);
}

/** Runs the check with a line added to a module in a copy of the tree, and removes the line again. */
async function planted(file: string, line: string) {
  const path = join(tree, file);
  await appendFile(path, line);
  try {
    return await check(tree);
  } finally {
    await cp(file, path);
  }
}

describe('the check of the rooms', () => {
  it('sees every module and finds nothing', async () => {
    const modules = (await Promise.all(['src', 'tools'].map(folder => readdir(folder, { recursive: true }))))
      .flat()
      .filter(name => /\.(ts|js)$/.test(name) && !name.endsWith('.d.ts'));
    expect(modules.length).toBeGreaterThan(300);
    const { code, stdout } = await check('.');
    expect(code).toBe(0);
    expect(stdout).toContain(` ${modules.length} modules, `);
    expect(stdout).toContain(': 0 problems');
  });

  it.each([
    ['an import upwards', 'src/lib/recent.ts', "import '../runtime.ts';", 'upwards: lib → runtime'],
    [
      'an import of a type upwards',
      'src/present/fit.ts',
      "export type { Runtime } from '../runtime.ts';",
      'upwards: present → runtime',
    ],
    [
      'the type of a module upwards',
      'src/lib/recent.ts',
      "export type All = typeof import('../runtime.ts');",
      'upwards: lib → runtime',
    ],
    ['a module of no room', 'src/lib/recent.ts', "import '../../scripts/bench.mjs';", 'which is in no room'],
    ['a load upwards', 'src/config/help.ts', "void import('../call/dispatch.ts');", 'upwards: config → call'],
    [
      'a circle of types',
      'src/present/fit.ts',
      "import type {} from './result-fields.ts';",
      'in a circle: src/present/fit.ts, src/present/result-fields.ts',
    ],
    ['a load of what only a run can tell', 'src/lib/recent.ts', 'void import(process.argv[2]);', 'write the path'],
    ['the clock in the engine', 'src/service/engine/taxes.ts', 'export const now = Date.now();', 'uses Date.now'],
    ['a request in the engine', 'src/service/engine/taxes.ts', "void fetch('/');", 'uses fetch('],
    ['a database in the engine', 'src/service/engine/taxes.ts', "import 'pg';", 'imports pg'],
    [
      'the service in a tool call',
      'src/call/dispatch.ts',
      "import '../service/records/index.ts';",
      'meet over HTTP only',
    ],
    ['output that is no protocol', 'src/call/dispatch.ts', "process.stdout.write('');", 'touches stdin or stdout'],
    ['imported output', 'src/call/dispatch.ts', "import { stdout } from 'node:process';", 'touches stdin or stdout'],
  ])('finds %s', async (_what, file, line, said) => {
    const { code, stderr } = await planted(file, `\n${line}\n`);
    expect(code).toBe(1);
    expect(stderr).toContain(said);
  });
});
