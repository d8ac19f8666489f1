/** The check of the layers (scripts/layers) fails where it should. */
import { execFile } from 'node:child_process';
import { appendFile, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const tree = temporaryFolder();
beforeAll(async () => {
  for (const folder of ['src', 'tools']) await cp(folder, join(tree, folder), { recursive: true });
});

async function check(folder: string) {
  const run = promisify(execFile)(process.execPath, ['scripts/layers/check.mjs', folder]);
  return run.then(({ stdout }) => ({ code: 0, stdout, stderr: '' })).catch(error => error);
}

/** What is planted in which module, each in another one, and how the check tells it. */
type Planted = [what: string, file: string, line: string, said: string];
const engine = "export type { UsageRow } from '../../engine/types.ts';";
const planted: Planted[] = [
  ['an import upwards', 'src/lib/collections.ts', "import '../server/runtime.ts';", 'upwards: lib → server'],
  [
    'a type upwards',
    'src/words/result-fields.ts',
    "export type { A } from '../server/core.ts';",
    'upwards: words → server',
  ],
  [
    'a module’s type upwards',
    'src/lib/text.ts',
    "export type A = typeof import('../server/core.ts');",
    'upwards: lib → server',
  ],
  ['a module of no layer', 'src/lib/nearest-word.ts', "import '../../scripts/bench.mjs';", 'which is in no layer'],
  [
    'a load upwards',
    'src/server/settings/help.ts',
    "void import('../../calls/dispatch.ts');",
    'upwards: settings → calls',
  ],
  ['a load of what only a run can tell', 'src/lib/collections.ts', 'void import(process.argv[2]);', 'write the path'],
  ['the clock in the engine', 'src/engine/taxes.ts', 'export const now = Date.now();', 'uses Date.now'],
  ['a request in the engine', 'src/engine/fees.ts', "void fetch('/');", 'uses fetch('],
  ['a database in the engine', 'src/engine/mrr.ts', "import 'pg';", 'imports pg'],
  ['the service in a tool call', 'src/calls/dispatch.ts', "import '../service/app.ts';", 'meet over HTTP only'],
  ['the engine in a route', 'src/service/routes/customers.ts', engine, 'through src/service/operations/'],
  ['a request in prices', 'src/contract/pricing/money.ts', "void fetch('/');", 'uses fetch('],
  ['output that is no protocol', 'src/calls/change/set.ts', "process.stdout.write('');", 'touches stdin or stdout'],
  ['imported output', 'src/calls/api/api.ts', "import { stdout } from 'node:process';", 'touches stdin or stdout'],
];
describe('the check of the layers', () => {
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

  describe('where modules break an order, a layer or a purity', () => {
    let found: { code: number; stdout: string; stderr: string };
    beforeAll(async () => {
      for (const [, file, line] of planted) await appendFile(join(tree, file), `\n${line}\n`);
      found = await check(tree);
    });

    it.each(planted)('finds %s', (_what, file, _line, said) => {
      expect(found.code).toBe(1);
      expect(found.stderr.split('\n').filter(line => line.includes(file))).toContainEqual(
        expect.stringContaining(said),
      );
    });
  });
});
